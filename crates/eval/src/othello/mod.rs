//! Othello's evaluations: those of S1, S3 and S5 and the patterns that the engine plays with.

pub mod patterns;

pub use patterns::Patterns;
