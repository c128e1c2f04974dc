//! Evaluations of Abalone.

pub mod production;
pub mod shapes;
mod sums;

pub use production::Production;
