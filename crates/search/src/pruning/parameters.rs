//! The numbers of the techniques: TOML with a section for each, and single numbers given beside it.

use serde::Deserialize;

/// Late-move reductions: moves that come late in the order are searched less deeply first, and again in full if they
/// are better than thought.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
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
}

/// Move-count pruning: near the leaves only the first `base + growth * depth^2` moves are looked at.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveCount {
    /// Up to this depth.
    pub depth: u32,
    /// See above.
    pub base: f64,
    /// See above.
    pub growth: f64,
}

/// Futility pruning: quiet moves are left out where the position lies farther below the window than they can bring.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
pub struct ReverseFutility {
    /// Up to this depth.
    pub depth: u32,
    /// In units of the evaluation.
    pub margin: f64,
}

/// Null move: who would be above the window even after passing needs no full search. Only in games whose positions can be
/// passed in ([`trilith_games::Game::null_move`]).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
pub struct InternalReduction {
    /// From this depth on.
    pub depth: u32,
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
    #[error("`{0}`: expected SECTION.KEY:NUMBER or SECTION:off, several with a slash between them")]
    Tweak(String),
}

impl PruningParameters {
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
        Ok(())
    }
}

/// Changes one number or removes one section; none if there is no such thing.
fn change(table: &mut toml::Table, tweak: &str) -> Option<()> {
    let (name, value) = tweak.split_once(':')?;
    match (name.split_once('.'), value) {
        (None, "off") => table.remove(name).map(|_| ()),
        (Some((section, key)), number) => {
            let number: f64 = number.parse().ok()?;
            let place = table.get_mut(section)?.as_table_mut()?.get_mut(key)?;
            *place = match place {
                toml::Value::Integer(_) => toml::Value::Integer(number.max(0.0).round() as i64),
                _ => toml::Value::Float(number),
            };
            Some(())
        }
        _ => None,
    }
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
    fn what_is_wrong_is_named() {
        let fault = |tweak: &str| PruningParameters::tweaked(TEXT, tweak).unwrap_err().to_string();
        for tweak in
            ["futility.margins:1", "null-move:off", "futility.margin:x", "futility:on", "", "futility"]
        {
            assert!(fault(tweak).starts_with(&format!("`{tweak}`: expected SECTION.KEY:NUMBER")), "{tweak}");
        }
        assert_eq!(
            fault("futility.margin:inf"),
            "`futility.margin`: inf, expected a number of at most 1000, either way"
        );
        assert!(PruningParameters::parse("[late]").unwrap_err().to_string().contains("unknown field `late`"));
        let text = "[null-move]\ndepth = 3\nbase = 2.0\ndivisor = 0.0";
        assert!(PruningParameters::parse(text).unwrap_err().to_string().contains("expected at least 0.1"));
    }
}
