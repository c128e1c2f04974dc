//! Positions as one line: `3/1w1/3/2wbb1/3/3/3 b 6 7 0 standard`.
//!
//! Stones row by row from row 7 at the top, left to right, `w`, `b`, digits for empty points (row 4 has six points,
//! the others three); the side to move; White's and Black's stones in hand; quiet plies; the rules. The last two may
//! be missing.

use super::points;
use super::position::Position;
use super::rules::Rules;
use crate::error::PositionError;
use crate::game::Colour;

/// The points of each row from the top, left to right.
fn rows() -> [Vec<usize>; 7] {
    [6, 5, 4, 3, 2, 1, 0].map(|row| {
        let mut row: Vec<_> = (0..points::COUNT).filter(|&point| points::place(point).1 == row).collect();
        row.sort_unstable_by_key(|&point| points::place(point).0);
        row
    })
}

pub(super) fn write(rules: &Rules, position: &Position) -> String {
    let (white, black) = (position.side(Colour::White), position.side(Colour::Black));
    let row_text = |row: Vec<usize>| {
        let mut text = String::new();
        let mut empty = 0;
        for point in row {
            let letter = match (white.0 >> point & 1, black.0 >> point & 1) {
                (1, _) => 'w',
                (_, 1) => 'b',
                _ => {
                    empty += 1;
                    continue;
                }
            };
            push_empty(&mut text, &mut empty);
            text.push(letter);
        }
        push_empty(&mut text, &mut empty);
        text
    };
    let stones = rows().map(row_text).join("/");
    let side = side_letter(position.to_move);
    format!("{stones} {side} {} {} {} {rules}", white.1, black.1, position.quiet)
}

fn push_empty(text: &mut String, empty: &mut u32) {
    if *empty > 0 {
        text.push_str(&std::mem::take(empty).to_string());
    }
}

fn side_letter(colour: Colour) -> char {
    match colour {
        Colour::White => 'w',
        Colour::Black => 'b',
    }
}

/// Reads what [`write`] writes, without asking whether the position is possible.
pub(super) fn read(rules: &Rules, text: &str) -> Result<Position, PositionError> {
    let mut fields = Fields { text, at: 0 };
    let (white, black) = read_stones(text, fields.next("the stones, such as `3/3/3/6/3/3/3`")?)?;
    let to_move = fields.side()?;
    let white_hand = fields.number("white's stones in hand", rules.stones.into())? as u8;
    let black_hand = fields.number("black's stones in hand", rules.stones.into())? as u8;
    let quiet = if fields.is_empty() { 0 } else { fields.number("the quiet plies", u16::MAX.into())? as u16 };
    if !fields.is_empty() {
        check_rules(rules, text, fields.next("the rules")?)?;
    }
    fields.end()?;
    Ok(from_sides([(white, white_hand), (black, black_hand)], to_move, quiet))
}

/// A position from White's and Black's stones on the board and in hand.
pub(super) fn from_sides(sides: [(u32, u8); 2], to_move: Colour, quiet: u16) -> Position {
    let [(own, own_hand), (other, other_hand)] = match to_move {
        Colour::White => sides,
        Colour::Black => [sides[1], sides[0]],
    };
    Position { own, other, quiet, own_hand, other_hand, to_move }
}

/// White's and Black's stones.
fn read_stones(text: &str, field: Field) -> Result<(u32, u32), PositionError> {
    let rows = rows();
    let (mut white, mut black) = (0, 0);
    let (mut row, mut column) = (0, 0);
    for (offset, letter) in field.text.char_indices() {
        let left = rows[row].len() - column;
        let fault = |expected: String| Err(PositionError::syntax(text, field.at + offset, expected));
        match letter {
            '/' if left == 0 && row < 6 => (row, column) = (row + 1, 0),
            '/' if left > 0 => return fault(format!("{} in row {}", missing(left), 7 - row)),
            _ if left == 0 && row < 6 => {
                return fault(format!("`/` after the {column} points of row {}", 7 - row));
            }
            _ if left == 0 => return fault("a space after row 1".into()),
            'w' | 'W' | 'b' | 'B' => {
                let bit = 1 << rows[row][column];
                if letter.eq_ignore_ascii_case(&'w') {
                    white |= bit
                } else {
                    black |= bit
                }
                column += 1;
            }
            '1'..='9' => {
                let empty = letter as usize - '0' as usize;
                if empty > left {
                    return fault(format!("at most {} in row {}", missing(left), 7 - row));
                }
                column += empty;
            }
            _ => return fault("`w`, `b`, a number of empty points or `/`".into()),
        }
    }
    let left = rows[row].len() - column;
    let end = field.at + field.text.len();
    match (row, left) {
        (6, 0) => Ok((white, black)),
        (_, 0) => Err(PositionError::syntax(text, end, format!("`/` and row {}", 6 - row))),
        _ => Err(PositionError::syntax(text, end, format!("{} in row {}", missing(left), 7 - row))),
    }
}

fn missing(points: usize) -> String {
    if points == 1 { "1 more point".into() } else { format!("{points} more points") }
}

