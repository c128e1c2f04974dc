//! The commands as a person or a script runs them, all in one executable: `cargo test --test commands tablebase` runs one file.

#![allow(clippy::unwrap_used)]

mod arena;
mod book;
mod cli;
mod data;
mod dependencies;
mod docs;
mod ggs;
mod json;
mod label;
#[path = "../program/mod.rs"]
mod program;
mod protocols;
mod proxy;
mod scripts;
mod study;
mod tablebase;
mod train;
mod train_reversi;
