//! What results say, and how surely.
//!
//! Everything is from one side: the side whose results are counted.

mod elo;
mod normal;
mod pairs;
mod passes;
pub mod ratings;
mod sprt;
mod tally;

pub use elo::{Interval, elo_of, rate_of};
pub use normal::{cumulative, quantile};
pub use pairs::{Pairs, pair_test};
pub use passes::Passes;
pub use sprt::{Model, Sprt, SprtDecision, SprtError};
pub use tally::Tally;

/// Standard deviations that hold 95% of a normal distribution around its mean.
pub const Z95: f64 = 1.959_963_984_540_054;
