//! Othello's production evaluation: self-play games with exact ends, and pattern weights fitted to them.

pub mod ask;
pub mod bootstrap;
pub mod fit;
pub mod games;
pub mod generate;
pub mod judge;
pub mod positions;
pub mod store;
