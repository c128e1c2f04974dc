//! The book at work: who judges its positions, learning from games, doubtful lines and their correction.

mod correct;
pub(crate) mod examination;
mod learn;
pub mod packed;
mod series;

pub use correct::{Corrected, Correction, DoubtfulPosition, correct, doubts};
pub use examination::{BookJudgeJob, Examination, JudgedText, judge};
pub use learn::{BookLearned, LearnError, learn, learn_game};
pub use series::{BookSeries, SeriesReport};
