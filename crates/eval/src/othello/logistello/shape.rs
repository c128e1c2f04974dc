//! Sets of squares with all their images on the board.

use std::str::FromStr;

use trilith_games::othello::symmetry::{SYMMETRIES, image_square};
use trilith_games::othello::{Move, square_name};

/// A list of squares that is looked at as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareList {
    squares: Vec<u8>,
}

/// The most squares of a shape: their ternary number fits an `i16`.
pub const LONGEST: usize = 10;

/// The rays: rows and columns from the edge inwards, then diagonals; 38 instances.
pub const RAYS: [(&str, &str); 10] = [
    ("row1", "a1b1c1d1e1f1g1h1"),
    ("row2", "a2b2c2d2e2f2g2h2"),
    ("row3", "a3b3c3d3e3f3g3h3"),
    ("row4", "a4b4c4d4e4f4g4h4"),
    ("diagonal8", "a1b2c3d4e5f6g7h8"),
    ("diagonal7", "a2b3c4d5e6f7g8"),
    ("diagonal6", "a3b4c5d6e7f8"),
    ("diagonal5", "a4b5c6d7e8"),
    ("diagonal4", "a5b6c7d8"),
    ("diagonal3", "a6b7c8"),
];

/// S5's other patterns by name.
pub const PATTERNS: [(&str, &str); 3] = [
    ("corner2x4", "a1b1c1d1a2b2c2d2"),
    ("corner2x5", "a1b1c1d1e1a2b2c2d2e2"),
    ("edge2x", "b2a1b1c1d1e1f1g1h1g2"),
];

/// Why a text is no shape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}`: expected 1 to {LONGEST} different squares such as `a1b1c1`")]
pub struct ShapeError {
    text: String,
}

impl SquareList {
    /// The squares in the order of their powers.
    pub fn squares(&self) -> &[u8] {
        &self.squares
    }

    /// How many contents its squares can have.
    pub fn codes(&self) -> usize {
        3_usize.pow(self.squares.len() as u32)
    }

    /// Its different images, each in the order of the squares of the first.
    pub fn instances(&self) -> Vec<Vec<u8>> {
        let mut instances: Vec<(u64, Vec<u8>)> = Vec::new();
        for symmetry in 0..SYMMETRIES {
            let image: Vec<u8> = self.squares.iter().map(|&square| image_square(square, symmetry)).collect();
            let set = image.iter().fold(0_u64, |set, &square| set | 1 << square);
            if instances.iter().all(|&(other, _)| other != set) {
                instances.push((set, image));
            }
        }
        instances.into_iter().map(|(_, image)| image).collect()
    }
}

impl FromStr for SquareList {
    type Err = ShapeError;

    fn from_str(text: &str) -> Result<SquareList, ShapeError> {
        let refuse = || ShapeError { text: text.into() };
        let letters: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        let square = |pair: &[char]| {
            let mv: Move = pair.iter().collect::<String>().parse().ok()?;
            mv.square()
        };
        let squares: Option<Vec<u8>> = letters.chunks(2).map(square).collect();
        let squares = squares.ok_or_else(refuse)?;
        let set = squares.iter().fold(0_u64, |set, &square| set | 1 << square);
        match (1..=LONGEST).contains(&squares.len()) && set.count_ones() as usize == squares.len() {
            true => Ok(SquareList { squares }),
            false => Err(refuse()),
        }
    }
}

impl std::fmt::Display for SquareList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.squares.iter().try_for_each(|&square| f.write_str(&square_name(square)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_38_rays() {
        let instances: Vec<usize> =
            RAYS.iter().map(|(_, text)| text.parse::<SquareList>().unwrap().instances().len()).collect();
        assert_eq!(instances, [4, 4, 4, 4, 2, 4, 4, 4, 4, 4]);
        assert_eq!(instances.iter().sum::<usize>(), 38);
    }

    #[test]
    fn any_set_of_squares_is_a_shape_and_slips_are_refused() {
        let shape: SquareList = "a1 c3 h2".parse().unwrap();
        assert_eq!((shape.codes(), shape.instances().len()), (27, 8));
        assert_eq!(shape.to_string().parse(), Ok(shape));
        for slip in ["", "a1a1", "a9", "a1b", "a1b1c1d1e1f1g1h1a2b2c2"] {
            let error = slip.parse::<SquareList>().unwrap_err();
            assert!(error.to_string().contains("1 to 10 different squares"), "{slip}");
        }
    }
}
