//! Data to learn from, of any game: games played, positions judged by search, by proof or by other programs, and the
//! files that all of it stands in.
//!
//! A game is asked for what it has of its own through [`crate::training::Training`].

pub mod ask;
pub mod blocks;
mod columns;
mod error;
pub mod export;
pub mod files;
mod game;
pub mod games;
pub mod generate;
pub mod import;
pub mod judge;
pub mod label;
pub mod make;
mod npz;
mod parquet;
pub mod portions;
pub mod positions;
mod settings;
pub mod show;
pub mod table;
pub mod text;

pub use error::DataError;
pub use files::{Note, Notes, OldGames};
pub use game::{Ended, GameColumns, PlayedGame, PlayedGameError};
pub use label::Prover;
pub use portions::WeightsFile;
pub use positions::LabelledPosition;
pub use settings::{AskSettings, GenerationSettings, JudgeSettings, LabelSettings};
