//! Endgames of Nine Men's Morris, solved backwards from the end: built, stored, checked and asked.
//!
//! Values are for best play by the rules of moving alone: repetition and quiet plies are not counted.

pub mod answer;
pub mod build;
pub mod choice;
pub mod classes;
mod cpu;
pub mod error;
mod expert;
pub mod file;
pub mod motion;
mod numbering;
mod oracle;
pub mod placing;
pub mod sample;
mod solve;
pub mod stats;
pub mod subspace;
pub mod tables;
pub mod verify;

pub use answer::{Answer, answer, line, moves_valued};
pub use build::{FIRST_STONES, Plan, Progress, build, default_folder, ensure, folder_name};
pub use error::TablebaseError;
pub use expert::Expert;
pub use file::{Counts, Header, Mode, Table};
pub use subspace::Subspace;
pub use tables::{Tables, Value};
