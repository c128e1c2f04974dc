//! What can be wrong with tables and what is asked of them.

use std::io;
use std::path::PathBuf;

use crate::subspace::Subspace;

/// Why a tablebase could not be built, opened or asked.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    /// The file system said no.
    #[error("{path}", path = path.display())]
    File {
        /// Which file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Reading or writing scratch files failed.
    #[error("scratch files of the builder")]
    Scratch(#[from] io::Error),
    /// The file is not what it should be.
    #[error("{path}: {fault}", path = path.display())]
    Refused {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it and what would be right.
        fault: String,
    },
    /// A table that is needed is not there.
    #[error(
        "no table for {subspace} in {folder}; `trilith tablebase build morris --rules {rules} --stones {stones}` makes it",
        folder = folder.display(), stones = subspace.stones()
    )]
    Missing {
        /// Which table.
        subspace: Subspace,
        /// Where it should be.
        folder: PathBuf,
        /// By which rules.
        rules: String,
    },
    /// The bound on memory is too low even for slices.
    #[error(
        "{subspace} needs at least {} MiB of memory, {} MiB are allowed", least.div_ceil(1 << 20), given >> 20
    )]
    Memory {
        /// The pair to be solved.
        subspace: Subspace,
        /// Bytes needed.
        least: u64,
        /// Bytes allowed.
        given: u64,
    },
    /// There are wins longer than a cell can count.
    #[error("{subspace} has wins of more than {most} plies: build it without distances (`--mode wdl`)")]
    TooLong {
        /// The pair to be solved.
        subspace: Subspace,
        /// The most plies that fit.
        most: u32,
    },
    /// Placing cannot be followed into tables.
    #[error(
        "placing by the rules `{rules}` cannot be solved: tables know up to 9 stones a side, all placed before one is moved"
    )]
    Placing {
        /// By which rules.
        rules: String,
    },
    /// The position is not one that tables are for.
    #[error("tables are for positions without stones in hand and with 3 to 9 stones a side, not for {what}")]
    Unsuitable {
        /// What it has instead.
        what: String,
    },
}
