//! Runs a learner from its config to its artifact: step by step, safe to be stopped or killed at any moment.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use serde::Serialize;
use trilith_base::Artifact;

use super::checkpoint::{self, RunProgress};
use super::database::{self, Place};
use super::learner::{Learner, LearnerSetup, Measures, StepContext, StepReport};
use super::{Curves, Folder, LearnerKind, RunConfig, RunError, kind};

/// How a run is carried out; nothing of it changes what is learned.
pub struct RunOptions<'a> {
    /// Where the run lives.
    pub folder: &'a Path,
    /// Where relative paths of the config begin.
    pub base: &'a Path,
    /// Whether to go on with the run that is in the folder.
    pub resume: bool,
    /// Instead of the config's.
    pub threads: Option<usize>,
    /// Which state of the program this is, for the artifact.
    pub revision: &'a str,
    /// Set to end the run after the step at hand, with a checkpoint.
    pub stop: &'a AtomicBool,
}

/// What to show of a running run.
#[derive(Clone, Debug, Serialize)]
pub struct RunStatus<'a> {
    /// Which part of the whole is done, from 0 to 1.
    pub done: f64,
    /// Steps done.
    pub steps: u64,
    /// Games played.
    pub games: u64,
    /// Positions learned from.
    pub positions: u64,
    /// Seconds worked.
    pub seconds: f64,
    /// Games a second since the run began or went on.
    pub games_per_second: f64,
    /// Positions a second since then.
    pub positions_per_second: f64,
    /// Seconds still to go if the rest goes as fast; none at the beginning.
    pub remaining: Option<f64>,
    /// Of the last step.
    pub loss: Option<f64>,
    /// The last ones taken.
    pub measures: &'a [(&'static str, f64)],
}

/// How a call of [`train`] ended.
#[derive(Debug)]
pub enum RunEnd {
    /// The run is complete; the artifact lies in its folder.
    Finished(Box<Artifact>),
    /// It was stopped and can be resumed.
    Stopped,
}

/// Trains as `config` says. `progress` hears of every step.
pub fn train(
    config: &RunConfig,
    options: &RunOptions,
    progress: impl FnMut(&RunStatus),
) -> Result<RunEnd, RunError> {
    train_kind(kind(&config.kind)?, config, options, progress)
}

/// The same with a learner that need not be in the program's list: how a program of your own trains a learner of its own.
pub fn train_kind(
    kind: &LearnerKind,
    config: &RunConfig,
    options: &RunOptions,
    mut progress: impl FnMut(&RunStatus),
) -> Result<RunEnd, RunError> {
    if !kind.games.contains(&config.game.as_str()) {
        let games = kind.games.join(", ");
        return Err(RunError::NotFor { kind: kind.name, game: config.game.clone(), games });
    }
    let setup = LearnerSetup::new(config, options.base);
    let learner = (kind.begin)(&setup)?;
    let complete = setup.complete();
    let folder = Folder::open(options.folder)?;
    let mut run = Run::open(learner, complete, folder, options)?;
    while !run.is_done() {
        if options.stop.load(Relaxed) {
            run.pause()?;
            return Ok(RunEnd::Stopped);
        }
        match run.step(options, &mut progress) {
            Err(RunError::Stopped) => return run.leave().map(|()| RunEnd::Stopped),
            done => done?,
        }
    }
    match run.finish(options) {
        Err(RunError::Stopped) => run.leave().map(|()| RunEnd::Stopped),
        artifact => artifact.map(|artifact| RunEnd::Finished(Box::new(artifact))),
    }
}

