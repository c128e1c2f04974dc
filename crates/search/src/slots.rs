//! The memory of both hash tables: lock-free slots, four to a cache line, shared by all threads.
//!
//! A slot is two words, the key exclusive-or'ed with the data, and the data. A slot torn by two writers fails the
//! comparison and is taken for empty, so no lock is needed (R. Hyatt's method). What the data means,
//! and which slot of a full bucket is given up, is each table's own business.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use trilith_base::pages;

/// Slots in a bucket, which is one cache line.
pub const SLOTS: usize = 4;

/// One cache line.
#[derive(Default)]
#[repr(align(64))]
pub struct Bucket(pub [Slot; SLOTS]);

impl Bucket {
    /// Asks the memory for it, so that it is there when it is looked at a little later.
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    #[inline(always)]
    pub fn prefetch(&self) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of x86-64, and a prefetch of any address only asks.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(self).cast()) }
    }

    /// Does nothing on this CPU.
    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    pub fn prefetch(&self) {}
}

/// A key and 64 bits of data that are never zero.
#[derive(Default)]
pub struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// What it holds, whatever the key; zero if it is empty.
    #[inline(always)]
    pub fn data(&self) -> u64 {
        self.data.load(Relaxed)
    }

    /// Whether `data`, which was read from this slot, belongs to `key`.
    #[inline(always)]
    pub fn is_of(&self, key: u64, data: u64) -> bool {
        self.check.load(Relaxed) ^ data == key
    }

    /// Holds `data` for `key` from now on.
    #[inline(always)]
    pub fn write(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

/// A power of two of buckets, and how many searches have begun.
pub struct Slots {
    buckets: Box<[Bucket]>,
    age: AtomicU8,
}

impl Slots {
    /// About so many bytes, rounded down to a power of two, at least one bucket.
    pub fn new(bytes: usize) -> Slots {
        let wanted = bytes / size_of::<Bucket>();
        let count = if wanted == 0 { 1 } else { 1 << wanted.ilog2() };
        Slots { buckets: pages::defaults(count), age: AtomicU8::new(0) }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.buckets.iter().flat_map(|bucket| &bucket.0).for_each(|slot| slot.write(0, 0));
    }

    /// A counter of searches, by which entries of earlier ones are known.
    #[inline(always)]
    pub fn age(&self) -> u8 {
        self.age.load(Relaxed)
    }

    /// Sets the counter.
    pub fn set_age(&self, age: u8) {
        self.age.store(age, Relaxed);
    }

    /// The bucket of this number, modulo how many there are.
    #[inline(always)]
    pub fn bucket(&self, number: usize) -> &Bucket {
        &self.buckets[number & (self.buckets.len() - 1)]
    }

    /// The first buckets, at most so many.
    pub fn first(&self, count: usize) -> &[Bucket] {
        &self.buckets[..self.buckets.len().min(count)]
    }
}
