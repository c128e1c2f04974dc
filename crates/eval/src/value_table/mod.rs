//! Experience tables: what games that went through a position have ended with (S3, chapter 4).
//!
//! A table maps after-positions, in the form that all their symmetric images share, to the sum of points that the side
//! *not* to move has got from there, and how often. The value is their quotient.

mod file;
mod prefetch;
mod remember;
mod table;
mod worth;

pub use file::{Loaded, ValueTableError, load, read_header, save};
pub use remember::Remember;
pub use table::{CodeSlot, ValueTable, VisitScore};
pub use worth::{ENTRY, Worth};
