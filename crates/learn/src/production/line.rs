//! What differs from game to game: how games are played and kept, labelled, and weights fitted to them.

use std::path::{Path, PathBuf};

use trilith_base::{Artifact, Seed};

use crate::run::{RunError, Work};

/// Games that were played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many.
    pub games: u64,
    /// Moves in them that a search chose.
    pub positions: u64,
}

/// A game's part of the pipeline. Files that are there already are written over, unless said otherwise.
pub trait Line: Send {
    /// Weights before anything was learned.
    fn by_hand(&self) -> Artifact;

    /// Refuses weights of another game or shape.
    fn check(&self, weights: &Artifact) -> Result<(), RunError>;

    /// Plays games of these numbers, as far as there are so many, and writes them to a file.
    fn play(
        &self,
        weights: &Path,
        seed: Seed,
        numbers: (u64, u64),
        work: &Work,
        into: &Path,
    ) -> Result<Counts, RunError>;

    /// Writes the games of several files to one, labelled to be learned from; with `weights`, where search judges them.
    /// Goes on with a file that is there.
    fn label(
        &self,
        played: &[PathBuf],
        weights: &Path,
        seed: Seed,
        work: &Work,
        into: &Path,
    ) -> Result<(), RunError>;

    /// Weights fitted to labelled games, and the error on games not learned from.
    fn fit(&self, data: &[PathBuf], parent: &Path, work: &Work) -> Result<(Artifact, f64), RunError>;
}

/// What a learner says of any error.
pub fn fault(error: impl std::fmt::Display) -> RunError {
    RunError::Learner(error.to_string())
}
