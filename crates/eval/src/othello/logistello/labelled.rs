//! Files of labelled positions: one a line, the position's text and what came of it for the side to move.
//!
//! ```text
//! # comment
//! ---------------------------OX------XO--------------------------- X 0
//! -------------------O-------OO------XO--------------------------- X -4
//! ```
//! The label is a number, such as the final difference in discs; its sign says who won. Blank lines and those that
//! begin with `#` are skipped.

use trilith_games::PositionError;
use trilith_games::othello::Position;

/// A position and what came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Labelled {
    /// The position.
    pub position: Position,
    /// For the side to move: positive if it won.
    pub label: f64,
}

/// Why a file is refused.
#[derive(Debug, thiserror::Error)]
pub enum LabelledError {
    /// The position cannot be read.
    #[error("line {line}: {source}")]
    Position {
        /// From 1.
        line: usize,
        /// What is wrong with it.
        source: PositionError,
    },
    /// The label cannot be read.
    #[error("line {line}: label `{label}` is not a number for the side to move, such as `-6`")]
    Label {
        /// From 1.
        line: usize,
        /// As found.
        label: String,
    },
}

/// Reads a whole file.
pub fn parse_labelled(text: &str) -> Result<Vec<Labelled>, LabelledError> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(at, line)| parse_line(at, line))
        .collect()
}

fn parse_line(line: usize, text: &str) -> Result<Labelled, LabelledError> {
    let (position, label) = text.rsplit_once(char::is_whitespace).unwrap_or((text, ""));
    let number = label.parse::<f64>().ok().filter(|number| number.is_finite());
    let label = number.ok_or_else(|| LabelledError::Label { line, label: label.into() })?;
    let position = Position::parse(position).map_err(|source| LabelledError::Position { line, source })?;
    Ok(Labelled { position, label })
}

impl std::fmt::Display for Labelled {
    /// The line of a file.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.position.text(), self.label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_round_trip_and_slips_are_named() {
        let labelled = Labelled { position: Position::START, label: -6.0 };
        let text = format!("# a comment\n\n{labelled}\n");
        assert_eq!(parse_labelled(&text).unwrap(), [labelled]);
        let error = |text: &str| parse_labelled(text).unwrap_err().to_string();
        let position = Position::START.text();
        assert_eq!(
            error(&format!("{position} won")),
            "line 1: label `won` is not a number for the side to move, such as `-6`"
        );
        assert!(error("#\nXX 5").starts_with("line 2: "));
    }
}
