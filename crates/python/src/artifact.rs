//! Networks as learned files that play.

use std::collections::BTreeMap;
use std::path::PathBuf;

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArray4, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use trilith_arena::kit::GameKit;
use trilith_arena::{Visitor, with_game};
use trilith_base::artifact::{Artifact, ArtifactError, ArtifactHeader, FORMAT, Tensor};
use trilith_eval::residual::{KIND, Residual};
use trilith_games::Game;

use crate::fault;

struct Read<'a>(&'a Artifact);

impl Visitor for Read<'_> {
    type Output = Result<ResidualNetwork, ArtifactError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let network = Residual::read::<G>(self.0)?;
        Ok(ResidualNetwork { network, game: G::NAME, actions: G::ACTIONS, shape: G::OBSERVATION })
    }
}

/// A network of a file, asked on the CPU.
#[pyclass(module = "trilith._trilith")]
pub struct ResidualNetwork {
    network: Residual,
    /// The game that it is for.
    #[pyo3(get)]
    game: &'static str,
    actions: usize,
    shape: [usize; 3],
}

#[pymethods]
impl ResidualNetwork {
    #[new]
    fn new(path: PathBuf) -> PyResult<ResidualNetwork> {
        let artifact = Artifact::load(&path).map_err(fault::value)?;
        with_game(&artifact.header.game, Read(&artifact)).map_err(fault::value)?.map_err(fault::value)
    }

    /// Logits `float32[n, A]` and values `float32[n]` of observations `u8[n, C, H, W]`; the mask is not looked at.
    #[pyo3(signature = (obs, mask=None))]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        obs: PyReadonlyArray4<'py, u8>,
        mask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = mask;
        if obs.shape()[1..] != self.shape {
            let text = format!("observations of {:?}: expected {:?} each", &obs.shape()[1..], self.shape);
            return Err(PyValueError::new_err(text));
        }
        let (count, bytes) = (obs.shape()[0], obs.as_slice()?);
        let (logits, values) = py.detach(|| self.network.evaluate(bytes));
        let logits = PyArray1::from_vec(py, logits).reshape([count, self.actions])?;
        (logits, PyArray1::from_vec(py, values)).into_pyobject(py)
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
        header: ArtifactHeader {
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
    with_game(game, Read(&artifact)).map_err(fault::value)?.map_err(fault::value)?;
    artifact.save(&path).map_err(fault::failure)
}
