//! The published studies, re-run: what each does, and reports that put the published figures beside ours.
//!
//! A study is `studies/NAME.toml` (parameters for each scale, published tables) and a procedure in code. The procedure
//! asks a [`Conduct`] for cells: independent pieces of work whose results depend on the seed alone. Finished cells lie in a
//! journal, so a killed study resumes where it was, and a report is the same procedure over a complete journal.
//!
//! ```
//! assert_eq!(trilith_studies::studies().len(), 24);
//! let study = trilith_studies::find("muehle-search")?;
//! assert!(study.file().is_ok());
//! assert!(trilith_studies::find("muhle-search").is_err(), "misspelt names are refused with the nearest one");
//! # Ok::<(), trilith_studies::StudyError>(())
//! ```
//!
//! Comments cite the five published works as S1 to S5; `docs/references.md` lists them.

mod abalone;
mod cell;
mod conduct;
mod contest;
mod error;
mod file;
mod index;
mod journal;
mod list;
mod logistello;
mod muehle;
mod othilie;
mod protocol;
pub mod render;
pub mod report;
mod reversi;
mod statistics;
mod training;

pub use cell::StudyCell;
pub use conduct::{Conduct, Status, StudyOptions, read, run};
pub use error::StudyError;
pub use file::{Scale, StudyFile};
pub use index::{IndexEntry, index_page, sort_index, write_index};
pub use list::{Study, find, studies};
pub use protocol::{StudyProtocol, changed_since};
pub use report::Report;
