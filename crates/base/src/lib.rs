//! What knows no game: seeds, artifacts, files written safely, words compared.

pub mod artifact;
pub mod files;
pub mod seed;
pub mod words;

pub use artifact::{Artifact, ArtifactError};
pub use seed::Seed;
