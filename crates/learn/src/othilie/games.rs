//! What the learner must know of a game beyond its rules.

use trilith_eval::abalone::heuristics::Heuristic;
use trilith_eval::features::Described;
use trilith_eval::othello::polynomial::{self, FEATURE_SET, FEATURES, Polynomial, STRATEGIC_SET};
use trilith_games::Game;
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;
use trilith_games::othello::{Move, Othello};

use super::leaf::{Leaf, OthelloLeaf, RowTables, Sum};
use super::learner::begin_with;
use crate::run::{Learner, LearnerSetup, RunError};
use trilith_arena::UnknownGame;
use trilith_base::Artifact;
use trilith_eval::FeatureSet;
use trilith_eval::dense::{Activation, Dense};

/// A game whose positions can be seen by either side, with features between 0 and 1.
pub trait SelfPlayed: Described {
    /// Evaluates leaves quickly.
    type Leaf: Leaf<Self>;
    /// The feature set if none is asked for.
    const FEATURES: &'static str;

    /// The same stones with the other side to move.
    fn other_to_move(position: &Self::Position) -> Self::Position;
    /// Stones on the board before the first move; where stones do not tell the moves made, all of them count.
    const STONES_AT_START: u32 = 0;

    /// Stones on the board.
    fn stones_on_board(position: &Self::Position) -> u32;
    /// Whether a move is but a pass, before which nobody thinks.
    fn is_pass(_mv: Self::Move) -> bool {
        false
    }
    /// The most that each feature of a set can be; none if the set has features below zero or without bound.
    fn most(set: &dyn FeatureSet<Self>) -> Option<Vec<f64>>;
    /// What evaluates leaves with these weights.
    fn leaf(set: &dyn FeatureSet<Self>, most: &[f64], weights: &[f64]) -> Self::Leaf;
    /// The weights in such a file; none if it is of another kind.
    fn weights(_artifact: &Artifact) -> Option<Vec<f64>> {
        None
    }
    /// Weights as a file that players can use.
    fn file(set: &dyn FeatureSet<Self>, most: &[f64], weights: &[f64]) -> Artifact {
        Self::network(set, most, weights)
    }
    /// The same as a network without hidden layers.
    fn network(set: &dyn FeatureSet<Self>, most: &[f64], weights: &[f64]) -> Artifact {
        let mut dense = Dense::random(set.count(), &[(1, Activation::Linear)], 0.0, trilith_base::Seed(0));
        let count = weights.len() as f64;
        let scaled = weights.iter().zip(most).map(|(weight, most)| (weight / most / count) as f32);
        dense.layers_mut()[0].weights.iter_mut().zip(scaled).for_each(|(weight, scaled)| *weight = scaled);
        dense.artifact(Self::NAME, set.name(), Default::default())
    }
}

macro_rules! self_played {
    ($($game:ty),+) => {
        /// The games that it learns.
        pub(super) const NAMES: [&str; [$(<$game as Game>::NAME),+].len()] = [$(<$game as Game>::NAME),+];

        /// Begins a run of the game that the config names.
        pub(super) fn begin(setup: &LearnerSetup) -> Result<Box<dyn Learner>, RunError> {
            match setup.config.game.as_str() {
                $(<$game as Game>::NAME => begin_with::<$game>(setup),)+
                name => Err(UnknownGame::new(name).into()),
            }
        }
    };
}

self_played!(Othello, Morris, Abalone);

impl SelfPlayed for Othello {
    type Leaf = OthelloLeaf;
    const FEATURES: &'static str = FEATURE_SET;
    const STONES_AT_START: u32 = 4;

    fn other_to_move(position: &Self::Position) -> Self::Position {
        position.after_pass()
    }

    fn stones_on_board(position: &Self::Position) -> u32 {
        64 - position.empties().count_ones()
    }

    fn is_pass(mv: Move) -> bool {
        mv == Move::PASS
    }

    fn most(set: &dyn FeatureSet<Othello>) -> Option<Vec<f64>> {
        [FEATURE_SET, STRATEGIC_SET].contains(&set.name()).then(|| vec![1.0; set.count()])
    }

    fn leaf(set: &dyn FeatureSet<Othello>, most: &[f64], weights: &[f64]) -> OthelloLeaf {
        match weights.len() {
            FEATURES => OthelloLeaf::Rows(Box::new(RowTables::new(weights))),
            _ => OthelloLeaf::Sum(Sum::new(set.name(), most, weights)),
        }
    }

    fn file(set: &dyn FeatureSet<Othello>, most: &[f64], weights: &[f64]) -> Artifact {
        if set.name() != FEATURE_SET {
            return Self::network(set, most, weights);
        }
        let weights = std::array::from_fn(|at| weights.get(at).copied().unwrap_or_default());
        let mut artifact = Polynomial::new(weights).to_artifact(Default::default());
        artifact.header.kind = polynomial::KIND.into();
        artifact
    }

    fn weights(artifact: &Artifact) -> Option<Vec<f64>> {
        let polynomial = Polynomial::from_artifact(artifact).ok()?;
        Some(polynomial.weights().to_vec())
    }
}

impl SelfPlayed for Morris {
    type Leaf = Sum<Morris>;
    const FEATURES: &'static str = "morris-39";

    fn other_to_move(position: &Self::Position) -> Self::Position {
        position.turned()
    }

    fn stones_on_board(position: &Self::Position) -> u32 {
        (position.own() | position.other()).count_ones()
    }

    /// S2's features are there or not.
    fn most(set: &dyn FeatureSet<Morris>) -> Option<Vec<f64>> {
        let binary = ["morris-39", "morris-31", "morris-22", "morris-12"];
        binary.contains(&set.name()).then(|| vec![1.0; set.count()])
    }

    fn leaf(set: &dyn FeatureSet<Morris>, most: &[f64], weights: &[f64]) -> Self::Leaf {
        Sum::new(set.name(), most, weights)
    }
}

impl SelfPlayed for Abalone {
    type Leaf = Sum<Abalone>;
    const FEATURES: &'static str = "s4-11";

    fn other_to_move(position: &Self::Position) -> Self::Position {
        position.turned()
    }

    fn stones_on_board(position: &Self::Position) -> u32 {
        (position.own | position.other).count_ones()
    }

    fn most(set: &dyn FeatureSet<Abalone>) -> Option<Vec<f64>> {
        let most = |name: &String| {
            let heuristic = name.strip_prefix("own ").or_else(|| name.strip_prefix("other "))?;
            bound(Heuristic::named(heuristic)?)
        };
        set.names().iter().map(most).collect()
    }

    fn leaf(set: &dyn FeatureSet<Abalone>, most: &[f64], weights: &[f64]) -> Self::Leaf {
        Sum::new(set.name(), most, weights)
    }
}

/// The most that fourteen marbles can have of a heuristic, or more; none where it can be negative.
fn bound(heuristic: Heuristic) -> Option<f64> {
    Some(match heuristic {
        // Fourteen cells of the lattice have at most 29 neighbouring pairs.
        Heuristic::Pairs | Heuristic::Triples => 29.0,
        Heuristic::Centre => 7.0,
        Heuristic::Ejected => 14.0,
        Heuristic::Distance => 4.0,
        Heuristic::Cohesion => 8.0,
        Heuristic::Compactness => 8.0 * 91.0,
        // A marble is the rearmost of at most one push in each direction.
        Heuristic::Sumitos | Heuristic::Threats => 6.0 * 14.0,
        Heuristic::Material => return None,
        _ => 14.0,
    })
}
