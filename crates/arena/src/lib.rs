//! Where games are found by name and played by people and programs.
//!
//! [`registry`] is the only list of games. A [`table`] is one game in texts, whatever the game. A [`Player`] is made from one text
//! form, [`PlayerSpec`]. [`contest`] plays games and matches, [`tournament`] many of them, [`statistics`] says what results mean,
//! [`protocol`] lets other programs drive our players.
//!
//! Play a game in texts:
//!
//! ```
//! let mut table = trilith_arena::table::open("morris", "thesis", None)?;
//! table.play("d6")?;
//! table.play("f4")?;
//! assert_eq!(table.view().moves, ["d6", "f4"]);
//! assert!(trilith_arena::table::load(&table.text()).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Run a match:
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::AtomicBool;
//! use trilith_arena::contest::Duel;
//!
//! let players = ("minimax:depth=2,eval=discs", "random");
//! let duel = Duel { openings: "random:4".parse()?, ..Duel::new("othello", players.0, players.1, 4) };
//! let (report, games) = duel.play(&Arc::new(AtomicBool::new(false)), |_| {})?;
//! assert_eq!(report.wins + report.draws + report.losses, 4);
//! println!("{:.1}%, Elo {:+.0} [{:+.0}, {:+.0}]", 100.0 * report.rate, report.elo, report.elo_low, report.elo_high);
//! # assert_eq!(games.len(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Comments cite the five published works as S1 to S5; `docs/references.md` lists them.

mod abalone;
pub mod accuracy;
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
pub mod readers;
pub mod registry;
pub mod review;
pub mod sheets;
pub mod signature;
pub mod spec;
pub mod statistics;
pub mod table;
pub mod tablebase;
#[cfg(feature = "tictactoe")]
#[doc(hidden)]
#[path = "../tests/tictactoe/mod.rs"]
pub mod tictactoe;
pub mod tournament;
pub mod tune;

pub use kit::GameKit;
pub use othello::ggs;
pub use player::{Player, PlayerError, PlayerFault, Turn};
pub use protocol::Protocol;
pub use registry::{GAMES, UnknownGame, Visitor, first_colour, with_game};
pub use spec::PlayerSpec;
pub use table::{Table, TableError};
