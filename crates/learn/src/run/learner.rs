//! What a learner is to the runner.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use rusqlite::Connection;
use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};
use trilith_base::{Artifact, Seed};
use trilith_games::Game;

use super::config::RunConfig;
use super::{RunError, database};

/// Learns in small resumable steps and ends in an artifact.
///
/// What it does next depends on its state alone: never on time, threads or what was in memory before a restart.
pub trait Learner: Send {
    /// Does the next small piece of work. The run can only stop between two of these: a step that may take more than a
    /// second looks at [`StepContext::stop`] and fails with [`RunError::Stopped`], having changed nothing.
    fn step(&mut self, work: &StepContext) -> Result<StepReport, RunError>;

    /// Writes all that the next step depends on into an empty folder; [`super::state`] does it for small states.
    fn save(&self, folder: &Path) -> Result<(), RunError>;

    /// Becomes what [`Learner::save`] wrote, and takes back what was put into the run's database after that. Called
    /// once, on a learner that has just begun with the same config.
    fn restore(&mut self, folder: &Path, work: &StepContext) -> Result<(), RunError>;

    /// What the last step showed, for curves and progress; none where nothing was measured. The first measures of a
    /// run should have all columns. Called once after each step. May be [`RunError::Stopped`] like a step, and so may
    /// [`Learner::finish`]: the run then goes on from an earlier checkpoint.
    fn measures(&mut self, work: &StepContext) -> Result<Option<Measures>, RunError>;

    /// What has been learned, with what only the learner knows in its provenance: data, parent, measured strength.
    fn finish(&mut self, work: &StepContext) -> Result<Artifact, RunError>;

    /// Weights from the run's database as a file of their own; none if this learner keeps none there.
    fn kept(&self, _weights: &[f64]) -> Option<Artifact> {
        None
    }
}

/// What a step did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Games played.
    pub games: u64,
    /// Positions learned from.
    pub positions: u64,
    /// Mean error of what was learned from, in the learner's own measure.
    pub loss: Option<f64>,
    /// Which part of the whole run is done, from 0 to 1; the run ends at 1.
    pub done: f64,
}

/// Numbers with names, in the order of the curves' columns.
pub type Measures = Vec<(&'static str, f64)>;

/// What a learner is made from.
pub struct LearnerSetup<'a> {
    /// The whole config.
    pub config: &'a RunConfig,
    /// Where relative paths of the config begin: the folder of the config's file.
    pub base: &'a Path,
    complete: Mutex<Table>,
}

impl<'a> LearnerSetup<'a> {
    /// The setup of a config.
    pub fn new(config: &'a RunConfig, base: &'a Path) -> LearnerSetup<'a> {
        LearnerSetup { config, base, complete: Mutex::new(config.parameters.clone()) }
    }

    /// The learner's parameters, with defaults where the config says nothing; the complete ones go into the run's
    /// config and the artifact. `P` should deny unknown fields and have a default for each.
    pub fn parameters<P: DeserializeOwned + Serialize>(&self) -> Result<P, RunError> {
        let read = P::deserialize(self.config.parameters.clone())
            .map_err(|error| RunError::config("parameters", error.message().trim()));
        let parameters = read?;
        match Value::try_from(&parameters) {
            Ok(Value::Table(table)) => *self.complete.lock().expect("nobody panics holding this") = table,
            _ => unreachable!("parameters are a struct of plain values"),
        }
        Ok(parameters)
    }

    /// The config with all parameters that the learner filled in.
    pub(super) fn complete(self) -> RunConfig {
        let parameters = self.complete.into_inner().expect("nobody panics holding this");
        RunConfig { parameters, ..self.config.clone() }
    }

    /// The game by the config's rules.
    pub fn game<G: Game>(&self) -> Result<G, RunError> {
        Ok(G::new(self.config.rules.parse()?))
    }

    /// Where all draws come from.
    pub fn seed(&self) -> Seed {
        Seed(self.config.seed)
    }

    /// A path of the config as seen from the config's file.
    pub fn path(&self, path: &str) -> PathBuf {
        self.base.join(path)
    }
}

/// What a learner works with.
pub struct StepContext<'a> {
    /// How many threads to use; results must not depend on it.
    pub threads: usize,
    /// The run's folder; files there are the learner's own business but for the runner's.
    pub folder: &'a Path,
    /// Set when somebody wants the run to stop; work of more than a second looks at it.
    pub stop: &'a AtomicBool,
}

impl StepContext<'_> {
    /// The run's database, `run.sqlite`; opening takes about a millisecond.
    pub fn database(&self) -> Result<Connection, RunError> {
        database::open(self.folder)
    }
}
