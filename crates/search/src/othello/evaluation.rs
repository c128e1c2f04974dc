//! The evaluation that orders the solver's moves and guesses its scores: a parameter, compiled in.
//!
//! It can only make the solver faster or slower, never wrong.

use trilith_games::othello::technique::portable::mobility;

use super::squares::CORNERS;

/// Estimates the final score of a position with empty squares to spare.
pub trait Evaluation: Sync {
    /// What is kept up to date from move to move, seen by the side to move.
    type Carry: Copy;

    /// Read from the whole board.
    fn begin(&self, own: u64, other: u64) -> Self::Carry;

    /// After a disc on `square` that turned `flips`, for the other side.
    fn advance(&self, carry: &Self::Carry, square: u8, flips: u64) -> Self::Carry;

    /// After a pass, for the other side.
    fn pass(&self, carry: &Self::Carry) -> Self::Carry;

    /// The expected score for the side to move, in hundredths of a disc.
    fn value(&self, own: u64, other: u64, carry: &Self::Carry) -> i32;

    /// From so many empty squares on, ordering moves by it saves more than it costs; more than the last seven.
    fn worthwhile_from(&self) -> u32;

    /// The standard deviation of the exact score from a search of `depth` plies, in hundredths of a disc.
    fn error(&self, empties: u32, depth: u32) -> i32;
}

/// A few linear terms: mobility, potential mobility, corners and the squares beside empty corners.
#[derive(Clone, Copy, Debug, Default)]
pub struct Handmade;

const NOT_LEFT: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_RIGHT: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// All squares beside those given.
#[inline(always)]
fn around(bits: u64) -> u64 {
    let row = bits | (bits & NOT_RIGHT) << 1 | (bits & NOT_LEFT) >> 1;
    (row | row << 8 | row >> 8) & !bits
}

#[inline(always)]
fn count(bits: u64) -> i32 {
    bits.count_ones() as i32
}

impl Evaluation for Handmade {
    type Carry = ();

    #[inline(always)]
    fn begin(&self, _: u64, _: u64) {}

    #[inline(always)]
    fn advance(&self, (): &(), _: u8, _: u64) {}

    #[inline(always)]
    fn pass(&self, (): &()) {}

    #[inline(always)]
    fn value(&self, own: u64, other: u64, (): &()) -> i32 {
        let empty = !(own | other);
        let moves = count(mobility(own, other)) - count(mobility(other, own));
        let potential = count(around(other) & empty) - count(around(own) & empty);
        let corners = count(own & CORNERS) - count(other & CORNERS);
        // Diagonal and straight neighbours of corners that are still empty.
        let open = empty & CORNERS;
        let row = (open & NOT_RIGHT) << 1 | (open & NOT_LEFT) >> 1;
        let diagonal = row << 8 | row >> 8;
        let straight = row | open << 8 | open >> 8;
        let beside = count(own & diagonal) - count(other & diagonal);
        let along = count(own & straight) - count(other & straight);
        160 * moves + 60 * potential + 900 * corners - 450 * beside - 200 * along
    }

    #[inline(always)]
    fn worthwhile_from(&self) -> u32 {
        13
    }

    fn error(&self, empties: u32, depth: u32) -> i32 {
        400 + 25 * empties as i32 - 20 * depth as i32
    }
}
