//! ProbCut's parameters for new weights, by the collection and the lines of [`crate::probcut`].

use std::path::Path;
use std::sync::atomic::AtomicBool;

use trilith_arena::{GameKit, Visitor, with_game};
use trilith_base::{Artifact, Seed};
use trilith_games::Game;

use super::line::fault;
use super::settings::ProductionSettings;
use crate::probcut::{self, CollectionSettings, MeasuredSearch};
use crate::run::RunError;

/// How many spreads a value must lie outside the window, as in S5.
const PERCENTILE: f64 = 1.5;

/// Calibrates for `weights` and writes the file; whether there was enough to fit anything.
pub struct GenerationCalibration<'a> {
    pub settings: &'a ProductionSettings,
    pub weights: &'a Path,
    pub seed: Seed,
    pub threads: usize,
    pub into: &'a Path,
}

impl GenerationCalibration<'_> {
    pub fn write(self, game: &str) -> Result<bool, RunError> {
        with_game(game, self)?
    }
}

impl Visitor for GenerationCalibration<'_> {
    type Output = Result<bool, RunError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let evaluator = C::engine_evaluator_from(&Artifact::load(self.weights)?)?;
        let game = G::new(self.settings.rules[0].parse()?);
        let depth = self.settings.calibration_depth;
        let positions = self.settings.calibration;
        let collection = CollectionSettings { positions, depth, seed: self.seed, threads: self.threads };
        let search = MeasuredSearch {
            evaluator: evaluator.clone(),
            null_window: C::null_window(),
            options: C::options(),
        };
        let samples = probcut::collect(&game, &search, collection, &AtomicBool::new(false), &|_| ());
        let calibration = probcut::Calibration {
            evaluation: C::entries().first().map_or("production", |entry| entry.name),
            percentile: PERCENTILE,
            pairs: &probcut::pairs_up_to(depth),
            seed: self.seed,
            command: None,
        };
        let cuts = calibration.fit::<G, _>(&evaluator, &samples);
        let is_enough = !cuts.pairs.is_empty();
        if is_enough {
            cuts.save(self.into).map_err(fault)?;
        }
        Ok(is_enough)
    }
}
