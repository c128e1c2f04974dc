//! The production pipeline of any game with learned patterns: self-play games, their files, and weights fitted to them.

pub mod exact;
pub mod fit;
pub mod games;
pub mod generate;
pub mod store;
