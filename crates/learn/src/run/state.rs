//! Small states of learners as files: compact, exact to the last bit.

use std::fs;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::RunError;

const NAME: &str = "state.bin";

/// Writes `state` into the folder of a checkpoint. Numbers come back bit by bit.
pub fn write<S: Serialize>(folder: &Path, state: &S) -> Result<(), RunError> {
    let path = folder.join(NAME);
    let bytes = postcard::to_stdvec(state).map_err(|error| RunError::checkpoint(&path, error))?;
    fs::write(&path, bytes).map_err(|error| RunError::file(&path, error))
}

/// Reads what [`write`] wrote.
pub fn read<S: DeserializeOwned>(folder: &Path) -> Result<S, RunError> {
    let path = folder.join(NAME);
    let bytes = fs::read(&path).map_err(|error| RunError::file(&path, error))?;
    postcard::from_bytes(&bytes).map_err(|error| RunError::checkpoint(&path, error))
}
