//! Why a study cannot be run or reported.

use std::io;
use std::path::{Path, PathBuf};

use trilith_arena::contest::JobError;
use trilith_base::job::{QueueError, Unfinished};
use trilith_eval::EvaluationError;
use trilith_learn::data::DataError;
use trilith_learn::run::RunError;
use trilith_tablebase::TablebaseError;

/// What is wrong with a study.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// No such study.
    #[error("unknown study `{name}`: expected {expected}")]
    Unknown {
        /// As given.
        name: String,
        /// The nearest and all known ones.
        expected: String,
    },
    /// A study's file says something else than its procedure reads.
    #[error("{path}: {fault}")]
    Content {
        /// Which one.
        path: String,
        /// What is wrong.
        fault: String,
    },
    /// A parameter given with the command cannot be set.
    #[error("`{text}`: {fault}")]
    Setting {
        /// As given.
        text: String,
        /// What is wrong.
        fault: String,
    },
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which one.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The journal is of another study, scale or seed.
    #[error("journal `{}`: expected {expected}, found {found}; name another folder to begin anew", path.display())]
    Foreign {
        /// Which one.
        path: PathBuf,
        /// What is being run.
        expected: String,
        /// What was begun there.
        found: String,
    },
    /// Another program works in the folder.
    #[error("journal `{}`: another program is running this study", path.display())]
    Busy {
        /// Which journal.
        path: PathBuf,
    },
    /// A line of the journal is damaged.
    #[error("journal `{}`, line {line}: {fault}", path.display())]
    Line {
        /// Which journal.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        fault: String,
    },
    /// A report was asked for before the study was done.
    #[error("`{cell}` has not been done yet: run the study to its end first")]
    Undone {
        /// The first cell that is missing.
        cell: String,
    },
    /// It was stopped and can go on.
    #[error("stopped; run it again to go on")]
    Stopped,
    /// A game cannot be played.
    #[error(transparent)]
    Game(#[from] JobError),
    /// A training run cannot be done.
    #[error(transparent)]
    Training(#[from] RunError),
    /// Games to learn from cannot be played.
    #[error(transparent)]
    Games(#[from] DataError),
    /// Tables cannot be built.
    #[error(transparent)]
    Tables(#[from] TablebaseError),
    /// An evaluation cannot be had.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// The queue cannot be used.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// What a worker elsewhere said.
    #[error("a worker could not do its cell: {0}")]
    Worker(String),
    /// What the procedure says.
    #[error("{0}")]
    Procedure(String),
}

impl StudyError {
    /// A file that cannot be read or written.
    pub fn file(path: &Path, source: io::Error) -> StudyError {
        StudyError::File { path: path.display().to_string(), source }
    }
}

impl From<Unfinished<StudyError>> for StudyError {
    fn from(unfinished: Unfinished<StudyError>) -> StudyError {
        match unfinished {
            Unfinished::Job(error) => error,
            Unfinished::Worker(text) => StudyError::Worker(text),
            Unfinished::Queue(error) => StudyError::Queue(error),
        }
    }
}
