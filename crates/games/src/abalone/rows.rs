//! Marbles as rows of text, `wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb`: rows I to A, left to right, digits
//! for empty cells, `n` for the neutral princess.

use std::fmt;

use super::cells::{cell_at, columns};

/// Marbles by owner, each a set of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MarbleRows {
    /// Black's.
    pub black: u64,
    /// White's.
    pub white: u64,
    /// The princess.
    pub neutral: u64,
}

/// Where a row text breaks off making sense.
#[derive(Debug, PartialEq, Eq)]
pub struct RowFault {
    /// The byte at fault, or the length of the text.
    pub at: usize,
    /// What would be right there.
    pub expected: String,
}

impl MarbleRows {
    /// Reads a whole text.
    pub fn parse(text: &str) -> Result<MarbleRows, RowFault> {
        let mut rows = MarbleRows::default();
        let mut at = 0;
        for row in (0..9).rev() {
            at = rows.parse_row(text, at, row)?;
            let (end, expected) = if row > 0 { (Some(b'/'), "`/`") } else { (None, "the end of the rows") };
            if text.as_bytes().get(at).copied() != end {
                let expected = format!("{expected} after the {} cells of row {}", length(row), letter(row));
                return Err(RowFault { at, expected });
            }
            at += 1;
        }
        Ok(rows)
    }

    /// Reads one row from byte `at` and answers where it ends.
    fn parse_row(&mut self, text: &str, mut at: usize, row: usize) -> Result<usize, RowFault> {
        let mut left = length(row);
        while left > 0 {
            let set = match text.as_bytes().get(at) {
                Some(b'b') => &mut self.black,
                Some(b'w') => &mut self.white,
                Some(b'n') => &mut self.neutral,
                Some(digit @ b'1'..=b'9') if usize::from(digit - b'0') <= left => {
                    left -= usize::from(digit - b'0');
                    at += 1;
                    continue;
                }
                _ => {
                    let expected =
                        format!("`b`, `w`, `n` or a digit: {left} more cells in row {}", letter(row));
                    return Err(RowFault { at, expected });
                }
            };
            let cell = cell_at(row, columns(row).end() + 1 - left).expect("a column of the row");
            *set |= 1 << cell;
            left -= 1;
            at += 1;
        }
        Ok(at)
    }
}

fn length(row: usize) -> usize {
    columns(row).count()
}

fn letter(row: usize) -> char {
    char::from(b"ABCDEFGHI"[row])
}

impl fmt::Display for MarbleRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..9).rev() {
            let mut empty = 0;
            for column in columns(row) {
                let cell = cell_at(row, column).expect("a column of the row");
                let Some(marble) = self.letter(cell) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                write!(f, "{marble}")?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            f.write_str(if row > 0 { "/" } else { "" })?;
        }
        Ok(())
    }
}

impl MarbleRows {
    /// The letter of the marble on `cell`, if one stands there.
    pub fn letter(&self, cell: u8) -> Option<char> {
        let sets = [(self.black, 'b'), (self.white, 'w'), (self.neutral, 'n')];
        sets.into_iter().find(|(set, _)| set >> cell & 1 == 1).map(|(_, letter)| letter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STANDARD: &str = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb";

    #[test]
    fn rows_run_from_top_left_to_bottom_right() {
        let rows = MarbleRows::parse("w4/6/7/8/4n4/8/7/6/4b").unwrap();
        let only = |row, column| 1 << cell_at(row, column).unwrap();
        assert_eq!(rows, MarbleRows { white: only(8, 4), neutral: only(4, 4), black: only(0, 4) });
        for text in [STANDARD, "bbbbb/b5/b6/b2bbww1/1b1b1w1w1/1bbww2w/6w/5w/wwwww"] {
            assert_eq!(MarbleRows::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn faults_are_named_where_they_are() {
        let fault =
            |text: &str| MarbleRows::parse(text).map_err(|fault| (fault.at, fault.expected)).unwrap_err();
        let row_i = |left| format!("`b`, `w`, `n` or a digit: {left} more cells in row I");
        assert_eq!(fault(""), (0, row_i(5)));
        assert_eq!(fault("www/6"), (3, row_i(2)));
        assert_eq!(fault("ww4/6"), (2, row_i(3)));
        assert_eq!(fault("wwxww/6"), (2, row_i(3)));
        assert_eq!(fault("wwwwww/6"), (5, "`/` after the 5 cells of row I".into()));
        assert_eq!(fault("5/6/7/8/9/8/7/6"), (15, "`/` after the 6 cells of row B".into()));
        assert_eq!(
            fault("5/6/7/8/9/8/7/6/5/"),
            (17, "the end of the rows after the 5 cells of row A".into())
        );
        assert_eq!(fault("5/é"), (2, "`b`, `w`, `n` or a digit: 6 more cells in row H".into()));
    }
}
