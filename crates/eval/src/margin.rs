//! The game's own count as an evaluation: disc difference (S3's yardstick), stones, ejected marbles.

use std::path::Path;

use trilith_base::{Artifact, ArtifactError};
use trilith_games::Game;

use crate::catalogue::{Catalogue, Entry, EvaluationError, Study, unknown};
use crate::evaluator::{Evaluator, Unit, Value};
use crate::explanation::{Explanation, Term};

/// The difference in discs, stones or ejected marbles; works for every game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Margin;

const ONE: Value = 100;
const UNIT: &str = "stones";

impl<G: Game> Evaluator<G> for Margin {
    type Carry = ();

    fn unit(&self) -> Unit {
        Unit { name: UNIT, one: ONE }
    }

    fn begin(&self, _: &G, _: &G::Position) {}

    fn advance(&self, _: &G, _: &(), _: &G::Position, _: G::Move, _: &G::Position) {}

    fn value(&self, game: &G, position: &G::Position, _: &()) -> Value {
        game.margin(position) * ONE
    }
}

impl<G: Game> Study<G> for Margin {
    fn unit(&self) -> Unit {
        Evaluator::<G>::unit(self)
    }

    fn value(&self, game: &G, position: &G::Position) -> Value {
        game.margin(position) * ONE
    }

    fn explain(&self, game: &G, position: &G::Position) -> Explanation {
        let margin = f64::from(game.margin(position));
        Explanation::sum(UNIT, vec![Term::weighted("margin", margin, 1.0)])
    }
}

/// What a game without evaluations of its own is played with.
impl<G: Game> Catalogue<G> for Margin {
    type Production = Margin;

    fn production() -> Margin {
        Margin
    }

    fn production_from(file: &Artifact) -> Result<Margin, ArtifactError> {
        file.expect("margin", G::NAME).map(|()| Margin)
    }

    fn entries() -> Vec<Entry> {
        vec![ENTRY]
    }

    fn named(name: &str, _: Option<&Path>) -> Result<Box<dyn Study<G>>, EvaluationError> {
        match name {
            "margin" => Ok(Box::new(Margin)),
            _ => Err(unknown::<G>(name, &[ENTRY])),
        }
    }
}

/// The margin in every catalogue.
pub const ENTRY: Entry = Entry {
    name: "margin",
    about: "difference in discs, stones or ejected marbles (S3's minimax yardstick, S2's Minimal)",
    needs_artifact: false,
};
