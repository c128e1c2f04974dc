//! The runs that go on: each in a process of its own ([`child`]), at low priority, so many at a time. A server that was not
//! told of a program for it, as in tests, trains on a thread.
//!
//! All that matters is in the run's folder: when the program ends, however it does, the run can be resumed from there.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ChildStdin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread;

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use trilith_learn::run::{self, Curves, RunConfig, RunEnd, RunOptions, RunStatus};

use super::child::{self, TrainingProgram};
use crate::fault::Fault;
use crate::tables::lock;

/// Runs at the same time.
const MOST: usize = 2;
/// How much the scheduler puts everything else before training.
const NICE: i32 = 15;
/// How long a run may take to stop when the program ends.
const LAST_STEP: std::time::Duration = std::time::Duration::from_secs(20);
/// About so many points of the loss are kept for a run.
const POINTS: f64 = 400.0;

/// The runs that go on, and those that failed since the program began.
#[derive(Default)]
pub(crate) struct School(Mutex<HashMap<String, Arc<Pupil>>>);

/// A run that goes on or has just ended.
pub(super) struct Pupil {
    stop: AtomicBool,
    /// What stops its process by being closed.
    leash: Mutex<Option<ChildStdin>>,
    /// Counts changes.
    version: AtomicU64,
    state: Mutex<TrainingState>,
}

#[derive(Default)]
struct TrainingState {
    has_ended: bool,
    error: Option<String>,
    progress: Option<Progress>,
    curves: Curves,
    measures: Vec<(String, f64)>,
    /// The part done when the loss was last kept.
    kept: f64,
}

/// How far a run is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Progress {
    done: f64,
    steps: u64,
    games: u64,
    positions: u64,
    seconds: f64,
    games_per_second: f64,
    remaining: Option<f64>,
    loss: Option<f64>,
}

impl School {
    /// The run called `name`, if it goes on or has just ended.
    pub(super) fn find(&self, name: &str) -> Option<Arc<Pupil>> {
        lock(&self.0).get(name).cloned()
    }

    /// Tells all runs to stop after the step at hand, with a checkpoint.
    pub(crate) fn stop(&self) {
        lock(&self.0).values().for_each(|pupil| pupil.stop());
    }

