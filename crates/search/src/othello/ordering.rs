//! Which move first: the one that leaves the opponent least to do.

use super::evaluation::Evaluation;
use super::midgame::{self, LOWEST};
use super::moves::{Candidate, Candidates};
use super::squares::CORNERS;
use super::worker::SolverWorker;

const KNOWN: [i32; 2] = [1 << 24, 1 << 23];

/// Moves worse than the best by so many hundredths of a disc come last, in any order.
const HOPELESS: i32 = 800;

/// A little for the square itself: corners are good, the squares beside them seldom.
#[rustfmt::skip]
static SQUARE: [i8; 64] = [
    18,  4, 16, 12, 12, 16,  4, 18,
     4,  2,  6,  8,  8,  6,  2,  4,
    16,  6, 14, 10, 10, 14,  6, 16,
    12,  8, 10,  0,  0, 10,  8, 12,
    12,  8, 10,  0,  0, 10,  8, 12,
    16,  6, 14, 10, 10, 14,  6, 16,
     4,  2,  6,  8,  8,  6,  2,  4,
    18,  4, 16, 12, 12, 16,  4, 18,
];

/// What a move found in the table is worth.
#[inline(always)]
fn known_score(square: u8, known: [u8; 2]) -> i32 {
    if square == known[0] {
        KNOWN[0]
    } else if square == known[1] {
        KNOWN[1]
    } else {
        0
    }
}

/// Higher the fewer replies there are; corners count more.
#[inline(always)]
fn fewest(replies: u64) -> i32 {
    -32 * replies.count_ones() as i32 - 20 * (replies & CORNERS).count_ones() as i32
}

trilith_games::per_technique! {
    with midgame;

    /// Lists the moves and scores each by the replies it leaves; says whether one takes all discs, and lists only that.
    fn by_replies(candidates: &mut Candidates, own: u64, other: u64, moves: u64, odd: u64, known: [u8; 2]) -> bool {
        let mut left = moves;
        while left != 0 {
            let square = left.trailing_zeros() as u8;
            left &= left - 1;
            let turned = flips(own, other, square);
            if turned == other {
                *candidates = Candidates::new();
                candidates.push(Candidate { flips: turned, replies: 0, score: 0, square });
                return true;
            }
            let replies = mobility(other ^ turned, own ^ turned ^ 1 << square);
            let score = fewest(replies) + known_score(square, known)
                + i32::from(SQUARE[usize::from(square) & 63])
                + ((odd >> square & 1) as i32) * 16;
            candidates.push(Candidate { flips: turned, replies, score, square });
        }
        false
    }

    /// Adds to the scores of listed moves by a search of the depth that pays at so many empty squares.
    fn by_search<E: Evaluation>(
        worker: &mut SolverWorker<'_, E>,
        candidates: &mut Candidates,
        (own, other): (u64, u64),
        carry: &E::Carry,
        empties: u32,
        known: [u8; 2]
    ) {
        let depth = (empties.saturating_sub(12) / 3).min(4);
        let mut best = LOWEST;
        for candidate in candidates.as_mut() {
            let Candidate { flips, square, .. } = *candidate;
            let boards = (other ^ flips, own ^ flips ^ 1 << square);
            let carry = worker.evaluation.advance(carry, square, flips);
            let value = -shallow_search(worker, boards, &carry, LOWEST, HOPELESS - best, depth);
            best = best.max(value);
            candidate.score += value / 8 + fewest(mobility(boards.0, boards.1)) + known_score(square, known);
        }
    }
}
