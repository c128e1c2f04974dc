//! The server's own players: the pool in which they think, and the minds that do.

mod client;
pub(crate) mod learning;
mod mind;
mod pool;
pub(crate) mod shelf;

pub(crate) use client::Client;
pub(crate) use mind::{Mind, Situation, Thought, make};
pub(crate) use pool::{Class, Pool, Span, Ticket};
