//! The sub-commands.

pub mod analyse;
pub mod bench;
pub mod book;
pub mod data;
pub mod duel;
pub mod engine;
pub mod fit;
pub mod openings;
pub mod perft;
pub mod play;
pub mod players;
pub mod serve;
pub mod solve;
pub mod tablebase;
pub mod tournament;
pub mod worker;
