//! Self-play as jobs: a few games of a plan at a time, played here or elsewhere, the same games either way.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use trilith_base::job::{Job, Kept, Workers};
use trilith_eval::patterns::{Patterned, Patterns};
use trilith_eval::{abalone, morris};
use trilith_games::Game;
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;

use super::generate::{Generator, Plan};
use super::store::Played;
use crate::portions::{GamesError, Weights, all_of, in_order, portions};

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

/// Plays the game of a number.
type Player = Box<dyn FnMut(u64) -> Played>;

fn seated<G: Patterned<LANES>, const LANES: usize>(job: &GamesJob) -> Result<Player, GamesError>
where
    G::Counts: Default,
{
    let patterns = match &job.weights {
        Some(weights) => Patterns::<G, LANES>::from_artifact(&weights.load()?)?,
        None => Patterns::by_hand(),
    };
    let mut generator = Generator::<G, _>::new(job.plan.clone(), Arc::new(patterns))?;
    Ok(Box::new(move |number| generator.play(number)))
}

impl GamesJob {
    fn player(&self) -> Result<Player, GamesError> {
        match self.game.as_str() {
            Morris::NAME => seated::<Morris, { morris::patterns::LANES }>(self),
            Abalone::NAME => seated::<Abalone, { abalone::patterns::LANES }>(self),
            other => Err(GamesError::Game(other.into())),
        }
    }
}

impl Job for GamesJob {
    const KIND: &'static str = "games";
    type Output = Vec<Played>;
    type Error = GamesError;
    type Place = Kept<(String, Plan, Option<Weights>), Player>;

    fn run(&self, chair: &mut Self::Place, stop: &AtomicBool) -> Result<Option<Vec<Played>>, GamesError> {
        let key = (self.game.clone(), self.plan.clone(), self.weights.clone());
        let player = chair.get(key, || self.player())?;
        Ok(all_of((self.first, self.count), stop, player))
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
    in_order(&batch, jobs, |job| (job.first, job.count), first, workers, stop, played)
}

/// The same, all at once; fewer if `stop` was set.
pub fn collect<G: Game>(
    plan: &Plan,
    weights: Option<&Weights>,
    numbers: (u64, u64),
    workers: &Workers,
    stop: &AtomicBool,
) -> Result<Vec<Played>, GamesError> {
    let mut games = Vec::new();
    generate::<G>(plan, weights, numbers, workers, stop, |more| {
        games.extend(more);
        ControlFlow::Continue(())
    })?;
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;

    fn played(plan: &Plan, threads: usize, numbers: (u64, u64)) -> Vec<Played> {
        let never = AtomicBool::new(false);
        collect::<Morris>(plan, None, numbers, &Workers::Threads(threads), &never).unwrap()
    }

    fn plan(all: u32) -> Plan {
        let rules = vec!["standard".into(), "thesis".into()];
        Plan {
            rules,
            random_least: 2,
            random_most: 8,
            all,
            depth: 1,
            longest: 40,
            still: 0,
            restless: 0,
            seed: Seed(3),
        }
    }

    #[test]
    fn games_do_not_depend_on_who_plays_them() {
        let all = played(&plan(0), 1, (0, 30));
        assert_eq!(all.len(), 30);
        assert_eq!(played(&plan(0), 3, (0, 30)), all);
        assert_eq!(played(&plan(0), 2, (7, 30)), all[7..]);
    }

    #[test]
    fn games_that_stand_still_are_cut_and_sides_differ_in_temper() {
        let never = AtomicBool::new(false);
        let collect = |still, restless| {
            let plan = Plan { rules: vec!["standard".into()], longest: 90, still, restless, ..plan(0) };
            super::collect::<Abalone>(&plan, None, (0, 12), &Workers::Threads(2), &never).unwrap()
        };
        let (calm, cut, restless) = (collect(0, 0), collect(15, 0), collect(0, 100));
        assert!(calm.iter().zip(&cut).all(|(whole, cut)| whole.moves.starts_with(&cut.moves)));
        assert!(cut.iter().any(|game| game.moves.len() == 15), "nothing was ejected at first");
        assert_ne!(restless, calm, "after twenty quiet plies tempers differ");
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
