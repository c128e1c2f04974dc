//! Pattern weights fitted to games or judged positions: one regression a phase, on the positions of the phase and its
//! neighbours.

use std::path::PathBuf;

use trilith_eval::othello::patterns::{PHASES, Patterns, features, layout, phase};
use trilith_games::Game;
use trilith_games::othello::{Othello, Position};

use super::positions::Reader;
use super::store::{Played, StoreError};
use crate::least_squares::{Rows, fit as least_squares};
use crate::run;

/// How weights are fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Pull towards zero: rare patterns stay small.
    pub ridge: f32,
    /// Iterations of conjugate gradients a phase.
    pub iterations: usize,
    /// A phase also learns from positions with so many discs more or fewer.
    pub reach: u32,
    /// One game, or block of judged positions, in so many is kept for testing.
    pub test_every: usize,
    /// A position whose target is so many discs from even counts for half, and less further off: games are decided
    /// where they are close, and a sum of patterns cannot be right everywhere.
    pub near: f32,
}

/// What weights are fitted to.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// All positions of games, with the final margin.
    Games(&'a [Played]),
    /// Files of judged positions, read as a stream for each phase; results count for `lambda`, searches for the rest.
    Judged {
        /// The files.
        files: &'a [PathBuf],
        /// From 0 to 1.
        lambda: f32,
    },
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { ridge: 4.0, iterations: 30, reach: 2, test_every: 20, near: f32::INFINITY }
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

#[derive(Default)]
struct Sample {
    features: Vec<u32>,
    targets: Vec<f32>,
    counts: Vec<f32>,
}

impl Sample {
    fn push(&mut self, position: &Position, target: f32, near: f32) {
        self.features.extend_from_slice(&features(position));
        self.targets.push(target);
        self.counts.push(1.0 / (1.0 + (target / near).powi(2)));
    }

    /// Leaves of the targets what `weights` do not say.
    fn subtract(&mut self, weights: &[f32]) {
        let rows = self.features.chunks_exact(layout::INSTANCES.len() + 1);
        for (target, row) in self.targets.iter_mut().zip(rows) {
            *target -= row.iter().map(|&feature| weights[feature as usize]).sum::<f32>();
        }
    }

    fn rows(&self) -> Rows<'_> {
        let Sample { features, targets, counts } = self;
        Rows { features, targets, counts, width: layout::INSTANCES.len() + 1 }
    }
}

/// Fits all phases on `threads` threads. The result does not depend on how many.
///
/// With a `parent` the pull of [`Plan::ridge`] is towards its weights: what it learned from other data stays where these say
/// nothing else. It must have [`PHASES`] phases.
pub fn fit(
    source: Source,
    parent: Option<&Patterns>,
    plan: Plan,
    threads: usize,
) -> Result<(Patterns, Vec<PhaseReport>), StoreError> {
    let parent = parent.map(Patterns::to_weights);
    let parent = parent.as_ref().map(|all| all.chunks_exact(layout::weights()).collect::<Vec<_>>());
    let parent = |number: usize| parent.as_ref().map(|all| all[number]);
    let fitted = run::all(threads, 0..PHASES as u64, |number| {
        fit_phase(source, parent(number as usize), plan, number as usize)
    });
    let fitted = fitted.into_iter().collect::<Result<Vec<_>, _>>()?;
    let packed: Vec<f32> = fitted.iter().flat_map(|(_, weights)| weights.iter().copied()).collect();
    debug_assert_eq!(packed.len(), PHASES * layout::weights());
    let reports = fitted.into_iter().map(|(report, _)| report).collect();
    Ok((Patterns::from_weights(PHASES, &packed), reports))
}

fn fit_phase(
    source: Source,
    parent: Option<&[f32]>,
    plan: Plan,
    number: usize,
) -> Result<(PhaseReport, Vec<f32>), StoreError> {
    let near = |discs: u32| {
        let from = phase(discs.saturating_sub(plan.reach).max(4), PHASES);
        let to = phase((discs + plan.reach).min(64), PHASES);
        (from..=to).contains(&number)
    };
    let (mut training, mut test) = (Sample::default(), Sample::default());
    source.visit(|group, position, target| {
        let discs = 64 - position.empties().count_ones();
        match group.is_multiple_of(plan.test_every) {
            true if phase(discs, PHASES) == number => test.push(position, target, plan.near),
            false if near(discs) => training.push(position, target, plan.near),
            _ => (),
        }
    })?;
    if let Some(parent) = parent {
        training.subtract(parent);
        test.subtract(parent);
    }
    let mut weights = vec![0.0; layout::weights()];
    least_squares(&training.rows(), &mut weights, plan.ridge, plan.iterations);
    let report = PhaseReport {
        phase: number,
        positions: training.targets.len(),
        training_error: training.rows().error(&weights),
        test_error: test.rows().error(&weights),
    };
    if let Some(parent) = parent {
        weights.iter_mut().zip(parent).for_each(|(weight, parent)| *weight += parent);
    }
    Ok((report, weights))
}

impl Source<'_> {
    /// Shows every position with the number of its game or block and what is to be learned, in discs.
    fn visit(self, mut show: impl FnMut(usize, &Position, f32)) -> Result<(), StoreError> {
        match self {
            Source::Games(games) => {
                for (number, game) in games.iter().enumerate() {
                    game.labelled(|position, margin| show(number, position, margin.into()));
                }
            }
            Source::Judged { files, lambda } => {
                for path in files {
                    let mut reader = Reader::open(path, Othello::NAME)?;
                    let mut number = 0;
                    while let Some(block) = reader.next_block()? {
                        for judged in block {
                            show(number, &judged.position(), judged.target(lambda));
                        }
                        number += 1;
                    }
                }
            }
        }
        Ok(())
    }
}
