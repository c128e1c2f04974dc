//! S5: features that are sums of table entries, and the forms that combine them into the odds of winning.
//!
//! * [`shape`]: the 38 rays, corners, edges and any other set of up to ten squares, with their images.
//! * [`mobility`], [`potential`]: exact, and approximated by ray tables.
//! * [`measure`]: each of these by itself as an evaluation.
//! * [`probability`]: what a pattern's table holds, and how it is estimated from counts.
//! * [`feature`]: mobility and patterns as sums over kept ternary numbers.
//! * [`combination`]: FISHER, QUAD, LOG and LOG+ with one set of parameters for each number of discs.
//! * [`discordance`]: how often a feature is wrong about which of two positions is better.

pub mod combination;
pub mod discordance;
pub mod feature;
mod file;
pub mod labelled;
pub mod measure;
pub mod mobility;
pub mod potential;
pub mod probability;
mod ray;
pub mod shape;

pub use combination::Combination;
pub use discordance::{Discordance, discordance};
pub use labelled::Labelled;
pub use measure::Measure;
