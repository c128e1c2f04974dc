//! Self-play as jobs: a few games of a plan at a time, played here or elsewhere, the same games either way.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde::{Deserialize, Serialize};
use trilith_base::job::{Job, Kept, QueueError, Unfinished, Workers};
use trilith_base::{Artifact, ArtifactError};
use trilith_eval::Evaluator;
use trilith_eval::othello::patterns::Patterns;
use trilith_games::RulesError;
use trilith_games::othello::Othello;

use super::bootstrap::Bootstrap;
use super::generate::{Generator, Plan};
use super::store::Played;

/// Games in one job: enough to hide the way to a worker and back.
const PER_JOB: u64 = 16;

/// Pattern weights by name and content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Weights {
    /// Where the file lies, on every machine that works.
    pub path: PathBuf,
    /// Of its content.
    pub checksum: String,
}

impl Weights {
    /// The weights in this file as they are now.
    pub fn of(path: &Path) -> Result<Weights, GamesError> {
        let checksum = Artifact::load(path)?.checksum()?;
        Ok(Weights { path: path.into(), checksum })
    }

    /// The file, if it is still the one that was meant.
    pub fn load(&self) -> Result<Artifact, GamesError> {
        let artifact = Artifact::load(&self.path)?;
        match artifact.checksum()? == self.checksum {
            true => Ok(artifact),
            false => Err(GamesError::Changed { path: self.path.clone() }),
        }
    }
}

/// Games that cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// The weights cannot be had.
    #[error(transparent)]
    Weights(#[from] ArtifactError),
    /// The file is there, with other content.
    #[error("`{}` is not the file the games were ordered with: copy that one to this machine", path.display())]
    Changed {
        /// Which file.
        path: PathBuf,
    },
    /// The game has no such self-play.
    #[error("{0} is not played by patterns and counts: expected morris or abalone")]
    Game(String),
    /// The rules cannot be read.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A worker elsewhere could not play them.
    #[error("a worker could not play its games: {0}")]
    Worker(String),
    /// Nobody elsewhere can be reached.
    #[error(transparent)]
    Queue(#[from] QueueError),
}

impl From<Unfinished<GamesError>> for GamesError {
    fn from(unfinished: Unfinished<GamesError>) -> GamesError {
        match unfinished {
            Unfinished::Job(error) => error,
            Unfinished::Worker(text) => GamesError::Worker(text),
            Unfinished::Queue(error) => GamesError::Queue(error),
        }
    }
}

/// Some games of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GamesJob {
    /// How they are played.
    pub plan: Plan,
    /// With which weights; a hand-made evaluation without.
    pub weights: Option<Weights>,
    /// The number of the first.
    pub first: u64,
    /// How many.
    pub count: u64,
}

/// Plays the game of a number.
type Players = Box<dyn FnMut(u64) -> Played>;

impl GamesJob {
    fn players(&self) -> Result<Players, GamesError> {
        match &self.weights {
            Some(weights) => Ok(seated(self.plan, Patterns::from_artifact(&weights.load()?)?)),
            None => Ok(seated(self.plan, Bootstrap)),
        }
    }
}

fn seated(plan: Plan, evaluator: impl Evaluator<Othello> + 'static) -> Players {
    let mut generator = Generator::new(plan, evaluator);
    Box::new(move |number| generator.play(number))
}

impl Job for GamesJob {
    const KIND: &'static str = "othello-games";
    type Output = Vec<Played>;
    type Error = GamesError;
    type Place = Kept<(Plan, Option<Weights>), Players>;

    fn run(&self, seats: &mut Self::Place, stop: &AtomicBool) -> Result<Option<Vec<Played>>, GamesError> {
        let players = seats.get((self.plan, self.weights.clone()), || self.players())?;
        let games = (self.first..self.first + self.count).map_while(|number| match stop.load(Relaxed) {
            true => None,
            false => Some(players(number)),
        });
        let games: Vec<_> = games.collect();
        Ok((games.len() as u64 == self.count).then_some(games))
    }
}

/// Has games `first..end` played, as far as the plan has so many, and hands them over in the order of their numbers, some
/// at a time.
pub fn generate(
    plan: Plan,
    weights: Option<&Weights>,
    (first, end): (u64, u64),
    workers: &Workers,
    stop: &AtomicBool,
    played: impl FnMut(Vec<Played>) -> ControlFlow<()>,
) -> Result<(), GamesError> {
    let owned = weights.cloned();
    let jobs = portions(first, end.min(plan.games()), PER_JOB).map(move |(first, count)| GamesJob {
        plan,
        weights: owned.clone(),
        first,
        count,
    });
    let batch = format!("games {plan:?} {:?}", weights.map(|weights| &weights.checksum));
    in_order(&batch, jobs, |job| job.first, first, workers, stop, played)
}

/// The numbers `first..end` in portions: the first of each, and how many.
pub(crate) fn portions(first: u64, end: u64, most: u64) -> impl Iterator<Item = (u64, u64)> + Send + 'static {
    let starts = (0..).map(move |portion: u64| first + portion * most).take_while(move |&start| start < end);
    starts.map(move |start| (start, most.min(end - start)))
}

/// Has jobs done and hands what comes of them over in the order of their first games, from game `due` on.
pub(crate) fn in_order<P, J: Job<Output = Vec<P>, Error = GamesError>>(
    batch: &str,
    jobs: impl Iterator<Item = J> + Send + 'static,
    first: impl Fn(&J) -> u64,
    mut due: u64,
    workers: &Workers,
    stop: &AtomicBool,
    mut played: impl FnMut(Vec<P>) -> ControlFlow<()>,
) -> Result<(), GamesError> {
    let mut waiting = BTreeMap::new();
    workers.run(batch, jobs, stop, |job, games| {
        waiting.insert(first(&job), games);
        while let Some(games) = waiting.remove(&due) {
            due += games.len() as u64;
            played(games)?;
        }
        ControlFlow::Continue(())
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;

    #[test]
    fn games_do_not_depend_on_who_plays_them() {
        let plan = Plan { random_least: 30, random_most: 44, all: 0, depth: 1, exact: 8, seed: Seed(3) };
        let played = |threads: usize, first: u64| {
            let mut games = Vec::new();
            let workers = Workers::Threads(threads);
            generate(plan, None, (first, 50), &workers, &AtomicBool::new(false), |more| {
                games.extend(more);
                ControlFlow::Continue(())
            })
            .unwrap();
            games
        };
        let all = played(1, 0);
        assert_eq!(all.len(), 50);
        assert_eq!(played(3, 0), all);
        assert_eq!(played(2, 32), all[32..]);
    }

    #[test]
    fn all_openings_are_played_once_each() {
        let plan = Plan { random_least: 0, random_most: 0, all: 3, depth: 1, exact: 6, seed: Seed(3) };
        let mut games: Vec<Played> = Vec::new();
        let never = AtomicBool::new(false);
        generate(plan, None, (0, u64::MAX), &Workers::Threads(2), &never, |more| {
            games.extend(more);
            ControlFlow::Continue(())
        })
        .unwrap();
        let openings: std::collections::BTreeSet<_> = games.iter().map(|game| &game.squares[..3]).collect();
        assert_eq!((games.len(), openings.len()), (14, 14));
        assert!(games.iter().all(|game| game.random == 3));
    }
}
