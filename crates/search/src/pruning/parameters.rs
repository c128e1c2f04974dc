//! The numbers of the techniques: TOML with a section for each, and single numbers given beside it.

use serde::Deserialize;

/// Late-move reductions: moves that come late in the order are searched less deeply first, and again in full if they
/// are better than thought.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LateMoves {
    /// How many moves are never reduced.
    pub first: u32,
    /// From this depth on.
    pub depth: u32,
    /// The reduction is `base + ln(depth) * ln(number) / divisor` plies.
    pub base: f64,
    /// Smaller ones reduce more.
    pub divisor: f64,
    /// Plies fewer for a move that has always been good, and more for one that never was.
    pub history: f64,
    /// Plies fewer where the window is open.
    pub principal: f64,
    /// Which moves are never reduced.
    pub spare: Spare,
}

/// Which moves a technique leaves alone, however late they come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spare {
    /// Those that take something ([`trilith_games::Noise::Captures`]).
    Captures,
    /// Those that cannot be undone ([`trilith_games::Game::is_irreversible`]): captures, and all placed stones and discs.
    Irreversible,
}

/// Move-count pruning: near the leaves only the first `base + growth * depth^2` moves are looked at.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MoveCount {
    /// Up to this depth.
    pub depth: u32,
    /// See above.
    pub base: f64,
    /// See above.
    pub growth: f64,
    /// Which moves are never left out.
    pub spare: Spare,
}

/// Futility pruning: quiet moves are left out where the position lies farther below the window than they can bring.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Futility {
    /// Up to this depth.
    pub depth: u32,
    /// `base + margin * depth`, in units of the evaluation.
    pub base: f64,
    /// See above.
    pub margin: f64,
}

/// Reverse futility: a position that lies `margin * depth` units above the window stands for its search.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReverseFutility {
    /// Up to this depth.
    pub depth: u32,
    /// In units of the evaluation.
    pub margin: f64,
}

/// Null move: who would be above the window even after passing needs no full search. Only in games whose positions can be
/// passed in ([`trilith_games::Game::null_move`]).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NullMove {
    /// From this depth on.
    pub depth: u32,
    /// The search after it is `base + depth / divisor` plies shallower than after a move.
    pub base: f64,
    /// See above.
    pub divisor: f64,
}

/// Internal iterative reduction: where the table knows no move, a ply less is searched.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct InternalReduction {
    /// From this depth on.
    pub depth: u32,
}

/// History order: quiet moves in the order of how often they have cut, after this and after every last move, rather than of
/// the game's own guess alone.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HistoryOrder {
    /// What a point of the game's guess counts beside a move that has always been good.
    pub guess: f64,
    /// What the history after the opponent's last move (continuation history) counts beside that after any.
    pub continuation: f64,
}

/// Threat extension: where the opponent threatens to take something and the search is about to end, it goes a ply on.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ThreatExtension {
    /// Up to this depth.
    pub depth: u32,
    /// Plies that a line may become longer.
    pub most: u32,
}

/// Singular extension: the hash move is searched a ply deeper if a shallower search finds all others much worse.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SingularExtension {
    /// From this depth on.
    pub depth: u32,
    /// Worse by `margin * depth`, in units of the evaluation.
    pub margin: f64,
    /// Plies that a line may become longer.
    pub most: u32,
}

/// Capture history: captures are ordered by how often they have cut among captures of equal guess, and are no killers or
/// countermoves, so that quiet moves keep these places.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaptureHistory {}

/// What `SECTION:on` means.
macro_rules! usual {
    ($($name:ident { $($key:ident: $value:expr),* })*) => {
        $(impl Default for $name {
            fn default() -> $name {
                $name { $($key: $value),* }
            }
        })*
    };
}

usual! {
    LateMoves {
        first: 3, depth: 3, base: 0.3, divisor: 2.2, history: 1.0, principal: 0.0, spare: Spare::Captures
    }
    MoveCount { depth: 3, base: 8.0, growth: 4.0, spare: Spare::Captures }
    Futility { depth: 3, base: 0.3, margin: 0.3 }
    ReverseFutility { depth: 3, margin: 0.5 }
    NullMove { depth: 3, base: 2.0, divisor: 4.0 }
    InternalReduction { depth: 5 }
    HistoryOrder { guess: 0.25, continuation: 1.0 }
    ThreatExtension { depth: 1, most: 4 }
    SingularExtension { depth: 6, margin: 0.05, most: 6 }
}

