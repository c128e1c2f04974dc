//! Files of judged positions, in blocks ([`crate::blocks`]), one a group of games.
//!
//! The four columns are the bit boards of the side to move and of its opponent (eight bytes each, little end first, all
//! first bytes, then all second ones, and so on), the values (two bytes) and the margins (one byte).

use serde::{Deserialize, Serialize};
use trilith_games::Colour;
use trilith_games::othello::Position;

use super::store::StoreError;
use crate::blocks::{self, Row};

/// A position with what a search thinks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// Discs of the side to move.
    pub own: u64,
    /// Discs of its opponent.
    pub other: u64,
    /// Hundredths of a disc for the side to move.
    pub value: i16,
    /// How the game ended that it stood in, for the side to move; nothing if it stood beside a game.
    pub margin: Option<i8>,
}

impl Judged {
    /// The position, as if Black were to move.
    pub fn position(&self) -> Position {
        Position { own: self.own, other: self.other, to_move: Colour::Black }
    }

    /// What is to be learned, in discs: the result counts for `lambda`, the search for the rest.
    pub fn target(&self, lambda: f32) -> f32 {
        let value = f32::from(self.value) / 100.0;
        self.margin.map_or(value, |margin| value + lambda * (f32::from(margin) - value))
    }
}

/// A file that is read block by block.
pub type Reader = blocks::Reader<Judged>;
/// A file that grows by blocks.
pub type Writer = blocks::Writer<Judged>;

const NO_MARGIN: i8 = i8::MIN;

impl Row for Judged {
    type Error = StoreError;
    const CONTENT: &'static str = "positions";
    const VERSION: u32 = 1;
    const COLUMNS: usize = 4;
    const LEVEL: i32 = 3;

    fn split(rows: &[Judged]) -> Vec<Vec<u8>> {
        let plane = |byte: usize, of: fn(&Judged) -> u64| {
            rows.iter().map(move |judged| of(judged).to_le_bytes()[byte]).collect::<Vec<u8>>()
        };
        let planes = |count: usize, of: fn(&Judged) -> u64| -> Vec<u8> {
            (0..count).flat_map(|byte| plane(byte, of)).collect()
        };
        vec![
            planes(8, |judged| judged.own),
            planes(8, |judged| judged.other),
            planes(2, |judged| judged.value as u64),
            planes(1, |judged| judged.margin.unwrap_or(NO_MARGIN) as u64),
        ]
    }

    fn join(columns: &[Vec<u8>]) -> Result<Vec<Judged>, String> {
        let [own, other, values, margins] = columns else { return Err("four columns expected".into()) };
        let count = margins.len();
        if own.len() != 8 * count || other.len() != 8 * count || values.len() != 2 * count {
            return Err("columns of different lengths".into());
        }
        let judged = (0..count).map(|at| {
            let margin = margins[at] as i8;
            let position = Judged {
                own: u64::from_le_bytes(std::array::from_fn(|byte| own[byte * count + at])),
                other: u64::from_le_bytes(std::array::from_fn(|byte| other[byte * count + at])),
                value: i16::from_le_bytes([values[at], values[count + at]]),
                margin: (margin != NO_MARGIN).then_some(margin),
            };
            match position.own & position.other == 0 && (position.own | position.other).count_ones() >= 4 {
                true => Ok(position),
                false => Err("two discs on one square, or fewer than four in all".into()),
            }
        });
        judged.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_games::Game;
    use trilith_games::othello::Othello;

    fn block(from: u64) -> Vec<Judged> {
        let judged = |number: u64| Judged {
            own: 0xF0 << number,
            other: 0xF << number,
            value: -300 + number as i16,
            margin: number.is_multiple_of(2).then_some(-(number as i8)),
        };
        (from..from + 20).map(judged).collect()
    }

    #[test]
    fn files_grow_by_blocks_and_a_cut_block_is_written_again() {
        let path = std::env::temp_dir().join(format!("trilith-{}.positions", std::process::id()));
        blocks::check_growth(&path, Othello::NAME, [&block(0), &block(20)]);
        std::fs::write(&path, "something else").unwrap();
        let refused = Reader::open(&path, Othello::NAME).err().unwrap().to_string();
        assert!(refused.ends_with("something else: it should begin with `trilith positions 1 othello`"));
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn targets_mix_result_and_search() {
        let judged = Judged { own: 0xF, other: 0, value: 250, margin: Some(10) };
        assert_eq!((judged.target(0.0), judged.target(1.0), judged.target(0.5)), (2.5, 10.0, 6.25));
        assert_eq!(Judged { margin: None, ..judged }.target(1.0), 2.5);
    }
}
