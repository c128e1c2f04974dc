//! The rule switches, as text such as `thesis,flying=off`.

use std::fmt;
use std::str::FromStr;

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

/// How many stones two mills closed by one stone remove.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DoubleMill {
    /// One, as any mill.
    One,
    /// Two, or one where only one may be taken. They are taken one after the other: what may be taken from mills is
    /// asked anew for the second, with the first one gone. Order makes no difference to the move.
    Two,
}

/// The switches; all combinations are valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Which stones a closed mill may take.
    pub capture_from_mill: CaptureFromMill,
    /// Whether a side with exactly three stones, none in hand, may move anywhere.
    pub flying: bool,
    /// How many stones a double mill takes.
    pub double_mill: DoubleMill,
    /// Drawn when a position stands for the n-th time; 0 turns it off.
    pub repetition: u32,
    /// Drawn after so many plies without placing or removal; 0 turns it off.
    pub quiet_plies: u32,
}

/// The rules most people play by.
pub const STANDARD: Rules = Rules {
    capture_from_mill: CaptureFromMill::IfAllInMills,
    flying: true,
    double_mill: DoubleMill::One,
    repetition: 3,
    quiet_plies: 100,
};

/// The rules of S2: stones in mills are safe.
pub const THESIS: Rules = Rules { capture_from_mill: CaptureFromMill::Never, ..STANDARD };

const PRESETS: [(&str, Rules); 2] = [("standard", STANDARD), ("thesis", THESIS)];
const CAPTURE: &str = "capture-from-mill";
const FLYING: &str = "flying";
const DOUBLE: &str = "double-mill";
const REPETITION: &str = "repetition";
const QUIET: &str = "quiet-plies";
const KNOWN: [&str; 7] = ["standard", "thesis", CAPTURE, FLYING, DOUBLE, REPETITION, QUIET];

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
    found.map(|&(_, rules)| rules).ok_or_else(|| RulesError::unknown(word, KNOWN))
}

fn preset_comes_first(word: &str, is_first: bool) -> Result<(), RulesError> {
    let fault = || format!("the preset `{word}` would undo what stands before it; put it first");
    if is_first { Ok(()) } else { Err(RulesError::Contradiction { fault: fault() }) }
}

impl Rules {
    fn set(&mut self, key: &str, value: &str) -> Result<(), RulesError> {
        match key {
            CAPTURE => self.capture_from_mill = value.parse()?,
            FLYING => self.flying = switches::switch(key, value)?,
            DOUBLE => self.double_mill = value.parse()?,
            REPETITION => self.repetition = switches::number(key, value, 0, LONGEST)?,
            QUIET => self.quiet_plies = switches::number(key, value, 0, LONGEST)?,
            _ => return Err(RulesError::unknown(key, KNOWN)),
        }
        Ok(())
    }
}

impl fmt::Display for Rules {
    /// The preset with the same captures, then what differs from it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, preset) = PRESETS[usize::from(self.capture_from_mill == CaptureFromMill::Never)];
        f.write_str(name)?;
        if self.capture_from_mill != preset.capture_from_mill {
            write!(f, ",{CAPTURE}={}", self.capture_from_mill)?;
        }
        if self.flying != preset.flying {
            write!(f, ",{FLYING}={}", switches::on_off(self.flying))?;
        }
        if self.double_mill != preset.double_mill {
            write!(f, ",{DOUBLE}={}", self.double_mill)?;
        }
        if self.repetition != preset.repetition {
            write!(f, ",{REPETITION}={}", self.repetition)?;
        }
        if self.quiet_plies != preset.quiet_plies {
            write!(f, ",{QUIET}={}", self.quiet_plies)?;
        }
        Ok(())
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
    }

    #[test]
    fn errors_say_what_would_be_right() {
        let error = |text: &str| text.parse::<Rules>().unwrap_err().to_string();
        assert!(error("thesys").starts_with("unknown rule `thesys`: expected `thesis`?"));
        assert!(error("fly=on").starts_with("unknown rule `fly`"));
        assert_eq!(error("flying=maybe"), "rule `flying`: `maybe` is not `on` or `off`");
        assert_eq!(error("double-mill=3"), "rule `double-mill`: `3` is not `one` or `two`");
        assert_eq!(error("repetition=-1"), "rule `repetition`: `-1` is not a whole number from 0 to 10000");
        assert_eq!(
            error("flying=off,thesis"),
            "rules contradict each other: the preset `thesis` would undo what stands before it; put it first"
        );
    }
}
