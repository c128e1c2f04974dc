//! Patterns and counts as a file: one tensor a shape, `[stages, weights]`, packed as in [`super::layout`], and one for
//! the counts, all in log odds.

use std::collections::BTreeMap;

use trilith_base::artifact::{ArtifactHeader, FORMAT, Tensor};
use trilith_base::{Artifact, ArtifactError};

use super::{CountedEvaluator, Patterned, Patterns};
use crate::linear::expect_features;

/// The kind in headers.
pub const KIND: &str = "patterns";
const COUNTS: &str = "counts";

impl<G: Patterned<LANES>, const LANES: usize> Patterns<G, LANES> {
    /// Reads what [`Patterns::to_artifact`] makes, or made before stages became finer.
    pub fn from_artifact(artifact: &Artifact) -> Result<Self, ArtifactError> {
        artifact.expect(KIND, G::NAME)?;
        if let Some(older) = G::OLDER.filter(|older| artifact.header.features == older.features) {
            let (patterns, counts) =
                read::<G, LANES>(artifact, older.shapes, older.old_stages, older.old_counts)?;
            let size = G::layout().packed_weights();
            let stages = older.stages.iter().flat_map(|stage| &patterns[stage * size..][..size]);
            let weights: Vec<f32> = stages.copied().chain((older.counts)(counts)).collect();
            return Ok(Self::from_weights(&weights));
        }
        expect_features(artifact, G::FEATURES)?;
        let (mut weights, counts) =
            read::<G, LANES>(artifact, G::layout().shapes.len(), G::STAGES, G::Counts::WEIGHTS)?;
        weights.extend_from_slice(counts);
        Ok(Self::from_weights(&weights))
    }

    /// The weights as a file that says where they come from.
    pub fn to_artifact(&self, provenance: BTreeMap<String, String>) -> Artifact {
        let layout = G::layout();
        let weights = self.to_weights();
        let (patterns, counts) = weights.split_at(G::STAGES * layout.packed_weights());
        let mut tensors = BTreeMap::new();
        for shape in &layout.shapes {
            let rows = patterns.chunks_exact(layout.packed_weights());
            let data = rows.flat_map(|row| &row[shape.packed.clone()]).copied().collect();
            tensors.insert(shape.name.into(), Tensor { shape: vec![G::STAGES, shape.packed.len()], data });
        }
        tensors.insert(COUNTS.into(), Tensor { shape: vec![counts.len()], data: counts.to_vec() });
        let header = ArtifactHeader {
            format: FORMAT,
            kind: KIND.into(),
            game: G::NAME.into(),
            features: G::FEATURES.into(),
            settings: BTreeMap::from([("unit".into(), "log odds, for the side to move".into())]),
            provenance,
            ..ArtifactHeader::default()
        };
        Artifact { header, tensors, ..Artifact::default() }
    }
}

/// The packed weights of all stages, zero past so many shapes, and those of the counts.
fn read<G: Patterned<LANES>, const LANES: usize>(
    artifact: &Artifact,
    shapes: usize,
    stages: usize,
    counts: usize,
) -> Result<(Vec<f32>, &[f32]), ArtifactError> {
    let layout = G::layout();
    let size = layout.packed_weights();
    let mut weights = vec![0.0; stages * size];
    for shape in &layout.shapes[..shapes] {
        let rows = artifact.tensor(shape.name, &[stages, shape.packed.len()])?;
        for (stage, row) in rows.chunks_exact(shape.packed.len()).enumerate() {
            weights[stage * size..][shape.packed.clone()].copy_from_slice(row);
        }
    }
    Ok((weights, artifact.tensor(COUNTS, &[counts])?))
}
