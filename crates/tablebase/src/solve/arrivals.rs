//! News for the slots of one table: which successors were settled in the last round.
//!
//! One bit a successor, grouped like the slots that it concerns, so that a class of slots finds its news in a few
//! neighbouring words. They are set from all over the other table and cleared as they are read.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// One bit for each slot of a table.
pub struct Arrivals {
    bits: Vec<AtomicU64>,
    words: usize,
    touched: Vec<AtomicBool>,
}

impl Arrivals {
    /// For `classes` of `width` slots each.
    pub fn new(classes: u32, width: u32) -> Arrivals {
        let words = width.div_ceil(64) as usize;
        let mut bits = Vec::new();
        bits.resize_with(classes as usize * words, AtomicU64::default);
        let mut touched = Vec::new();
        touched.resize_with(classes as usize, AtomicBool::default);
        Arrivals { bits, words, touched }
    }

    /// Bytes that this takes.
    pub fn bytes(classes: u32, width: u32) -> u64 {
        u64::from(classes) * (u64::from(width.div_ceil(64)) * 8 + 1)
    }

    /// Announces one successor.
    #[inline(always)]
    pub fn set(&self, class: u32, rank: u32) {
        self.bits[class as usize * self.words + (rank / 64) as usize].fetch_or(1 << (rank % 64), Relaxed);
        let touched = &self.touched[class as usize];
        if !touched.load(Relaxed) {
            touched.store(true, Relaxed);
        }
    }

    /// Whether there is news for a class.
    #[inline(always)]
    pub fn concern(&self, class: u32) -> bool {
        self.touched[class as usize].load(Relaxed)
    }

    /// Takes the news for a class away, a rank at a time.
    #[inline(always)]
    pub fn take(&self, class: u32, mut visit: impl FnMut(u32)) {
        if !self.touched[class as usize].swap(false, Relaxed) {
            return;
        }
        let first = class as usize * self.words;
        for (word, bits) in (0..).zip(&self.bits[first..first + self.words]) {
            let mut rest = bits.load(Relaxed);
            if rest == 0 {
                continue;
            }
            bits.store(0, Relaxed);
            while rest != 0 {
                visit(word * 64 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
    }
}
