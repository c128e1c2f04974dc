//! The production pipeline as one resumable run: generations of self-play, labels, fit, calibration and match.
//!
//! A generation plays games with the weights promoted last, labels them, fits new weights to the games of all
//! generations so far, calibrates ProbCut for them, and lets them play against the promoted ones. Only if a sequential
//! test (SPRT) accepts that they are stronger they are promoted; else they are kept beside, and the next generation
//! begins with the promoted ones again, and with more games to learn from.
//!
//! The run's folder has `parent.safetensors` and for each generation a folder with `NUMBER.games` (as played),
//! `labelled.games`, `weights.safetensors` and `probcut.toml`. All of these are made again from the seed if a step is
//! repeated after a kill, so they never disagree with a checkpoint.

mod calibration;
mod learner;
mod line;
mod settings;
mod trial;

pub use learner::KIND;
