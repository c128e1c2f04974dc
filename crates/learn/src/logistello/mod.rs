//! S5: evaluations estimated from examples.
//!
//! * [`tree`]: positions labelled by NegaMax over the tree of all games (3.3).
//! * [`tables`]: the chance of Black by the content of a pattern, smoothed over phases, in a byte (2.3).
//! * [`construct`]: patterns that grow, and tables that several contents share (2.4).
//! * [`fit`]: FISHER, QUAD and LOG by maximum likelihood, and the variants whose signs are those of each feature alone.
//! * [`learner`]: all of it as a run.

pub mod construct;
pub mod fit;
pub mod learner;
mod symmetric;
pub mod tables;
pub mod tree;

pub use learner::KIND;
