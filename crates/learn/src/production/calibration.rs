//! ProbCut's parameters for new weights, by the collection and the lines of [`crate::probcut`].

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use trilith_arena::{GameKit, Visitor, with_game};
use trilith_base::{Artifact, Seed};
use trilith_eval::Evaluator;
use trilith_games::Game;
use trilith_search::probcut::{ProbCutParameters, file, fingerprint};

use super::line::fault;
use super::parameters::Parameters;
use crate::probcut::{self, Plan, Searched};
use crate::run::RunError;

/// How many spreads a value must lie outside the window, as in S5.
const PERCENTILE: f64 = 1.5;

/// Calibrates for `weights` and writes the file; whether there was enough to fit anything.
pub struct Calibration<'a> {
    pub parameters: &'a Parameters,
    pub weights: &'a Path,
    pub seed: Seed,
    pub threads: usize,
    pub into: &'a Path,
}

impl Calibration<'_> {
    pub fn write(self, game: &str) -> Result<bool, RunError> {
        with_game(game, self)?
    }
}

impl Visitor for Calibration<'_> {
    type Output = Result<bool, RunError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let evaluator = C::production_from(&Artifact::load(self.weights)?)?;
        let game = G::new(self.parameters.rules[0].parse()?);
        let depth = self.parameters.calibration_depth;
        let positions = self.parameters.calibration;
        let plan = Plan { positions, depth, seed: self.seed, threads: self.threads };
        let search =
            Searched { evaluator: evaluator.clone(), null_window: C::null_window(), options: C::options() };
        let samples = probcut::collect(&game, &search, plan, &AtomicBool::new(false), &|_| ());
        let cuts = ProbCutParameters {
            format: file::FORMAT,
            game: G::NAME.into(),
            evaluation: C::entries().first().map_or("production", |entry| entry.name).into(),
            fingerprint: fingerprint::<G, _>(&evaluator),
            unit: evaluator.unit().name.into(),
            percentile: PERCENTILE,
            provenance: BTreeMap::from([
                ("seed".into(), self.seed.to_string()),
                ("positions".into(), samples.len().to_string()),
                ("method".into(), "least squares by phase, S5 chapter 4".into()),
            ]),
            pairs: probcut::estimate(&samples, &probcut::pairs_up_to(depth)),
        };
        let is_enough = !cuts.pairs.is_empty();
        if is_enough {
            cuts.save(self.into).map_err(fault)?;
        }
        Ok(is_enough)
    }
}