    /// Waits until no run goes on, but not for ever: what a killed run loses is what came after its last checkpoint.
    pub(crate) fn wait(&self) {
        let start = std::time::Instant::now();
        while lock(&self.0).values().any(|pupil| pupil.goes_on()) && start.elapsed() < LAST_STEP {
            thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    /// Forgets a run that has ended.
    pub(super) fn forget(&self, name: &str) {
        lock(&self.0).remove(name);
    }

    /// Begins or resumes a run in its folder, which must be its alone.
    pub(super) fn begin(
        &self,
        name: &str,
        config: RunConfig,
        folder: PathBuf,
        resume: bool,
        trainer: Option<TrainingProgram>,
    ) -> Result<(), Fault> {
        let conflict = |error: String| Fault::new(StatusCode::CONFLICT, error);
        let mut all = lock(&self.0);
        if all.get(name).is_some_and(|pupil| pupil.goes_on()) {
            return Err(conflict(format!("run `{name}` goes on already")));
        }
        if all.values().filter(|pupil| pupil.goes_on()).count() >= MOST {
            return Err(conflict(format!("{MOST} runs go on already: stop one or wait")));
        }
        let curves = std::fs::read_to_string(folder.join("curves.csv")).unwrap_or_default();
        let state = TrainingState { curves: Curves::parse(&curves), ..TrainingState::default() };
        let pupil = Arc::new(Pupil {
            stop: AtomicBool::new(false),
            leash: Mutex::default(),
            version: AtomicU64::new(0),
            state: Mutex::new(state),
        });
        all.insert(name.into(), Arc::clone(&pupil));
        drop(all);
        let begun = thread::Builder::new().name("training".into()).spawn(move || {
            // Where the system has no such thing training is as important as all else.
            #[cfg(unix)]
            let _ = rustix::process::nice(NICE);
            pupil.train(&config, &folder, resume, trainer.as_ref());
        });
        begun.map(drop).map_err(|_| Fault::new(StatusCode::SERVICE_UNAVAILABLE, "no thread to train in"))
    }
}

impl Pupil {
    pub(super) fn goes_on(&self) -> bool {
        !lock(&self.state).has_ended
    }

    /// After the step at hand, with a checkpoint.
    pub(super) fn stop(&self) {
        self.stop.store(true, Relaxed);
        drop(lock(&self.leash).take());
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Stops the process at the other end of `leash` when the run is stopped.
    pub(super) fn tie(&self, leash: Option<ChildStdin>) {
        *lock(&self.leash) = leash;
        if self.is_stopped() {
            drop(lock(&self.leash).take());
        }
    }

    pub(super) fn version(&self) -> u64 {
        self.version.load(Relaxed)
    }

    /// How far it is, its curves as text, and why it failed if it did.
    pub(super) fn shown(&self) -> (Option<Progress>, String, Option<String>) {
        let state = lock(&self.state);
        (state.progress.clone(), state.curves.csv(), state.error.clone())
    }

    fn train(&self, config: &RunConfig, folder: &Path, resume: bool, trainer: Option<&TrainingProgram>) {
        let work = || match trainer {
            Some(trainer) => child::train(trainer, config, folder, resume, self),
            None => self.train_here(config, folder, resume),
        };
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        let mut state = lock(&self.state);
        state.has_ended = true;
        match ended {
            Ok(Ok(true)) => state.progress.iter_mut().for_each(|progress| progress.done = 1.0),
            Ok(Ok(false)) => {}
            Ok(Err(error)) => state.error = Some(told(&error, folder)),
            Err(_) => state.error = Some("the learner broke down".into()),
        }
        drop(state);
        self.version.fetch_add(1, Relaxed);
    }

    /// Whether the run is complete; else it was stopped.
    fn train_here(&self, config: &RunConfig, folder: &Path, resume: bool) -> Result<bool, String> {
        let options = RunOptions {
            folder,
            base: folder,
            resume,
            threads: Some(1),
            revision: env!("CARGO_PKG_VERSION"),
            stop: &self.stop,
        };
        let note = |status: &RunStatus<'_>| {
            let measures = status.measures.iter().map(|&(name, number)| (name.to_owned(), number)).collect();
            self.note(Progress::of(status), measures);
        };
        let ended = run::train(config, &options, note).map_err(|error| error.to_string())?;
        Ok(matches!(ended, RunEnd::Finished(_)))
    }

    /// Keeps how far it is, and what was measured if that is new.
    pub(super) fn note(&self, progress: Progress, measures: Vec<(String, f64)>) {
        let mut state = lock(&self.state);
        let is_new = state.measures != measures;
        let has_own = measures.iter().any(|(name, _)| name == "loss");
        if is_new {
            state.curves.add(progress.steps, measures.iter().map(|(name, number)| (name.as_str(), *number)));
            state.measures = measures;
        }
        let is_due = is_new || progress.done - state.kept >= 1.0 / POINTS;
        if let Some(loss) = progress.loss.filter(|_| is_due && !has_own) {
            state.kept = progress.done;
            state.curves.add(progress.steps, [("loss", loss)]);
        }
        state.progress = Some(progress);
        drop(state);
        self.version.fetch_add(1, Relaxed);
    }
}

impl Progress {
    fn of(status: &RunStatus<'_>) -> Progress {
        Progress {
            done: status.done,
            steps: status.steps,
            games: status.games,
            positions: status.positions,
            seconds: status.seconds,
            games_per_second: status.games_per_second,
            remaining: status.remaining,
            loss: status.loss,
        }
    }
}

/// What went wrong, without saying where on this machine.
fn told(error: &str, folder: &Path) -> String {
    let runs = folder.parent().and_then(Path::to_str).unwrap_or_default();
    if runs.is_empty() { error.into() } else { error.replace(runs, "runs") }
}
