//! OBF: positions of test suites, one a line, with the scores of their moves.
//!
//! `BOARD X; G8:+18; H1:+12; % comment`. Scores are for the side to move. `--:-127` is padding and skipped.

use super::cursor::syntax;
use crate::error::FormatError;
use crate::game::Game;
use crate::othello::{Move, Othello, Position};

/// A position and what is known about its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where the question is asked.
    pub position: Position,
    /// Legal moves with their final disc difference for the side to move, as listed.
    pub scores: Vec<(Move, i32)>,
    /// What stands behind `%`, without surrounding space; else empty.
    pub comment: String,
}

impl Problem {
    /// The best score listed.
    pub fn best(&self) -> Option<i32> {
        self.scores.iter().map(|&(_, score)| score).max()
    }
}

const PADDING: (Move, i32) = (Move::PASS, -127);

/// Reads all positions; skips empty lines and those that begin with `%` or `#`.
pub fn parse_obf(game: &Othello, text: &str) -> Result<Vec<Problem>, FormatError> {
    let mut problems = Vec::new();
    let mut at = 0;
    for (number, line) in text.split('\n').enumerate() {
        let content = line.trim();
        if !content.is_empty() && !content.starts_with(['%', '#']) {
            problems.push(Line { game, text, at, number: number + 1 }.parse(line)?);
        }
        at += line.len() + 1;
    }
    Ok(problems)
}

/// A line in its text, for errors.
struct Line<'a> {
    game: &'a Othello,
    text: &'a str,
    at: usize,
    number: usize,
}

impl Line<'_> {
    fn parse(&self, line: &str) -> Result<Problem, FormatError> {
        let (fields, comment) = line.split_once('%').unwrap_or((line, ""));
        let mut fields = fields.split(';');
        let board = fields.next().unwrap_or("");
        let position =
            Position::parse(board).map_err(|source| FormatError::Position { line: self.number, source })?;
        let mut scores = Vec::new();
        let mut at = self.at + board.len() + 1;
        for field in fields {
            if !field.trim().is_empty() {
                scores.extend(self.score(&position, field, at)?);
            }
            at += field.len() + 1;
        }
        Ok(Problem { position, scores, comment: comment.trim().into() })
    }

    /// A field `MOVE:SCORE` that begins at byte `at`; nothing for padding.
    fn score(&self, position: &Position, field: &str, at: usize) -> Result<Option<(Move, i32)>, FormatError> {
        let at = at + field.len() - field.trim_start().len();
        let wrong = |at, expected| Err(syntax(self.text, at, expected));
        let Some((mv, score)) = field.trim().split_once(':') else {
            return wrong(at, "a move with its score, such as `G8:+18`");
        };
        let score_at = at + mv.len() + 1;
        let illegal = |source| FormatError::Move { line: self.number, ply: 1, source };
        let (mv_text, score) = (mv.trim(), score.trim().parse::<i32>());
        let mv = mv_text.parse::<Move>().map_err(illegal)?;
        match score {
            Ok(score) if (mv, score) == PADDING => Ok(None),
            Ok(score) if (-64..=64).contains(&score) => {
                self.game.parse_move(position, mv_text).map_err(illegal)?;
                Ok(Some((mv, score)))
            }
            _ => wrong(score_at, "a score from -64 to +64"),
        }
    }
}

/// One position a line, as [`parse_obf`] reads it.
pub fn obf_text(problems: &[Problem]) -> String {
    problems.iter().map(line_text).collect()
}

fn line_text(problem: &Problem) -> String {
    let mut line = problem.position.text();
    line.push(';');
    for (mv, score) in &problem.scores {
        line.push_str(&format!(" {}:{score:+};", mv.to_string().to_uppercase()));
    }
    if !problem.comment.is_empty() {
        line.push_str(&format!(" % {}", problem.comment.replace('\n', " ")));
    }
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUITE: &str = include_str!("../../../tests/data/othello/fforum-1-19.obf");

    fn error(text: &str) -> String {
        parse_obf(&Othello::default(), text).unwrap_err().to_string()
    }

    #[test]
    fn a_published_suite_reads_and_writes_back_unchanged() {
        let problems = parse_obf(&Othello::default(), SUITE).unwrap();
        assert_eq!(problems.len(), 19);
        assert_eq!(problems[0].best(), Some(18));
        let legal = |p: &Problem| p.position.mobility().count_ones() as usize;
        assert!(problems.iter().all(|problem| problem.scores.len() == legal(problem)));
        assert_eq!(obf_text(&problems), SUITE);
    }

    #[test]
    fn comments_and_padding_are_no_moves() {
        let start = Position::START.text();
        let text = format!("% a suite\r\n\r\n{start}; f5:+0; --:-127; % by symmetry\r\n");
        let problems = parse_obf(&Othello::default(), &text).unwrap();
        assert_eq!(problems[0].scores, [("f5".parse().unwrap(), 0)]);
        assert_eq!(problems[0].comment, "by symmetry");
        let again = parse_obf(&Othello::default(), &obf_text(&problems)).unwrap();
        assert_eq!(again, problems);
    }

    #[test]
    fn errors_say_where() {
        let start = Position::START.text();
        assert_eq!(
            error(&format!("\n{start}; f5:+65;")),
            "line 2, column 72: expected a score from -64 to +64"
        );
        assert!(
            error(&format!("{start}; f5")).starts_with("line 1, column 69: expected a move with its score")
        );
        assert!(error(&format!("{start}; a1:+2")).starts_with("line 1, ply 1: `a1` is not legal here"));
        assert!(error("--XO").starts_with("line 1: position, column 5: found the end"));
        assert!(error(&format!("{start}; é:+2")).starts_with("line 1, ply 1: `é`, column 1"));
    }
}
