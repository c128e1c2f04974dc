//! The patterns of Morris: the nine points about each corner and each middle in all three rings, and the rings.

use std::sync::LazyLock;

use trilith_games::morris::{Morris, Position};
use trilith_games::{Colour, Game};

use super::{MorrisHandTuned, Weighed};
use crate::patterns::{CountedEvaluator, Layout, Older, Patterned};

/// Eleven instances, filled up to whole vectors.
pub const LANES: usize = 16;
/// Learned patterns of Morris.
pub type MorrisPatterns = crate::patterns::Patterns<Morris, LANES>;

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

/// Stages of the game with weights of their own: 14 while stones are placed, 3 with flying stones, 5 of moving.
pub(super) const STAGES: usize = 22;

/// While stones are placed, by how many are in hand, the last ten one by one; then by the stones of both sides.
#[inline]
pub(super) fn stage(position: &Position) -> usize {
    match usize::from(position.in_hand()) {
        0 => moving_stage(position.own().count_ones(), position.other().count_ones()),
        hand @ ..=10 => 14 - hand,
        hand => 18_usize.saturating_sub(hand) / 2,
    }
}

#[inline]
fn moving_stage(own: u32, other: u32) -> usize {
    match (own <= 3, other <= 3) {
        (true, true) => 14,
        (true, false) => 15,
        (false, true) => 16,
        (false, false) => match own + other {
            ..=10 => 17,
            11..=12 => 18,
            13..=14 => 19,
            15..=16 => 20,
            _ => 21,
        },
    }
}

/// Weights that were learned with 16 stages, for [`MorrisHandTuned`]'s counts in five phases: what a finer one knows of its own.
const OLDER: Older = Older {
    features: "morris-patterns-4",
    shapes: 4,
    stages: &[0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 10, 11, 12, 13, 14, 15, 15],
    old_stages: 16,
    old_counts: MorrisHandTuned::WEIGHTS,
    counts: Weighed::from_hand_tuned,
};

impl Patterned<LANES> for Morris {
    type Counts = Weighed;
    const FEATURES: &'static str = "morris-patterns-5";
    const STAGES: usize = STAGES;
    const OLDER: Option<Older> = Some(OLDER);

    fn layout() -> &'static Layout<LANES> {
        &LAYOUT
    }

    /// Nine stones on the board without diagonals, placed before any is moved.
    #[inline]
    fn is_familiar(&self) -> bool {
        let rules = self.rules();
        rules.stones <= 9 && !rules.move_while_placing && !rules.grid.has_diagonals()
    }

    #[inline]
    fn stage(&self, position: &Position) -> usize {
        stage(position)
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
