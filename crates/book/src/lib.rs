//! The book: a tree of remembered games that does not lose twice the same way (S5, chapter 5).
//!
//! Nodes are positions, symmetric ones merged. Each has its tree value, what the remembered games say by NegaMax, and its
//! chance, what is hoped for if both sides repeat their wins and otherwise play the most promising moves that nobody has
//! played yet ([`values`]). The whole is one file of an embedded transactional store ([`Book`]).

mod advice;
mod book;
mod draft;
mod error;
mod export;
mod judge;
mod key;
mod node;
mod picture;
mod trim;
pub mod values;
mod walk;

pub use advice::{Advice, Reading, Reason, Successor};
pub use book::{Book, Head, Mode, Reader, Statistics};
pub use draft::{Added, Draft};
pub use error::BookError;
pub use export::{RememberedGame, tree_text, value_text};
pub use judge::{EngineJudge, Judge, Judged, Prove};
pub use key::{NodeKey, layer, node_key};
pub use node::{Alternative, Edge, Node};
pub use picture::picture;
pub use trim::trim;
pub use walk::{Visit, Walk};
