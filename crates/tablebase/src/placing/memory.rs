//! What has been proved, shared by all threads without locks: a key and two bounds in one word.
//!
//! Keys are kept whole, so an entry is never taken for another's. A word is read and written at once; what two threads
//! write about one position at the same time is both true, and losing one costs only time.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use trilith_base::seed::mix;
use trilith_games::Outcome;

use super::key::{BITS, Key, hands};

/// What is known of a position for the side to move: it gets at least `low` and at most `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Can be forced.
    pub low: Outcome,
    /// Can be held to.
    pub high: Outcome,
}

impl Bounds {
    /// Nothing is known.
    pub const OPEN: Bounds = Bounds { low: Outcome::Loss, high: Outcome::Win };

    /// Whether at least `goal` can be forced, if that is known.
    #[inline]
    pub fn reaches(self, goal: Outcome) -> Option<bool> {
        match goal {
            _ if self.low >= goal => Some(true),
            _ if self.high < goal => Some(false),
            _ => None,
        }
    }

    /// With the answer to one more question: `goal` is a draw or a win.
    #[inline]
    pub fn with(self, goal: Outcome, reached: bool) -> Bounds {
        match (goal, reached) {
            (_, true) => Bounds { low: self.low.max(goal), ..self },
            (Outcome::Win, false) => Bounds { high: self.high.min(Outcome::Draw), ..self },
            (_, false) => Bounds { high: Outcome::Loss, ..self },
        }
    }

    /// What both say together.
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    pub(super) fn pack(self) -> u64 {
        self.low as u64 | (self.high as u64) << 2
    }

    pub(super) fn unpack(word: u64) -> Bounds {
        const OUTCOMES: [Outcome; 4] = [Outcome::Loss, Outcome::Draw, Outcome::Win, Outcome::Win];
        Bounds { low: OUTCOMES[(word & 3) as usize], high: OUTCOMES[(word >> 2 & 3) as usize] }
    }
}

/// Entries that are looked at together: a line of the processor's cache.
#[repr(align(64))]
#[derive(Default)]
struct Bucket([AtomicU64; 8]);

/// A table of bounds by key.
pub struct BoundsTable {
    buckets: Vec<Bucket>,
}

const KEY: u64 = (1 << BITS) - 1;

impl BoundsTable {
    /// Of so many MiB, at least one.
    pub fn new(mebibytes: usize) -> BoundsTable {
        let mut buckets = Vec::new();
        buckets.resize_with(mebibytes.max(1) << 20 >> 6, Bucket::default);
        BoundsTable { buckets }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.iter_mut().for_each(|bucket| *bucket = Bucket::default());
    }

    #[inline]
    fn bucket(&self, key: Key) -> &[AtomicU64; 8] {
        // The high half of the product is even for any number of buckets.
        let place = (u128::from(mix(key)) * self.buckets.len() as u128) >> 64;
        &self.buckets[place as usize].0
    }

    /// What is known.
    #[inline]
    pub fn get(&self, key: Key) -> Bounds {
        for entry in self.bucket(key) {
            let word = entry.load(Relaxed);
            if word & KEY == key {
                return Bounds::unpack(word >> BITS);
            }
        }
        Bounds::OPEN
    }

    /// Adds what is known. A full bucket gives up the position with the fewest stones in hand, which is the cheapest
    /// to prove again.
    pub fn put(&self, key: Key, bounds: Bounds) {
        let bucket = self.bucket(key);
        let (mut place, mut least) = (0, u32::MAX);
        for (number, entry) in bucket.iter().enumerate() {
            let word = entry.load(Relaxed);
            if word & KEY == key {
                let both = bounds.and(Bounds::unpack(word >> BITS));
                return entry.store(key | both.pack() << BITS, Relaxed);
            }
            let worth = if word == 0 { 0 } else { hands(word & KEY) };
            if worth < least {
                (place, least) = (number, worth);
            }
        }
        bucket[place].store(key | bounds.pack() << BITS, Relaxed);
    }

    /// Everything known of positions with at least so many stones in hand, in no order.
    pub fn iter(&self, least_hands: u32) -> impl Iterator<Item = (Key, Bounds)> + '_ {
        let words = self.buckets.iter().flat_map(|bucket| &bucket.0).map(|entry| entry.load(Relaxed));
        words
            .filter(move |&word| word != 0 && hands(word & KEY) >= least_hands)
            .map(|word| (word & KEY, Bounds::unpack(word >> BITS)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{Draw, Loss, Win};

    #[test]
    fn bounds_close_in_on_the_value() {
        let open = Bounds::OPEN;
        assert_eq!(open.reaches(Draw), None);
        assert_eq!(open.with(Draw, true), Bounds { low: Draw, high: Win });
        assert_eq!(open.with(Draw, false), Bounds { low: Loss, high: Loss });
        assert_eq!(open.with(Win, true), Bounds { low: Win, high: Win });
        let drawn = open.with(Win, false).with(Draw, true);
        assert_eq!((drawn.reaches(Win), drawn.reaches(Draw)), (Some(false), Some(true)));
        for low in [Loss, Draw, Win] {
            for high in [Loss, Draw, Win] {
                assert_eq!(Bounds::unpack(Bounds { low, high }.pack()), Bounds { low, high });
            }
        }
    }

    #[test]
    fn early_positions_outlast_late_ones() {
        let memory = BoundsTable::new(1);
        let key = |hands: u64, number: u64| hands << 48 | number;
        let won = Bounds::OPEN.with(Win, true);
        memory.put(key(9, 1), Bounds::OPEN.with(Draw, true));
        memory.put(key(9, 1), Bounds::OPEN.with(Win, false));
        for number in 0..1 << 20 {
            memory.put(key(2, number), won);
        }
        assert_eq!(memory.get(key(9, 1)), Bounds { low: Draw, high: Draw });
        assert_eq!(memory.get(key(9, 2)), Bounds::OPEN);
        assert_eq!(memory.iter(3).count(), 1);
        let kept = memory.iter(0).count();
        assert!((130_000..=131_072).contains(&kept), "{kept}");
    }
}
