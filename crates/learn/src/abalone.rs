//! What Abalone brings to data and fitting: patterns.

use std::collections::BTreeMap;
use std::sync::Arc;

use trilith_base::Artifact;
use trilith_eval::abalone::patterns::LANES;
use trilith_eval::abalone::{AbalonePatterns, Evaluations};
use trilith_games::abalone::Abalone;

use crate::fit::{FitError, FitMethod, FitRequest, Fitted, Reports, logistic};
use crate::training::Training;

impl Training<Abalone> for Evaluations {
    type Bootstrap = Arc<AbalonePatterns>;
    const FIT_METHOD: Option<FitMethod> = Some(logistic::METHOD);

    fn bootstrap() -> Arc<AbalonePatterns> {
        Arc::new(AbalonePatterns::by_hand())
    }

    fn by_hand() -> Option<Artifact> {
        Some(AbalonePatterns::by_hand().to_artifact(BTreeMap::new()))
    }

    fn fit(request: &FitRequest, reports: Reports) -> Result<Fitted, FitError> {
        logistic::fit::<Abalone, Evaluations, LANES>(request, reports)
    }
}
