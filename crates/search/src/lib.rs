//! Search: the ladder of published techniques, the production engine, selective search, the Othello solver.

mod abalone;
pub mod analysis;
pub mod engine;
pub mod finisher;
pub mod kit;
pub mod ladder;
pub mod limits;
mod morris;
pub mod ordering;
pub mod othello;
pub mod probcut;
mod slots;
pub mod table;

pub use analysis::{Analysis, Bound, Line};
pub use engine::{Engine, Options, Pondering};
pub use finisher::{Finished, Finisher, Reach};
pub use kit::{NullWindow, SearchKit};
pub use ladder::{EndCut, Ladder, Rung, Techniques};
pub use limits::{Control, Limits};
pub use table::Table;
