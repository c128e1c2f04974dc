//! The trained pattern weights as the solver's evaluation.

use std::sync::Arc;

use trilith_eval::othello::patterns::{Indices, ONE, OthelloPatterns};

use super::evaluation::Evaluation;

impl Evaluation for Arc<OthelloPatterns> {
    type Carry = Indices;

    #[inline(always)]
    fn begin(&self, own: u64, other: u64) -> Indices {
        OthelloPatterns::indices(own, other)
    }

    #[inline(always)]
    fn advance(&self, carry: &Indices, square: u8, flips: u64) -> Indices {
        OthelloPatterns::indices_after(carry, square, flips)
    }

    #[inline(always)]
    fn pass(&self, carry: &Indices) -> Indices {
        carry.seen_by_other()
    }

    #[inline(always)]
    fn value(&self, own: u64, other: u64, carry: &Indices) -> i32 {
        self.value_of((own | other).count_ones(), carry) * 100 / ONE
    }

    #[inline(always)]
    fn worthwhile_from(&self) -> u32 {
        12
    }

    fn error(&self, empties: u32, depth: u32) -> i32 {
        300 + 23 * empties as i32 - 30 * depth as i32
    }
}
