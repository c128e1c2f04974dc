//! Players, positions that taught something, the signature and GGS: `cargo test --test arena perfect` runs one file.

#![allow(clippy::unwrap_used)]

mod closed_game;
mod engine_evaluations;
mod ggs;
#[path = "../ggs_server/mod.rs"]
mod ggs_server;
mod perfect;
mod signature;
