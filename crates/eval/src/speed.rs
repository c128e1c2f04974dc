//! How many leaves a second an evaluation looks at: from nothing, and kept up to date from the position before.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use serde::Serialize;
use trilith_base::Seed;
use trilith_games::{Game, MoveList, playout};

use crate::catalogue::{Boxed, Catalogue};
use crate::dense::{Activation, Dense};
use crate::evaluator::Evaluator;
use crate::features::Described;
use crate::network::Network;

/// Leaf evaluations a second on one thread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Speed {
    /// With `begin` and `value`.
    pub fresh: f64,
    /// With `advance` and `value`; the same work as `fresh` where nothing is carried.
    pub kept: f64,
}

/// The speeds of a game's evaluations by name, that of the engine first; takes about a second each.
pub fn all<G: Game, C: Catalogue<G>>(game: &G) -> Vec<(&'static str, Speed)> {
    let steps = steps(game, Seed(1), 20_000);
    let production = ("engine", measure(game, &C::engine_evaluator(), &steps));
    let by_name = C::entries().into_iter().filter(|entry| !entry.needs_artifact).map(|entry| {
        let study = C::named(entry.name, None).expect("needs no file");
        (entry.name, measure(game, &Boxed(study), &steps))
    });
    std::iter::once(production).chain(by_name).chain(C::speeds(game, &steps)).collect()
}

/// The speed of a random network of such layers over a feature set of the game.
pub fn network<G: Described>(
    game: &G,
    steps: &[SearchStep<G>],
    features: &str,
    layers: &[(usize, Activation)],
) -> Speed {
    let set = G::feature_set(features).expect("a set of the game");
    let dense = Dense::random(set.count(), layers, 0.1, Seed(1));
    let file = dense.artifact(G::NAME, features, BTreeMap::new());
    let network = Network::load(&file, set).expect("weights just made");
    measure(game, &Boxed(Box::new(network)), steps)
}

/// A move as a search makes it.
pub struct SearchStep<G: Game> {
    /// Where it is made.
    pub before: G::Position,
    /// The move.
    pub mv: G::Move,
    /// What comes of it.
    pub after: G::Position,
}

/// The last moves of small searches, in the order of the search, from positions of random games; what stands after
/// each goes on.
pub fn steps<G: Game>(game: &G, seed: Seed, count: usize) -> Vec<SearchStep<G>> {
    const SEARCH: usize = 500;
    let mut rng = seed.rng();
    let mut steps = Vec::with_capacity(count);
    let mut root = game.start();
    while steps.len() < count {
        let end = count.min(steps.len() + SEARCH);
        search(game, &root, 3, end, &mut steps);
        // Two plies on, so that both sides' positions are seen in every part of the game.
        for _ in 0..2 {
            root = match playout::random_move(game, &root, &mut rng) {
                Some(mv) => game.play(&root, mv),
                None => game.start(),
            };
        }
    }
    steps
}

/// Adds the moves of the last ply until there are `end`.
fn search<G: Game>(game: &G, before: &G::Position, depth: u32, end: usize, steps: &mut Vec<SearchStep<G>>) {
    let mut moves = MoveList::new();
    game.moves(before, &mut moves);
    for &mv in &moves {
        let after = game.play(before, mv);
        if steps.len() == end || game.outcome(&after).is_some() {
            continue;
        }
        match depth {
            1 => steps.push(SearchStep { before: *before, mv, after }),
            _ => search(game, &after, depth - 1, end, steps),
        }
    }
}

/// The best of several runs of a tenth of a second each over the positions of `steps`.
pub fn measure<G: Game>(game: &G, evaluator: &impl Evaluator<G>, steps: &[SearchStep<G>]) -> Speed {
    let carries: Vec<_> = steps.iter().map(|step| evaluator.begin(game, &step.before)).collect();
    let fresh = || {
        steps.iter().fold(0, |sum: i32, SearchStep { after, .. }| {
            let carry = evaluator.begin(game, after);
            sum.wrapping_add(evaluator.value(game, after, &carry))
        })
    };
    let kept = || {
        steps.iter().zip(&carries).fold(0, |sum: i32, (SearchStep { before, mv, after }, carry)| {
            let carry = evaluator.advance(game, carry, before, *mv, after);
            sum.wrapping_add(evaluator.value(game, after, &carry))
        })
    };
    Speed { fresh: rate(steps.len(), fresh), kept: rate(steps.len(), kept) }
}

/// Leaves a second when `work` looks at `leaves` of them.
fn rate(leaves: usize, work: impl Fn() -> i32) -> f64 {
    const RUN: f64 = 0.1;
    let run = |_| {
        let start = WorkClock::now();
        let mut rounds = 0_usize;
        loop {
            black_box(work());
            rounds += 1;
            let spent = start.elapsed().as_secs_f64();
            if spent > RUN {
                break (rounds * leaves) as f64 / spent;
            }
        }
    };
    (0..5).map(run).fold(0.0, f64::max)
}

/// This thread's time on the CPU where Linux tells it, else the time of day: other work on the machine counts less.
pub enum WorkClock {
    /// Time on the CPU at the start.
    Cpu(Duration),
    /// Time of day at the start.
    Wall(Instant),
}

impl WorkClock {
    /// Starts now.
    pub fn now() -> WorkClock {
        cpu_time().map_or_else(|| WorkClock::Wall(Instant::now()), WorkClock::Cpu)
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        match self {
            WorkClock::Cpu(start) => cpu_time().unwrap_or_default().saturating_sub(*start),
            WorkClock::Wall(start) => start.elapsed(),
        }
    }
}

fn cpu_time() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::margin::Margin;
    use trilith_games::othello::Othello;

    #[test]
    fn steps_are_repeatable_moves_of_games_that_go_on() {
        let game = Othello::default();
        let (some, more) = (steps(&game, Seed(1), 100), steps(&game, Seed(1), 200));
        assert!(some.iter().zip(&more).all(|(a, b)| a.after == b.after));
        assert!(some.iter().all(|step| game.outcome(&step.after).is_none()));
        let speed = measure(&game, &Margin, &some);
        assert!(speed.fresh > 0.0 && speed.kept > 0.0);
    }
}
