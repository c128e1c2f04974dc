//! Where games are found by name and played by people and programs.

pub mod accuracy;
pub mod book;
pub mod contest;
pub mod offer;
pub mod player;
pub mod protocol;
pub mod registry;
pub mod spec;
pub mod statistics;
pub mod table;
pub mod tournament;

pub use player::{Fault, Player, PlayerError, Turn};
pub use protocol::Protocol;
pub use registry::{GAMES, UnknownGame, Visitor, with_game};
pub use spec::PlayerSpec;
pub use table::{Table, TableError};
