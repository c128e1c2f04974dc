//! The moves of a position with their flips and a score to order them by, on the stack.

use arrayvec::ArrayVec;

/// A move in a list.
#[derive(Clone, Copy, Debug, Default)]
pub struct Candidate {
    /// Discs turned.
    pub flips: u64,
    /// The opponent's moves after it, if they were asked for.
    pub replies: u64,
    /// Higher comes first.
    pub score: i32,
    /// Where the disc goes.
    pub square: u8,
}

/// No position has more moves.
pub const MOST_MOVES: usize = 34;

/// Moves that still have to be searched.
#[derive(Clone, Debug)]
pub struct Candidates(ArrayVec<Candidate, MOST_MOVES>);

impl Candidates {
    /// None yet.
    #[inline(always)]
    pub fn new() -> Candidates {
        Candidates(ArrayVec::new())
    }

    /// Adds a move.
    #[inline(always)]
    pub fn push(&mut self, candidate: Candidate) {
        self.0.push(candidate);
    }

    /// The moves left, in no order.
    #[inline(always)]
    pub fn as_mut(&mut self) -> &mut [Candidate] {
        &mut self.0
    }

    /// Takes the move on `square` out, if it is there.
    #[inline(always)]
    pub fn take(&mut self, square: u8) -> Option<Candidate> {
        let at = self.0.iter().position(|candidate| candidate.square == square)?;
        Some(self.0.swap_remove(at))
    }

    /// Takes the move with the highest score out; of equal ones the first in the list.
    #[inline(always)]
    pub fn take_best(&mut self) -> Option<Candidate> {
        let list = &mut self.0;
        let (mut best, mut score) = (0, list.first()?.score);
        for (at, candidate) in list.iter().enumerate().skip(1) {
            if candidate.score > score {
                (best, score) = (at, candidate.score);
            }
        }
        let taken = list[best];
        list[best] = list[list.len() - 1];
        list.truncate(list.len() - 1);
        Some(taken)
    }
}
