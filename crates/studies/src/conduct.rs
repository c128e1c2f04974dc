//! Carries out a study: cells by whoever works, training runs beside each other, all of it journalled.

use std::collections::HashSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use trilith_base::Seed;
use trilith_base::job::Workers;

use crate::cell::StudyCell;
use crate::contest::{Match, MatchScore};
use crate::error::StudyError;
use crate::file::{PublishedTable, Scale};
use crate::journal::StudyJournal;
use crate::protocol::StudyProtocol;
use crate::report::{Finding, Report, Section};
use crate::training::{StudyTraining, Trained};

/// How a study is carried out; nothing of it but the seed changes results.
pub struct StudyOptions<'a> {
    /// Where all draws come from.
    pub seed: Seed,
    /// The folder of all studies; this one's is [`StudyProtocol::run_name`] in it, training runs lie in `runs`.
    pub folder: &'a Path,
    /// Who does the cells.
    pub workers: Workers,
    /// Threads of this machine for what cannot go elsewhere.
    pub threads: usize,
    /// Set to end after the cells at hand.
    pub stop: &'a AtomicBool,
}

/// How far a study has come.
#[derive(Clone, Debug)]
pub struct Status<'a> {
    /// What is being done.
    pub stage: &'a str,
    /// Cells of the stage that are done.
    pub done: usize,
    /// All of them.
    pub all: usize,
    /// Seconds to the end of the stage if the rest goes as fast; none at the beginning.
    pub remaining: Option<f64>,
}

/// What a procedure ends with.
pub struct StudyOutcome {
    /// The conclusions of the source, and what ours say about them.
    pub findings: Vec<Finding>,
    /// In the order of the source.
    pub sections: Vec<Section>,
}

/// Runs a study, or goes on with it, to its report. `told` hears how it goes.
pub fn run(
    protocol: &StudyProtocol,
    options: StudyOptions,
    told: &mut dyn FnMut(&Status),
) -> Result<Report, StudyError> {
    let StudyOptions { seed, folder, workers, threads, stop } = options;
    let journal = StudyJournal::open(&protocol.folder(folder), &whose(protocol, seed), threads)?;
    let means = Some(Means { workers, threads, stop });
    Conduct { protocol, seed, folder: folder.into(), journal, means, told }.finish()
}

/// The report of a study that has been run to its end in `folder`, the folder of all studies.
pub fn read(protocol: &StudyProtocol, folder: &Path, seed: Seed) -> Result<Report, StudyError> {
    let journal = StudyJournal::read(&protocol.folder(folder), &whose(protocol, seed))?;
    let told = &mut |_: &Status| ();
    Conduct { protocol, seed, folder: folder.into(), journal, means: None, told }.finish()
}

/// What a journal is of.
fn whose(protocol: &StudyProtocol, seed: Seed) -> String {
    let parameters = protocol.parameters().replace('\n', "; ");
    format!("{} {} seed {seed}: {parameters}", protocol.study.name, protocol.scale)
}

/// Who does the work.
struct Means<'a> {
    workers: Workers,
    threads: usize,
    stop: &'a AtomicBool,
}

/// What a procedure works with.
pub struct Conduct<'a> {
    protocol: &'a StudyProtocol,
    seed: Seed,
    folder: PathBuf,
    journal: StudyJournal,
    /// None where only the journal is read.
    means: Option<Means<'a>>,
    told: &'a mut dyn FnMut(&Status),
}

