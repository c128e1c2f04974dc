//! Pattern weights as a file: one tensor a shape, `[phases, weights]`, in discs, packed as in [`super::layout`].

use std::collections::BTreeMap;

use trilith_base::artifact::{ArtifactHeader, FORMAT, Tensor};
use trilith_base::{Artifact, ArtifactError};
use trilith_games::Game;
use trilith_games::othello::Othello;

use super::layout::{self, PACKING, SHAPES};
use super::{OthelloPatterns, phase};

/// The kind in headers.
pub const KIND: &str = "patterns";
/// The feature set in headers; a change of the shapes needs another name.
pub const FEATURES: &str = "othello-patterns-14";
const BIAS: &str = "discs";

impl OthelloPatterns {
    /// Reads what [`OthelloPatterns::to_artifact`] makes.
    pub fn from_artifact(artifact: &Artifact) -> Result<OthelloPatterns, ArtifactError> {
        artifact.expect(KIND, Othello::NAME)?;
        if artifact.header.features != FEATURES {
            return Err(ArtifactError::Mismatch {
                what: "features".into(),
                found: artifact.header.features.clone(),
                expected: FEATURES.into(),
            });
        }
        OthelloPatterns::from_tensors(artifact, "")
    }

    /// From the tensors whose names begin with `prefix`, of a file that may hold others beside them.
    pub fn from_tensors(artifact: &Artifact, prefix: &str) -> Result<OthelloPatterns, ArtifactError> {
        let phases = phases(artifact, &format!("{prefix}{BIAS}"))?;
        let count = layout::weights();
        let mut packed = vec![0.0; phases * count];
        for (name, start, end) in sections() {
            let rows = artifact.tensor(&format!("{prefix}{name}"), &[phases, end - start])?;
            for (phase, row) in rows.chunks_exact(end - start).enumerate() {
                packed[phase * count + start..phase * count + end].copy_from_slice(row);
            }
        }
        Ok(OthelloPatterns::from_weights(phases, &packed))
    }

    /// The weights as a file that says where they come from.
    pub fn to_artifact(&self, provenance: BTreeMap<String, String>) -> Artifact {
        let packed = self.to_weights();
        let rows = |start: usize, end: usize| {
            let data = packed.chunks_exact(layout::weights()).flat_map(|row| &row[start..end]);
            Tensor { shape: vec![self.phases, end - start], data: data.copied().collect() }
        };
        let header = ArtifactHeader {
            format: FORMAT,
            kind: KIND.into(),
            game: Othello::NAME.into(),
            features: FEATURES.into(),
            settings: BTreeMap::from([("unit".into(), "discs, for the side to move".into())]),
            provenance,
            ..ArtifactHeader::default()
        };
        let tensors = sections().map(|(name, start, end)| (name.into(), rows(start, end))).collect();
        Artifact { header, tensors, ..Artifact::default() }
    }
}

/// Name, start and end of each part of the packed weights.
fn sections() -> impl Iterator<Item = (&'static str, usize, usize)> {
    let names = SHAPES.iter().map(|shape| shape.name).chain([BIAS]);
    let ends = PACKING.starts.iter().skip(1).copied().chain([layout::weights()]);
    names.zip(PACKING.starts.iter().copied()).zip(ends).map(|((name, start), end)| (name, start, end))
}

/// How many phases the file has: rows of its smallest tensor, at least one and at most one for every disc number.
fn phases(artifact: &Artifact, name: &str) -> Result<usize, ArtifactError> {
    let tensor = artifact.tensors.get(name).ok_or_else(|| ArtifactError::Missing { name: name.into() })?;
    let phases = tensor.shape.first().copied().unwrap_or(0);
    match (1..=phase(64, 61) + 1).contains(&phases) {
        true => Ok(phases),
        false => Err(ArtifactError::Mismatch {
            what: format!("shape of tensor {name}"),
            found: format!("{:?}", tensor.shape),
            expected: "[1 to 61, 61]".into(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::patterns::tests::sample;

    #[test]
    fn weights_survive_the_file_and_wrong_ones_are_refused() {
        let patterns = sample(2);
        let artifact = patterns.to_artifact(BTreeMap::from([("source".into(), "a test".into())]));
        let bytes = artifact.bytes().unwrap();
        let read = Artifact::parse(&bytes).unwrap();
        assert_eq!(OthelloPatterns::from_artifact(&read).unwrap(), patterns);
        assert!(Artifact::parse(&bytes[..bytes.len() / 2]).is_err());

        let refusal = |change: fn(&mut Artifact)| {
            let mut artifact = artifact.clone();
            change(&mut artifact);
            OthelloPatterns::from_artifact(&artifact).unwrap_err().to_string()
        };
        assert_eq!(refusal(|a| a.header.game = "morris".into()), "game is `morris`, expected `othello`");
        assert_eq!(
            refusal(|a| a.header.features = "other".into()),
            "features is `other`, expected `othello-patterns-14`"
        );
        assert_eq!(
            refusal(|a| a.tensors.get_mut("row2").unwrap().shape = vec![2, 7]),
            "shape of tensor row2 is `[2, 7]`, expected `[2, 3321]`"
        );
        assert_eq!(refusal(|a| drop(a.tensors.remove("kite"))), "no tensor `kite` in it");
        assert_eq!(
            refusal(|a| a.tensors.get_mut("discs").unwrap().shape = vec![0, 61]),
            "shape of tensor discs is `[0, 61]`, expected `[1 to 61, 61]`"
        );
    }
}
