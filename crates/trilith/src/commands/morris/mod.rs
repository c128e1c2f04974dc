//! Commands that only Morris has: its endgame tables.

pub mod tablebase;
