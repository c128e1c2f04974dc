//! Commands that only Othello has: its solver, its server, and the ranks that S5 measures evaluations by.

pub mod discordance;
pub mod ggs;
mod scored;
pub mod solve;