/// Which techniques are used, and their numbers.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PruningParameters {
    /// `late-move-reductions`.
    #[serde(rename = "late-move-reductions")]
    pub late_moves: Option<LateMoves>,
    /// `move-count`.
    pub move_count: Option<MoveCount>,
    /// `futility`.
    pub futility: Option<Futility>,
    /// `reverse-futility`.
    pub reverse_futility: Option<ReverseFutility>,
    /// `null-move`.
    pub null_move: Option<NullMove>,
    /// `internal-reduction`.
    pub internal_reduction: Option<InternalReduction>,
    /// `history-order`.
    pub history_order: Option<HistoryOrder>,
    /// `threat-extension`.
    pub threat_extension: Option<ThreatExtension>,
    /// `singular-extension`.
    pub singular_extension: Option<SingularExtension>,
    /// `capture-history`.
    pub capture_history: Option<CaptureHistory>,
}

/// Why parameters are refused.
#[derive(Debug, thiserror::Error)]
pub enum PruningError {
    /// The file cannot be read.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// The text is no parameters.
    #[error("{0}")]
    Text(#[from] toml::de::Error),
    /// A number with which no search works.
    #[error("`{name}`: {value}, expected {expected}")]
    Range {
        /// Section and key.
        name: &'static str,
        /// As given.
        value: f64,
        /// What would be right.
        expected: &'static str,
    },
    /// A change that changes nothing there is.
    #[error(
        "`{0}`: expected SECTION.KEY:NUMBER, SECTION.spare:captures or irreversible, SECTION:on or SECTION:off, several with a \
         slash between them"
    )]
    Tweak(String),
}

impl PruningParameters {
    /// The names of all techniques.
    pub const TECHNIQUES: [&str; 10] = [
        "late-move-reductions",
        "move-count",
        "futility",
        "reverse-futility",
        "null-move",
        "internal-reduction",
        "history-order",
        "threat-extension",
        "singular-extension",
        "capture-history",
    ];

    /// Only the techniques of these names, with the numbers of `text`, or the usual ones where it has none.
    pub fn only(text: &str, names: &[&str]) -> Result<PruningParameters, PruningError> {
        let mut given: toml::Table = toml::from_str(text)?;
        let mut section = |name: &&str| given.remove(*name).unwrap_or_else(|| toml::Table::new().into());
        let chosen: toml::Table = names.iter().map(|name| ((*name).to_owned(), section(name))).collect();
        let parameters: PruningParameters = chosen.try_into()?;
        parameters.check()?;
        Ok(parameters)
    }

    /// Reads TOML.
    pub fn parse(text: &str) -> Result<PruningParameters, PruningError> {
        let parameters: PruningParameters = toml::from_str(text)?;
        parameters.check()?;
        Ok(parameters)
    }

    /// The parameters of `text` with single numbers changed or techniques turned off, such as
    /// `late-move-reductions.base:0.5/null-move:off`.
    pub fn tweaked(text: &str, tweaks: &str) -> Result<PruningParameters, PruningError> {
        let mut table: toml::Table = toml::from_str(text)?;
        for tweak in tweaks.split('/') {
            change(&mut table, tweak).ok_or_else(|| PruningError::Tweak(tweak.to_owned()))?;
        }
        let parameters: PruningParameters = table.try_into()?;
        parameters.check()?;
        Ok(parameters)
    }

    fn check(&self) -> Result<(), PruningError> {
        let finite = |name, value: f64| match value.is_finite() && value.abs() <= 1000.0 {
            true => Ok(()),
            false => {
                Err(PruningError::Range { name, value, expected: "a number of at most 1000, either way" })
            }
        };
        let above = |name, value: f64| match value >= 0.1 {
            true => finite(name, value),
            false => Err(PruningError::Range { name, value, expected: "at least 0.1" }),
        };
        if let Some(late) = &self.late_moves {
            finite("late-move-reductions.base", late.base)?;
            above("late-move-reductions.divisor", late.divisor)?;
            finite("late-move-reductions.history", late.history)?;
            finite("late-move-reductions.principal", late.principal)?;
        }
        if let Some(count) = &self.move_count {
            above("move-count.base", count.base)?;
            finite("move-count.growth", count.growth)?;
        }
        if let Some(futility) = &self.futility {
            finite("futility.base", futility.base)?;
            finite("futility.margin", futility.margin)?;
        }
        if let Some(reverse) = &self.reverse_futility {
            finite("reverse-futility.margin", reverse.margin)?;
        }
        if let Some(null) = &self.null_move {
            finite("null-move.base", null.base)?;
            above("null-move.divisor", null.divisor)?;
        }
        if let Some(order) = &self.history_order {
            finite("history-order.guess", order.guess)?;
            finite("history-order.continuation", order.continuation)?;
        }
        if let Some(singular) = &self.singular_extension {
            finite("singular-extension.margin", singular.margin)?;
        }
        Ok(())
    }
}

