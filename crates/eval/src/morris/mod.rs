//! Evaluations of Nine Men's Morris.

mod counts;
pub mod production;

pub use production::Production;
