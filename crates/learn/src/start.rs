//! The network of a file that a run goes on from instead of random weights: made by hand, by `artifacts new`, or learned.

use trilith_base::Artifact;
use trilith_eval::FeatureSet;
use trilith_eval::dense::{Activation, Dense};
use trilith_games::Game;

use crate::run::{LearnerSetup, RunError};

/// The network of the file that the config's `key` names, which must have the layers that the config asks for.
pub fn dense<G: Game>(
    setup: &LearnerSetup,
    (key, file): (&str, &str),
    set: &dyn FeatureSet<G>,
    units: &[(usize, Activation)],
) -> Result<Dense, RunError> {
    let wrong = |fault: String| RunError::config(&format!("parameters.{key}"), fault);
    let artifact = Artifact::load(&setup.path(file)).map_err(|error| wrong(error.to_string()))?;
    let dense =
        Dense::load(&artifact, G::NAME, set.name(), set.count()).map_err(|error| wrong(error.to_string()))?;
    let shape = |dense: &Dense| -> Vec<(usize, Activation)> {
        dense.layers().iter().map(|layer| (layer.biases.len(), layer.activation)).collect()
    };
    match shape(&dense) == units {
        true => Ok(dense),
        false => Err(wrong("the network has other layers than the config asks for".into())),
    }
}
