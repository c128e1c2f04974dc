//! Training runs as parts of a study.
//!
//! A run lies in a folder named by its config, below the folder of all studies, so that two studies that need the same
//! table or network make it once. What reports need of it goes into the journal; the run itself can be removed afterwards.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use toml::{Table, Value};
use trilith_base::Artifact;
use trilith_base::job::JobId;
use trilith_learn::run::{self, Curves, Folder, RunConfig, RunEnd, database};

use crate::error::StudyError;

/// A training run that a study needs.
#[derive(Clone, Debug)]
pub struct StudyTraining {
    /// What the journal knows it by.
    pub name: String,
    /// All that decides what is learned; paths in it begin at the folder of all runs.
    pub config: RunConfig,
    /// Text files of the run that reports need.
    pub files: &'static [&'static str],
    /// Weights on the way that reports need: every so many games; 0 for none.
    pub weights_every: u32,
}

/// What reports need of a finished run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Trained {
    /// What was measured by step, as comma-separated values.
    pub curves: String,
    /// Of the artifact.
    pub provenance: BTreeMap<String, String>,
    /// By name.
    pub files: BTreeMap<String, String>,
    /// Series, number and the weights there.
    pub weights: Vec<(u32, u32, Vec<f64>)>,
    /// The weights of a small artifact, by name of the tensor.
    pub tensors: BTreeMap<String, Vec<f32>>,
}

impl Trained {
    /// A measure by step.
    pub fn column(&self, name: &str) -> Vec<(u64, f64)> {
        Curves::parse(&self.curves).column(name)
    }

    /// A measure against another one of the same steps, such as the strength after so many games.
    pub fn curve(&self, x: &str, y: &str) -> Vec<(f64, f64)> {
        let curves = Curves::parse(&self.curves);
        let at: BTreeMap<u64, f64> = curves.column(x).into_iter().collect();
        curves.column(y).into_iter().filter_map(|(step, y)| Some((*at.get(&step)?, y))).collect()
    }

    /// The last value of a measure.
    pub fn last(&self, name: &str) -> Option<f64> {
        self.column(name).last().map(|point| point.1)
    }
}

/// Tensors with more numbers stay in the run's folder.
const SMALL: usize = 2000;

impl StudyTraining {
    /// A run of `kind` with these parameters, on top of what `base` says.
    pub fn new(
        name: impl Into<String>,
        kind: &str,
        game: &str,
        seed: u64,
        parameters: &[(&str, Value)],
    ) -> StudyTraining {
        let parameters: Table =
            parameters.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        let config = RunConfig {
            kind: kind.into(),
            game: game.into(),
            rules: String::new(),
            seed: seed & (i64::MAX as u64),
            threads: 1,
            checkpoint: 20.0,
            parameters,
        };
        StudyTraining { name: name.into(), config, files: &[], weights_every: 0 }
    }

    /// The same run with the values of `more` as parameters, too.
    pub fn with(mut self, more: &Table) -> StudyTraining {
        self.config.parameters.extend(more.clone());
        self
    }

    /// The run's folder, seen from that of all runs.
    pub fn place(&self) -> String {
        format!("{}-{}", self.config.kind, &JobId::of(self.config.text().as_bytes()).to_string()[..16])
    }

    /// A file of the run as players name it.
    pub fn file(&self, runs: &Path, name: &str) -> String {
        format!("\"{}\"", runs.join(self.place()).join(name).display())
    }

    /// What it has learned, as players name it.
    pub fn artifact(&self, runs: &Path) -> String {
        self.file(runs, Folder::ARTIFACT)
    }

    /// Trains, or goes on, or reads what is there.
    pub(crate) fn run(&self, runs: &Path, threads: usize, stop: &AtomicBool) -> Result<Trained, StudyError> {
        let folder = runs.join(self.place());
        let artifact = folder.join(Folder::ARTIFACT);
        if !artifact.exists() {
            let options = run::RunOptions {
                folder: &folder,
                base: runs,
                resume: true,
                threads: Some(threads),
                revision: "study",
                stop,
            };
            if let RunEnd::Stopped = run::train(&self.config, &options, |_| ())? {
                return Err(StudyError::Stopped);
            }
            // They are as large as the run itself and nobody needs them any more.
            let _ = fs::remove_dir_all(folder.join("checkpoints"));
        }
        self.collect(&folder, &artifact)
    }

    fn collect(&self, folder: &Path, artifact: &Path) -> Result<Trained, StudyError> {
        let read = |name: &str| {
            let path = folder.join(name);
            fs::read_to_string(&path).map_err(|source| StudyError::file(&path, source))
        };
        let artifact = Artifact::load(artifact).map_err(run::RunError::from)?;
        let small = artifact.tensors.into_iter().filter(|(_, tensor)| tensor.data.len() <= SMALL);
        let mut trained = Trained {
            curves: read("curves.csv")?,
            provenance: artifact.header.provenance,
            tensors: small.map(|(name, tensor)| (name, tensor.data)).collect(),
            ..Trained::default()
        };
        for name in self.files {
            trained.files.insert((*name).into(), read(name)?);
        }
        if self.weights_every > 0 {
            let connection = database::open(folder)?;
            for place in database::places(&connection)? {
                if place.number.is_multiple_of(self.weights_every) {
                    let weights = database::kept(&connection, place)?.unwrap_or_default();
                    trained.weights.push((place.series, place.number, weights));
                }
            }
        }
        Ok(trained)
    }
}
