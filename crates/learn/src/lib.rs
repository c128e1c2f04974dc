//! Learning: games played to learn from, and weights fitted to them.

pub mod least_squares;
pub mod network;
pub mod othello;
pub mod reversi;
pub mod run;
pub mod speed;
