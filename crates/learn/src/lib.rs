//! Learning: games played to learn from, and weights fitted to them.

pub mod least_squares;
pub mod othello;
pub mod probcut;
