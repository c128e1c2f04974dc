//! The switches of Abalone: layout, marbles to eject, princess, draw rules.

use std::fmt;
use std::str::FromStr;

use super::cells::CENTRE;
use super::rows::MarbleRows;
use crate::error::RulesError;
use crate::game::DrawRules;
use crate::switches;

/// The named layouts, as row texts.
pub const LAYOUTS: [(&str, &str); 6] = [
    ("standard", "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb"),
    ("belgian-daisy", "ww1bb/wwwbbb/1ww1bb1/8/9/8/1bb1ww1/bbbwww/bb1ww"),
    ("german-daisy", "5/ww2bb/www1bbb/1ww2bb1/9/1bb2ww1/bbb1www/bb2ww/5"),
    ("dutch-daisy", "ww1bb/wbwbwb/1ww1bb1/8/9/8/1bb1ww1/bwbwbw/bb1ww"),
    ("swiss-daisy", "5/ww2bb/wbw1bwb/1ww2bb1/9/1bb2ww1/bwb1wbw/bb2ww/5"),
    ("snakes", "bbbbb/b5/b6/b2bbww1/1b1b1w1w1/1bbww2w/6w/5w/wwwww"),
];

/// The most marbles a side can have.
pub const MOST_MARBLES: u32 = 14;

const SWITCHES: [&str; 5] = ["layout", "eject", "princess", "repetition", "plies"];

/// What can be chosen, checked when read. Text such as `belgian-daisy,eject=3`; only what differs from the default is written.
///
/// A preset sets the switches it is about and leaves the others: the name of a layout that layout, `thesis` the
/// standard layout and the end at the first cycle (S4, chapter 6.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Where the marbles stand at first; `neutral` is empty, the princess comes from her own switch.
    pub layout: MarbleRows,
    /// Marbles to eject for a win, 1 to 14 and at most what a side has.
    pub eject: u8,
    /// Save the princess: a neutral marble in the centre, pushed like an opposing one; pushing it off wins.
    pub princess: bool,
    /// Draws by repetition and length.
    pub history: DrawRules,
}

impl Default for Rules {
    fn default() -> Rules {
        let layout = MarbleRows::parse(LAYOUTS[0].1).expect("the standard layout is well-formed");
        Rules { layout, eject: 6, princess: false, history: DrawRules { repetition: 3, plies: 1000 } }
    }
}

impl Rules {
    fn set(&mut self, word: &str, value: Option<&str>) -> Result<(), RulesError> {
        match (word, value) {
            ("layout", Some(value)) => self.layout = parse_layout(value)?,
            ("eject", Some(value)) => self.eject = switches::number(word, value, 1, MOST_MARBLES)? as u8,
            ("princess", Some(value)) => self.princess = switches::switch(word, value)?,
            ("repetition", Some(value)) => self.history.repetition = switches::number(word, value, 0, 1000)?,
            ("plies", Some(value)) => self.history.plies = switches::number(word, value, 0, u32::MAX)?,
            ("thesis", None) => {
                self.layout = Rules::default().layout;
                self.history.repetition = 1;
            }
            (name, None) if named(name).is_some() => self.layout = parse_layout(name)?,
            _ => {
                let presets = LAYOUTS.iter().map(|&(name, _)| name).chain(["thesis"]);
                return Err(RulesError::unknown(word, presets.chain(SWITCHES).collect::<Vec<_>>()));
            }
        }
        Ok(())
    }

    fn check(&self) -> Result<(), RulesError> {
        let MarbleRows { black, white, .. } = self.layout;
        let contradiction = |fault| Err(RulesError::Contradiction { fault });
        for (colour, set) in [("black", black), ("white", white)] {
            let marbles = set.count_ones();
            if marbles < self.eject.into() {
                let fault = format!("eject={}, but the layout has {marbles} {colour} marbles", self.eject);
                return contradiction(fault);
            }
        }
        if self.princess && (black | white) >> CENTRE & 1 == 1 {
            return contradiction("princess=on, but the layout has a marble in the centre, e5".into());
        }
        Ok(())
    }
}