impl Conduct<'_> {
    fn finish(mut self) -> Result<Report, StudyError> {
        let protocol = self.protocol;
        let StudyOutcome { findings, sections } = (protocol.study.procedure)(&mut self)?;
        let file = &protocol.file;
        let findings = match protocol.scale {
            Scale::Smoke => findings.into_iter().map(Finding::unjudged).collect(),
            Scale::Quick | Scale::Full => findings,
        };
        Ok(Report {
            study: protocol.study.name.into(),
            title: file.title.clone(),
            source: file.source.clone(),
            about: file.about.clone(),
            scale: protocol.scale.name().into(),
            seed: self.seed.0,
            parameters: protocol.parameters(),
            changes: protocol.changes.clone(),
            effort: self.journal.effort(&file.published_time),
            findings,
            sections,
        })
    }

    /// The study's name.
    pub fn name(&self) -> &'static str {
        self.protocol.study.name
    }

    /// How much is done.
    pub fn scale(&self) -> Scale {
        self.protocol.scale
    }

    /// Where all draws come from.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// The parameters of the scale.
    pub fn parameters<P: DeserializeOwned>(&self) -> Result<P, StudyError> {
        self.protocol.file.parameters(&self.protocol.path, self.protocol.scale)
    }

    /// A published table.
    pub fn published(&self, table: &str) -> PublishedTable {
        self.protocol.file.published(table)
    }

    /// The folder of all training runs.
    pub fn runs(&self) -> PathBuf {
        self.folder.join("runs")
    }

    /// The seconds that the cells with these names took, of those there are.
    pub fn seconds<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> f64 {
        names.into_iter().filter_map(|name| self.journal.get(name)).map(|(_, seconds)| seconds).sum()
    }

    fn output<T: DeserializeOwned>(&self, cell: &str) -> Result<T, StudyError> {
        let (output, _) = self.journal.get(cell).ok_or_else(|| StudyError::Undone { cell: cell.into() })?;
        T::deserialize(output)
            .map_err(|error| StudyError::Procedure(format!("the journal's `{cell}`: {error}")))
    }

    /// Has all cells done that are not in the journal yet; what came of each, in their order.
    pub fn cells<T: DeserializeOwned>(
        &mut self,
        stage: &str,
        cells: Vec<StudyCell>,
    ) -> Result<Vec<T>, StudyError> {
        let names: Vec<String> = cells.iter().map(|cell| cell.name.clone()).collect();
        debug_assert_eq!(
            names.iter().collect::<HashSet<_>>().len(),
            names.len(),
            "{stage}: names must differ"
        );
        let Conduct { journal, means, told, .. } = self;
        let missing: Vec<StudyCell> =
            cells.into_iter().filter(|cell| journal.get(&cell.name).is_none()).collect();
        if let (false, Some(means)) = (missing.is_empty(), means) {
            let (all, left) = (names.len(), missing.len());
            let mut clock = Clock::new(stage, all, all - left);
            told(&clock.status());
            let mut failed = None;
            let batch = format!("study {} {stage} {}", self.protocol.study.name, names.len());
            means.workers.run(&batch, missing.into_iter(), means.stop, |cell, (output, seconds)| {
                if let Err(error) = journal.add(&cell.name, output, seconds) {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
                clock.done += 1;
                told(&clock.status());
                ControlFlow::Continue(())
            })?;
            if let Some(error) = failed {
                return Err(error);
            }
            if means.stop.load(Relaxed) {
                return Err(StudyError::Stopped);
            }
        }
        names.iter().map(|name| self.output(name)).collect()
    }

    /// Plays matches; their scores, in their order.
    pub fn matches(&mut self, stage: &str, matches: &[Match]) -> Result<Vec<MatchScore>, StudyError> {
        let cells = self.match_cells(stage, matches)?;
        let sum = |scores: &Vec<MatchScore>| {
            scores.iter().fold(MatchScore::default(), |sum, score| sum.merge(score))
        };
        Ok(cells.iter().map(sum).collect())
    }

    /// The same cell by cell, for what is not a rate: the spread of the cells is its error.
    pub fn match_cells(
        &mut self,
        stage: &str,
        matches: &[Match],
    ) -> Result<Vec<Vec<MatchScore>>, StudyError> {
        let seed = self.seed;
        let cells: Vec<Vec<StudyCell>> = matches.iter().map(|contest| contest.cells(seed)).collect();
        let counts: Vec<usize> = cells.iter().map(Vec::len).collect();
        let mut scores = self.cells::<MatchScore>(stage, cells.concat())?.into_iter();
        Ok(counts.into_iter().map(|count| scores.by_ref().take(count).collect()).collect())
    }

    /// Does a piece of work on this machine that has no cells; it may use all threads.
    pub fn here<T: Serialize + DeserializeOwned>(
        &mut self,
        name: &str,
        work: impl FnOnce(usize, &AtomicBool) -> Result<T, StudyError>,
    ) -> Result<T, StudyError> {
        if let (None, Some(means)) = (self.journal.get(name), &self.means) {
            (self.told)(&Clock::new(name, 1, 0).status());
            let began = Instant::now();
            let output = work(means.threads, means.stop)?;
            if means.stop.load(Relaxed) {
                return Err(StudyError::Stopped);
            }
            self.journal.add(name, plain(&output), began.elapsed().as_secs_f64())?;
        }
        self.output(name)
    }

    /// Trains all runs that are not in the journal yet, beside each other; what came of each, in their order.
    pub fn train(&mut self, stage: &str, trainings: &[StudyTraining]) -> Result<Vec<Trained>, StudyError> {
        let runs = self.runs();
        let Conduct { journal, means, told, .. } = self;
        let missing: Vec<&StudyTraining> =
            trainings.iter().filter(|it| journal.get(&it.name).is_none()).collect();
        if let (false, Some(means)) = (missing.is_empty(), means) {
            fs::create_dir_all(&runs).map_err(|source| StudyError::file(&runs, source))?;
            beside(stage, &missing, trainings.len(), &runs, means, journal, *told)?;
        }
        trainings.iter().map(|training| self.output(&training.name)).collect()
    }

    /// Trains runs again whose `file` is gone, if some of `cells` are still to be done with it: tables of a gigabyte are
    /// left behind when a study moves to another machine.
    pub fn remake<'n>(
        &mut self,
        trainings: &[StudyTraining],
        file: &str,
        cells: impl IntoIterator<Item = &'n str>,
    ) -> Result<(), StudyError> {
        let runs = self.runs();
        let Conduct { journal, means, told, .. } = self;
        let Some(means) = means else { return Ok(()) };
        if cells.into_iter().all(|cell| journal.get(cell).is_some()) {
            return Ok(());
        }
        let folder = |training: &StudyTraining| runs.join(training.place());
        let gone: Vec<&StudyTraining> =
            trainings.iter().filter(|training| !folder(training).join(file).exists()).collect();
        if gone.is_empty() {
            return Ok(());
        }
        for path in gone.iter().map(|training| folder(training)).filter(|path| path.exists()) {
            fs::remove_dir_all(&path).map_err(|source| StudyError::file(&path, source))?;
        }
        beside("what is gone", &gone, gone.len(), &runs, means, journal, *told)
    }
}

