//! Games of stones on one abstraction: rules, notation, formats, symmetry, diagrams.
//!
//! [`Game`] knows rules and no history; [`Record`] is a game so far and decides the endings that need history. The games are
//! [`othello`], [`morris`] and [`abalone`]; [`contract`] is what each of them must keep.
//!
//! Play a game:
//!
//! ```
//! use trilith_games::othello::Othello;
//! use trilith_games::{Game, MoveList, Record};
//!
//! let mut record = Record::new(Othello::new(Default::default()));
//! for mv in ["f5", "d6", "c3"] {
//!     record.push_text(mv)?;
//! }
//! let refused = record.push_text("a1").unwrap_err();
//! assert!(refused.to_string().starts_with("`a1` is not legal here; legal: "));
//!
//! let game = record.game();
//! let mut moves = MoveList::new();
//! game.moves(record.position(), &mut moves);
//! assert!(moves.iter().any(|&mv| game.move_text(mv) == "d3"));
//! assert_eq!(game.position_text(record.position()).chars().last(), Some('O'), "White is to move");
//! assert!(record.end().is_none());
//!
//! // Leaves at depth 5, the usual test of move generators.
//! assert_eq!(game.perft(&game.start(), 5), 1396);
//! # Ok::<(), trilith_games::MoveError>(())
//! ```
//!
//! Comments cite the five published works as S1 to S5; `docs/references.md` lists them.

pub mod abalone;
pub mod arrangement;
pub mod beginnings;
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

pub use arrangement::{Arrangement, SideCounts};
pub use board::{Action, Board, BoardGround, Cell, Label, Stone};
pub use environment::Environment;
pub use error::{FormatError, MoveError, PositionError, RulesError};
pub use game::{Colour, DrawRules, Game, MoveList, Noise, Outcome};
pub use othello::technique::Technique;
pub use record::{End, Record};
