//! Endgames of Nine Men's Morris, solved backwards from the end: built, stored, checked and asked.
//!
//! Values are for best play by the rules of moving alone: repetition and quiet plies are not counted. `docs/tablebases.md` explains
//! how it works.
//!
//! Build the smallest table, three stones against three, and probe it:
//!
//! ```
//! use trilith_games::morris::Morris;
//! use trilith_games::{Game, Outcome};
//! use trilith_tablebase::{answer, ensure};
//!
//! let game = Morris::new(Default::default());
//! let folder = std::env::temp_dir().join(format!("trilith-tables-{}", std::process::id()));
//! let tables = ensure(&folder, game.rules(), 6)?;
//!
//! let position = game.parse_position("www/bbb/3/6/3/3/3 w 0 0")?;
//! let value = tables.value(&position)?;
//! assert_eq!(value.outcome, Outcome::Win);
//! println!("won in {:?} plies by {}", value.plies, answer(&tables, &game, &position)?.moves[0].mv);
//! # drop(tables);
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Comments cite the five published works as S1 to S5; `docs/references.md` lists them.

pub mod answer;
pub mod build;
pub mod choice;
pub mod classes;
mod cpu;
pub mod error;
mod expert;
pub mod file;
pub mod motion;
mod numbering;
mod oracle;
pub mod placing;
pub mod sample;
mod solve;
pub mod stats;
pub mod subspace;
pub mod tables;
pub mod verify;

pub use answer::{TablebaseAnswer, answer, line, moves_valued};
pub use build::{
    BuildPlan, BuildProgress, FIRST_STONES, build, build_until, default_folder, ensure, folder_name,
};
pub use error::TablebaseError;
pub use expert::{Expert, MoveBound};
pub use file::{Counts, TableFile, TableHeader, TableMode};
pub use subspace::Subspace;
pub use tables::{TablebaseValue, Tables};
