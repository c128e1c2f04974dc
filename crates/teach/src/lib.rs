//! The teacher: puzzles with a proof, lessons on the board, and reasons in words.
//!
//! What a game has of its own for teaching is asked of its [`TeachKit`]; a game that brings nothing has no puzzles and
//! no lessons, and works all the same. `docs/teacher.md` explains how puzzles are made, proved and rated.
//!
//! Shipped puzzles, and what proves them:
//!
//! ```
//! for puzzle in trilith_teach::puzzle::shipped("othello")?.iter().take(3) {
//!     println!("{}, {}: {}", puzzle.position, puzzle.goal, puzzle.line.join(" "));
//!     println!("{}", puzzle.command);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod abalone;
mod gain;
pub mod kit;
pub mod lesson;
mod morris;
mod othello;
pub mod puzzle;
pub mod why;

pub use kit::{TeachKit, TeachVisitor, with_teacher};
pub use puzzle::Puzzle;
