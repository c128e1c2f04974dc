//! Search: the ladder of published techniques, the production engine, selective search, the Othello solver.

pub mod analysis;
pub mod engine;
pub mod finisher;
pub mod ladder;
pub mod limits;
pub mod ordering;
pub mod othello;
pub mod probcut;
pub mod table;

pub use analysis::{Analysis, Bound, Line};
pub use engine::{Engine, Options, Pondering};
pub use finisher::{Finished, Finisher, Reach, finisher};
pub use ladder::{EndCut, Ladder, Printed, Quiescing, Rung, Techniques};
pub use limits::{Control, Limits};
pub use table::Table;
