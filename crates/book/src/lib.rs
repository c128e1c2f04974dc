//! The book: a tree of remembered games that does not lose twice the same way (S5, chapter 5).
//!
//! Nodes are positions, symmetric ones merged. Each has its tree value, what the remembered games say by NegaMax, and its
//! chance, what is hoped for if both sides repeat their wins and otherwise play the most promising moves that nobody has
//! played yet ([`values`]). The whole is one file of an embedded transactional store ([`Book`]).
//!
//! Remember a game, and read the book:
//!
//! ```
//! use trilith_book::{Book, BookMode};
//! use trilith_games::othello::Othello;
//! use trilith_games::{Colour, Game, Record};
//!
//! let path = std::env::temp_dir().join(format!("trilith-{}.book", std::process::id()));
//! let game = Othello::new(Default::default());
//! let mut record = Record::new(game.clone());
//! for mv in ["f5", "d6", "c3"] {
//!     record.push_text(mv)?;
//! }
//! Book::create(&path, &game, false)?.update(|book| book.add(&record, Some(Colour::Black)))?;
//!
//! let book = Book::open(&path, BookMode::Read)?;
//! let reading = book.reader()?.look(&Record::new(game.clone()))?.expect("every game begins here");
//! assert_eq!(reading.value.tree, 1, "Black has won from here");
//! assert_eq!(game.move_text(reading.advice.expect("a win is repeated").mv), "f5");
//! # drop(book);
//! # std::fs::remove_file(path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Comments cite the five published works as S1 to S5; `docs/references.md` lists them.

mod advice;
mod book;
mod draft;
mod error;
mod export;
mod growth;
mod judge;
mod key;
mod node;
mod picture;
mod trim;
pub mod values;
mod walk;

pub use advice::{Advice, BookReading, BookReason, Successor};
pub use book::{Book, BookMode, BookReader, BookStatistics, Head};
pub use draft::{Added, Draft};
pub use error::BookError;
pub use export::{RememberedGame, tree_text, value_text};
pub use growth::{Dropout, Growth, all_lines, dropouts};
pub use judge::{BookJudgement, EndgameProver, EngineJudge, Judge};
pub use key::{NodeKey, layer, node_key};
pub use node::{Alternative, Edge, Node};
pub use picture::picture;
pub use trim::{skeleton, trim};
pub use walk::{BookVisit, Walk};
