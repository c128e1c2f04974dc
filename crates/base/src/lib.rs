//! What knows no game: seeds, artifacts, jobs, journals, files written safely, memory in large pages, text in pages, words compared.

pub mod artifact;
pub mod files;
pub mod job;
pub mod journal;
pub mod markup;
pub mod pages;
pub mod seed;
pub mod words;

pub use artifact::{Artifact, ArtifactError};
pub use seed::Seed;
