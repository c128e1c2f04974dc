//! How a player can fail to move. Who fails has lost the game by rule; the match goes on.

use std::time::Duration;

use trilith_games::MoveError;

/// Why there is no legal move in time. Only players outside this program fail, and those whose files do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerFault {
    /// The program could not be started.
    #[error("cannot start `{program}`: {reason}")]
    Start {
        /// As given.
        program: String,
        /// What the system says.
        reason: String,
    },
    /// It was there, but did not answer in time.
    #[error("no answer to `{command}` within {} ms", limit.as_millis())]
    Timeout {
        /// What it was asked.
        command: String,
        /// How long it had.
        limit: Duration,
    },
    /// It ended or closed its output in the middle of the game.
    #[error("the program has ended before it answered `{command}`: {status}")]
    Gone {
        /// What it was asked.
        command: String,
        /// How it ended, in words.
        status: String,
    },
    /// It answered with something that no rule of its protocol allows there.
    #[error("answered `{answer}` to `{command}`: expected {expected}")]
    Garbage {
        /// What it was asked.
        command: String,
        /// What it said, shortened.
        answer: String,
        /// What would have been right.
        expected: &'static str,
    },
    /// It answered that it cannot do what was asked.
    #[error("refused `{command}`: {reason}")]
    Refused {
        /// What it was asked.
        command: String,
        /// What it said, shortened.
        reason: String,
    },
    /// Its move is not a legal one.
    #[error("illegal move: {0}")]
    Illegal(#[from] MoveError),
    /// Its book cannot be used.
    #[error("{0}")]
    Book(String),
    /// It gave the game up.
    #[error("resigned")]
    Resigned,
    /// Another fault, with what the program wrote to its standard error.
    #[error("{fault}; the end of its standard error: {tail}")]
    Explained {
        /// What happened.
        fault: Box<PlayerFault>,
        /// The last lines, ` | ` between them.
        tail: String,
    },
}

impl PlayerFault {
    /// One word for tables and files: `start`, `timeout`, `gone`, `garbage`, `refused`, `illegal`, `book` or
    /// `resigned`.
    pub fn name(&self) -> &'static str {
        match self {
            PlayerFault::Start { .. } => "start",
            PlayerFault::Timeout { .. } => "timeout",
            PlayerFault::Gone { .. } => "gone",
            PlayerFault::Garbage { .. } => "garbage",
            PlayerFault::Refused { .. } => "refused",
            PlayerFault::Illegal(_) => "illegal",
            PlayerFault::Book(_) => "book",
            PlayerFault::Resigned => "resigned",
            PlayerFault::Explained { fault, .. } => fault.name(),
        }
    }
}
