//! S1, Othilie: polynomials of Othello learned by temporal differences.

pub mod group;
pub mod horizon;
mod played;
