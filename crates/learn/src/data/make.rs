//! Data made into files, as commands ask for it: stopped or killed, the same call goes on and ends with the same bytes.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use trilith_base::files;
use trilith_base::job::Workers;
use trilith_games::Game;

use super::ask::{self, Labeller};
use super::error::DataError;
use super::files::{
    GamesReader, GamesWriter, Note, Notes, load_games, next_block, open_blocks, open_positions,
};
use super::game::GameColumns;
use super::portions::WeightsFile;
use super::settings::{AskSettings, GenerationSettings, JudgeSettings, LabelSettings};
use super::{games, judge, label, positions};
use crate::fit::TEST_EVERY;
use crate::training::Training;

/// When work ends before all is done.
pub struct Until<'a> {
    /// After so long.
    pub seconds: Option<u64>,
    /// When this is set.
    pub stop: &'a AtomicBool,
}

/// StepContext that goes on until its time is over or what came of it cannot be kept.
struct Watch {
    began: Instant,
    limit: Option<Duration>,
    told: Instant,
    failed: Option<DataError>,
}

/// Progress is told after so long.
const TELL_AFTER: Duration = Duration::from_secs(10);

impl Watch {
    fn new(until: &Until) -> Watch {
        let began = Instant::now();
        Watch { began, limit: until.seconds.map(Duration::from_secs), told: began, failed: None }
    }

    /// Whether to go on.
    fn after(&mut self, kept: Result<(), impl Into<DataError>>) -> ControlFlow<()> {
        self.failed = kept.err().map(Into::into);
        match self.failed.is_some() || self.limit.is_some_and(|limit| self.began.elapsed() >= limit) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Tells `notes` how far the work is, now and then.
    fn tell(&mut self, notes: Notes, progress: impl FnOnce() -> String) {
        if self.told.elapsed() >= TELL_AFTER {
            self.told = Instant::now();
            notes(Note::Progress(format!("{}, {} s", progress(), self.began.elapsed().as_secs())));
        }
    }

    fn end(self) -> Result<(), DataError> {
        self.failed.map_or(Ok(()), Err)
    }
}

/// Games to be played into a file.
pub struct GenerateRun<'a> {
    /// How they are played.
    pub settings: &'a GenerationSettings,
    /// With which weights; with [`Training::bootstrap`] without.
    pub weights: Option<&'a WeightsFile>,
    /// The file.
    pub out: &'a Path,
    /// Games in the file at the end.
    pub games: u64,
    /// Who plays.
    pub workers: &'a Workers,
}

impl GenerateRun<'_> {
    /// Plays; how many games there are in the end.
    pub fn run<G: Game, C: Training<G>>(&self, until: &Until, notes: Notes) -> Result<u64, DataError> {
        self.settings.count::<G>()?;
        let settings = self.settings.lines::<G, C>(self.weights);
        let mut writer = GamesWriter::open::<G, C>(self.out, &settings, notes)?;
        let mut watch = Watch::new(until);
        let numbers = (writer.count(), self.games);
        games::generate::<G, C>(self.settings, self.weights, numbers, self.workers, until.stop, |more| {
            let kept = writer.add(more);
            if let Ok(true) = kept {
                let seconds = watch.began.elapsed().as_secs();
                notes(Note::Progress(format!("{} games, {seconds} s", writer.count())));
            }
            watch.after(kept.map(drop))
        })?;
        watch.end()?;
        writer.save()?;
        Ok(writer.count())
    }
}

/// Positions of games to be judged into a file.
pub struct JudgeRun<'a> {
    /// How they are judged.
    pub settings: JudgeSettings,
    /// With which weights; with the shipped ones without.
    pub weights: Option<&'a WeightsFile>,
    /// Files of games.
    pub games: &'a [PathBuf],
    /// The file.
    pub out: &'a Path,
    /// Who judges.
    pub workers: &'a Workers,
}

impl JudgeRun<'_> {
    /// Judges; how many positions there are in the end.
    pub fn run<G: Game, C: Training<G>>(&self, until: &Until, notes: Notes) -> Result<u64, DataError> {
        let settings = self.settings.lines(self.weights, self.games)?;
        let games = load_games::<G, C>(self.games, notes)?;
        let mut writer = open_positions::<G, C>(self.out, &settings, notes)?;
        let mut watch = Watch::new(until);
        let all = games.len().div_ceil(judge::GAMES_PER_BLOCK);
        let first = judge::GAMES_PER_BLOCK * writer.blocks() as usize;
        let work = (self.workers, until.stop);
        judge::judge::<G, C>(&games, first, self.settings, self.weights, work, |block| {
            let kept = writer.push(&block);
            watch.tell(notes, || format!("{} positions of {}/{all} blocks", writer.count(), writer.blocks()));
            watch.after(kept)
        })?;
        watch.end()?;
        Ok(writer.count())
    }
}

/// Positions beside games that another program values into a file.
pub struct AskRun<'a> {
    /// Which positions.
    pub settings: AskSettings,
    /// Files of games.
    pub games: &'a [PathBuf],
    /// The file.
    pub out: &'a Path,
    /// The program with its arguments.
    pub program: &'a [String],
}

