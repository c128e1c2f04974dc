//! Calibration of ProbCut (S5, chapter 4): what searches say at several depths, the lines through it, and a report.

mod collect;
mod estimate;
mod parameters;
mod report;
mod samples;

pub use collect::{CollectionSettings, MeasuredSearch, collect};
pub use estimate::{estimate, pairs_up_to, parse_pairs};
pub use parameters::Calibration;
pub use report::page;
pub use samples::{ProbCutSample, SamplesError, parse_samples, samples_text};
