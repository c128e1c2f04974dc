//! Learning: games played to learn from, and weights fitted to them.
//!
//! A training run is one TOML file; [`run`] carries it out in small steps, so that it can be stopped, killed and resumed, and
//! ends in the same artifact. The learners of the published works are modules of their own; `docs/learning.md` lists them, and
//! [`run::example`] is the smallest.
//!
//! Train, and look at what was learned:
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use trilith_learn::run::{RunConfig, RunEnd, RunOptions, train};
//!
//! let config = RunConfig::parse(
//!     r#"
//!     kind = "outcomes"
//!     game = "othello"
//!     [parameters]
//!     games = 40
//!     yardstick_games = 0
//!     "#,
//! )?;
//! let folder = std::env::temp_dir().join(format!("trilith-run-{}", std::process::id()));
//! let stop = AtomicBool::new(false);
//! let options = RunOptions {
//!     folder: &folder,
//!     base: &folder,
//!     resume: false,
//!     threads: Some(1),
//!     revision: "",
//!     stop: &stop,
//! };
//! let ended = train(&config, &options, |status| println!("{:.0}%", 100.0 * status.done))?;
//! let RunEnd::Finished(artifact) = ended else { panic!("nobody has stopped it") };
//! assert_eq!(artifact.header.game, "othello");
//! assert!(folder.join("artifact.safetensors").exists());
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Comments cite the five published works as S1 to S5; `docs/references.md` lists them.

mod abalone;
pub mod data;
pub mod fit;
pub mod least_squares;
pub mod logistello;
mod morris;
pub mod network;
pub mod online;
pub mod othello;
pub mod othilie;
pub mod probcut;
pub mod production;
pub mod reversi;
pub mod risk;
pub mod run;
pub mod start;
pub mod teaching;
pub mod training;
