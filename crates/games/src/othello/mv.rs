//! A move: a square or the forced pass.

use std::fmt;
use std::str::FromStr;

use crate::error::MoveError;

/// A square by number (a1 = 0, b1 = 1, ... h8 = 63), or the pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u8);

impl Move {
    /// The turn of a side that cannot put a disc anywhere.
    pub const PASS: Move = Move(64);

    /// A disc on `square`, which the caller keeps below 64.
    #[inline]
    pub const fn on(square: u8) -> Move {
        debug_assert!(square < 64);
        Move(square)
    }

    /// Where the disc goes; nowhere for a pass.
    #[inline]
    pub const fn square(self) -> Option<u8> {
        if self.0 < 64 { Some(self.0) } else { None }
    }

    /// The square as a bit; no bit for a pass.
    #[inline]
    pub const fn bit(self) -> u64 {
        if self.0 < 64 { 1 << self.0 } else { 0 }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.square() {
            Some(square) => f.pad(&square_name(square)),
            None => f.pad("pass"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = MoveError;

    /// Reads `f5` or `F5`; `pass`, `pa`, `ps` in any case, and `--`. Knows nothing of legality.
    fn from_str(text: &str) -> Result<Move, MoveError> {
        if ["pass", "pa", "ps", "--"].iter().any(|pass| text.eq_ignore_ascii_case(pass)) {
            return Ok(Move::PASS);
        }
        let syntax = |column, expected| Err(MoveError::Syntax { text: text.into(), column, expected });
        let mut letters = text.chars();
        let Some(column) = letters.next().and_then(column_of) else {
            return syntax(1, "a column from `a` to `h`, or `pass`");
        };
        let Some(row) = letters.next().and_then(row_of) else {
            return syntax(2, "a row from `1` to `8`");
        };
        match letters.next() {
            None => Ok(Move::on(8 * row + column)),
            Some(_) => syntax(3, "the end of the move"),
        }
    }
}

/// The number of a column letter in either case.
pub(super) fn column_of(letter: char) -> Option<u8> {
    let lower = letter.to_ascii_lowercase();
    matches!(lower, 'a'..='h').then(|| lower as u8 - b'a')
}

/// The number of a row digit; row `1` is the top one, number 0.
pub(super) fn row_of(digit: char) -> Option<u8> {
    matches!(digit, '1'..='8').then(|| digit as u8 - b'1')
}

/// Such as `f5` for 37. The caller keeps `square` below 64.
pub fn square_name(square: u8) -> String {
    let (row, column) = (square / 8, square % 8);
    format!("{}{}", char::from(b'a' + column), char::from(b'1' + row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_round_trips_in_both_cases() {
        for square in 0..64 {
            let mv = Move::on(square);
            assert_eq!(mv.to_string().parse(), Ok(mv));
            assert_eq!(mv.to_string().to_uppercase().parse(), Ok(mv));
        }
        assert_eq!("f5".parse(), Ok(Move::on(37)));
        for pass in ["pass", "PASS", "pa", "PA", "ps", "--"] {
            assert_eq!(pass.parse(), Ok(Move::PASS));
        }
    }

    #[test]
    fn errors_point_at_the_fault() {
        let message = |text: &str| text.parse::<Move>().unwrap_err().to_string();
        assert_eq!(message("i5"), "`i5`, column 1: expected a column from `a` to `h`, or `pass`");
        assert_eq!(message("f9"), "`f9`, column 2: expected a row from `1` to `8`");
        assert_eq!(message("f"), "`f`, column 2: expected a row from `1` to `8`");
        assert_eq!(message("f55"), "`f55`, column 3: expected the end of the move");
    }
}
