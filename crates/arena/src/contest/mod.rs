//! Games between programs: one game as a job, matches, openings.

mod adjudication;
mod balanced;
mod duel;
mod host;
mod job;
mod openings;
mod pace;
mod referee;

pub use adjudication::{Adjudication, DrawRule, ResignRule};
pub use balanced::{Balanced, Found};
pub use duel::{Duel, DuelReport, Progress, SprtReport, colour_of_a};
pub use host::{Host, JobError};
pub use job::{GameFault, GameJob, GameResult, Seat};
pub use openings::{Opening, OpeningError, Openings, Source, openings, push_moves};
pub use pace::{ClockError, ClockSetting, Pace};
