//! Othello's own searches: the endgame solver, with everything the last squares allow, and the engine's null windows.
//!
//! The solver knows nothing of the generic search beside it. Its scores are final disc differences for the side to move,
//! empty squares to the winner, and so always even.

mod endgame;
mod evaluation;
mod kit;
mod last;
mod level;
mod midgame;
mod moves;
mod ordering;
mod patterns;
mod principal;
mod scout;
mod search;
mod solver;
mod split;
mod squares;
mod stability;
mod table;
mod worker;

pub use endgame::OthelloFinisher;
pub use evaluation::{Evaluation, Handmade};
pub use kit::null_window;
pub use solver::{Solution, SolveGoal, Solver, SolverOptions};
pub use stability::{stable, upper_bound};
