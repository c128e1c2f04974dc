//! Weights fitted to data: what is learned from, how, and what comes of it. Each game has its method
//! ([`Training::fit`]): least squares by phase in Othello, logistic regression where values are log odds.

pub mod logistic;

use std::fs::File;
use std::path::{Path, PathBuf};

use trilith_base::{Artifact, ArtifactError, Seed};
use trilith_games::Game;

use crate::data::files::{GamesReader, next_block};
use crate::data::{DataError, Notes, positions};
use crate::training::Training;

/// One game, or block of positions, in so many is kept for testing.
pub const TEST_EVERY: usize = 20;

/// How weights are fitted. A method looks at what concerns it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitSettings {
    /// Pull towards zero, or towards the parent: rare patterns stay small. The method's own if none.
    pub ridge: Option<f32>,
    /// How much the game's result counts in what is learned; the rest is the search's own estimate.
    pub lambda: f32,
    /// Logistic: a game that was cut after so many plies without an irreversible move teaches a draw in the positions of
    /// the first stage, whatever the search thought of them; 0 for none.
    ///
    /// A side that waits in a closed position believes itself ahead, and by its estimates would go on to believe it.
    pub still: usize,
    /// Logistic: times that all data is gone through.
    pub epochs: usize,
    /// Logistic: the rate of the first epoch; it falls evenly to a tenth.
    pub rate: f32,
    /// Least squares: iterations of conjugate gradients a phase.
    pub iterations: usize,
    /// Least squares: a phase also learns from positions with so many discs more or fewer.
    pub reach: u32,
    /// Least squares: a position whose target is so many discs from even counts for half, and less further off: games are
    /// decided where they are close, and a sum of patterns cannot be right everywhere.
    pub near: f32,
    /// One game, or block of positions, in so many is kept for testing.
    pub test_every: usize,
    /// Where the order of positions within a block comes from.
    pub seed: Seed,
}

impl Default for FitSettings {
    fn default() -> FitSettings {
        FitSettings {
            ridge: None,
            lambda: 0.7,
            still: 0,
            epochs: 6,
            rate: 0.05,
            iterations: 30,
            reach: 2,
            near: f32::INFINITY,
            test_every: TEST_EVERY,
            seed: Seed(1),
        }
    }
}

/// What weights are fitted to.
#[derive(Clone, Copy, Debug)]
pub enum FitData<'a> {
    /// Files of games.
    Games(&'a [PathBuf]),
    /// Files of judged positions.
    Positions(&'a [PathBuf]),
}

impl<'a> FitData<'a> {
    /// The files.
    pub fn files(self) -> &'a [PathBuf] {
        match self {
            FitData::Games(files) | FitData::Positions(files) => files,
        }
    }
}

/// A fit that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct FitRequest<'a> {
    /// What is learned from.
    pub data: FitData<'a>,
    /// Weights to begin with; the method's own beginning if none.
    pub parent: Option<&'a Artifact>,
    /// How.
    pub settings: FitSettings,
    /// Threads that fit; the result does not depend on them.
    pub threads: usize,
}

/// How a game's weights are fitted, for people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitMethod {
    /// What is done one after another, such as `epoch`.
    pub step: &'static str,
    /// What errors count, such as `discs`.
    pub unit: &'static str,
    /// Places behind the point that errors are shown with.
    pub places: usize,
    /// The pull if none is asked for.
    pub ridge: f32,
    /// Whether learning goes on from the weights of the parent; else a parent only says where weights are pulled to.
    pub goes_on: bool,
    /// The settings that only some methods have and that this one looks at.
    pub settings: &'static [&'static str],
}

/// How well a step did.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct FitReport {
    /// Which one.
    pub step: usize,
    /// Positions learned from.
    pub positions: u64,
    /// Mean error on them.
    pub training: f64,
    /// The same on data not learned from.
    pub test: f64,
    /// The least error that any prediction could reach there, where that is known.
    pub least: Option<f64>,
}

/// Fitted weights.
pub struct Fitted {
    /// With method and error in the provenance.
    pub artifact: Artifact,
    /// On data not learned from.
    pub error: f64,
}

/// Why nothing was fitted.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// The data is refused.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The parent is refused.
    #[error(transparent)]
    Parent(#[from] ArtifactError),
    /// A setting is wrong.
    #[error("{0}")]
    Settings(String),
    /// The game has nothing to fit.
    #[error(
        "{game}: it has no pattern weights to fit; learners such as `outcomes` learn it (`trilith train`)"
    )]
    NoWeights {
        /// Which game.
        game: &'static str,
    },
}

/// Hears how well each step did.
pub type Reports<'a> = &'a mut dyn FnMut(FitReport);

/// Fits weights to files and notes in their provenance what they were learned from. All files are read once before: what
/// is wrong with them is said at the beginning.
pub fn fit_files<G: Game, C: Training<G>>(
    request: &FitRequest,
    notes: Notes,
    reports: Reports,
) -> Result<Fitted, FitError> {
    let mut provenance = Vec::new();
    for (number, path) in (1..).zip(request.data.files()) {
        let file = File::open(path).map_err(|source| DataError::file(path, source))?;
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(file).map_err(|source| DataError::file(path, source))?;
        let (bytes, hash) = (hasher.count(), hasher.finalize().to_hex());
        provenance.push((format!("data {number}"), format!("{bytes} bytes, blake3 {hash}")));
        read_through::<G, C>(request.data, path, notes)?;
    }
    if let Some(parent) = request.parent {
        provenance.push(("parent".into(), parent.checksum()?));
    }
    let mut fitted = C::fit(request, reports)?;
    fitted.artifact.header.provenance.extend(provenance);
    Ok(fitted)
}

fn read_through<G: Game, C: Training<G>>(data: FitData, path: &Path, notes: Notes) -> Result<(), DataError> {
    match data {
        FitData::Games(_) => {
            let mut reader = GamesReader::<G, C>::open(path)?;
            while reader.next_block(notes)?.is_some() {}
        }
        FitData::Positions(_) => {
            let mut reader = positions::PositionReader::<G, C>::open(path, G::NAME)?;
            while next_block(&mut reader, path, notes)?.is_some() {}
        }
    }
    Ok(())
}
