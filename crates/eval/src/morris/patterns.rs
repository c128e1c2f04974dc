//! The patterns of Morris: the nine points about each corner and each middle in all three rings, and the rings.

use std::sync::LazyLock;

use trilith_games::morris::{Morris, Position};
use trilith_games::{Colour, Game};

use super::Production;
use crate::patterns::{Layout, Patterned};

/// Eleven instances, filled up to whole vectors.
pub const LANES: usize = 16;
/// Learned patterns of Morris.
pub type Patterns = crate::patterns::Patterns<Morris, LANES>;

static LAYOUT: LazyLock<Layout<LANES>> = LazyLock::new(|| {
    let about =
        |k: u8| (0..3).flat_map(|ring| (0..3).map(move |step| 8 * ring + (k + 7 + step) % 8)).collect();
    let ring = |ring: u8| (8 * ring..8 * ring + 8).collect();
    let shapes =
        [("corner", about(2)), ("middle", about(1)), ("outer ring", ring(0)), ("middle ring", ring(1))];
    let game = Morris::default();
    Layout::new(&shapes, Morris::SYMMETRIES, |cell, symmetry| {
        let alone = Position::moving(1 << cell, 0, Colour::White);
        game.image(&alone, symmetry).own().trailing_zeros() as u8
    })
});

impl Patterned<LANES> for Morris {
    type Counts = Production;
    const FEATURES: &'static str = "morris-patterns-4";
    const STAGES: usize = 16;

    fn layout() -> &'static Layout<LANES> {
        &LAYOUT
    }

    /// While stones are placed, by how many are in hand; then by the stones of both sides.
    #[inline]
    fn stage(&self, position: &Position) -> usize {
        let hand = usize::from(position.own_hand() + position.other_hand());
        if hand > 0 {
            return (18 - hand) / 2;
        }
        let (own, other) = (position.own().count_ones(), position.other().count_ones());
        match (own <= 3, other <= 3) {
            (true, true) => 9,
            (true, false) => 10,
            (false, true) => 11,
            (false, false) => match own + other {
                ..=10 => 12,
                11..=12 => 13,
                13..=14 => 14,
                _ => 15,
            },
        }
    }

    #[inline]
    fn sides(&self, position: &Position) -> [u64; 2] {
        let (own, other) = (u64::from(position.own()), u64::from(position.other()));
        match self.to_move(position) {
            Colour::Black => [own, other],
            Colour::White => [other, own],
        }
    }
}
