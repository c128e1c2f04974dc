//! Positions set up by hand: stones on cells, whose turn it is, and what the board does not show.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::board::{Board, Stone};
use crate::game::Colour;

/// What a position counts beside its stones, one number a side; [`Game::COUNTED`](crate::Game::COUNTED) says what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideCounts {
    /// Black's number.
    pub black: u8,
    /// White's number.
    pub white: u8,
}

/// A position as a person sets it up; whether it is one is for [`Game::parse_position`](crate::Game::parse_position).
#[derive(Clone, Copy, Debug)]
pub struct Arrangement<'a> {
    /// By cell, as many as the board has.
    pub stones: &'a [Option<Stone>],
    /// Whose turn it is.
    pub to_move: Colour,
    /// What the board does not show; nought in games that count nothing.
    pub counts: SideCounts,
}

impl Arrangement<'_> {
    /// One sign a cell, from the top row to the bottom one, each from left to right: `X` black, `O` white, `-` empty.
    pub fn signs(&self, board: &Board) -> String {
        let sign = |stone: Option<Stone>| match stone {
            Some(Stone::Black) => 'X',
            Some(Stone::White) => 'O',
            Some(Stone::Neutral) | None => '-',
        };
        self.rows(board).concat().into_iter().map(sign).collect()
    }

    /// Rows as letters and numbers of empty cells with strokes between, and the side to move: `3/1w1/bn1 b`.
    pub fn packed(&self, board: &Board) -> String {
        let rows: Vec<String> = self.rows(board).iter().map(|row| packed_row(row)).collect();
        let side = if self.to_move == Colour::Black { 'b' } else { 'w' };
        format!("{} {side}", rows.join("/"))
    }

    fn rows(&self, board: &Board) -> Vec<Vec<Option<Stone>>> {
        let mut cells: Vec<_> = board.cells.iter().zip(self.stones).collect();
        cells.sort_by(|(a, _), (b, _)| a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x)));
        let rows = cells.chunk_by(|(a, _), (b, _)| (a.y - b.y).abs() < 0.1);
        rows.map(|row| row.iter().map(|(_, stone)| **stone).collect()).collect()
    }
}

fn packed_row(row: &[Option<Stone>]) -> String {
    let mut text = String::new();
    for run in row.chunk_by(|a, b| a.is_none() && b.is_none()) {
        match run[0] {
            Some(Stone::Black) => text.push('b'),
            Some(Stone::White) => text.push('w'),
            Some(Stone::Neutral) => text.push('n'),
            None => {
                let _ = write!(text, "{}", run.len());
            }
        }
    }
    text
}
