//! Where games are found by name and played by people and programs.

pub mod catalogue;
pub mod player;
pub mod registry;
pub mod spec;
pub mod table;

pub use player::{Player, PlayerError, Turn};
pub use registry::{GAMES, UnknownGame, Visitor, with_game};
pub use spec::PlayerSpec;
pub use table::{Table, TableError};