impl AskRun<'_> {
    /// Asks; how many positions there are in the end.
    pub fn run<G: Game, C: Training<G>>(&self, until: &Until, notes: Notes) -> Result<u64, DataError> {
        let settings = self.settings.lines(self.program, self.games)?;
        let games = load_games::<G, C>(self.games, notes)?;
        let mut labeller = Labeller::start(self.program)?;
        let mut writer = open_positions::<G, C>(self.out, &settings, notes)?;
        let mut watch = Watch::new(until);
        let all = games.len().div_ceil(ask::GAMES_PER_BATCH);
        let done = writer.blocks() as usize;
        for (batch, games) in games.chunks(ask::GAMES_PER_BATCH).enumerate().skip(done) {
            if until.stop.load(Relaxed) {
                break;
            }
            let mut about = Vec::new();
            for (number, game) in ((batch * ask::GAMES_PER_BATCH) as u64..).zip(games) {
                let mut rng = self.settings.seed.derive("ask", number).rng();
                ask::beside::<G, C>(game, &self.settings, &mut rng, &mut about)
                    .map_err(|fault| DataError::Game { path: "--games".into(), game: number + 1, fault })?;
            }
            let kept = writer.push(&labeller.ask::<G, C>(about)?);
            watch.tell(notes, || format!("{} positions, {}/{all} batches", writer.count(), writer.blocks()));
            if watch.after(kept).is_break() {
                break;
            }
        }
        watch.end()?;
        Ok(writer.count())
    }
}

/// Games to be labelled by proof into a file.
pub struct LabelRun<'a> {
    /// What is labelled, and by what.
    pub settings: &'a LabelSettings,
    /// Files of games by the same rules.
    pub games: &'a [PathBuf],
    /// The file.
    pub out: &'a Path,
    /// Threads that label.
    pub threads: usize,
}

/// How much has been labelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct LabelCounts {
    /// Games of the files so far.
    pub labelled: usize,
    /// Of so many.
    pub games: usize,
    /// Games written, with those beside them.
    pub written: u64,
}

impl std::fmt::Display for LabelCounts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let LabelCounts { labelled, games, written } = self;
        write!(f, "{labelled} of {games} games labelled, {written} with those beside them")
    }
}

impl LabelRun<'_> {
    /// Labels.
    pub fn run<G: Game, C: Training<G>>(
        &self,
        until: &Until,
        notes: Notes,
    ) -> Result<LabelCounts, DataError> {
        let mut watch = Watch::new(until);
        let settings = self.settings.lines(self.games)?;
        let games = load_games::<G, C>(self.games, notes)?;
        let first = games.first().ok_or(DataError::NoGames)?;
        if let Some(other) = games.iter().find(|game| game.rules != first.rules) {
            let path =
                self.games.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
            return Err(DataError::Mixed { path, rules: first.rules.clone(), other: other.rules.clone() });
        }
        let prover = C::label_prover(&first.rules, self.settings)?;
        // Opened when all that the games need is there: a mistake in the call leaves no file behind.
        let mut writer = open_blocks::<GameColumns>(self.out, G::NAME, &settings)?;
        let counts = |blocks: u64, written: u64| {
            let labelled = (label::GAMES_PER_BLOCK * blocks as usize).min(games.len());
            LabelCounts { labelled, games: games.len(), written }
        };
        let work = (self.threads, until.stop);
        for (number, block) in games.chunks(label::GAMES_PER_BLOCK).enumerate().skip(writer.blocks() as usize)
        {
            let first = number * label::GAMES_PER_BLOCK;
            let Some(labelled) = label::label_block(block, first, self.settings, &*prover, work)? else {
                break;
            };
            let kept = writer.push(&labelled);
            watch.tell(notes, || counts(writer.blocks(), writer.count()).to_string());
            if watch.after(kept).is_break() {
                break;
            }
        }
        watch.end()?;
        Ok(counts(writer.blocks(), writer.count()))
    }
}

/// Writes positions as plain rows for other programs ([`ask::push_row`]); how many.
pub fn write_rows<G: Game, C: Training<G>>(
    positions: &[PathBuf],
    games: &[PathBuf],
    out: &Path,
    notes: Notes,
) -> Result<usize, DataError> {
    let mut rows = Vec::new();
    for path in positions {
        let mut reader = positions::PositionReader::<G, C>::open(path, G::NAME)?;
        let mut number = 0_usize;
        while let Some(block) = next_block(&mut reader, path, notes)? {
            let is_test = number.is_multiple_of(TEST_EVERY);
            for row in &block {
                let ended = (row.result, row.margin);
                ask::push_row::<G, C>((&row.game, &row.position), Some(row.value), ended, is_test, &mut rows);
            }
            number += 1;
        }
    }
    for path in games {
        let mut reader = GamesReader::<G, C>::open(path)?;
        let mut number = 0_usize;
        while let Some(block) = reader.next_block(notes)? {
            for played in &block {
                // A block of judged positions comes from so many games: what is kept for testing there is kept here.
                let is_test = (number / judge::GAMES_PER_BLOCK).is_multiple_of(TEST_EVERY);
                number += 1;
                let (game, taught) = played.taught::<G, C>().map_err(|fault| DataError::Game {
                    path: path.display().to_string(),
                    game: number as u64,
                    fault,
                })?;
                for ended in taught {
                    let end = (Some(ended.result), ended.margin);
                    ask::push_row::<G, C>((&game, &ended.position), None, end, is_test, &mut rows);
                }
            }
        }
    }
    files::write_whole(out, &rows).map_err(|source| DataError::file(out, source))?;
    Ok(rows.len() / ask::row_length::<G, C>())
}