fn check_rules(rules: &Rules, text: &str, field: Field) -> Result<(), PositionError> {
    let read: Rules = field.text.parse().map_err(|error| {
        PositionError::syntax(text, field.at, format!("the rules `{rules}` or nothing ({error})"))
    })?;
    if read == *rules {
        return Ok(());
    }
    Err(PositionError::Impossible {
        fault: format!("it is for the rules `{read}`, this game is played by `{rules}`"),
    })
}

/// A part of the text between spaces, and where it begins.
pub(super) struct Field<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

/// The parts of a text between spaces.
pub(super) struct Fields<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Fields<'a> {
    pub(super) fn of(text: &'a str) -> Fields<'a> {
        Fields { text, at: 0 }
    }

    fn skip_spaces(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    pub(super) fn is_empty(&mut self) -> bool {
        self.skip_spaces();
        self.at == self.text.len()
    }

    pub(super) fn next(&mut self, expected: &str) -> Result<Field<'a>, PositionError> {
        if self.is_empty() {
            return Err(PositionError::syntax(self.text, self.at, expected));
        }
        let rest = &self.text[self.at..];
        let field = Field { text: rest.split(char::is_whitespace).next().unwrap_or(rest), at: self.at };
        self.at += field.text.len();
        Ok(field)
    }

    pub(super) fn number(&mut self, what: &str, most: u32) -> Result<u32, PositionError> {
        let expected = format!("{what}, from 0 to {most}");
        let field = self.next(&expected)?;
        let number = field.text.parse().ok().filter(|&number| number <= most);
        number.ok_or_else(|| PositionError::syntax(self.text, field.at, expected))
    }

    pub(super) fn side(&mut self) -> Result<Colour, PositionError> {
        const EXPECTED: &str = "the side to move, `w` or `b`";
        let field = self.next(EXPECTED)?;
        match field.text {
            "w" | "W" => Ok(Colour::White),
            "b" | "B" => Ok(Colour::Black),
            _ => Err(PositionError::syntax(self.text, field.at, EXPECTED)),
        }
    }

    pub(super) fn end(&mut self) -> Result<(), PositionError> {
        if self.is_empty() { Ok(()) } else { Err(PositionError::syntax(self.text, self.at, "the end")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::morris::STANDARD;

    fn error(text: &str) -> String {
        read(&STANDARD, text).unwrap_err().to_string()
    }

    #[test]
    fn the_start_and_a_corner() {
        assert_eq!(write(&STANDARD, &Position::start(9)), "3/3/3/6/3/3/3 w 9 9 0 standard");
        let position = read(&STANDARD, "3/3/3/6/3/3/w2 b 8 9").unwrap();
        assert_eq!(position.other(), 1 << points::named("a1").unwrap());
        let position = read(&STANDARD, "3/3/3/1w3b/3/3/3 w 8 8 0").unwrap();
        assert_eq!(position.own(), 1 << points::named("b4").unwrap());
        assert_eq!(position.other(), 1 << points::named("g4").unwrap());
    }

    #[test]
    fn errors_name_the_place() {
        assert_eq!(
            error(""),
            "position, column 1: found the end, expected the stones, such as `3/3/3/6/3/3/3`"
        );
        assert_eq!(error("3/2"), "position, column 4: found the end, expected 1 more point in row 6");
        assert_eq!(error("3/2/3"), "position, column 4: found `/`, expected 1 more point in row 6");
        assert_eq!(error("3/4/3"), "position, column 3: found `4`, expected at most 3 more points in row 6");
        assert_eq!(
            error("3/3w/3"),
            "position, column 4: found `w`, expected `/` after the 3 points of row 6"
        );
        assert_eq!(error("3/3"), "position, column 4: found the end, expected `/` and row 5");
        assert_eq!(
            error("3/x2"),
            "position, column 3: found `x`, expected `w`, `b`, a number of empty points or `/`"
        );
        assert_eq!(error("3/3/3/6/3/3/3/"), "position, column 14: found `/`, expected a space after row 1");
        assert_eq!(
            error("3/3/3/6/3/3/3 x"),
            "position, column 15: found `x`, expected the side to move, `w` or `b`"
        );
        assert_eq!(
            error("3/3/3/6/3/3/3 w 10 9"),
            "position, column 17: found `1`, expected white's stones in hand, from 0 to 9"
        );
        assert_eq!(
            error("3/3/3/6/3/3/3 w 9"),
            "position, column 18: found the end, expected black's stones in hand, from 0 to 9"
        );
        assert_eq!(
            error("3/3/3/6/3/3/3 w 9 9 0 standard 7"),
            "position, column 32: found `7`, expected the end"
        );
    }

    #[test]
    fn other_rules_are_refused() {
        assert!(read(&STANDARD, "3/3/3/6/3/3/3 w 9 9 0 capture-from-mill=if-all-in-mills").is_ok());
        assert_eq!(
            error("3/3/3/6/3/3/3 w 9 9 0 thesis"),
            "impossible position: it is for the rules `thesis`, this game is played by `standard`"
        );
        assert!(error("3/3/3/6/3/3/3 w 9 9 0 thesys").contains("`thesis`?"));
    }
}
