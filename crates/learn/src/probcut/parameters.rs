//! The parameters of an evaluation from samples of its searches.

use std::collections::BTreeMap;

use trilith_base::Seed;
use trilith_eval::Evaluator;
use trilith_games::Game;
use trilith_search::probcut::{ProbCutParameters, file, fingerprint};

use super::estimate::estimate;
use super::samples::ProbCutSample;

/// What parameters are made of beside samples.
pub struct Calibration<'a> {
    /// The name of the evaluation.
    pub evaluation: &'a str,
    /// How many spreads a value must lie outside the window.
    pub percentile: f64,
    /// Pairs of depths, the shallow one first.
    pub pairs: &'a [(u32, u32)],
    /// Where the samples come from.
    pub seed: Seed,
    /// The command that asked for them, if one did.
    pub command: Option<String>,
}

impl Calibration<'_> {
    /// Fits; there may be too few samples for any pair.
    pub fn fit<G: Game, E: Evaluator<G>>(
        &self,
        evaluator: &E,
        samples: &[ProbCutSample],
    ) -> ProbCutParameters {
        let mut provenance = BTreeMap::from([
            ("seed".into(), self.seed.to_string()),
            ("positions".into(), samples.len().to_string()),
            ("method".into(), "least squares by phase, LOGISTELLO chapter 4".into()),
        ]);
        provenance.extend(self.command.clone().map(|command| ("command".into(), command)));
        ProbCutParameters {
            format: file::FORMAT,
            game: G::NAME.into(),
            evaluation: self.evaluation.into(),
            fingerprint: fingerprint::<G, _>(evaluator),
            unit: evaluator.unit().name.into(),
            percentile: self.percentile,
            provenance,
            pairs: estimate(samples, self.pairs),
        }
    }
}
