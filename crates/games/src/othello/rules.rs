//! The one switch of Othello: how an ended game is scored.

use std::fmt;
use std::str::FromStr;

use crate::error::RulesError;
use crate::switches;

/// How the discs of an ended game become a margin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Score {
    /// The World Othello Federation's rule: empty squares go to the winner.
    #[default]
    Wof,
    /// The plain difference of discs, as S1 and S3 count.
    Discs,
}

/// Rules text: `standard`, or switches such as `score=discs`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Says nothing about who wins, only by how much.
    pub score: Score,
}

const PRESET: &str = "standard";
const SCORE: &str = "score";

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Rules, RulesError> {
        let mut rules = Rules::default();
        switches::each(text, |word, value| {
            match (word, value) {
                (PRESET, None) => rules = Rules::default(),
                (SCORE, Some("wof")) => rules.score = Score::Wof,
                (SCORE, Some("discs")) => rules.score = Score::Discs,
                (SCORE, value) => {
                    return Err(RulesError::value(SCORE, value.unwrap_or(""), "`wof` or `discs`"));
                }
                _ => return Err(RulesError::unknown(word, [PRESET, SCORE])),
            }
            Ok(())
        })?;
        Ok(rules)
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.score {
            Score::Wof => "standard",
            Score::Discs => "score=discs",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip_and_slips_are_named() {
        for text in ["standard", "score=discs"] {
            assert_eq!(text.parse::<Rules>().unwrap().to_string(), text);
        }
        assert_eq!("".parse(), Ok(Rules::default()));
        assert_eq!("standard, score=wof".parse(), Ok(Rules::default()));
        let slip = "score=disks".parse::<Rules>().unwrap_err();
        assert_eq!(slip.to_string(), "rule `score`: `disks` is not `wof` or `discs`");
        assert!("standard=1".parse::<Rules>().is_err());
    }
}
