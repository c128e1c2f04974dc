//! The patterns of Abalone: all lines of the board, along which marbles are pushed.

use std::sync::LazyLock;

use trilith_games::abalone::cells::{cell_at, columns};
use trilith_games::abalone::{Abalone, Position};
use trilith_games::{Colour, Game};

use super::Production;
use crate::patterns::{Layout, Patterned};

/// Three times nine lines, filled up to whole vectors.
pub const LANES: usize = 32;
/// Learned patterns of Abalone.
pub type Patterns = crate::patterns::Patterns<Abalone, LANES>;

static LAYOUT: LazyLock<Layout<LANES>> = LazyLock::new(|| {
    let names = ["line of 5", "line of 6", "line of 7", "line of 8", "line of 9"];
    let line = |row: usize| columns(row).filter_map(|column| cell_at(row, column)).collect::<Vec<u8>>();
    let shapes: Vec<_> = names.into_iter().enumerate().map(|(row, name)| (name, line(row))).collect();
    let game = Abalone::default();
    Layout::new(&shapes, Abalone::SYMMETRIES, |cell, symmetry| {
        let alone = Position { own: 1 << cell, other: 0, princess: 0, ..game.start() };
        game.image(&alone, symmetry).own.trailing_zeros() as u8
    })
});

impl Patterned<LANES> for Abalone {
    type Counts = Production;
    const FEATURES: &'static str = "abalone-patterns-5";
    const STAGES: usize = 4;

    fn layout() -> &'static Layout<LANES> {
        &LAYOUT
    }

    /// By how many marbles have been ejected.
    #[inline]
    fn stage(&self, position: &Position) -> usize {
        match position.own_lost + position.other_lost {
            0 | 1 => 0,
            2 | 3 => 1,
            4..=6 => 2,
            _ => 3,
        }
    }

    #[inline]
    fn sides(&self, position: &Position) -> [u64; 2] {
        match position.to_move {
            Colour::Black => [position.own, position.other],
            Colour::White => [position.other, position.own],
        }
    }
}
