//! Which moves other threads are searching right now, so that a thread can do something else first.
//!
//! After T. Kerrigan's simplified ABDADA: a small table of keys without locks, in which a lost entry only costs a
//! little duplicate work.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Depth from which threads keep out of each other's way.
pub const SHARE_DEPTH: u32 = 5;

const SETS: usize = 1 << 12;
const WAYS: usize = 4;

/// The moves being searched.
pub struct AbdadaTable {
    sets: Box<[[AtomicU64; WAYS]]>,
}

impl Default for AbdadaTable {
    fn default() -> AbdadaTable {
        AbdadaTable { sets: (0..SETS).map(|_| Default::default()).collect() }
    }
}

impl AbdadaTable {
    /// Of the move with this small number in the position with this key.
    #[inline]
    pub fn key(position: u64, mv: usize) -> u64 {
        position ^ (mv as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn set(&self, key: u64) -> &[AtomicU64; WAYS] {
        &self.sets[key as usize % SETS]
    }

    /// Whether a thread has said that it searches `key`.
    pub fn contains(&self, key: u64) -> bool {
        self.set(key).iter().any(|way| way.load(Relaxed) == key)
    }

    /// This thread searches `key` from now on.
    pub fn enter(&self, key: u64) {
        let set = self.set(key);
        let way = set.iter().find(|way| matches!(way.load(Relaxed), 0)).unwrap_or(&set[0]);
        way.store(key, Relaxed);
    }

    /// This thread is done with `key`.
    pub fn leave(&self, key: u64) {
        self.set(key).iter().filter(|way| way.load(Relaxed) == key).for_each(|way| way.store(0, Relaxed));
    }
}
