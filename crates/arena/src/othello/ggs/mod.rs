//! GGS, the Generic Game Server, and its Othello service `/os`, on which LOGISTELLO played and programs of today do.
//!
//! The protocol is plain text over TCP. What is known of it here comes from M. Buro's public descriptions of the server
//! (<https://skatgame.net/mburo/ggs/>) and from what public clients say about it. `framing` cuts the bytes into messages,
//! `message` understands them, `session` decides what to answer, and [`GgsVisit`] ties these to a socket and to players. The
//! tests play against a small server of our own; nobody has tried it against the real one.

mod client;
mod framing;
mod message;
mod session;
mod settings;

pub use client::{GgsError, GgsEvent, GgsVisit};
pub use message::{GameKind, GgsClock, GgsMessage};
pub use session::{EndedGame, GgsQuestion, GgsSession, GgsStep};
pub use settings::{GgsSettings, Seek, today};
