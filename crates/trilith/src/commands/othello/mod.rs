//! Commands that only Othello has: its solver, and the ranks that S5 measures evaluations by.

pub mod discordance;
pub mod solve;
