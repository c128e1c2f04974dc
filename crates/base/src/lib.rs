//! What knows no game: seeds, artifacts, jobs, journals, files written safely, text in pages, words compared.

pub mod artifact;
pub mod files;
pub mod job;
pub mod journal;
pub mod markup;
pub mod seed;
pub mod words;

pub use artifact::{Artifact, ArtifactError};
pub use seed::Seed;
