//! Games between programs: one game as a job, matches, openings.

mod adjudication;
mod balanced;
mod duel;
mod host;
mod job;
mod journal;
mod openings;
mod pace;
mod referee;
mod saved;

pub use adjudication::{Adjudication, DrawRule, ResignRule};
pub use balanced::{Balanced, BalancedOpening};
pub use duel::{
    Duel, DuelError, DuelFault, DuelProgress, DuelReport, ReportedGame, SprtReport, Variety, colour_of_a,
};
pub use host::{Host, JobError};
pub use job::{GameFault, GameJob, GameReport, GameSeat, MoveNote};
pub use journal::{JournalError, Journaled};
pub use openings::{Opening, OpeningError, OpeningSource, Openings, openings, push_moves, read_line};
pub use pace::{ClockError, ClockSetting, Pace};
pub use saved::{KEY, SavedGames};
