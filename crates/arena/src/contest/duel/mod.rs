//! A match: two players, both colours from each opening, and what the results say.
//!
//! Games 2k and 2k+1 are a pair: the same opening, `a` first with Black, then with White. Results do not depend on the
//! number of threads: a test that ends a match counts only the games up to the pair that decided it.

mod report;
mod score;

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use trilith_base::Seed;
use trilith_base::job::Workers;
use trilith_games::{Colour, Game};

use super::adjudication::Adjudication;
use super::host::{Host, JobError};
use super::job::{GameJob, GameReport, GameSeat};
use super::journal::{JournalError, Journaled};
use super::openings::{self, Opening, OpeningSource, Openings};
use super::pace::Pace;
use crate::registry::{Visitor, with_game};
use crate::statistics::{Sprt, SprtDecision, Tally};

pub use report::{DuelFault, DuelReport, ReportedGame, SprtReport, Variety};
use score::Score;

/// Everything that decides a match.
#[derive(Clone, Debug)]
pub struct Duel {
    /// The game's name.
    pub game: String,
    /// Rule switches.
    pub rules: String,
    /// The player whose results are counted.
    pub a: String,
    /// Its opponent.
    pub b: String,
    /// How many, at most.
    pub games: u64,
    /// Into how many equal parts the games are divided to see how far their rates lie apart (S1, S3); 1 for none.
    pub passes: u64,
    /// Where the players take over.
    pub openings: OpeningSource,
    /// For both.
    pub pace: Pace,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// Ends the match as soon as it has an answer.
    pub sprt: Option<Sprt>,
    /// Where all draws come from.
    pub seed: Seed,
    /// Games at the same time.
    pub threads: usize,
}

/// A match that could not go on.
#[derive(Debug, thiserror::Error)]
pub enum DuelError {
    /// A game cannot be played.
    #[error(transparent)]
    Job(#[from] JobError),
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Who was told of a game failed.
    #[error(transparent)]
    Report(io::Error),
}

/// What is told after each game.
pub struct DuelProgress<'a> {
    /// The job just played.
    pub job: &'a GameJob,
    /// How it went.
    pub result: &'a GameReport,
    /// Games played so far.
    pub played: u64,
    /// All that is known so far.
    pub tally: Tally,
}

impl Duel {
    /// So many games by the usual rules from the usual openings, on one thread, each played to its end.
    pub fn new(game: &str, a: &str, b: &str, games: u64) -> Duel {
        Duel {
            game: game.into(),
            rules: String::new(),
            a: a.into(),
            b: b.into(),
            games,
            passes: 1,
            openings: OpeningSource::default(),
            pace: Pace::default(),
            adjudication: Adjudication::default(),
            sprt: None,
            seed: Seed(1),
            threads: 1,
        }
    }

    /// Plays the match on its threads; after `stop`, the report is of the games played by then. `told` hears of each game
    /// as it ends.
    pub fn play(
        &self,
        stop: &Arc<AtomicBool>,
        told: impl FnMut(DuelProgress<'_>),
    ) -> Result<(DuelReport, Vec<ReportedGame>), JobError> {
        self.play_by(&Workers::Threads(self.threads), stop, told)
    }

    /// The same match, played by `workers`.
    pub fn play_by(
        &self,
        workers: &Workers,
        stop: &AtomicBool,
        mut told: impl FnMut(DuelProgress<'_>),
    ) -> Result<(DuelReport, Vec<ReportedGame>), JobError> {
        let hear = |progress: DuelProgress<'_>| {
            told(progress);
            Ok(())
        };
        match self.play_on(workers, Journaled::default(), stop, hear) {
            Ok(played) => Ok(played),
            Err(DuelError::Job(error)) => Err(error),
            Err(DuelError::Journal(_) | DuelError::Report(_)) => unreachable!("there is neither"),
        }
    }

    /// The same match with a journal. Games of the journal are taken from there and told first; each new one is in
    /// it, on the disk, before it is told. An error of `told` ends the match.
    pub fn play_on(
        &self,
        workers: &Workers,
        mut journal: Journaled,
        stop: &AtomicBool,
        mut told: impl FnMut(DuelProgress<'_>) -> io::Result<()>,
    ) -> Result<(DuelReport, Vec<ReportedGame>), DuelError> {
        let first = self.jobs()?.next();
        first.iter().try_for_each(|job| Host::default().check(job))?;
        let mut score = Score::new(self);
        let mut done = HashSet::new();
        for job in self.jobs()? {
            if journal.is_used_up() {
                break;
            }
            if let Some(result) = journal.take(&job) {
                done.insert(job.number);
                score.recall(job, result);
                told(score.progress()).map_err(DuelError::Report)?;
            }
        }
        if score.verdict != SprtDecision::Open {
            return Ok(score.finish());
        }
        let mut failed = None;
        let jobs = self.jobs()?.filter(move |job| !done.contains(&job.number));
        let played = workers.run(&self.batch(), jobs, stop, |job, result| {
            let noted = journal.add(&job, &result).map_err(DuelError::Journal);
            score.add(job, result);
            let heard = noted.and_then(|()| told(score.progress()).map_err(DuelError::Report));
            failed = heard.err();
            match (score.verdict, &failed) {
                (SprtDecision::Open, None) => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        });
        played.map_err(JobError::from)?;
        match failed {
            Some(error) => Err(error),
            None => Ok(score.finish()),
        }
    }

    /// All games in the order of their numbers.
    fn jobs(&self) -> Result<impl Iterator<Item = GameJob> + Send + use<>, JobError> {
        let openings = with_game(&self.game, DuelVisitor { duel: self })??;
        let pairs = openings.flat_map(|opening| [opening.clone(), opening]);
        let duel = self.clone();
        Ok((0..self.games).zip(pairs).map(move |(number, opening)| duel.job(number, opening)))
    }

    /// What a queue knows the games of this match by.
    fn batch(&self) -> String {
        format!("match {:?}", Duel { threads: 0, ..self.clone() })
    }

    /// Game `number`, from 0; `a` has Black in games of even number.
    pub fn job(&self, number: u64, opening: Opening) -> GameJob {
        let seat = |player: &String| GameSeat { player: player.clone(), pace: self.pace };
        let (black, white) = match colour_of_a(number) {
            Colour::Black => (&self.a, &self.b),
            Colour::White => (&self.b, &self.a),
        };
        GameJob {
            number,
            game: self.game.clone(),
            rules: self.rules.clone(),
            opening,
            black: seat(black),
            white: seat(white),
            adjudication: self.adjudication,
            seed: self.seed.derive("game", number).0,
        }
    }
}

struct DuelVisitor<'a> {
    duel: &'a Duel,
}

impl Visitor for DuelVisitor<'_> {
    type Output = Result<Openings, JobError>;

    fn visit<G: Game, C: crate::kit::GameKit<G>>(self) -> Self::Output {
        let game = G::new(self.duel.rules.parse()?);
        Ok(openings::openings(&game, &self.duel.openings, self.duel.seed)?)
    }
}

/// The colour that `a` has in game `number` of a match.
pub fn colour_of_a(number: u64) -> Colour {
    if number.is_multiple_of(2) { Colour::Black } else { Colour::White }
}

#[cfg(test)]
mod tests;
