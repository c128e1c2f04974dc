//! Weighted sums of a feature set as files: one tensor `weights`, kind `linear`.

use std::collections::BTreeMap;

use trilith_base::artifact::{self, Artifact, ArtifactError, ArtifactHeader, Tensor};
use trilith_games::Game;

/// The kind of these files.
pub const KIND: &str = "linear";
const WEIGHTS: &str = "weights";

/// A file of weights for the feature set called `features`, in the evaluation's unit.
pub fn write<G: Game>(features: &str, shape: &[usize], weights: Vec<f32>) -> Artifact {
    let header = ArtifactHeader {
        format: artifact::FORMAT,
        kind: KIND.into(),
        game: G::NAME.into(),
        features: features.into(),
        ..ArtifactHeader::default()
    };
    let tensor = Tensor { shape: shape.to_vec(), data: weights };
    Artifact { header, tensors: BTreeMap::from([(WEIGHTS.into(), tensor)]), ..Artifact::default() }
}

/// The weights in a file that must be for this game, feature set and shape.
pub fn read<'a, G: Game>(
    file: &'a Artifact,
    features: &str,
    shape: &[usize],
) -> Result<&'a [f32], ArtifactError> {
    file.expect(KIND, G::NAME)?;
    expect_features(file, features)?;
    file.tensor(WEIGHTS, shape)
}

/// Refuses a file for another feature set.
pub fn expect_features(file: &Artifact, features: &str) -> Result<(), ArtifactError> {
    if file.header.features == features {
        return Ok(());
    }
    Err(ArtifactError::Mismatch {
        what: "feature set".into(),
        found: file.header.features.clone(),
        expected: features.into(),
    })
}
