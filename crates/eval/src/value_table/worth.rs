//! A table as an evaluation: S3's optimising player is a search of one ply with it.
//!
//! A position that is not in the table is worth more to the side to move than any that is, so that who looks for a
//! move takes the best known one and, where none is known, any.

use std::path::Path;

use trilith_games::Outcome;

use super::{CodeSlot, Remember, ValueTable, ValueTableError, load};
use crate::catalogue::{EvaluationEntry, LeafEvaluator};
use crate::evaluator::{Unit, Value};
use crate::explanation::{Explanation, Term};

/// How it stands in catalogues.
pub const ENTRY: EvaluationEntry = EvaluationEntry {
    name: "table",
    about: "the table of Reversi (2025): the mean points of earlier games through a position, by a file of `tabular`",
    needs_artifact: true,
};

/// The value of one point more than the other side.
const ONE: Value = 100;
const UNKNOWN: Value = 1000 * ONE;

/// The mean points of earlier games.
pub struct Worth(ValueTable);

impl Worth {
    /// The table in a file for this game; takes a second for fifteen million positions.
    pub fn open<G: Remember>(path: &Path) -> Result<Worth, ValueTableError> {
        load(path, G::NAME).map(|loaded| Worth(loaded.table))
    }
}

impl<G: Remember> LeafEvaluator<G> for Worth {
    fn unit(&self) -> Unit {
        Unit { name: "points", one: ONE }
    }

    fn value(&self, game: &G, position: &G::Position) -> Value {
        match self.0.get(CodeSlot::of(game.code(position))) {
            Some(score) => ((G::POINTS as f32 - 2.0 * score.mean()) * ONE as f32).round() as Value,
            None => UNKNOWN,
        }
    }

    /// As the table says, as in S3: an end that was never met is unknown.
    fn ended(&self, game: &G, position: &G::Position, _: Outcome) -> Value {
        self.value(game, position)
    }

    fn explain(&self, game: &G, position: &G::Position) -> Explanation {
        let one = f64::from(ONE);
        let terms = match self.0.get(CodeSlot::of(game.code(position))) {
            None => vec![Term::weighted("not in the table", 1.0, f64::from(UNKNOWN) / one)],
            Some(score) => {
                let value = f64::from(LeafEvaluator::<G>::value(self, game, position)) / one;
                vec![Term::weighted(format!("mean of {} games", score.count), 1.0, value)]
            }
        };
        Explanation::sum("points", terms)
    }
}
