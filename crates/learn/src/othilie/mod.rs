//! S1: a polynomial learned by temporal differences in alpha-beta self-play, after Samuel and Sutton.
//!
//! The alpha component (White) learns, the beta component (Black) gets alpha's weights after each tenth win of alpha.
//! After each own move alpha compares what the search found with what it thought before,
//! `delta = P(x_b)/n_b - P(x_{z-1})/n_{z-1}` or, as modified in chapter 6, `delta = P(x_b)/n_b - P(x_z)/n_z`, where
//! `x_b` is the best leaf, `x_z` the position now, `x_{z-1}` the one after alpha's last move and `n` the stones on the
//! board. Each weight moves by `alpha * delta * x_i * g` at once, where `g` is the differentiation factor if that is
//! towards zero and else 1; then all weights are scaled into [-1, 1].
//!
//! A run is a group of experiments that differ in their random start polynomials only, with S1's three tests after it.

mod experiment;
mod games;
mod leaf;
mod learner;
mod parameters;
mod report;
mod search;
pub mod similarity;
pub mod trials;

pub use experiment::{
    BetaWeights, Comparison, Experiment, GameFeatures, LearningRule, Normalisation, Updates, Valuation,
    look_ahead,
};
pub use games::SelfPlayed;
pub use leaf::{Leaf, random_weights};
pub use learner::KIND;
pub use search::{BestLeaf, search, search_to_quiet};
