//! Perft many positions at a time.
//!
//! Positions wait in rows of equal length for own discs, other discs and move; flips and mobility of a whole row are
//! loops without branches, which the compiler turns into vector code of the technique's width (eight positions with
//! AVX-512, four with AVX2). A row is filled from many parents, so hardly a lane is ever idle. Nothing is hashed.

use super::Position;
use super::technique::{Technique, portable as plain};

/// Leaves at `depth` with the technique given; the last ply is counted, not played.
pub fn perft(technique: Technique, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut root = Row::EMPTY;
    root.own[0] = position.own;
    root.other[0] = position.other;
    let root = &root;
    crate::with_technique!(technique, below(root, depth))
}

/// Positions that are looked at together.
const ROW: usize = 64;
/// Children of the last position looked at may go beyond a row.
const ROOM: usize = ROW + 64;

struct Row {
    own: [u64; ROW],
    other: [u64; ROW],
}

impl Row {
    /// Boards without discs: ended games, which add nothing to any count.
    const EMPTY: Row = Row { own: [0; ROW], other: [0; ROW] };
}

/// Moves that wait to be played: a position and the bit of the square, no bit for a pass.
struct Queue {
    own: [u64; ROOM],
    other: [u64; ROOM],
    bit: [u64; ROOM],
    length: usize,
}

impl Queue {
    #[inline(always)]
    fn push(&mut self, own: u64, other: u64, mut moves: u64) {
        loop {
            self.own[self.length] = own;
            self.other[self.length] = other;
            self.bit[self.length] = moves & moves.wrapping_neg();
            self.length += 1;
            moves &= moves.wrapping_sub(1);
            if moves == 0 {
                return;
            }
        }
    }

    /// Fills the row up with boards that count for nothing.
    #[inline(always)]
    fn clear_rest(&mut self) {
        self.own[self.length..].fill(0);
        self.other[self.length..].fill(0);
        self.bit[self.length..].fill(0);
    }

    /// Moves what is left behind a full row to the front.
    #[inline(always)]
    fn drop_row(&mut self) {
        let rest = self.length.saturating_sub(ROW);
        self.own.copy_within(ROW..ROW + rest, 0);
        self.other.copy_within(ROW..ROW + rest, 0);
        self.bit.copy_within(ROW..ROW + rest, 0);
        self.length = rest;
    }
}

crate::per_technique! {
    /// Leaves below all positions of a row.
    fn below(row: &Row, depth: u32) -> u64 {
        if depth == 1 {
            return moves_of(row);
        }
        let mut queue = Queue { own: [0; ROOM], other: [0; ROOM], bit: [0; ROOM], length: 0 };
        let mut children = Row::EMPTY;
        let mut leaves = 0;
        let mut moves = [0; ROW];
        for (at, moves) in moves.iter_mut().enumerate() {
            *moves = plain::mobility(row.own[at], row.other[at]);
        }
        for (at, moves) in moves.into_iter().enumerate() {
            let (own, other) = (row.own[at], row.other[at]);
            if moves == 0 && mobility(other, own) == 0 {
                leaves += u64::from(own | other != 0);
                continue;
            }
            queue.push(own, other, moves);
            if queue.length >= ROW {
                leaves += flush(&mut queue, &mut children, depth);
            }
        }
        if queue.length > 0 {
            queue.clear_rest();
            leaves += flush(&mut queue, &mut children, depth);
        }
        leaves
    }

    /// Plays a row of moves from the queue, keeps the rest, and counts what is below.
    fn flush(queue: &mut Queue, row: &mut Row, depth: u32) -> u64 {
        for at in 0..ROW {
            (row.own[at], row.other[at]) = plain::played(queue.own[at], queue.other[at], queue.bit[at]);
        }
        queue.drop_row();
        below(row, depth - 1)
    }

    /// All legal moves of a row; a forced pass is one, and so is a game that has ended.
    fn moves_of(row: &Row) -> u64 {
        let mut count = 0;
        for at in 0..ROW {
            let (own, other) = (row.own[at], row.other[at]);
            let moves = u64::from(plain::mobility(own, other).count_ones());
            count += moves.max(u64::from(own | other != 0));
        }
        count
    }
}
