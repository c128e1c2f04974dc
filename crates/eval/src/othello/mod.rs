//! Othello's evaluations: those of S1, S3 and S5, and the network on patterns that the engine plays with.

pub mod board;
pub mod catalogue;
pub mod engine;
pub mod logistello;
pub mod network;
pub mod nnue;
pub mod patterns;
pub mod polynomial;
#[cfg(test)]
mod sample;
mod shipped;
mod squares;
pub mod ternary;

pub use catalogue::Evaluations;
pub use engine::EngineEvaluation;
pub use logistello::{Combination, Measure};
pub use network::{Cnn, Mlp};
pub use nnue::Nnue;
pub use patterns::OthelloPatterns;
pub use polynomial::{OthilieFeatures, Polynomial, StrategicFeatures};
pub use squares::Squares;

use trilith_games::othello::Othello;

use crate::features::{Described, FeatureSet};

impl Described for Othello {
    fn feature_sets() -> Vec<Box<dyn FeatureSet<Othello>>> {
        vec![Box::new(Squares), Box::new(OthilieFeatures), Box::new(StrategicFeatures)]
    }
}
