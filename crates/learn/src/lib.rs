//! Learning: games played to learn from, and weights fitted to them.

pub mod least_squares;
pub mod network;
pub mod othello;
pub mod speed;
pub mod run;
