//! Calibration of ProbCut (S5, chapter 4): what searches say at several depths, the lines through it, and a report.

mod collect;
mod estimate;
mod report;
mod samples;

pub use collect::{Plan, Searched, collect};
pub use estimate::{estimate, pairs_up_to, parse_pairs};
pub use report::page;
pub use samples::{Sample, SamplesError, parse_samples, samples_text};
