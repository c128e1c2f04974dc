//! Ending games early: when the players themselves agree how they stand, or when a game gets too long.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use trilith_games::Colour;

/// When a game is ended before its rules end it; nothing set means never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Adjudication {
    /// Drawn after so many plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    /// Lost by the side that gives itself up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// Drawn when both sides see nothing in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
}

/// A side has lost whose own value was at or below -`value` for `moves` of its moves in a row while its opponent's
/// was not below 0. As text `value,moves`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// In units of the side's own evaluation.
    pub value: f64,
    /// At least 1.
    pub moves: u32,
}

/// A game is drawn in which the values of both sides lay within `value` of 0 for `moves` moves in a row of each side,
/// from ply `after` on. As text `value,moves,after`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// In units of each side's own evaluation.
    pub value: f64,
    /// At least 1.
    pub moves: u32,
    /// Plies.
    pub after: u32,
}

/// A text that is no rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}`: expected {expected}")]
pub struct RuleError {
    text: String,
    expected: &'static str,
}

impl FromStr for ResignRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<ResignRule, RuleError> {
        match numbers(text).as_deref() {
            Some(&[value, moves]) if moves >= 1.0 => Ok(ResignRule { value, moves: moves as u32 }),
            _ => Err(RuleError { text: text.into(), expected: "value,moves such as `10,3`" }),
        }
    }
}

impl FromStr for DrawRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<DrawRule, RuleError> {
        match numbers(text).as_deref() {
            Some(&[value, moves, after]) if moves >= 1.0 => {
                Ok(DrawRule { value, moves: moves as u32, after: after as u32 })
            }
            _ => Err(RuleError { text: text.into(), expected: "value,moves,after such as `0.1,8,60`" }),
        }
    }
}

fn numbers(text: &str) -> Option<Vec<f64>> {
    let number = |part: &str| part.trim().parse().ok().filter(|number| (0.0..1e9).contains(number));
    text.split(',').map(number).collect()
}

/// Watches the values of one game.
pub(super) struct Watch {
    rules: Adjudication,
    /// Moves in a row, by colour, that were hopeless, and that were level.
    hopeless: [u32; 2],
    level: [u32; 2],
    last: [f64; 2],
}

impl Watch {
    pub fn new(rules: &Adjudication) -> Watch {
        Watch { rules: *rules, hopeless: [0; 2], level: [0; 2], last: [0.0; 2] }
    }

    /// After `mover` has moved with its own `value`, if it had one, as ply number `plies`: the winner and the reason,
    /// if the game is to end.
    pub fn see(
        &mut self,
        mover: Colour,
        value: Option<f64>,
        plies: usize,
    ) -> Option<(Option<Colour>, &'static str)> {
        let side = mover as usize;
        if let Some(resign) = self.rules.resign {
            let hopeless = value.is_some_and(|value| value <= -resign.value) && self.last[1 - side] >= 0.0;
            self.hopeless[side] = if hopeless { self.hopeless[side] + 1 } else { 0 };
            self.last[side] = value.unwrap_or(0.0);
            if self.hopeless[side] >= resign.moves {
                return Some((Some(!mover), "adjudicated win"));
            }
        }
        if let Some(draw) = self.rules.draw {
            let level = value.is_some_and(|value| value.abs() <= draw.value) && plies >= draw.after as usize;
            self.level[side] = if level { self.level[side] + 1 } else { 0 };
            if self.level.iter().all(|&moves| moves >= draw.moves) {
                return Some((None, "adjudicated draw"));
            }
        }
        self.rules.plies.filter(|&most| plies >= most as usize).map(|_| (None, "adjudicated length"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Colour::{Black, White};

    #[test]
    fn a_side_that_sees_no_hope_three_times_has_lost() {
        let rules = Adjudication { resign: Some("10,3".parse().unwrap()), ..Adjudication::default() };
        let mut watch = Watch::new(&rules);
        for value in [-11.0, -12.0, -5.0, -10.0, -10.0] {
            assert_eq!(watch.see(Black, Some(value), 1), None);
            assert_eq!(watch.see(White, Some(3.0), 2), None);
        }
        assert_eq!(watch.see(Black, Some(-10.0), 3), Some((Some(White), "adjudicated win")));
        let mut disputed = Watch::new(&rules);
        for _ in 0..5 {
            assert_eq!(disputed.see(White, Some(-1.0), 1), None);
            assert_eq!(disputed.see(Black, Some(-20.0), 2), None, "the opponent sees no win");
        }
    }

    #[test]
    fn a_game_that_both_call_level_is_drawn_but_not_too_early() {
        let rules = Adjudication { draw: Some("0.5,2,10".parse().unwrap()), ..Adjudication::default() };
        let mut watch = Watch::new(&rules);
        let mut seen = |ply: usize| watch.see([Black, White][ply % 2], Some(0.5), ply);
        assert!((1..13).all(|ply| seen(ply).is_none()));
        assert_eq!(seen(13), Some((None, "adjudicated draw")));
    }

    #[test]
    fn long_games_are_drawn_and_texts_checked() {
        let mut watch = Watch::new(&Adjudication { plies: Some(5), ..Adjudication::default() });
        assert_eq!(
            (watch.see(Black, None, 4), watch.see(White, None, 5)),
            (None, Some((None, "adjudicated length")))
        );
        assert!("10".parse::<ResignRule>().is_err() && "1,2".parse::<DrawRule>().is_err());
    }
}
