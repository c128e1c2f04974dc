//! The sub-commands.

pub mod bench;
pub mod perft;
pub mod play;
pub mod solve;
