//! Moves as text: `d6`, `a1-a4`, `d6xb4`, `a1-a4xb6`, and `d6xb4xf2` where a double mill removes two.

use super::moves::Move;
use super::points;
use super::{Morris, Position};
use crate::error::MoveError;
use crate::game::{Game, MoveList};
use crate::record;

pub(super) fn write(mv: Move) -> String {
    let mut text = String::new();
    if let Some(from) = mv.from() {
        text.push_str(points::NAMES[usize::from(from)]);
        text.push('-');
    }
    text.push_str(points::NAMES[usize::from(mv.to())]);
    for taken in mv.removed() {
        text.push('x');
        text.push_str(points::NAMES[usize::from(taken)]);
    }
    text
}

/// Reads a legal move; upper case and either order of two removed stones will do.
pub(super) fn read(game: &Morris, position: &Position, text: &str) -> Result<Move, MoveError> {
    let mv = parse(text)?;
    let mut legal = MoveList::new();
    game.moves(position, &mut legal);
    if legal.contains(&mv) {
        return Ok(mv);
    }
    if game.outcome(position).is_some() {
        return Err(MoveError::Ended { text: text.into(), reason: game.reason(position).into() });
    }
    Err(MoveError::Illegal { text: text.into(), legal: alternatives(game, &legal, mv) })
}

/// The legal moves with the same stone to the same point, which differ in what they remove; all if there are none.
fn alternatives(game: &Morris, legal: &[Move], mv: Move) -> String {
    let near: Vec<_> =
        legal.iter().copied().filter(|near| near.from == mv.from && near.to == mv.to).collect();
    record::list(game, if near.is_empty() { legal } else { &near })
}

fn parse(text: &str) -> Result<Move, MoveError> {
    let mut reader = Reader { text, at: 0 };
    let first = reader.point()?;
    let (from, to) = match reader.take('-') {
        true => (Some(first), reader.point()?),
        false => (None, first),
    };
    let mut removed = [None; 2];
    for taken in &mut removed {
        if reader.take('x') {
            *taken = Some(reader.point()?);
        }
    }
    match reader.rest().is_empty() {
        true => Ok(Move::new(from, to, removed)),
        false => Err(reader.error(match (from, removed) {
            (_, [_, Some(_)]) => "the end of the move",
            (None, [None, _]) => "`-`, `x` or the end of the move",
            _ => "`x` or the end of the move",
        })),
    }
}

struct Reader<'a> {
    text: &'a str,
    /// In bytes, on a character.
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn take(&mut self, expected: char) -> bool {
        let found = self.rest().starts_with([expected, expected.to_ascii_uppercase()]);
        self.at += usize::from(found);
        found
    }

    fn point(&mut self) -> Result<u8, MoveError> {
        let name = self.rest().get(..2).map(str::to_ascii_lowercase);
        match name.and_then(|name| points::named(&name)) {
            Some(point) => {
                self.at += 2;
                Ok(point)
            }
            None => Err(self.error("a point such as `d6`")),
        }
    }

    fn error(&self, expected: &'static str) -> MoveError {
        let column = self.text[..self.at].chars().count() + 1;
        MoveError::Syntax { text: self.text.into(), column, expected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn syntax_errors_point_at_the_place() {
        assert_eq!(error(""), "``, column 1: expected a point such as `d6`");
        assert_eq!(error("d4"), "`d4`, column 1: expected a point such as `d6`");
        assert_eq!(error("a1-"), "`a1-`, column 4: expected a point such as `d6`");
        assert_eq!(error("a1a4"), "`a1a4`, column 3: expected `-`, `x` or the end of the move");
        assert_eq!(error("a1-a4-a7"), "`a1-a4-a7`, column 6: expected `x` or the end of the move");
        assert_eq!(error("a1xé"), "`a1xé`, column 4: expected a point such as `d6`");
        assert_eq!(error("a1xb4xf2xf4"), "`a1xb4xf2xf4`, column 9: expected the end of the move");
    }

    #[test]
    fn reads_upper_case_and_either_order() {
        assert_eq!(parse("A1-A4XB6").map(write).as_deref(), Ok("a1-a4xb6"));
        assert_eq!(parse("d6xf2xb4"), parse("d6xb4xf2"));
    }

    #[test]
    fn an_illegal_move_is_answered_with_what_is_meant() {
        let game = Morris::default();
        let position = game.parse_position("3/bb1/3/w3bw/3/3/ww1 w 0 0 0").unwrap();
        let error = |text| game.parse_move(&position, text).unwrap_err().to_string();
        assert_eq!(error("g4-g1"), "`g4-g1` is not legal here; legal: g4-g1xb6 g4-g1xd6 g4-g1xf4");
        assert_eq!(
            error("a1-g1"),
            "`a1-g1` is not legal here; legal: a4-a7 g4-g1xb6 g4-g1xd6 g4-g1xf4 g4-g7 d1-g1 a4-b4 d1-d2"
        );
        let lost = game.parse_position("3/bb1/3/4bw/3/3/w2 w 0 0 0").unwrap();
        let error = game.parse_move(&lost, "a1-a4").unwrap_err().to_string();
        assert_eq!(error, "`a1-a4`: the game has ended (two stones left)");
    }
}
