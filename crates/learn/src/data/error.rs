//! Why data cannot be made or read.

use std::io;
use std::path::{Path, PathBuf};

use trilith_arena::UnknownGame;
use trilith_base::ArtifactError;
use trilith_base::job::{QueueError, Unfinished};
use trilith_games::RulesError;

use super::blocks::BlockError;
use super::game::PlayedGameError;

/// What is wrong.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A file of blocks is refused.
    #[error(transparent)]
    Block(#[from] BlockError),
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// A file of an old kind has been cut or damaged.
    #[error("{path}: cut or damaged: {fault}")]
    Damaged {
        /// Which file.
        path: String,
        /// What is wrong.
        fault: String,
    },
    /// A game in a file cannot be replayed.
    #[error("{path}: game {game}: {fault}")]
    Game {
        /// Which file.
        path: String,
        /// From 1.
        game: u64,
        /// What is wrong.
        fault: PlayedGameError,
    },
    /// Games of several rules where one is expected.
    #[error("{path}: a game by the rules `{other}` among `{rules}`")]
    Mixed {
        /// Which file.
        path: String,
        /// The rules of the first game.
        rules: String,
        /// Other ones.
        other: String,
    },
    /// Nothing to work on.
    #[error("--games: no games to label in these files")]
    NoGames,
    /// Nothing that knows positions of this game.
    #[error("{game}: nothing proves its positions; `trilith data judge` has them judged by search")]
    NoProver {
        /// The game.
        game: &'static str,
    },
    /// What proves positions cannot be had, or fails.
    #[error("{0}")]
    Prover(String),
    /// The program that is asked cannot be used.
    #[error("{program}: {what}")]
    Program {
        /// Which program.
        program: String,
        /// What went wrong.
        what: &'static str,
        /// Why.
        source: io::Error,
    },
    /// No such game.
    #[error(transparent)]
    UnknownGame(#[from] UnknownGame),
    /// The weights cannot be had.
    #[error(transparent)]
    Weights(#[from] ArtifactError),
    /// The file is there, with other content.
    #[error("`{}` is not the file the games were ordered with: copy that one to this machine", path.display())]
    Changed {
        /// Which file.
        path: PathBuf,
    },
    /// The rules cannot be read.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A worker elsewhere could not do its job.
    #[error("a worker could not play its games: {0}")]
    Worker(String),
    /// Nobody elsewhere can be reached.
    #[error(transparent)]
    Queue(#[from] QueueError),
}

impl DataError {
    /// A file that cannot be read or written.
    pub fn file(path: &Path, source: io::Error) -> DataError {
        DataError::File { path: path.display().to_string(), source }
    }
}

impl From<Unfinished<DataError>> for DataError {
    fn from(unfinished: Unfinished<DataError>) -> DataError {
        match unfinished {
            Unfinished::Job(error) => error,
            Unfinished::Worker(text) => DataError::Worker(text),
            Unfinished::Queue(error) => DataError::Queue(error),
        }
    }
}
