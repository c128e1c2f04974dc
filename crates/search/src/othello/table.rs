//! What the solver remembers: two bounds and two moves a position, in the same slots as the engine's table.
//!
//! Keys are 64 bits of both boards; that two positions met in one solve share a key has a chance of about 10^-10 for
//! 10^9 positions looked up.

use crate::slots::{Bucket, Slots};

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverEntry {
    /// The score is at least this.
    pub lower: i8,
    /// The score is at most this.
    pub upper: i8,
    /// How far the bounds can be trusted; see `Level`.
    pub level: u8,
    /// The best move found, then the one before it; 64 for none.
    pub best: [u8; 2],
}

/// No move known.
pub const NO_SQUARE: u8 = 64;

impl SolverEntry {
    /// Nothing known.
    pub const UNKNOWN: SolverEntry = SolverEntry { lower: -64, upper: 64, level: 0, best: [NO_SQUARE; 2] };
}

/// Remembers positions of one side to move; grows no larger than it was made.
pub struct SolverTable(Slots);

/// A position's place and proof in the table.
#[inline(always)]
pub fn key(own: u64, other: u64) -> u64 {
    let product = u128::from(own ^ 0x9e37_79b9_7f4a_7c15) * u128::from(other ^ 0xd1b5_4a32_d192_ed03);
    let mixed = (product as u64 ^ (product >> 64) as u64).wrapping_add(own);
    mixed.wrapping_mul(0xa076_1d64_78bd_642f)
}

impl SolverTable {
    /// A table of about so many bytes, rounded down to a power of two, at least one bucket.
    pub fn new(bytes: usize) -> SolverTable {
        SolverTable(Slots::new(bytes))
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.0.clear();
    }

    /// A new solve begins: entries of earlier ones are given up first.
    pub fn grow_older(&self) {
        self.0.set_age(self.0.age().wrapping_add(1));
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        self.0.bucket((key >> 32) as usize)
    }

    /// Asks the memory for a position's line before it is needed.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// What is remembered of a position.
    #[inline(always)]
    pub fn probe(&self, key: u64) -> Option<SolverEntry> {
        let bucket = self.bucket(key);
        for slot in &bucket.0 {
            let data = slot.data();
            if slot.is_of(key, data) && data != 0 {
                return Some(unpack(data));
            }
        }
        None
    }

    /// Remembers that a search at `level` with the null window above `alpha` gave `score` by the move `best`.
    ///
    /// `worth` says how much work would be lost without the entry; the least one of a full bucket goes.
    #[inline(always)]
    pub fn store(&self, key: u64, level: u8, worth: u8, (alpha, beta): (i32, i32), score: i32, best: u8) {
        let bucket = self.bucket(key);
        let age = self.0.age();
        let mut at = 0;
        let mut least = u32::MAX;
        let mut entry = SolverEntry::UNKNOWN;
        for (number, slot) in bucket.0.iter().enumerate() {
            let data = slot.data();
            if slot.is_of(key, data) && data != 0 {
                entry = unpack(data);
                at = number;
                break;
            }
            let years = u32::from(age.wrapping_sub((data >> 48) as u8));
            let keep = (data >> 40) as u32 & 255 | (255 - years) << 8;
            let keep = if data == 0 { 0 } else { keep };
            if keep < least {
                (at, least) = (number, keep);
            }
        }
        if entry.level > level {
            return;
        }
        if entry.level < level {
            (entry.lower, entry.upper, entry.level) = (-64, 64, level);
        }
        if score < beta {
            entry.upper = entry.upper.min(score as i8);
        }
        if score > alpha {
            entry.lower = entry.lower.max(score as i8);
        }
        if best != entry.best[0] && best != NO_SQUARE {
            entry.best = [best, entry.best[0]];
        }
        let data = pack(entry) | u64::from(worth) << 40 | u64::from(age) << 48 | 1 << 63;
        bucket.0[at].write(key, data);
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[inline(always)]
fn prefetch(bucket: &Bucket) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: SSE is part of x86-64, and a prefetch of any address only asks.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(bucket).cast()) }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn prefetch(_: &Bucket) {}

// From the lowest byte: lower, upper, level, best, second, worth, age; the highest bit is set.
#[inline(always)]
fn pack(entry: SolverEntry) -> u64 {
    u64::from(entry.lower as u8)
        | u64::from(entry.upper as u8) << 8
        | u64::from(entry.level) << 16
        | u64::from(entry.best[0]) << 24
        | u64::from(entry.best[1]) << 32
}

#[inline(always)]
fn unpack(data: u64) -> SolverEntry {
    SolverEntry {
        lower: data as i8,
        upper: (data >> 8) as i8,
        level: (data >> 16) as u8,
        best: [(data >> 24) as u8, (data >> 32) as u8],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_one_level_close_in_and_a_higher_level_starts_anew() {
        let table = SolverTable::new(1 << 20);
        let key = key(1, 2);
        assert_eq!(table.probe(key), None);
        table.store(key, 3, 10, (5, 6), 8, 19);
        table.store(key, 3, 10, (11, 12), 10, 20);
        let entry = SolverEntry { lower: 8, upper: 10, level: 3, best: [20, 19] };
        assert_eq!(table.probe(key), Some(entry));
        table.store(key, 2, 10, (-1, 1), 0, 21);
        assert_eq!(table.probe(key), Some(entry), "a lower level adds nothing");
        table.store(key, 4, 10, (-1, 1), 0, 20);
        assert_eq!(table.probe(key), Some(SolverEntry { lower: 0, upper: 0, level: 4, best: [20, 19] }));
        table.clear();
        assert_eq!(table.probe(key), None);
    }

    #[test]
    fn a_full_bucket_gives_up_the_oldest_then_the_least() {
        let table = SolverTable::new(0);
        for (key, worth) in [(1, 9), (2, 3), (3, 5), (4, 7)] {
            table.store(key, 1, worth, (0, 1), 2, 0);
        }
        table.store(5, 1, 1, (0, 1), 2, 0);
        assert_eq!(table.probe(2), None, "the least went");
        table.grow_older();
        table.store(6, 1, 0, (0, 1), 2, 0);
        table.store(7, 1, 0, (0, 1), 2, 0);
        assert!(table.probe(6).is_some(), "the new one stayed");
        assert!(table.probe(5).is_none() && table.probe(3).is_none());
    }
}
