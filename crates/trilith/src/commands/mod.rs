//! The sub-commands.

pub mod admin;
pub mod analyse;
pub mod artifacts;
pub mod backup;
pub mod bench;
pub mod book;
pub mod convert;
pub mod data;
pub mod doctor;
pub mod duel;
pub mod engine;
pub mod fit;
mod morris;
pub mod openings;
mod othello;
pub mod perft;
pub mod play;
pub mod players;
pub mod puzzles;
pub mod restore;
pub mod review;
pub mod serve;
pub mod study;
pub mod tournament;
pub mod train;
pub mod tune;
#[cfg(feature = "queue")]
pub mod worker;

pub use morris::tablebase;
pub use othello::{ggs, solve};