/// Trains on as many threads as there are, each run with its share of them.
fn beside(
    stage: &str,
    missing: &[&StudyTraining],
    all: usize,
    runs: &Path,
    means: &Means,
    journal: &mut StudyJournal,
    told: &mut dyn FnMut(&Status),
) -> Result<(), StudyError> {
    let hands = means.threads.clamp(1, missing.len());
    let share = (means.threads / hands).max(1);
    let next = AtomicUsize::new(0);
    let (sender, receiver) = std::sync::mpsc::channel();
    let sender = Mutex::new(sender);
    let mut clock = Clock::new(stage, all, all - missing.len());
    told(&clock.status());
    std::thread::scope(|scope| {
        for _ in 0..hands {
            scope.spawn(|| {
                let sender = sender.lock().expect("no thread panics with the lock").clone();
                while let Some(&training) = missing.get(next.fetch_add(1, Relaxed)) {
                    let began = Instant::now();
                    let trained = training.run(runs, share, means.stop);
                    let is_failed = trained.is_err();
                    if sender.send((training, trained, began.elapsed().as_secs_f64())).is_err() || is_failed {
                        return;
                    }
                }
            });
        }
        for _ in 0..missing.len() {
            let Ok((training, trained, seconds)) = receiver.recv() else { break };
            let kept = trained.and_then(|trained| journal.add(&training.name, plain(&trained), seconds));
            if let Err(error) = kept {
                next.store(missing.len(), Relaxed);
                return Err(error);
            }
            clock.done += 1;
            told(&clock.status());
        }
        Ok(())
    })
}

fn plain(output: &impl Serialize) -> Value {
    serde_json::to_value(output).expect("outputs are plain data")
}

/// How long a stage still takes.
struct Clock<'a> {
    stage: &'a str,
    began: Instant,
    before: usize,
    done: usize,
    all: usize,
}

impl Clock<'_> {
    fn new(stage: &str, all: usize, before: usize) -> Clock<'_> {
        Clock { stage, began: Instant::now(), before, done: before, all }
    }

    fn status(&self) -> Status<'_> {
        let new = self.done - self.before;
        let each = self.began.elapsed().as_secs_f64() / new.max(1) as f64;
        let remaining = (new > 0).then(|| each * (self.all - self.done) as f64);
        Status { stage: self.stage, done: self.done, all: self.all, remaining }
    }
}
