//! The rule switches, as text such as `thesis,flying=off`.

use std::fmt;
use std::str::FromStr;

use super::points::SpokeGrid;
use super::position::MOST_STONES;
use crate::error::RulesError;
use crate::switches;

/// Whether a closed mill may take stones that stand in a mill themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CaptureFromMill {
    /// Never: a mill closed against stones that all stand in mills removes nothing (S2, 1.1).
    Never,
    /// Only when all opposing stones stand in mills.
    IfAllInMills,
    /// Any opposing stone may be taken.
    Always,
}

/// How many stones a stone from the hand removes that closes two mills at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DoubleMill {
    /// One, as any mill.
    One,
    /// Two, or one where only one may be taken. They are taken one after the other: what may be taken from mills is
    /// asked anew for the second, with the first one gone. Order makes no difference to the move. A stone that is moved
    /// always takes one: without diagonals it cannot close two mills.
    Two,
}

/// What a side gets that is to move on a full board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FullBoard {
    /// It has no move and so has lost.
    Loss,
    /// Nobody has lost a stone, so nobody has lost.
    Draw,
}

/// The switches; all combinations are valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Stones each side begins with in hand, from 3 to 12.
    pub stones: u8,
    /// Which points lines join: with diagonals or without.
    pub grid: SpokeGrid,
    /// Whether a side with stones in hand may move one on the board instead of placing.
    pub move_while_placing: bool,
    /// Which stones a closed mill may take.
    pub capture_from_mill: CaptureFromMill,
    /// Whether a side with exactly three stones, none in hand, may move anywhere.
    pub flying: bool,
    /// How many stones a double mill takes.
    pub double_mill: DoubleMill,
    /// What happens when 24 stones fill the board.
    pub full_board: FullBoard,
    /// Drawn when a position stands for the n-th time; 0 turns it off.
    pub repetition: u32,
    /// Drawn after so many plies without placing or removal; 0 turns it off.
    pub quiet_plies: u32,
    /// The same where a side has three stones left, none in hand.
    pub endgame_plies: u32,
}

/// The rules most people play by.
pub const STANDARD: Rules = Rules {
    stones: 9,
    grid: SpokeGrid::PLAIN,
    move_while_placing: false,
    capture_from_mill: CaptureFromMill::IfAllInMills,
    flying: true,
    double_mill: DoubleMill::One,
    full_board: FullBoard::Loss,
    repetition: 3,
    quiet_plies: 100,
    endgame_plies: 0,
};

/// The rules of S2: stones in mills are safe.
pub const THESIS: Rules = Rules { capture_from_mill: CaptureFromMill::Never, ..STANDARD };

/// Emanuel Lasker's game: ten stones, and a side may move before it has placed them all.
pub const LASKER: Rules = Rules { stones: 10, move_while_placing: true, ..STANDARD };

/// Twelve men's Morris as it is played in southern Africa: twelve stones on a board with diagonals.
pub const MORABARABA: Rules = Rules {
    stones: MOST_STONES,
    grid: SpokeGrid::DIAGONALS,
    full_board: FullBoard::Draw,
    endgame_plies: 10,
    ..STANDARD
};

const PRESETS: [(&str, Rules); 4] =
    [("standard", STANDARD), ("thesis", THESIS), ("lasker", LASKER), ("morabaraba", MORABARABA)];
const STONES: &str = "stones";
const DIAGONALS: &str = "diagonals";
const MOVING: &str = "move-while-placing";
const CAPTURE: &str = "capture-from-mill";
const FLYING: &str = "flying";
const DOUBLE: &str = "double-mill";
const FULL: &str = "full-board";
const REPETITION: &str = "repetition";
const QUIET: &str = "quiet-plies";
const ENDGAME: &str = "endgame-plies";
const SWITCHES: [&str; 10] =
    [STONES, DIAGONALS, MOVING, CAPTURE, FLYING, DOUBLE, FULL, REPETITION, QUIET, ENDGAME];

/// Everything that a part of a rule text can begin with.
fn known() -> impl Iterator<Item = &'static str> + Clone {
    PRESETS.into_iter().map(|(name, _)| name).chain(SWITCHES)
}

