//! Othello's evaluations: those of S1, S3 and S5 and the patterns that the engine plays with.

pub mod catalogue;
pub mod logistello;
pub mod network;
pub mod patterns;
pub mod polynomial;
#[cfg(test)]
mod sample;
pub mod ternary;

pub use catalogue::{Evaluations, speeds};
pub use logistello::{Combination, Measure};
pub use network::{Cnn, Mlp};
pub use patterns::Patterns;
pub use polynomial::Polynomial;
