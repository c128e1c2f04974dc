//! What knows no game: seeds, files written safely, words compared.

pub mod files;
pub mod seed;
pub mod words;

pub use seed::Seed;
