//! Networks as learned files that play.

use std::collections::BTreeMap;
use std::path::PathBuf;

use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use trilith_arena::kit::GameKit;
use trilith_arena::{Visitor, with_game};
use trilith_base::artifact::{Artifact, ArtifactError, FORMAT, Header, Tensor};
use trilith_eval::residual::{KIND, Residual};
use trilith_games::Game;

use crate::fault;

struct Fits<'a>(&'a Artifact);

impl Visitor for Fits<'_> {
    type Output = Result<(), ArtifactError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        Residual::read::<G>(self.0).map(|_| ())
    }
}

/// Writes a residual network, checked to be one that plays; `tensors` are PyTorch's, by name.
#[pyfunction]
#[pyo3(signature = (path, game, tensors, rules="", provenance=None))]
pub fn save_residual(
    path: PathBuf,
    game: &str,
    tensors: BTreeMap<String, Bound<'_, PyArrayDyn<f32>>>,
    rules: &str,
    provenance: Option<BTreeMap<String, String>>,
) -> PyResult<()> {
    let mut artifact = Artifact {
        header: Header {
            format: FORMAT,
            kind: KIND.into(),
            game: game.into(),
            rules: rules.into(),
            features: "observation".into(),
            settings: BTreeMap::new(),
            provenance: provenance.unwrap_or_default(),
        },
        ..Artifact::default()
    };
    for (name, array) in tensors {
        let (shape, data) = (array.shape().to_vec(), array.try_readonly()?.as_slice()?.to_vec());
        artifact.tensors.insert(name, Tensor { shape, data });
    }
    with_game(game, Fits(&artifact)).map_err(fault::value)?.map_err(fault::value)?;
    artifact.save(&path).map_err(fault::failure)
}
