//! How much a move gave away, and what people call that.
//!
//! Where the unit is discs, a loss is in discs. Where it is log odds, a loss is in the chance of winning, since from +6 to +4
//! is nothing and from +1 to -1 is a game.

use serde::{Deserialize, Serialize};
use trilith_games::Colour;

/// What a position is worth, as a review keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedPosition {
    /// For Black, in the evaluation's unit, proved ends at the edge of its scale.
    pub value: f64,
    /// `win` or `loss` for Black, if proved.
    pub proved: Option<String>,
    /// Whether the value is the truth: from the solver, a tablebase, or a search to the end.
    pub exact: bool,
    /// Plies searched.
    pub depth: u32,
    /// Best play; empty at the end of a game.
    pub line: Vec<String>,
}

/// By what and with which thresholds moves are judged.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ReviewScale {
    /// What losses count: `discs`, or `chance` from 0 to 1.
    pub unit: &'static str,
    inaccuracy: f64,
    mistake: f64,
    blunder: f64,
    /// The value of a proved win.
    #[serde(skip)]
    edge: f64,
}

/// Othello: a search of a second errs by a disc or two, so less than three discs is noise.
const DISCS: ReviewScale =
    ReviewScale { unit: "discs", inaccuracy: 3.0, mistake: 6.0, blunder: 10.0, edge: 64.0 };
const CHANCE: ReviewScale =
    ReviewScale { unit: "chance", inaccuracy: 0.07, mistake: 0.14, blunder: 0.25, edge: 8.0 };

impl ReviewScale {
    /// The scale for values that count `unit`.
    pub fn of(unit: &str) -> ReviewScale {
        if unit == "discs" { DISCS } else { CHANCE }
    }

    /// A value within the scale.
    pub fn clamp(&self, value: f64) -> f64 {
        value.clamp(-self.edge, self.edge)
    }

    /// An ended game: its margin in discs for Black, or who has won.
    pub fn ended(&self, winner: Option<Colour>, margin: i32) -> JudgedPosition {
        let sign = match winner {
            Some(Colour::Black) => 1.0,
            Some(Colour::White) => -1.0,
            None => 0.0,
        };
        let value = if self.unit == "discs" { f64::from(margin) } else { sign * self.edge };
        let proved = winner.map(|winner| if winner == Colour::Black { "win" } else { "loss" }.to_owned());
        JudgedPosition { value, proved, exact: true, depth: 0, line: Vec::new() }
    }

    /// What `side` gave away between two verdicts, never less than nothing.
    pub fn loss(&self, before: &JudgedPosition, after: &JudgedPosition, side: Colour) -> f64 {
        let own = |verdict: &JudgedPosition| {
            let value = if side == Colour::Black { verdict.value } else { -verdict.value };
            if self.unit == "discs" { value } else { 1.0 / (1.0 + (-value).exp()) }
        };
        (own(before) - own(after)).max(0.0)
    }

    /// The mark for such a loss, if any: `inaccuracy`, `mistake` or `blunder`.
    pub fn mark(&self, loss: f64) -> Option<&'static str> {
        match loss {
            _ if loss >= self.blunder => Some("blunder"),
            _ if loss >= self.mistake => Some("mistake"),
            _ if loss >= self.inaccuracy => Some("inaccuracy"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(value: f64) -> JudgedPosition {
        JudgedPosition { value, proved: None, exact: false, depth: 1, line: Vec::new() }
    }

    #[test]
    fn losses_are_the_movers_and_gains_are_none() {
        let loss = DISCS.loss(&verdict(4.0), &verdict(-6.0), Colour::Black);
        assert_eq!((loss, DISCS.mark(loss)), (10.0, Some("blunder")));
        assert_eq!(DISCS.loss(&verdict(4.0), &verdict(-6.0), Colour::White), 0.0);
        assert_eq!(DISCS.mark(DISCS.loss(&verdict(-1.0), &verdict(2.5), Colour::White)), Some("inaccuracy"));
    }

    #[test]
    fn odds_are_judged_by_what_they_do_to_the_chance() {
        let mark = |before, after| CHANCE.mark(CHANCE.loss(&verdict(before), &verdict(after), Colour::Black));
        assert_eq!(mark(6.0, 4.0), None);
        assert_eq!(mark(1.0, -1.0), Some("blunder"));
        assert_eq!(mark(0.5, -0.2), Some("mistake"));
        assert_eq!(CHANCE.ended(Some(Colour::White), -3).value, -8.0);
        assert_eq!(DISCS.ended(Some(Colour::White), -3).value, -3.0);
    }
}