/// The longest limit a draw rule takes; the counter of a position goes further.
const LONGEST: u32 = 10_000;

impl Default for Rules {
    fn default() -> Rules {
        STANDARD
    }
}

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Rules, RulesError> {
        let mut rules = STANDARD;
        let mut first = true;
        switches::each(text, |word, value| {
            let is_first = std::mem::take(&mut first);
            match value {
                Some(value) => rules.set(word, value),
                None => {
                    rules = preset(word)?;
                    preset_comes_first(word, is_first)
                }
            }
        })?;
        Ok(rules)
    }
}

fn preset(word: &str) -> Result<Rules, RulesError> {
    let found = PRESETS.iter().find(|(name, _)| *name == word);
    found.map(|&(_, rules)| rules).ok_or_else(|| RulesError::unknown(word, known()))
}

fn preset_comes_first(word: &str, is_first: bool) -> Result<(), RulesError> {
    let fault = || format!("the preset `{word}` would undo what stands before it; put it first");
    if is_first { Ok(()) } else { Err(RulesError::Contradiction { fault: fault() }) }
}

impl Rules {
    fn set(&mut self, key: &str, value: &str) -> Result<(), RulesError> {
        match key {
            STONES => self.stones = switches::number(key, value, 3, MOST_STONES.into())? as u8,
            DIAGONALS => {
                self.grid =
                    if switches::switch(key, value)? { SpokeGrid::DIAGONALS } else { SpokeGrid::PLAIN };
            }
            MOVING => self.move_while_placing = switches::switch(key, value)?,
            CAPTURE => self.capture_from_mill = value.parse()?,
            FLYING => self.flying = switches::switch(key, value)?,
            DOUBLE => self.double_mill = value.parse()?,
            FULL => self.full_board = value.parse()?,
            REPETITION => self.repetition = switches::number(key, value, 0, LONGEST)?,
            QUIET => self.quiet_plies = switches::number(key, value, 0, LONGEST)?,
            ENDGAME => self.endgame_plies = switches::number(key, value, 0, LONGEST)?,
            _ => return Err(RulesError::unknown(key, known())),
        }
        Ok(())
    }

    /// The value of a switch, as text.
    fn value(&self, key: &str) -> String {
        match key {
            STONES => self.stones.to_string(),
            DIAGONALS => switches::on_off(self.grid.has_diagonals()).into(),
            MOVING => switches::on_off(self.move_while_placing).into(),
            CAPTURE => self.capture_from_mill.to_string(),
            FLYING => switches::on_off(self.flying).into(),
            DOUBLE => self.double_mill.to_string(),
            FULL => self.full_board.to_string(),
            REPETITION => self.repetition.to_string(),
            QUIET => self.quiet_plies.to_string(),
            _ => self.endgame_plies.to_string(),
        }
    }

    /// The switches that differ from those of `preset`.
    fn differing(&self, preset: &Rules) -> impl Iterator<Item = (&'static str, String)> {
        let values = SWITCHES.map(|key| (key, self.value(key), preset.value(key)));
        values.into_iter().filter(|(_, own, other)| own != other).map(|(key, own, _)| (key, own))
    }
}

impl fmt::Display for Rules {
    /// The nearest preset, then what differs from it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nearest = PRESETS.iter().min_by_key(|(_, preset)| self.differing(preset).count());
        let (name, preset) = nearest.unwrap_or(&PRESETS[0]);
        f.write_str(name)?;
        self.differing(preset).try_for_each(|(key, value)| write!(f, ",{key}={value}"))
    }
}

impl FromStr for CaptureFromMill {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<CaptureFromMill, RulesError> {
        match text {
            "never" => Ok(CaptureFromMill::Never),
            "if-all-in-mills" => Ok(CaptureFromMill::IfAllInMills),
            "always" => Ok(CaptureFromMill::Always),
            _ => Err(RulesError::value(CAPTURE, text, "`never`, `if-all-in-mills` or `always`")),
        }
    }
}

impl fmt::Display for CaptureFromMill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CaptureFromMill::Never => "never",
            CaptureFromMill::IfAllInMills => "if-all-in-mills",
            CaptureFromMill::Always => "always",
        })
    }
}

