//! Games of stones on one abstraction: rules, notation, formats, symmetry, diagrams.
//!
//! [`Game`] knows rules and no history; [`Record`] is a game so far and decides the endings that need history.

pub mod abalone;
pub mod board;
pub mod contract;
pub mod environment;
pub mod error;
pub mod game;
pub mod morris;
pub mod othello;
pub mod perft;
pub mod pgn;
pub mod playout;
pub mod record;
pub mod switches;

pub use board::{Action, Board, Cell, Ground, Label, Stone};
pub use environment::Environment;
pub use error::{FormatError, MoveError, PositionError, RulesError};
pub use game::{Colour, Game, History, MoveList, Noise, Outcome};
pub use record::{End, Record};
