//! The sub-commands.

pub mod analyse;
pub mod bench;
pub mod data;
pub mod fit;
pub mod perft;
pub mod play;
pub mod serve;
pub mod solve;
