//! Pattern weights fitted to games: one regression a phase, on the positions of the phase and its neighbours.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use trilith_eval::othello::patterns::{PHASES, Patterns, features, layout, phase};
use trilith_games::othello::Position;

use super::store::Played;
use crate::least_squares::{Rows, fit as least_squares};

/// How weights are fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Pull towards zero: rare patterns stay small.
    pub ridge: f32,
    /// Iterations of conjugate gradients a phase.
    pub iterations: usize,
    /// A phase also learns from positions with so many discs more or fewer.
    pub reach: u32,
    /// One game in so many is kept for testing.
    pub test_every: usize,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { ridge: 4.0, iterations: 30, reach: 2, test_every: 20 }
    }
}

/// How well a phase was fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseReport {
    /// Which phase.
    pub phase: usize,
    /// Positions learned from.
    pub positions: usize,
    /// Root mean squared error on them, in discs.
    pub training_error: f64,
    /// The same on games not learned from.
    pub test_error: f64,
}

struct Sample {
    features: Vec<u32>,
    targets: Vec<f32>,
}

/// Fits all phases on `threads` threads. The result does not depend on how many.
pub fn fit(games: &[Played], plan: Plan, threads: usize) -> (Patterns, Vec<PhaseReport>) {
    let count = layout::weights();
    let done = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= PHASES {
                        break;
                    }
                    let fitted = fit_phase(games, plan, number);
                    done.lock().expect("no thread panics while it holds this").push(fitted);
                }
            });
        }
    });
    let mut fitted = done.into_inner().expect("all threads are done");
    fitted.sort_unstable_by_key(|(report, _)| report.phase);
    let packed: Vec<f32> = fitted.iter().flat_map(|(_, weights)| weights.iter().copied()).collect();
    debug_assert_eq!(packed.len(), PHASES * count);
    (Patterns::from_weights(PHASES, &packed), fitted.into_iter().map(|(report, _)| report).collect())
}

fn fit_phase(games: &[Played], plan: Plan, number: usize) -> (PhaseReport, Vec<f32>) {
    let is_test = |game: usize| game.is_multiple_of(plan.test_every);
    let near = |discs: u32| {
        let from = phase(discs.saturating_sub(plan.reach).max(4), PHASES);
        let to = phase((discs + plan.reach).min(64), PHASES);
        (from..=to).contains(&number)
    };
    let training = sample(games, |game| !is_test(game), near);
    let test = sample(games, is_test, |discs| phase(discs, PHASES) == number);
    let width = layout::INSTANCES.len() + 1;
    let rows = Rows { features: &training.features, targets: &training.targets, width };
    let mut weights = vec![0.0; layout::weights()];
    least_squares(&rows, &mut weights, plan.ridge, plan.iterations);
    let tests = Rows { features: &test.features, targets: &test.targets, width };
    let report = PhaseReport {
        phase: number,
        positions: training.targets.len(),
        training_error: rows.error(&weights),
        test_error: tests.error(&weights),
    };
    (report, weights)
}

fn sample(games: &[Played], wanted: impl Fn(usize) -> bool, near: impl Fn(u32) -> bool) -> Sample {
    let mut sample = Sample { features: Vec::new(), targets: Vec::new() };
    for (_, game) in games.iter().enumerate().filter(|&(number, _)| wanted(number)) {
        game.labelled(|position: &Position, margin| {
            if near(64 - position.empties().count_ones()) {
                sample.features.extend_from_slice(&features(position));
                sample.targets.push(f32::from(margin));
            }
        });
    }
    sample
}
