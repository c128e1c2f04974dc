//! Endgame tables that can be built where the program runs, asked of the game ([`GameKit::tablebase`]).
//!
//! [`GameKit::tablebase`]: crate::kit::GameKit::tablebase

use std::sync::atomic::AtomicBool;

use serde::Serialize;

/// The tables of one set of rules.
pub trait Tablebase: Send {
    /// What can be built, smallest first; each holds the ones before it.
    fn sets(&self) -> Result<Vec<TableSet>, String>;

    /// Builds the set with so many stones on so many threads, as far as it is not there; false if it was stopped. A build
    /// that was stopped, by whatever means, goes on where it was.
    fn build(
        &self,
        stones: u32,
        threads: usize,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&BuildStatus),
    ) -> Result<bool, String>;
}

/// Tables that belong together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableSet {
    /// The most stones on the board.
    pub stones: u32,
    /// Whether nothing is left to be known once it is there.
    pub complete: bool,
    /// What it takes on disk, about.
    pub bytes: u64,
    /// Seconds that one core works on it, about.
    pub seconds: u32,
    /// Which part of its positions is there, from 0 to 1.
    pub built: f64,
}

/// How far a build is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuildStatus {
    /// The tables at work.
    pub at: String,
    /// Which part of the set is there, from 0 to 1.
    pub built: f64,
    /// Seconds to go, about; none at the start.
    pub remaining: Option<f64>,
}
