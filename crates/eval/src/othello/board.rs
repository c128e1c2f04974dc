//! What a search made for Othello's bit boards asks of an evaluation.

use trilith_games::othello::{Othello, Position};

use super::nnue::{Accumulator, Nnue};
use super::patterns::{Indices, OthelloPatterns};
use crate::evaluator::{Evaluator, Value};

/// An evaluation of bit boards, seen by the side to move, in `1 / ONE` discs.
pub trait BoardEvaluation: Send + Sync {
    /// What is kept up to date from move to move.
    type Carry: Copy;

    /// Read from the whole board.
    fn carry(&self, own: u64, other: u64) -> Self::Carry;

    /// After a disc on `square` that turned `flips`, seen by the other side.
    fn carry_after(&self, carry: &Self::Carry, square: u8, flips: u64) -> Self::Carry;

    /// After a pass, seen by the other side.
    fn carry_after_pass(&self, carry: &Self::Carry) -> Self::Carry;

    /// The value for the side to move. `moves` counts its own moves and its opponent's, if that is needed.
    fn board_value(
        &self,
        position: &Position,
        moves: impl FnOnce() -> [u32; 2],
        carry: &Self::Carry,
    ) -> Value;

    /// A value that is good enough to order moves by, at a fraction of the cost where there is such a one.
    fn rough_value(&self, discs: u32, carry: &Self::Carry) -> Value;

    /// The rough value if it is further than `margin` from `alpha` and cheaper than the value; nothing else.
    fn clear_value(&self, discs: u32, carry: &Self::Carry, alpha: Value, margin: Value) -> Option<Value>;

    /// The value of `child`, which `mv` leads to, a disc on a square and what it turned, as [`BoardEvaluation::board_value`];
    /// the number of its discs is given, since it is the same for all moves. Nothing is kept for further moves. Where a rough
    /// value is further from the first number of `window` than the second, it is enough.
    fn leaf_value(
        &self,
        carry: &Self::Carry,
        mv: (u8, u64),
        child: (&Position, u32, impl FnOnce() -> [u32; 2]),
        window: (Value, Value),
    ) -> Value;

    /// As [`Evaluator::is_familiar`].
    fn is_familiar_board(&self, game: &Othello, position: &Position) -> bool;
}

impl BoardEvaluation for OthelloPatterns {
    type Carry = Indices;

    #[inline(always)]
    fn carry(&self, own: u64, other: u64) -> Indices {
        OthelloPatterns::indices(own, other)
    }

    #[inline(always)]
    fn carry_after(&self, carry: &Indices, square: u8, flips: u64) -> Indices {
        OthelloPatterns::indices_after(carry, square, flips)
    }

    #[inline(always)]
    fn carry_after_pass(&self, carry: &Indices) -> Indices {
        carry.seen_by_other()
    }

    #[inline(always)]
    fn board_value(&self, position: &Position, _: impl FnOnce() -> [u32; 2], carry: &Indices) -> Value {
        self.value_of((position.own | position.other).count_ones(), carry)
    }

    #[inline(always)]
    fn rough_value(&self, discs: u32, carry: &Indices) -> Value {
        self.value_of(discs, carry)
    }

    #[inline(always)]
    fn leaf_value(
        &self,
        carry: &Indices,
        (square, flips): (u8, u64),
        (_, discs, _): (&Position, u32, impl FnOnce() -> [u32; 2]),
        _: (Value, Value),
    ) -> Value {
        self.value_of(discs, &OthelloPatterns::indices_after(carry, square, flips))
    }

    /// Nothing is cheaper than the value itself.
    #[inline(always)]
    fn clear_value(&self, _: u32, _: &Indices, _: Value, _: Value) -> Option<Value> {
        None
    }

    #[inline(always)]
    fn is_familiar_board(&self, game: &Othello, position: &Position) -> bool {
        self.is_familiar(game, position)
    }
}

impl BoardEvaluation for Nnue {
    type Carry = Accumulator;

    #[inline(always)]
    fn carry(&self, own: u64, other: u64) -> Accumulator {
        self.begin_for(own, other)
    }

    #[inline(always)]
    fn carry_after(&self, carry: &Accumulator, square: u8, flips: u64) -> Accumulator {
        self.after(carry, square, flips)
    }

    #[inline(always)]
    fn carry_after_pass(&self, carry: &Accumulator) -> Accumulator {
        Nnue::after_pass(carry)
    }

    #[inline(always)]
    fn board_value(
        &self,
        position: &Position,
        moves: impl FnOnce() -> [u32; 2],
        carry: &Accumulator,
    ) -> Value {
        self.value_of(position, moves, carry)
    }

    #[inline(always)]
    fn rough_value(&self, discs: u32, carry: &Accumulator) -> Value {
        self.linear_value(discs, carry)
    }

    #[inline(always)]
    fn clear_value(&self, discs: u32, carry: &Accumulator, alpha: Value, margin: Value) -> Option<Value> {
        let rough = self.linear_value(discs, carry);
        ((rough - alpha).abs() > margin).then_some(rough)
    }

    #[inline(always)]
    fn leaf_value(
        &self,
        carry: &Accumulator,
        (square, flips): (u8, u64),
        child: (&Position, u32, impl FnOnce() -> [u32; 2]),
        (alpha, margin): (Value, Value),
    ) -> Value {
        self.value_after(carry, (square, flips), child, |rough| (rough - alpha).abs() > margin)
    }

    #[inline(always)]
    fn is_familiar_board(&self, game: &Othello, position: &Position) -> bool {
        self.is_familiar(game, position)
    }
}
