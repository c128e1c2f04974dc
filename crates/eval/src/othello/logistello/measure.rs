//! A single mobility as an evaluation, and by name as a feature to measure.

use trilith_games::othello::technique::portable;
use trilith_games::othello::{Othello, Position, squares};

use super::mobility::{self, ALL, mobility};
use super::potential::{self, Potential, potential};
use crate::catalogue::LeafEvaluator;
use crate::evaluator::{Unit, Value};
use crate::explanation::{Explanation, Term};
use crate::othello::ternary::TernaryNumbers;

/// S5's mobilities, each the side to move's less its opponent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Legal moves.
    Mobility,
    /// Legal moves by rays.
    MobilityApproximated,
    /// One of Rosenbloom's three.
    Potential(Potential),
    /// The third by rays.
    PotentialApproximated,
}

/// All of them by name.
pub const MEASURES: [(&str, Measure, &str); 6] = [
    ("mobility", Measure::Mobility, "legal moves less the opponent's (LOGISTELLO, 2.1)"),
    (
        "mobility-rays",
        Measure::MobilityApproximated,
        "mobility approximated by 38 ray tables (LOGISTELLO, 2.1)",
    ),
    (
        "potential-1",
        Measure::Potential(Potential::Empties),
        "empty squares beside opposing discs (LOGISTELLO, 2.2)",
    ),
    (
        "potential-2",
        Measure::Potential(Potential::Discs),
        "opposing discs beside empty squares (LOGISTELLO, 2.2)",
    ),
    ("potential-3", Measure::Potential(Potential::Pairs), "pairs of those (LOGISTELLO, 2.2)"),
    (
        "potential-rays",
        Measure::PotentialApproximated,
        "the third approximated by ray tables (LOGISTELLO, 2.2)",
    ),
];

const ONE: Value = 100;
const UNIT: Unit = Unit { name: "moves", one: ONE };

impl Measure {
    /// The difference for the side to move.
    pub fn value(self, position: &Position) -> i32 {
        let numbers = || TernaryNumbers::of(&ALL.powers, position);
        match self {
            Measure::Mobility => mobility(position),
            Measure::MobilityApproximated => mobility::approximated(position, &numbers()),
            Measure::Potential(which) => potential(position, which),
            Measure::PotentialApproximated => potential::approximated(position, &numbers()),
        }
    }

    fn name(self) -> &'static str {
        MEASURES.iter().find(|(_, measure, _)| *measure == self).map_or("", |(name, _, _)| name)
    }
}

impl LeafEvaluator<Othello> for Measure {
    fn unit(&self) -> Unit {
        UNIT
    }

    fn value(&self, _: &Othello, position: &Position) -> Value {
        Measure::value(*self, position) * ONE
    }

    /// One term; the exact mobility also shows both sides' moves on the board.
    fn explain(&self, _: &Othello, position: &Position) -> Explanation {
        let term = Term::weighted(self.name(), f64::from(Measure::value(*self, position)), 1.0);
        let mut explanation = Explanation::sum(UNIT.name, vec![term]);
        if *self == Measure::Mobility {
            explanation.cells = vec![0.0; 64];
            let Position { own, other, .. } = *position;
            for (moves, worth) in
                [(portable::mobility(own, other), 1.0), (portable::mobility(other, own), -1.0)]
            {
                squares(moves).for_each(|square| explanation.cells[usize::from(square)] += worth);
            }
        }
        explanation
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::sample::positions;
    use trilith_base::Seed;
    use trilith_games::Game;

    #[test]
    fn all_are_symmetric_and_change_sign_with_the_side() {
        let game = Othello::default();
        for position in positions(Seed(1), 200) {
            for (name, measure, _) in MEASURES {
                let value = measure.value(&position);
                for symmetry in 1..8 {
                    assert_eq!(measure.value(&game.image(&position, symmetry)), value, "{name}");
                }
                assert_eq!(measure.value(&position.after_pass()), -value, "{name}");
                let explanation = measure.explain(&game, &position);
                assert_eq!(explanation.total, f64::from(value));
                assert!(
                    explanation.cells.is_empty() || explanation.cells.iter().sum::<f64>() == f64::from(value)
                );
            }
        }
    }
}
