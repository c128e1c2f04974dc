//! Self-play as jobs: a few games of a plan at a time, played here or elsewhere, the same games either way.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use trilith_base::job::{Job, Kept, Workers};
use trilith_eval::Evaluator;
use trilith_eval::othello::patterns::Patterns;
use trilith_games::othello::Othello;
use trilith_search::NullWindow;
use trilith_search::othello::null_window;

use super::bootstrap::Bootstrap;
use super::generate::{Generator, Plan};
use super::store::Played;
use crate::portions::{GamesError, Weights, all_of, in_order, portions};

/// Games in one job: enough to hide the way to a worker and back.
const PER_JOB: u64 = 16;

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
            Some(weights) => {
                Ok(seated(self.plan, Patterns::from_artifact(&weights.load()?)?, Some(null_window())))
            }
            None => Ok(seated(self.plan, Bootstrap, None)),
        }
    }
}

fn seated<E: Evaluator<Othello> + 'static>(
    plan: Plan,
    evaluator: E,
    null_window: Option<NullWindow<Othello, E>>,
) -> Players {
    let mut generator = Generator::new(plan, evaluator, null_window);
    Box::new(move |number| generator.play(number))
}

impl Job for GamesJob {
    const KIND: &'static str = "othello-games";
    type Output = Vec<Played>;
    type Error = GamesError;
    type Place = Kept<(Plan, Option<Weights>), Players>;

    fn run(&self, seats: &mut Self::Place, stop: &AtomicBool) -> Result<Option<Vec<Played>>, GamesError> {
        let players = seats.get((self.plan, self.weights.clone()), || self.players())?;
        Ok(all_of((self.first, self.count), stop, players))
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
    in_order(&batch, jobs, |job| (job.first, job.count), first, workers, stop, played)
}

/// The same, all at once; fewer if `stop` was set.
pub fn collect(
    plan: Plan,
    weights: Option<&Weights>,
    numbers: (u64, u64),
    workers: &Workers,
    stop: &AtomicBool,
) -> Result<Vec<Played>, GamesError> {
    let mut games = Vec::new();
    generate(plan, weights, numbers, workers, stop, |more| {
        games.extend(more);
        ControlFlow::Continue(())
    })?;
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;

    #[test]
    fn games_do_not_depend_on_who_plays_them() {
        let plan = Plan { random_least: 30, random_most: 44, all: 0, depth: 1, exact: 8, seed: Seed(3) };
        let played = |threads: usize, first: u64| {
            collect(plan, None, (first, 50), &Workers::Threads(threads), &AtomicBool::new(false)).unwrap()
        };
        let all = played(1, 0);
        assert_eq!(all.len(), 50);
        assert_eq!(played(3, 0), all);
        assert_eq!(played(2, 32), all[32..]);
    }

    #[test]
    fn all_openings_are_played_once_each() {
        let plan = Plan { random_least: 0, random_most: 0, all: 3, depth: 1, exact: 6, seed: Seed(3) };
        let never = AtomicBool::new(false);
        let games = collect(plan, None, (0, u64::MAX), &Workers::Threads(2), &never).unwrap();
        let openings: std::collections::BTreeSet<_> = games.iter().map(|game| &game.squares[..3]).collect();
        assert_eq!((games.len(), openings.len()), (14, 14));
        assert!(games.iter().all(|game| game.random == 3));
    }
}
