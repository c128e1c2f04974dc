//! Benchmarks of what only Othello has, and of the book, which is filled with its games.

pub mod accuracy;
pub mod book;
pub mod endcut;
pub mod solver;