/// Weights of an earlier moment of the run in `folder`, as its database kept them.
pub fn extract(folder: &Path, place: Place, revision: &str) -> Result<Artifact, RunError> {
    let path = folder.join("config.toml");
    let text = std::fs::read_to_string(&path).map_err(|source| RunError::file(&path, source))?;
    let config = RunConfig::parse(&text)?;
    let learner = (kind(&config.kind)?.begin)(&LearnerSetup::new(&config, folder))?;
    let connection = database::open(folder)?;
    let weights = database::kept(&connection, place)?.ok_or_else(|| {
        let all = database::places(&connection).unwrap_or_default();
        let range = match (all.first(), all.last()) {
            (Some(first), Some(last)) => {
                format!(
                    "series {} to {}, numbers {} to {}",
                    first.series, last.series, first.number, last.number
                )
            }
            _ => "none at all".into(),
        };
        RunError::Learner(format!(
            "no weights {} of series {} were kept in {}: there are {range}",
            place.number,
            place.series,
            folder.display()
        ))
    })?;
    let mut artifact = learner
        .kept(&weights)
        .ok_or_else(|| RunError::Learner(format!("`{}` keeps no weights in its database", config.kind)))?;
    let provenance = &mut artifact.header.provenance;
    provenance.insert("config".into(), config.text());
    provenance.insert("weights".into(), format!("number {} of series {}", place.number, place.series));
    provenance.insert("revision".into(), revision.into());
    Ok(artifact)
}

struct Run {
    learner: Box<dyn Learner>,
    config: RunConfig,
    folder: Folder,
    threads: usize,
    curves: Curves,
    progress: RunProgress,
    /// Where this program took over, and when.
    began: (RunProgress, Instant),
    saved: Instant,
    last: StepReport,
    measures: Measures,
    /// Whether the learner stands between two steps, so that a checkpoint can be made.
    is_between: bool,
}

/// A step that takes longer is followed by a checkpoint.
const LONG: Duration = Duration::from_secs(5);

impl Run {
    fn open(
        learner: Box<dyn Learner>,
        config: RunConfig,
        folder: Folder,
        options: &RunOptions,
    ) -> Result<Run, RunError> {
        let threads =
            RunConfig { threads: options.threads.unwrap_or(config.threads), ..config.clone() }.workers();
        let now = Instant::now();
        let mut run = Run {
            learner,
            config,
            folder,
            threads,
            curves: Curves::default(),
            progress: RunProgress::default(),
            began: (RunProgress::default(), now),
            saved: now,
            last: StepReport::default(),
            measures: Vec::new(),
            is_between: true,
        };
        match (run.folder.config()?, options.resume) {
            (Some(_), false) => Err(RunError::Occupied { folder: run.folder.path().display().to_string() }),
            (Some(then), true) => run.resume(&then, options).map(|()| run),
            (None, _) => {
                run.folder.keep_config(&run.config)?;
                run.folder.log(&format!("begun at revision {}, {threads} threads", options.revision))?;
                Ok(run)
            }
        }
    }

    fn resume(&mut self, then: &RunConfig, options: &RunOptions) -> Result<(), RunError> {
        let place = self.folder.path().display().to_string();
        if let Some((key, now, then)) = self.config.difference(then) {
            return Err(RunError::Disagrees { key, now, then, folder: place });
        }
        let Some((path, progress)) = checkpoint::latest(&self.folder.checkpoints())? else {
            return self.folder.log("begun again: there was no checkpoint yet");
        };
        let work = StepContext { threads: self.threads, folder: self.folder.path(), stop: options.stop };
        self.learner.restore(&path, &work)?;
        self.curves = self.folder.curves();
        self.curves.forget_after(progress.steps);
        self.began = (progress, Instant::now());
        self.progress = progress;
        self.last.done = if progress.is_complete { 1.0 } else { 0.0 };
        self.folder.log(&format!("resumed after step {} at revision {}", progress.steps, options.revision))
    }

    fn is_done(&self) -> bool {
        self.last.done >= 1.0
    }