fn named(name: &str) -> Option<&'static str> {
    LAYOUTS.iter().find(|layout| layout.0 == name).map(|layout| layout.1)
}

fn parse_layout(value: &str) -> Result<MarbleRows, RulesError> {
    let invalid = |expected: String| RulesError::value("layout", value, expected);
    let rows = MarbleRows::parse(named(value).unwrap_or(value)).map_err(|fault| {
        let names = LAYOUTS.map(|layout| layout.0).join(", ");
        let column = value[..fault.at.min(value.len())].chars().count() + 1;
        invalid(format!("one of {names}, nor rows of marbles: column {column} should be {}", fault.expected))
    })?;
    if rows.neutral != 0 {
        return Err(invalid("a layout of `b` and `w`; a neutral marble is set by princess=on".into()));
    }
    let most = MOST_MARBLES;
    if rows.black.count_ones().max(rows.white.count_ones()) > most {
        return Err(invalid(format!("a layout with at most {most} marbles of a colour")));
    }
    Ok(rows)
}

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Rules, RulesError> {
        let mut rules = Rules::default();
        switches::each(text, |word, value| rules.set(word, value))?;
        rules.check()?;
        Ok(rules)
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.layout.to_string();
        match LAYOUTS.iter().find(|layout| layout.1 == rows) {
            Some((name, _)) => f.write_str(name)?,
            None => write!(f, "layout={rows}")?,
        }
        let usual = Rules::default();
        if self.eject != usual.eject {
            write!(f, ",eject={}", self.eject)?;
        }
        if self.princess != usual.princess {
            write!(f, ",princess={}", switches::on_off(self.princess))?;
        }
        if self.history.repetition != usual.history.repetition {
            write!(f, ",repetition={}", self.history.repetition)?;
        }
        if self.history.plies != usual.history.plies {
            write!(f, ",plies={}", self.history.plies)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip_and_leave_out_what_is_usual() {
        for (text, written) in [
            ("", "standard"),
            ("thesis", "standard,repetition=1"),
            ("eject=3,belgian-daisy", "belgian-daisy,eject=3"),
            ("layout=snakes,princess=on,plies=0,repetition=0", "snakes,princess=on,repetition=0,plies=0"),
            ("layout=5/6/7/8/4b4/8/7/6/w4,eject=1", "layout=5/6/7/8/4b4/8/7/6/w4,eject=1"),
            ("layout=wwwww/wwwwww/11www11/8/9/8/2bbb2/bbbbbb/bbbbb", "standard"),
        ] {
            let rules: Rules = text.parse().unwrap();
            assert_eq!(rules.to_string(), written);
            assert_eq!(written.parse(), Ok(rules));
        }
    }

    #[test]
    fn named_layouts_have_fourteen_marbles_each() {
        for (name, _) in LAYOUTS {
            let layout = name.parse::<Rules>().unwrap().layout;
            assert_eq!((layout.black.count_ones(), layout.white.count_ones()), (14, 14), "{name}");
        }
    }

    #[test]
    fn faults_are_named() {
        let fault = |text: &str| text.parse::<Rules>().unwrap_err().to_string();
        assert!(fault("belgian-dasy").contains("`belgian-daisy`?"));
        assert_eq!(fault("eject=0"), "rule `eject`: `0` is not a whole number from 1 to 14");
        assert!(fault("layout=5/6/7/8/3x").contains("column 10 should be `b`, `w`, `n` or a digit: 6 more"));
        assert!(fault("layout=5/6/7/8/4n4/8/7/6/5").contains("princess=on"));
        assert!(fault("layout=bbbbb/bbbbbb/bbbb3/8/9/8/7/6/wwwww").contains("at most 14"));
        assert_eq!(
            fault("layout=5/6/7/8/4b4/8/7/6/w4,eject=1,princess=on"),
            "rules contradict each other: princess=on, but the layout has a marble in the centre, e5"
        );
        assert_eq!(
            fault("layout=5/6/7/8/3b5/8/7/6/ww3,eject=2"),
            "rules contradict each other: eject=2, but the layout has 1 black marbles"
        );
    }
}
