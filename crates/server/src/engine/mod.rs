//! The server's own players: the pool in which they think, and the minds that do.

pub(crate) mod learning;
mod mind;
pub(crate) mod minds;
mod pool;

pub(crate) use mind::{Mind, Situation, Thought, make};
pub(crate) use pool::{Class, Client, Pool, Ticket};
