//! What can be wrong with a text from outside. Messages say what, where, and what would be right.

use std::borrow::Cow;

use trilith_base::words;

/// A move that cannot be read or played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// Not the notation of a move.
    #[error("`{text}`, column {column}: expected {expected}")]
    Syntax {
        /// The text as given.
        text: String,
        /// Counted in characters from 1.
        column: usize,
        /// What would be right there.
        expected: &'static str,
    },
    /// Notation, but not a legal move of the position.
    #[error("`{text}` is not legal here; legal: {legal}")]
    Illegal {
        /// The text as given.
        text: String,
        /// The legal moves, or the first of them.
        legal: String,
    },
    /// Short notation that fits several legal moves.
    #[error("`{text}` could be any of {candidates}")]
    Ambiguous {
        /// The text as given.
        text: String,
        /// The moves it could stand for.
        candidates: String,
    },
    /// There is nothing left to play.
    #[error("`{text}`: the game has ended ({reason})")]
    Ended {
        /// The text as given.
        text: String,
        /// Why it has ended.
        reason: Cow<'static, str>,
    },
}

/// A position that cannot be read or played from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// Not the text form of a position.
    #[error("position, column {column}: found {found}, expected {expected}")]
    Syntax {
        /// Counted in characters from 1.
        column: usize,
        /// The character there in back-quotes, or `the end`.
        found: String,
        /// What would be right there.
        expected: String,
    },
    /// A position that the rules do not allow.
    #[error("impossible position: {fault}")]
    Impossible {
        /// What is wrong and what would be right.
        fault: String,
    },
}

impl PositionError {
    /// The text was wrong at byte `at`: column and character are found here.
    pub fn syntax(text: &str, at: usize, expected: impl Into<String>) -> PositionError {
        let at = (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let found = text[at..].chars().next().map_or("the end".into(), |c| format!("`{}`", c.escape_debug()));
        PositionError::Syntax { column: text[..at].chars().count() + 1, found, expected: expected.into() }
    }
}

/// Rule switches that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// No such preset or switch.
    #[error("unknown rule `{word}`: expected {expected}")]
    Unknown {
        /// The word as given.
        word: String,
        /// The nearest spelling and all known ones.
        expected: String,
    },
    /// A switch does not take this value.
    #[error("rule `{key}`: `{value}` is not {expected}")]
    Value {
        /// The switch.
        key: String,
        /// The value as given.
        value: String,
        /// What would be right.
        expected: String,
    },
    /// Each value is fine, but they do not go together.
    #[error("rules contradict each other: {fault}")]
    Contradiction {
        /// What does not go together.
        fault: String,
    },
}

impl RulesError {
    /// `word` is none of the `known` presets and switches.
    pub fn unknown<'a>(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> RulesError {
        RulesError::Unknown { word: word.into(), expected: words::expected(word, known) }
    }

    /// `key` does not take `value`.
    pub fn value(key: &str, value: &str, expected: impl Into<String>) -> RulesError {
        RulesError::Value { key: key.into(), value: value.into(), expected: expected.into() }
    }
}

/// A file of games or positions that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The text breaks the format.
    #[error("line {line}, column {column}: expected {expected}")]
    Syntax {
        /// From 1.
        line: usize,
        /// In characters from 1.
        column: usize,
        /// What would be right there.
        expected: String,
    },
    /// A binary file breaks the format.
    #[error("byte {offset}: {fault}")]
    Binary {
        /// From the start of the file.
        offset: usize,
        /// What is wrong and what would be right.
        fault: String,
    },
    /// A move of the game cannot be played.
    #[error("line {line}, ply {ply}: {source}")]
    Move {
        /// From 1.
        line: usize,
        /// From 1.
        ply: usize,
        /// Why not.
        source: MoveError,
    },
    /// The start position of the game is not one.
    #[error("line {line}: {source}")]
    Position {
        /// From 1.
        line: usize,
        /// Why not.
        source: PositionError,
    },
    /// The rules of the game are not known.
    #[error("line {line}: {source}")]
    Rules {
        /// From 1.
        line: usize,
        /// Why not.
        source: RulesError,
    },
}
