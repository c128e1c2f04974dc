//! S2's evaluations with weights set by hand: Standard (Table 4.1) and what is left of it with fewer features.

use trilith_games::morris::{Morris, Position};

use super::thesis::{self, COUNT, MuehleFeatures, NONE, TABLE};
use crate::catalogue::LeafEvaluator;
use crate::evaluator::{Unit, Value};
use crate::explanation::{Explanation, Term};

/// Weights of all features, and of none; in hundredths of a won game, as S2 prints them.
#[derive(Clone, Debug)]
pub struct ByHand {
    weights: [Value; COUNT + 1],
}

/// A won game is one, a lost one minus one.
pub const UNIT: Unit = Unit { name: "wins", one: 100 };

impl ByHand {
    /// The hand weights of a part of the features; the others count nothing.
    pub fn of(part: &MuehleFeatures) -> ByHand {
        let mut weights = [0; COUNT + 1];
        for place in part.places() {
            weights[place] = (TABLE[place].1 * f64::from(UNIT.one)).round() as Value;
        }
        ByHand { weights }
    }
}

impl LeafEvaluator<Morris> for ByHand {
    fn unit(&self) -> Unit {
        UNIT
    }

    fn value(&self, game: &Morris, position: &Position) -> Value {
        thesis::active(game, position).iter().map(|&place| self.weights[place]).sum()
    }

    fn explain(&self, game: &Morris, position: &Position) -> Explanation {
        let active = thesis::active(game, position).into_iter().filter(|&place| place != NONE);
        let weight = |place: usize| f64::from(self.weights[place]) / f64::from(UNIT.one);
        let terms = active.map(|place| Term::weighted(TABLE[place].0, 1.0, weight(place))).collect();
        Explanation::sum(UNIT.name, terms)
    }
}
