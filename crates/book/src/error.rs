//! What can go wrong with a book.

use std::path::PathBuf;

/// A book that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read or written.
    #[error("book `{}`: {source}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Another program or player has it open for writing.
    #[error("book `{}` is in use: only one at a time may write to a book", path.display())]
    Busy {
        /// Which one.
        path: PathBuf,
    },
    /// The file is something else, or of a version this program does not read.
    #[error("book `{}`: {fault}", path.display())]
    Foreign {
        /// Which one.
        path: PathBuf,
        /// What is wrong.
        fault: String,
    },
    /// The book is of another game or other rules.
    #[error("book `{}` is of {found}: expected {expected}", path.display())]
    Game {
        /// Which one.
        path: PathBuf,
        /// Game and rules of the book.
        found: String,
        /// Game and rules wanted.
        expected: String,
    },
    /// What the file holds makes no sense.
    #[error("book `{}` is damaged: {fault}", path.display())]
    Damaged {
        /// Which one.
        path: PathBuf,
        /// What is wrong.
        fault: String,
    },
}