/// Keys whose numbers are whole.
const WHOLE: [&str; 3] = ["first", "depth", "most"];
/// The key that takes a word.
const WORD: &str = "spare";

/// Changes one value, removes one section or adds one with its usual values; none if there is no such thing.
fn change(table: &mut toml::Table, tweak: &str) -> Option<()> {
    let (name, value) = tweak.split_once(':')?;
    match (name.split_once('.'), value) {
        (None, "off") => table.remove(name).map(|_| ()),
        (None, "on") => {
            table.entry(name).or_insert_with(|| toml::Table::new().into());
            Some(())
        }
        (Some((section, key)), value) => {
            let value = if key == WORD { value.into() } else { number(key, value)? };
            table.get_mut(section)?.as_table_mut()?.insert(key.to_owned(), value);
            Some(())
        }
        _ => None,
    }
}

fn number(key: &str, text: &str) -> Option<toml::Value> {
    let number: f64 = text.parse().ok()?;
    Some(if WHOLE.contains(&key) { (number.max(0.0).round() as i64).into() } else { number.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[futility]\ndepth = 3\nbase = 0.5\nmargin = 1.0\n[internal-reduction]\ndepth = 4\n";

    #[test]
    fn single_numbers_can_be_changed() {
        let plain = PruningParameters::parse(TEXT).unwrap();
        let changed = PruningParameters::tweaked(
            TEXT,
            "futility.margin:1.25/futility.depth:4.6/internal-reduction:off",
        )
        .unwrap();
        let futility = Futility { depth: 5, margin: 1.25, ..plain.futility.clone().unwrap() };
        assert_eq!(
            changed,
            PruningParameters { futility: Some(futility), internal_reduction: None, ..plain }
        );
    }

    #[test]
    fn a_technique_can_be_turned_on_with_its_usual_numbers() {
        let text = "null-move:on/null-move.base:3/singular-extension:on/futility:on";
        let changed = PruningParameters::tweaked(TEXT, text).unwrap();
        let plain = PruningParameters::parse(TEXT).unwrap();
        assert_eq!(changed.null_move, Some(NullMove { base: 3.0, ..NullMove::default() }));
        assert_eq!(changed.singular_extension, Some(SingularExtension::default()));
        assert_eq!(changed.futility, plain.futility, "what is on stays as it is");
        assert_eq!(changed.history_order, None);
    }

    #[test]
    fn which_moves_are_spared_is_said_by_a_word() {
        let spare = |word: &str| {
            PruningParameters::tweaked("[move-count]", &format!("move-count.spare:{word}"))
                .map(|parameters| parameters.move_count.unwrap().spare)
        };
        assert_eq!(spare("irreversible").unwrap(), Spare::Irreversible);
        assert_eq!(spare("captures").unwrap(), MoveCount::default().spare);
        assert!(spare("pawns").unwrap_err().to_string().contains("unknown variant `pawns`"));
    }

    #[test]
    fn techniques_can_be_chosen_by_name() {
        let all = PruningParameters::only(TEXT, &PruningParameters::TECHNIQUES).unwrap();
        assert_eq!(all.futility, PruningParameters::parse(TEXT).unwrap().futility);
        assert_eq!(all.late_moves, Some(LateMoves::default()));
        for name in PruningParameters::TECHNIQUES {
            let one = PruningParameters::only("", &[name]).unwrap();
            assert_ne!(one, PruningParameters::default(), "{name}");
        }
        assert!(PruningParameters::only("", &["castling"]).is_err());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let fault = |tweak: &str| PruningParameters::tweaked(TEXT, tweak).unwrap_err().to_string();
        for tweak in ["null-move:off", "null-move.base:1", "futility.margin:x", "futility:1", "", "futility"]
        {
            assert!(fault(tweak).starts_with(&format!("`{tweak}`: expected SECTION.KEY:NUMBER")), "{tweak}");
        }
        assert_eq!(
            fault("futility.margin:inf"),
            "`futility.margin`: inf, expected a number of at most 1000, either way"
        );
        assert!(fault("futility.margins:1").contains("unknown field `margins`"));
        assert!(fault("castling:on").contains("unknown field `castling`"));
        assert!(PruningParameters::parse("[late]").unwrap_err().to_string().contains("unknown field `late`"));
        let text = "[null-move]\ndepth = 3\nbase = 2.0\ndivisor = 0.0";
        assert!(PruningParameters::parse(text).unwrap_err().to_string().contains("expected at least 0.1"));
    }
}
