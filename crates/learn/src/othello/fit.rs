//! Pattern weights fitted to games or judged positions: one regression a phase, on the positions of the phase and its
//! neighbours.

use std::collections::BTreeMap;

use trilith_eval::othello::Evaluations;
use trilith_eval::othello::patterns::{OthelloPatterns, PHASES, features, layout, phase};
use trilith_games::Game;
use trilith_games::othello::{Othello, Position};

use super::game::{OthelloGame, from_played};
use crate::data::files::load_games;
use crate::data::{DataError, LabelledPosition, positions};
use crate::fit::{FitData, FitError, FitMethod, FitReport, FitRequest, FitSettings, Fitted, Reports};
use crate::least_squares::{SparseRows, fit as least_squares};
use crate::run;

/// What people hear of this method.
pub const METHOD: FitMethod = FitMethod {
    step: "phase",
    unit: "discs",
    places: 3,
    ridge: 4.0,
    goes_on: false,
    settings: &["iterations", "reach", "near"],
};

/// What weights are fitted to.
enum Source<'a> {
    /// All positions of games, with the final margin.
    Games(Vec<OthelloGame>),
    /// Files of judged positions, read as a stream for each phase; results count for `lambda`, searches for the rest.
    Positions(&'a [std::path::PathBuf]),
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

    fn rows(&self) -> SparseRows<'_> {
        let Sample { features, targets, counts } = self;
        SparseRows { features, targets, counts, width: layout::INSTANCES.len() + 1 }
    }
}

/// Fits all phases. The result does not depend on how many threads do it.
///
/// With a parent the pull of [`FitSettings::ridge`] is towards its weights: what it learned from other data stays where
/// these say nothing else.
pub fn fit(request: &FitRequest, reports: Reports) -> Result<Fitted, FitError> {
    let parent = request.parent.map(OthelloPatterns::from_artifact).transpose()?;
    if parent.as_ref().is_some_and(|parent| parent.phases() != PHASES) {
        return Err(FitError::Settings(format!("--parent: expected weights of {PHASES} phases")));
    }
    let source = match request.data {
        FitData::Games(files) => Source::Games(load(files)?),
        FitData::Positions(files) => Source::Positions(files),
    };
    let parent = parent.as_ref().map(OthelloPatterns::to_weights);
    let parent = parent.as_ref().map(|all| all.chunks_exact(layout::weights()).collect::<Vec<_>>());
    let parent = |number: usize| parent.as_ref().map(|all| all[number]);
    let fitted = run::all(request.threads, 0..PHASES as u64, |number| {
        fit_phase(&source, parent(number as usize), &request.settings, number as usize)
    });
    let fitted = fitted.into_iter().collect::<Result<Vec<_>, _>>()?;
    let packed: Vec<f32> = fitted.iter().flat_map(|(_, weights)| weights.iter().copied()).collect();
    debug_assert_eq!(packed.len(), PHASES * layout::weights());
    let error = fitted.iter().map(|(report, _)| report.test).sum::<f64>() / fitted.len() as f64;
    fitted.iter().for_each(|(report, _)| reports(*report));
    let lambda = if matches!(request.data, FitData::Games(_)) { 1.0 } else { request.settings.lambda };
    let settings = FitSettings { lambda, ..request.settings };
    let provenance = BTreeMap::from([
        ("method".into(), format!("least squares by phase, {settings:?}")),
        ("test error, discs".into(), format!("{error:.3}")),
    ]);
    Ok(Fitted { artifact: OthelloPatterns::from_weights(PHASES, &packed).to_artifact(provenance), error })
}

fn load(files: &[std::path::PathBuf]) -> Result<Vec<OthelloGame>, DataError> {
    let mut games = Vec::new();
    for path in files {
        let played = load_games::<Othello, Evaluations>(std::slice::from_ref(path), &mut |_| ())?;
        let more = from_played(&played);
        let fault = |fault: crate::data::PlayedGameError| fault.to_string();
        games.extend(
            more.map_err(|error| DataError::Damaged {
                path: path.display().to_string(),
                fault: fault(error),
            })?,
        );
    }
    Ok(games)
}

fn fit_phase(
    source: &Source,
    parent: Option<&[f32]>,
    settings: &FitSettings,
    number: usize,
) -> Result<(FitReport, Vec<f32>), DataError> {
    let near = |discs: u32| {
        let from = phase(discs.saturating_sub(settings.reach).max(4), PHASES);
        let to = phase((discs + settings.reach).min(64), PHASES);
        (from..=to).contains(&number)
    };
    let (mut training, mut test) = (Sample::default(), Sample::default());
    source.visit(settings.lambda, |group, position, target| {
        let discs = 64 - position.empties().count_ones();
        match group.is_multiple_of(settings.test_every) {
            true if phase(discs, PHASES) == number => test.push(position, target, settings.near),
            false if near(discs) => training.push(position, target, settings.near),
            _ => (),
        }
    })?;
    if let Some(parent) = parent {
        training.subtract(parent);
        test.subtract(parent);
    }
    let mut weights = vec![0.0; layout::weights()];
    let ridge = settings.ridge.unwrap_or(METHOD.ridge);
    least_squares(&training.rows(), &mut weights, ridge, settings.iterations);
    let report = FitReport {
        step: number,
        positions: training.targets.len() as u64,
        training: training.rows().error(&weights),
        test: test.rows().error(&weights),
        least: None,
    };
    if let Some(parent) = parent {
        weights.iter_mut().zip(parent).for_each(|(weight, parent)| *weight += parent);
    }
    Ok((report, weights))
}

impl Source<'_> {
    /// Shows every position with the number of its game or block and what is to be learned, in discs.
    fn visit(&self, lambda: f32, mut show: impl FnMut(usize, &Position, f32)) -> Result<(), DataError> {
        match self {
            Source::Games(games) => {
                for (number, game) in games.iter().enumerate() {
                    game.labelled(|position, margin| show(number, position, margin.into()));
                }
            }
            Source::Positions(files) => {
                for path in *files {
                    let mut reader =
                        positions::PositionReader::<Othello, Evaluations>::open(path, Othello::NAME)?;
                    let mut number = 0;
                    while let Some(block) = reader.next_block()? {
                        block.iter().for_each(|row| show(number, &row.position, target(row, lambda)));
                        number += 1;
                    }
                }
            }
        }
        Ok(())
    }
}

/// What is to be learned, in discs: the result counts for `lambda`, the search for the rest.
fn target(judged: &LabelledPosition<Othello>, lambda: f32) -> f32 {
    let value = f32::from(judged.value) / 100.0;
    judged.margin.map_or(value, |margin| value + lambda * (f32::from(margin) - value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_mix_result_and_search() {
        let (game, position) = (Othello::default(), Position::START);
        let judged = LabelledPosition { game, position, value: 250, result: Some(1000), margin: Some(10) };
        assert_eq!((target(&judged, 0.0), target(&judged, 1.0), target(&judged, 0.5)), (2.5, 10.0, 6.25));
        assert_eq!(target(&LabelledPosition { margin: None, ..judged }, 1.0), 2.5);
    }
}
