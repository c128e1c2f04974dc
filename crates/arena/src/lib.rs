//! Where games are found by name and played by people and programs.

mod abalone;
pub mod book;
pub mod contest;
pub mod import;
pub mod kit;
pub mod known;
mod morris;
pub mod offer;
mod othello;
pub mod player;
pub mod protocol;
pub mod registry;
pub mod signature;
pub mod spec;
pub mod statistics;
pub mod table;
#[cfg(feature = "tictactoe")]
#[path = "../tests/tictactoe/mod.rs"]
mod tictactoe;
pub mod tournament;

pub use kit::GameKit;
pub use player::{Fault, Player, PlayerError, Turn};
pub use protocol::Protocol;
pub use registry::{GAMES, UnknownGame, Visitor, with_game};
pub use spec::PlayerSpec;
pub use table::{Table, TableError};
