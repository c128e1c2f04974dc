//! What knows no game: seeds, artifacts, jobs, files written safely, words compared.

pub mod artifact;
pub mod files;
pub mod job;
pub mod seed;
pub mod words;

pub use artifact::{Artifact, ArtifactError};
pub use seed::Seed;
