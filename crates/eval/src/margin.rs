//! The game's own count as an evaluation: disc difference (S3's yardstick), stones, ejected marbles.

use std::path::Path;

use trilith_base::{Artifact, ArtifactError};
use trilith_games::Game;

use crate::catalogue::{Catalogue, EvaluationEntry, EvaluationError, LeafEvaluator, unknown};
use crate::cells::Cells;
use crate::evaluator::{Evaluator, Unit, Value};
use crate::explanation::{Explanation, Term};
use crate::features::FeatureSet;
use crate::network::Network;

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

impl<G: Game> LeafEvaluator<G> for Margin {
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
    type EngineEvaluator = Margin;

    fn engine_evaluator() -> Margin {
        Margin
    }

    fn engine_evaluator_from(file: &Artifact) -> Result<Margin, ArtifactError> {
        file.expect("margin", G::NAME).map(|()| Margin)
    }

    fn entries() -> Vec<EvaluationEntry> {
        vec![ENTRY, NETWORK]
    }

    fn named(name: &str, file: Option<&Path>) -> Result<Box<dyn LeafEvaluator<G>>, EvaluationError> {
        match (name, file) {
            ("margin", _) => Ok(Box::new(Margin)),
            ("network", None) => Err(EvaluationError::NoFile { name: NETWORK.name }),
            ("network", Some(path)) => {
                Ok(Box::new(Network::<G>::load(&Artifact::load(path)?, Box::new(Cells::of::<G>()))?))
            }
            _ => Err(unknown::<G>(name, &[ENTRY, NETWORK])),
        }
    }

    fn feature_sets() -> Vec<Box<dyn FeatureSet<G>>> {
        vec![Box::new(Cells::of::<G>())]
    }
}

/// What learners make of a game without feature sets of its own.
const NETWORK: EvaluationEntry = EvaluationEntry {
    name: "network",
    about: "any network of layers over the cells of the board, such as users make",
    needs_artifact: true,
};

/// The margin in every catalogue.
pub const ENTRY: EvaluationEntry = EvaluationEntry {
    name: "margin",
    about: "difference in discs, stones or ejected marbles (the minimax yardstick of Reversi (2025), Mühle's Minimal)",
    needs_artifact: false,
};