    fn step(&mut self, options: &RunOptions, report: &mut impl FnMut(&RunStatus)) -> Result<(), RunError> {
        let began = Instant::now();
        let work = StepContext { threads: self.threads, folder: self.folder.path(), stop: options.stop };
        let done = self.learner.step(&work);
        self.is_between = matches!(done, Err(RunError::Stopped));
        self.last = done?;
        self.progress.steps += 1;
        self.progress.games += self.last.games;
        self.progress.positions += self.last.positions;
        self.progress.seconds = self.began.0.seconds + self.began.1.elapsed().as_secs_f64();
        let step = self.progress.steps;
        if let Some(measures) = self.learner.measures(&work)? {
            self.curves.add(step, measures.iter().copied());
            let shown: Vec<_> = measures.iter().map(|(name, number)| format!("{name} {number:.4}")).collect();
            self.folder.log(&format!("step {step}, game {}: {}", self.progress.games, shown.join(", ")))?;
            self.measures = measures;
        }
        report(&self.status());
        self.is_between = true;
        // What follows a long step may be left before its end: the step is not done again for it.
        let due =
            self.saved.elapsed() >= Duration::from_secs_f64(self.config.checkpoint) || began.elapsed() > LONG;
        if due && !self.is_done() { self.save() } else { Ok(()) }
    }

    fn status(&self) -> RunStatus<'_> {
        let (then, since) = self.began;
        let seconds = since.elapsed().as_secs_f64();
        let rate = |now: u64, then: u64| (now - then) as f64 / seconds.max(1e-9);
        let done = self.last.done.clamp(0.0, 1.0);
        RunStatus {
            done,
            steps: self.progress.steps,
            games: self.progress.games,
            positions: self.progress.positions,
            seconds: self.progress.seconds,
            games_per_second: rate(self.progress.games, then.games),
            positions_per_second: rate(self.progress.positions, then.positions),
            remaining: (done > 0.0).then(|| self.progress.seconds * (1.0 - done) / done),
            loss: self.last.loss,
            measures: &self.measures,
        }
    }

    /// Curves first: a checkpoint can count on the curves up to it, and later rows are taken back.
    fn save(&mut self) -> Result<(), RunError> {
        self.keep_curves()?;
        checkpoint::write(&self.folder.checkpoints(), self.progress, |to| self.learner.save(to))?;
        self.saved = Instant::now();
        Ok(())
    }

    fn keep_curves(&self) -> Result<(), RunError> {
        self.folder.keep_curves(&self.curves, &format!("{} {}", self.config.kind, self.config.game))
    }

    /// Ends in the midst of a step, of measuring or of the end. Where the learner stands between two steps this makes a
    /// checkpoint; else the last one counts.
    fn leave(&mut self) -> Result<(), RunError> {
        if self.is_between {
            self.progress.is_complete = self.is_done();
            return self.pause();
        }
        self.folder.log(&format!("stopped after step {}; the last checkpoint counts", self.progress.steps))
    }

    fn pause(&mut self) -> Result<(), RunError> {
        if self.progress.steps > 0 {
            self.save()?;
        }
        self.folder.log(&format!("stopped after step {}", self.progress.steps))
    }

    fn finish(&mut self, options: &RunOptions) -> Result<Artifact, RunError> {
        let work = StepContext { threads: self.threads, folder: self.folder.path(), stop: options.stop };
        let mut artifact = self.learner.finish(&work)?;
        let header = &mut artifact.header;
        header.rules = if header.rules.is_empty() { self.config.rules.clone() } else { header.rules.clone() };
        // Threads and checkpoints do not change what is learned, so files of equal runs are equal.
        let config = RunConfig { threads: 1, checkpoint: 30.0, ..self.config.clone() };
        for (key, text) in [
            ("config", config.text()),
            ("learner", self.config.kind.clone()),
            ("seed", self.config.seed.to_string()),
            ("revision", options.revision.to_owned()),
            ("games", self.progress.games.to_string()),
            ("steps", self.progress.steps.to_string()),
        ] {
            header.provenance.insert(key.into(), text);
        }
        self.keep_curves()?;
        artifact.save(&self.folder.path().join(Folder::ARTIFACT))?;
        let RunProgress { steps, games, positions, seconds, .. } = self.progress;
        self.folder
            .log(&format!("finished: {steps} steps, {games} games, {positions} positions, {seconds:.1} s"))?;
        Ok(artifact)
    }
}
