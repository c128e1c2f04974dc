//! Evaluations by name: what each game offers, and how the boxed ones are searched with.
//!
//! The production evaluation of a game is compiled into its engine. All others, the published ones, share one boxed
//! engine a game: [`Boxed`] makes an [`Evaluator`] of any [`LeafEvaluator`].

use std::path::Path;
use std::sync::Arc;

use trilith_base::{Artifact, ArtifactError, Seed, words};
use trilith_games::{Game, Outcome, Record};

use crate::evaluator::{Evaluator, Unit, Value, WIN};
use crate::explanation::Explanation;
use crate::features::FeatureSet;
use crate::speed::{SearchStep, Speed};
use crate::value_table::ValueTableError;

/// An evaluation behind one pointer: called once a leaf, keeps nothing from move to move.
pub trait LeafEvaluator<G: Game>: Send + Sync {
    /// What the values count.
    fn unit(&self) -> Unit;

    /// The estimate for the side to move of a game that goes on.
    fn value(&self, game: &G, position: &G::Position) -> Value;

    /// The value of an ended game, as in [`Evaluator::ended`].
    fn ended(&self, _game: &G, _position: &G::Position, outcome: Outcome) -> Value {
        match outcome {
            Outcome::Win => WIN,
            Outcome::Draw => 0,
            Outcome::Loss => -WIN,
        }
    }

    /// The terms that add up to the value.
    fn explain(&self, game: &G, position: &G::Position) -> Explanation;

    /// What a network says before its outputs become one value, by name; nothing for other evaluations.
    fn outputs(&self, _game: &G, _position: &G::Position) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// Whether symmetric positions have equal values.
    fn is_symmetric(&self) -> bool {
        true
    }
}

/// One that several share.
impl<G: Game, L: LeafEvaluator<G>> LeafEvaluator<G> for Arc<L> {
    fn unit(&self) -> Unit {
        (**self).unit()
    }

    fn value(&self, game: &G, position: &G::Position) -> Value {
        (**self).value(game, position)
    }

    fn ended(&self, game: &G, position: &G::Position, outcome: Outcome) -> Value {
        (**self).ended(game, position, outcome)
    }

    fn explain(&self, game: &G, position: &G::Position) -> Explanation {
        (**self).explain(game, position)
    }

    fn outputs(&self, game: &G, position: &G::Position) -> Vec<(&'static str, f64)> {
        (**self).outputs(game, position)
    }

    fn is_symmetric(&self) -> bool {
        (**self).is_symmetric()
    }
}

/// A study evaluation as an evaluator.
pub struct Boxed<G: Game>(pub Box<dyn LeafEvaluator<G>>);

impl<G: Game> Evaluator<G> for Boxed<G> {
    type Carry = ();

    fn unit(&self) -> Unit {
        self.0.unit()
    }

    fn begin(&self, _: &G, _: &G::Position) {}

    fn advance(&self, _: &G, _: &(), _: &G::Position, _: G::Move, _: &G::Position) {}

    fn value(&self, game: &G, position: &G::Position, _: &()) -> Value {
        self.0.value(game, position)
    }

    fn ended(&self, game: &G, position: &G::Position, outcome: Outcome) -> Value {
        self.0.ended(game, position, outcome)
    }
}

/// One evaluation that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationEntry {
    /// The name in specs, such as `discs`.
    pub name: &'static str,
    /// One line for people: what it is and where it was published.
    pub about: &'static str,
    /// Whether it needs a file of weights.
    pub needs_artifact: bool,
}

/// Why an evaluation cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationError {
    /// No evaluation of that name.
    #[error("unknown evaluation `{name}` for {game}: expected {expected}")]
    Unknown {
        /// As given.
        name: String,
        /// The game.
        game: &'static str,
        /// The nearest and all known ones.
        expected: String,
    },
    /// It needs a file and none was named.
    #[error("evaluation `{name}` needs a file of weights: expected `{name}:FILE`")]
    NoFile {
        /// Which one.
        name: &'static str,
    },
    /// Its file is refused.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// Its table is refused.
    #[error(transparent)]
    Table(#[from] ValueTableError),
}

/// The evaluations of a game.
pub trait Catalogue<G: Game>: 'static {
    /// What `engine` plays with.
    type EngineEvaluator: Evaluator<G> + Clone + 'static;

    /// The production evaluation with its shipped weights.
    fn engine_evaluator() -> Self::EngineEvaluator;

    /// The production evaluation with the weights of a file.
    fn engine_evaluator_from(file: &Artifact) -> Result<Self::EngineEvaluator, ArtifactError>;

    /// What gives the evaluation called `name` with its shipped weights, if the engine can play with it as with the
    /// production evaluation: compiled in, with all that the game's search has.
    fn engine_evaluator_named(name: &str) -> Option<fn() -> Self::EngineEvaluator> {
        let production = Self::entries().first().is_some_and(|entry| entry.name == name);
        production.then_some(Self::engine_evaluator as fn() -> Self::EngineEvaluator)
    }

    /// All evaluations by name, the production's first.
    fn entries() -> Vec<EvaluationEntry>;

    /// The evaluation called `name`, with the weights of `file` where it needs them.
    fn named(name: &str, file: Option<&Path>) -> Result<Box<dyn LeafEvaluator<G>>, EvaluationError>;

    /// The speed on `steps` of what [`speed::all`](crate::speed::all) cannot have by name alone: evaluations that need a
    /// file, here with untrained weights, and those that carry something from move to move.
    fn speeds(_game: &G, _steps: &[SearchStep<G>]) -> Vec<(&'static str, Speed)> {
        Vec::new()
    }

    /// The move of the game's published reference player in a game that goes on; none in a game without one.
    fn reference(_record: &Record<G>, _seed: Seed) -> Option<G::Move> {
        None
    }

    /// The feature sets with fixed names; none in a game that has not been described.
    fn feature_sets() -> Vec<Box<dyn FeatureSet<G>>> {
        Vec::new()
    }

    /// The feature set called `name`, which may be made up from parts.
    fn feature_set(name: &str) -> Option<Box<dyn FeatureSet<G>>> {
        Self::feature_sets().into_iter().find(|set| set.name() == name)
    }
}

/// There is no evaluation called `name`.
pub fn unknown<G: Game>(name: &str, entries: &[EvaluationEntry]) -> EvaluationError {
    let names: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
    EvaluationError::Unknown {
        name: name.into(),
        game: G::NAME,
        expected: words::expected(name, names.iter().copied()),
    }
}
