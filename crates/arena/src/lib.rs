//! Where games are found by name and played by people and programs.

pub mod catalogue;
pub mod player;
pub mod registry;
pub mod table;

pub use player::{Player, PlayerError};
pub use registry::{GAMES, UnknownGame, Visitor, with_game};
pub use table::{Table, TableError};
