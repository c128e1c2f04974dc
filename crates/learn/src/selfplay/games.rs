//! Self-play as jobs: a few games of a plan at a time, played here or elsewhere, the same games either way.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde::{Deserialize, Serialize};
use trilith_base::job::{Job, Workers};
use trilith_eval::patterns::{Patterned, Patterns};
use trilith_eval::{Evaluator, abalone, morris};
use trilith_games::Game;
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;

use super::generate::{Generator, Plan};
use super::store::Played;
use crate::othello::games::{GamesError, Weights, in_order, portions};

/// Games in one job: they last long.
const PER_JOB: u64 = 4;

/// Some games of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GamesJob {
    /// The game's name.
    pub game: String,
    /// How they are played.
    pub plan: Plan,
    /// With which weights; those set by hand without.
    pub weights: Option<Weights>,
    /// The number of the first.
    pub first: u64,
    /// How many.
    pub count: u64,
}

trait Play: Send {
    fn play(&mut self, number: u64) -> Played;
}

impl<G: Game, E: Evaluator<G>> Play for Generator<G, E> {
    fn play(&mut self, number: u64) -> Played {
        Generator::play(self, number)
    }
}

fn seated<G: Patterned<LANES>, const LANES: usize>(job: &GamesJob) -> Result<Box<dyn Play>, GamesError>
where
    G::Counts: Default,
{
    let patterns = match &job.weights {
        Some(weights) => Patterns::<G, LANES>::from_artifact(&weights.load()?)?,
        None => Patterns::by_hand(),
    };
    Ok(Box::new(Generator::new(job.plan.clone(), Arc::new(patterns))?))
}

/// The player of the last job, who may play the next one as well.
#[derive(Default)]
pub struct Chair {
    taken: Option<(GamesJob, Box<dyn Play>)>,
}

impl Chair {
    fn player(&mut self, job: &GamesJob) -> Result<&mut dyn Play, GamesError> {
        let is_same = |(last, _): &(GamesJob, Box<dyn Play>)| {
            (&last.game, &last.plan, &last.weights) == (&job.game, &job.plan, &job.weights)
        };
        if !self.taken.as_ref().is_some_and(is_same) {
            let player = match job.game.as_str() {
                Morris::NAME => seated::<Morris, { morris::patterns::LANES }>(job)?,
                Abalone::NAME => seated::<Abalone, { abalone::patterns::LANES }>(job)?,
                other => return Err(GamesError::Game(other.into())),
            };
            self.taken = Some((job.clone(), player));
        }
        let (_, player) = self.taken.as_mut().expect("it was taken just now");
        Ok(&mut **player)
    }
}

impl Job for GamesJob {
    const KIND: &'static str = "games";
    type Output = Vec<Played>;
    type Error = GamesError;
    type Place = Chair;

    fn run(&self, chair: &mut Chair, stop: &AtomicBool) -> Result<Option<Vec<Played>>, GamesError> {
        let player = chair.player(self)?;
        let numbers = self.first..self.first + self.count;
        let games: Vec<_> =
            numbers.map_while(|number| (!stop.load(Relaxed)).then(|| player.play(number))).collect();
        Ok((games.len() as u64 == self.count).then_some(games))
    }
}

/// Has games `first..end` played, as far as the plan has so many, and hands them over in the order of their numbers, some
/// at a time.
pub fn generate<G: Game>(
    plan: &Plan,
    weights: Option<&Weights>,
    (first, end): (u64, u64),
    workers: &Workers,
    stop: &AtomicBool,
    played: impl FnMut(Vec<Played>) -> ControlFlow<()>,
) -> Result<(), GamesError> {
    let (owned, with) = (plan.clone(), weights.cloned());
    let jobs = portions(first, end.min(plan.games::<G>()?), PER_JOB).map(move |(first, count)| GamesJob {
        game: G::NAME.into(),
        plan: owned.clone(),
        weights: with.clone(),
        first,
        count,
    });
    let batch = format!("{} {plan:?} {:?}", G::NAME, weights.map(|weights| &weights.checksum));
    in_order(&batch, jobs, |job| job.first, first, workers, stop, played)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;

    fn played(plan: &Plan, threads: usize, numbers: (u64, u64)) -> Vec<Played> {
        let mut games = Vec::new();
        let never = AtomicBool::new(false);
        generate::<Morris>(plan, None, numbers, &Workers::Threads(threads), &never, |more| {
            games.extend(more);
            ControlFlow::Continue(())
        })
        .unwrap();
        games
    }

    fn plan(all: u32) -> Plan {
        let rules = vec!["standard".into(), "thesis".into()];
        Plan { rules, random_least: 2, random_most: 8, all, depth: 1, longest: 40, seed: Seed(3) }
    }

    #[test]
    fn games_do_not_depend_on_who_plays_them() {
        let all = played(&plan(0), 1, (0, 30));
        assert_eq!(all.len(), 30);
        assert_eq!(played(&plan(0), 3, (0, 30)), all);
        assert_eq!(played(&plan(0), 2, (7, 30)), all[7..]);
    }

    #[test]
    fn all_openings_are_played_once_by_each_of_the_rules() {
        let all = played(&plan(1), 2, (0, u64::MAX));
        let mut openings: Vec<_> =
            all.iter().map(|game| (game.rules.clone(), game.moves[0].clone())).collect();
        openings.sort();
        openings.dedup();
        assert_eq!((all.len(), openings.len()), (8, 8), "four kinds of points, two sets of rules");
        assert!(all.iter().all(|game| game.random == 1));
    }
}
