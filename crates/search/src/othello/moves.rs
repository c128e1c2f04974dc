//! The moves of a position with their flips and a score to order them by, on the stack.

/// A move in a list.
#[derive(Clone, Copy, Debug, Default)]
pub struct Candidate {
    /// Discs turned.
    pub flips: u64,
    /// Higher comes first.
    pub score: i32,
    /// Where the disc goes.
    pub square: u8,
}

/// No position has more moves.
const MOST: usize = 34;

/// Moves that still have to be searched.
#[derive(Clone, Debug)]
pub struct Candidates {
    list: [Candidate; MOST],
    length: usize,
}

impl Candidates {
    /// None yet.
    #[inline(always)]
    pub fn new() -> Candidates {
        Candidates { list: [Candidate { flips: 0, score: 0, square: 0 }; MOST], length: 0 }
    }

    /// Adds a move.
    #[inline(always)]
    pub fn push(&mut self, candidate: Candidate) {
        self.list[self.length] = candidate;
        self.length += 1;
    }

    /// The moves left, in no order.
    #[inline(always)]
    pub fn as_mut(&mut self) -> &mut [Candidate] {
        &mut self.list[..self.length]
    }

    /// Takes the move with the highest score out; of equal ones the lowest square.
    #[inline(always)]
    pub fn take_best(&mut self) -> Option<Candidate> {
        let list = &mut self.list[..self.length];
        let mut best = 0;
        for at in 1..list.len() {
            if list[at].score > list[best].score {
                best = at;
            }
        }
        let candidate = *list.get(best)?;
        list[best] = list[list.len() - 1];
        self.length -= 1;
        Some(candidate)
    }
}