impl FromStr for DoubleMill {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<DoubleMill, RulesError> {
        match text {
            "one" => Ok(DoubleMill::One),
            "two" => Ok(DoubleMill::Two),
            _ => Err(RulesError::value(DOUBLE, text, "`one` or `two`")),
        }
    }
}

impl fmt::Display for DoubleMill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DoubleMill::One => "one",
            DoubleMill::Two => "two",
        })
    }
}

impl FromStr for FullBoard {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<FullBoard, RulesError> {
        match text {
            "loss" => Ok(FullBoard::Loss),
            "draw" => Ok(FullBoard::Draw),
            _ => Err(RulesError::value(FULL, text, "`loss` or `draw`")),
        }
    }
}

impl fmt::Display for FullBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FullBoard::Loss => "loss",
            FullBoard::Draw => "draw",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_round_trips() {
        for capture in ["never", "if-all-in-mills", "always"] {
            for flying in ["on", "off"] {
                for double in ["one", "two"] {
                    for (repetition, quiet) in [(3, 100), (0, 0), (2, 9_999)] {
                        let text = format!(
                            "capture-from-mill={capture},flying={flying},double-mill={double},\
                             repetition={repetition},quiet-plies={quiet}"
                        );
                        let rules: Rules = text.parse().unwrap();
                        assert_eq!(rules.to_string().parse(), Ok(rules), "{text}");
                        let values = (rules.capture_from_mill.to_string(), rules.double_mill.to_string());
                        assert_eq!(values, (capture.into(), double.into()));
                        assert_eq!((rules.flying, rules.repetition), (flying == "on", repetition));
                    }
                }
            }
        }
    }

    #[test]
    fn text_is_short() {
        let short = |text: &str| text.parse::<Rules>().unwrap().to_string();
        assert_eq!(short(""), "standard");
        assert_eq!(short("thesis, flying = off"), "thesis,flying=off");
        assert_eq!(short("capture-from-mill=never,quiet-plies=0"), "thesis,quiet-plies=0");
        assert_eq!(short("standard,capture-from-mill=always"), "standard,capture-from-mill=always");
        assert_eq!(short("stones=10,move-while-placing=on"), "lasker");
        assert_eq!(short("morabaraba,endgame-plies=0"), "morabaraba,endgame-plies=0");
        assert_eq!(short("diagonals=on"), "standard,diagonals=on");
        assert_eq!(short("lasker,diagonals=on,flying=off"), "lasker,diagonals=on,flying=off");
    }

    #[test]
    fn presets_and_the_switches_of_variants_round_trip() {
        for (name, rules) in PRESETS {
            assert_eq!((name.parse(), rules.to_string()), (Ok(rules), name.to_string()));
            for change in ["stones=3", "stones=11", "diagonals=on", "diagonals=off", "full-board=draw"] {
                for more in ["move-while-placing=off", "move-while-placing=on", "endgame-plies=7"] {
                    let text = format!("{name},{change},{more}");
                    let rules: Rules = text.parse().unwrap();
                    assert_eq!(rules.to_string().parse(), Ok(rules), "{text}");
                }
            }
        }
    }

    #[test]
    fn errors_say_what_would_be_right() {
        let error = |text: &str| text.parse::<Rules>().unwrap_err().to_string();
        assert!(error("thesys").starts_with("unknown rule `thesys`: expected `thesis`?"));
        assert!(error("fly=on").starts_with("unknown rule `fly`"));
        assert_eq!(error("flying=maybe"), "rule `flying`: `maybe` is not `on` or `off`");
        assert_eq!(error("stones=13"), "rule `stones`: `13` is not a whole number from 3 to 12");
        assert_eq!(error("full-board=win"), "rule `full-board`: `win` is not `loss` or `draw`");
        assert!(error("morabarabaa").starts_with("unknown rule `morabarabaa`: expected `morabaraba`?"));
        assert_eq!(error("double-mill=3"), "rule `double-mill`: `3` is not `one` or `two`");
        assert_eq!(error("repetition=-1"), "rule `repetition`: `-1` is not a whole number from 0 to 10000");
        assert_eq!(
            error("flying=off,thesis"),
            "rules contradict each other: the preset `thesis` would undo what stands before it; put it first"
        );
    }
}
