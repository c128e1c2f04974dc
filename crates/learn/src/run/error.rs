//! Why a training run stops or does not begin.

use std::io;
use std::path::Path;

use trilith_arena::{PlayerError, UnknownGame};
use trilith_base::{ArtifactError, words};
use trilith_eval::value_table::ValueTableError;
use trilith_games::RulesError;

/// What is wrong with a run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The config's text is wrong.
    #[error("{0}")]
    Text(#[from] toml::de::Error),
    /// A value of the config is wrong.
    #[error("`{key}`: {fault}")]
    Config {
        /// Which key.
        key: String,
        /// What is wrong and what would be right.
        fault: String,
    },
    /// No such learner.
    #[error("unknown kind `{name}`: expected {expected}")]
    Kind {
        /// As given.
        name: String,
        /// The nearest and all known ones.
        expected: String,
    },
    /// The learner does not know the game.
    #[error("`{kind}` does not learn {game}: it learns {games}")]
    NotFor {
        /// The learner.
        kind: &'static str,
        /// As given.
        game: String,
        /// What it learns.
        games: String,
    },
    /// No such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The rule text is wrong.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The player to measure against cannot be had.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The folder holds a run already.
    #[error("{folder} holds a run already: go on with --resume or name another folder")]
    Occupied {
        /// Which folder.
        folder: String,
    },
    /// Config and checkpoint disagree.
    #[error(
        "the config says {key} = {now}, the run in {folder} was begun with {then}: a resumed run cannot change"
    )]
    Disagrees {
        /// Which key.
        key: String,
        /// In the config.
        now: String,
        /// In the run's folder.
        then: String,
        /// The run's folder.
        folder: String,
    },
    /// A checkpoint cannot be used.
    #[error("checkpoint {path}: {fault}")]
    Checkpoint {
        /// Where it lies.
        path: String,
        /// Why not.
        fault: String,
    },
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The database of the run refuses.
    #[error("database of the run: {0}")]
    Database(#[from] rusqlite::Error),
    /// A learned file is refused.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// A table of experience is refused.
    #[error(transparent)]
    Table(#[from] ValueTableError),
    /// Somebody wants the run to stop, and work was left before its end: the learner is as it was before it began.
    #[error("stopped")]
    Stopped,
    /// What the learner says.
    #[error("{0}")]
    Learner(String),
}

impl RunError {
    /// A wrong value of the config.
    pub fn config(key: &str, fault: impl Into<String>) -> RunError {
        RunError::Config { key: key.into(), fault: fault.into() }
    }

    /// A word of the config that is not one of `known`.
    pub fn unknown<'a>(key: &str, word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> RunError {
        RunError::config(key, format!("unknown `{word}`: expected {}", words::expected(word, known)))
    }

    /// A file that cannot be read or written.
    pub fn file(path: &Path, source: io::Error) -> RunError {
        RunError::File { path: path.display().to_string(), source }
    }

    /// A checkpoint that cannot be used.
    pub fn checkpoint(path: &Path, fault: impl ToString) -> RunError {
        RunError::Checkpoint { path: path.display().to_string(), fault: fault.to_string() }
    }
}
