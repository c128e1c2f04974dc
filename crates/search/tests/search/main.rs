//! Searches and solvers against plain ones and against theorems: `cargo test --test search theorems` runs one file.

#![allow(clippy::unwrap_used)]

mod finisher;
mod lines;
mod mcts;
mod othello_scout;
mod othello_solver;
mod pruning;
mod selective;
mod theorems;
