//! Training runs: one TOML file in, a folder with checkpoints, curves and log on the way, an artifact at the end.
//!
//! A learner says what one small step is, how its state is written and read, and what it has learned in the end; all
//! else is here: configs, folders, checkpoints, resuming, curves, progress, provenance. A new learner is a file with a
//! [`LearnerKind`] and one line in [`KINDS`].

mod checkpoint;
mod config;
mod crew;
mod curves;
pub mod database;
mod error;
pub mod example;
mod folder;
pub mod grid;
mod kinds;
mod learner;
mod runner;
pub mod state;
pub mod yardstick;

pub use config::RunConfig;
pub use crew::{all, pairs};
pub use curves::Curves;
pub use error::RunError;
pub use folder::Folder;
pub use kinds::{KINDS, LearnerKind, kind};
pub use learner::{Learner, LearnerSetup, Measures, StepContext, StepReport};
pub use runner::{RunEnd, RunOptions, RunStatus, extract, train, train_kind};
