//! What search thinks of the positions of games, and of positions one random move beside them.
//!
//! The result of a game is a fair but noisy teacher: whatever went wrong between a position and the end is in it. A
//! search a few plies deep errs much less, and it can also judge what good play avoids but a search looks at all the time:
//! the positions after a bad move. Near the end the solver gives the truth.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use trilith_base::Seed;
use trilith_base::job::{Job, Kept, Workers};
use trilith_eval::Unknowing;
use trilith_eval::othello::patterns::{ONE, Patterns};
use trilith_games::othello::{Othello, Position};
use trilith_games::{Colour, Record, playout};
use trilith_search::othello::{Goal, Handmade, Solver, null_window};
use trilith_search::{Control, Engine, Limits};

use super::generate::searchers;
use super::positions::Judged;
use super::store::Played;
use crate::portions::{GamesError, Weights, in_order};

/// How positions are judged.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Plies searched; one fewer beside the game.
    pub depth: u32,
    /// Empty squares from which on the solver judges.
    pub exact: u32,
    /// Which part of the positions of a game is judged, and for which part one beside it: 0 to 1.
    pub share: f64,
    /// Where all draws come from; what is drawn for game `n` depends on this and `n` alone.
    pub seed: Seed,
}

/// Games in one job, whose positions are one block of the file.
pub const PER_JOB: usize = 16;

/// The positions of some games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgeJob {
    /// How they are judged.
    pub plan: Plan,
    /// With which weights.
    pub weights: Weights,
    /// The number of the first game.
    pub first: u64,
    /// The games.
    pub games: Vec<Played>,
}

/// Who judges the positions of games, one after another.
pub struct Judge {
    rules: Othello,
    engine: Engine<Othello, Patterns, Unknowing>,
    solver: Solver<Handmade>,
}

impl Judge {
    fn load(weights: &Weights) -> Result<Judge, GamesError> {
        let (engine, solver) = searchers(Patterns::from_artifact(&weights.load()?)?, Some(null_window()));
        Ok(Judge { rules: Othello::default(), engine, solver })
    }

    fn game(&mut self, game: &Played, plan: &Plan, rng: &mut impl Rng, into: &mut Vec<Judged>) {
        self.engine.forget();
        self.solver.clear();
        let mut chosen = Vec::new();
        game.labelled(|position, margin| {
            let (here, beside) = (rng.random_bool(plan.share), rng.random_bool(plan.share));
            if here {
                chosen.push((*position, Some(margin), plan.depth));
            }
            if let Some(mv) = beside.then(|| playout::random_move(&self.rules, position, rng)).flatten() {
                let after = trilith_games::Game::play(&self.rules, position, mv);
                chosen.push((after, None, plan.depth.saturating_sub(1).max(1)));
            }
        });
        for (position, margin, depth) in chosen {
            if let Some(value) = self.value(&position, depth, plan.exact) {
                into.push(Judged { own: position.own, other: position.other, value, margin });
            }
        }
    }

    /// In hundredths of a disc for the side to move; none where it has no move, since search steps over such positions.
    fn value(&mut self, position: &Position, depth: u32, exact: u32) -> Option<i16> {
        if position.mobility() == 0 {
            return None;
        }
        let position = Position { to_move: Colour::Black, ..*position };
        if position.empties().count_ones() <= exact {
            let solution = self.solver.solve(&position, Goal::Score, &Control::default())?;
            return Some(solution.score as i16 * 100);
        }
        let record = Record::from_position(self.rules.clone(), position).ok()?;
        let answer = self.engine.analyse(&record, &Limits::depth(depth), &Control::default(), &mut |_| ());
        Some((answer.value() * 100 / ONE) as i16)
    }
}

impl Job for JudgeJob {
    const KIND: &'static str = "othello-positions";
    type Output = Vec<Judged>;
    type Error = GamesError;
    type Place = Kept<Weights, Judge>;

    fn run(&self, bench: &mut Self::Place, stop: &AtomicBool) -> Result<Option<Vec<Judged>>, GamesError> {
        let judge = bench.get(self.weights.clone(), || Judge::load(&self.weights))?;
        let mut judged = Vec::new();
        for (number, game) in (self.first..).zip(&self.games) {
            if stop.load(Relaxed) {
                return Ok(None);
            }
            judge.game(game, &self.plan, &mut self.plan.seed.derive("judge", number).rng(), &mut judged);
        }
        Ok(Some(judged))
    }
}

/// Has the positions of `games` judged from game `first` on, which is a multiple of [`PER_JOB`], and hands them over block by
/// block in the order of the games.
pub fn judge(
    games: &[Played],
    first: usize,
    plan: Plan,
    weights: &Weights,
    workers: &Workers,
    stop: &AtomicBool,
    judged: impl FnMut(Vec<Judged>) -> ControlFlow<()>,
) -> Result<(), GamesError> {
    let groups: Vec<(u64, Vec<Played>)> = games[first.min(games.len())..]
        .chunks(PER_JOB)
        .zip((first as u64..).step_by(PER_JOB))
        .map(|(games, number)| (number, games.to_vec()))
        .collect();
    let owned = weights.clone();
    let jobs =
        groups.into_iter().map(move |(first, games)| JudgeJob { plan, weights: owned.clone(), first, games });
    let batch = format!("positions {plan:?} {}", weights.checksum);
    let portion = |job: &JudgeJob| (job.first, job.games.len() as u64);
    in_order(&batch, jobs, portion, first as u64, workers, stop, judged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::bootstrap::Bootstrap;
    use crate::othello::generate;

    fn weights() -> Weights {
        let path = std::env::temp_dir().join(format!("trilith-judge-{}.safetensors", std::process::id()));
        Patterns::zero(2).to_artifact(std::collections::BTreeMap::new()).save(&path).unwrap();
        Weights::of(&path).unwrap()
    }

    #[test]
    fn judgements_do_not_depend_on_who_judges_and_are_exact_near_the_end() {
        let plan =
            generate::Plan { random_least: 30, random_most: 40, depth: 1, exact: 10, all: 0, seed: Seed(5) };
        let mut generator = generate::Generator::new(plan, Bootstrap, None);
        let games: Vec<_> = (0..40).map(|number| generator.play(number)).collect();
        let (plan, weights) = (Plan { depth: 2, exact: 10, share: 0.5, seed: Seed(1) }, weights());
        let all = |threads: usize, first: usize| {
            let mut blocks = Vec::new();
            let workers = Workers::Threads(threads);
            judge(&games, first, plan, &weights, &workers, &AtomicBool::new(false), |block| {
                blocks.push(block);
                ControlFlow::Continue(())
            })
            .unwrap();
            blocks
        };
        let blocks = all(1, 0);
        assert_eq!(blocks.len(), 3);
        assert_eq!(all(3, 0), blocks);
        assert_eq!(all(2, 16), blocks[1..]);
        let near = blocks.iter().flatten().filter(|judged| judged.position().empties().count_ones() <= 10);
        let in_games: Vec<_> = near.filter_map(|judged| Some((judged.value, judged.margin?))).collect();
        assert!(in_games.len() > 50);
        assert!(in_games.iter().all(|&(value, margin)| value == i16::from(margin) * 100), "{in_games:?}");
    }
}
