//! Benchmarks of what only Morris has.

pub mod tablebase;
