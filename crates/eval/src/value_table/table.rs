//! A compact hash table with exact keys: 24 bytes a slot, never more than a quarter of them empty for long.
//!
//! A code is scrambled by a bijection of 128 bits, so what is stored is hash and key at once. Slots are kept in the order
//! of their hashes (linear probing, home = hash * capacity / 2^128), which makes searches for what is not there as short
//! as for what is, the content the same whatever the order it came in, files sorted, and growth possible in place: no
//! second table is ever needed.

use trilith_base::seed::mix;

use super::prefetch::prefetch;

/// Sum of points and how often they were got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisitScore {
    /// Of all visits.
    pub sum: u64,
    /// At least 1.
    pub count: u64,
}

impl VisitScore {
    /// Mean points of a visit.
    #[inline]
    pub fn mean(self) -> f32 {
        self.sum as f32 / self.count as f32
    }
}

/// Bits of a packed score that count visits; the others hold the sum.
const COUNT_BITS: u32 = 28;
const MOST_VISITS: u64 = (1 << COUNT_BITS) - 1;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(super) struct Slot {
    pub high: u64,
    pub low: u64,
    /// Zero in an empty slot.
    pub score: u64,
}

impl Slot {
    #[inline]
    fn is_used(&self) -> bool {
        self.score != 0
    }

    #[inline]
    pub fn key(&self) -> (u64, u64) {
        (self.high, self.low)
    }

    #[inline]
    fn unpacked(&self) -> VisitScore {
        VisitScore { sum: self.score >> COUNT_BITS, count: self.score & MOST_VISITS }
    }

    /// The code that was scrambled.
    pub fn code(&self) -> u128 {
        let other = self.high ^ mix(self.low);
        let own = self.low ^ mix(other);
        u128::from(own) << 64 | u128::from(other)
    }
}

/// Where a code belongs: worked out once, then used for the hint and the search.
#[derive(Clone, Copy, Debug)]
pub struct CodeSlot {
    high: u64,
    low: u64,
}

impl CodeSlot {
    /// Of a code.
    #[inline]
    pub fn of(code: u128) -> CodeSlot {
        let (own, other) = ((code >> 64) as u64, code as u64);
        let low = own ^ mix(other);
        CodeSlot { high: other ^ mix(low), low }
    }
}

/// Codes and their scores.
#[derive(Clone, Debug)]
pub struct ValueTable {
    slots: Vec<Slot>,
    /// Homes; there are [`SPARE`] more slots for those pushed beyond the last one.
    capacity: usize,
    used: usize,
}

const SPARE: usize = 4096;
const SMALLEST: usize = 1024;
/// Slots used of a hundred before the table grows.
const FULL: usize = 85;

impl Default for ValueTable {
    fn default() -> ValueTable {
        ValueTable::with_room(0)
    }
}

impl ValueTable {
    /// An empty table that takes so many codes without growing.
    pub fn with_room(codes: usize) -> ValueTable {
        let capacity = (codes * 100 / FULL + 1).max(SMALLEST);
        ValueTable { slots: vec![Slot::default(); capacity + SPARE], capacity, used: 0 }
    }

    /// An empty table of a size that so many codes can have led to; none if they cannot.
    pub(super) fn with_capacity(codes: usize, capacity: usize) -> Option<ValueTable> {
        let most = codes.saturating_mul(2).max(1 << 20);
        let fits = codes <= capacity && (SMALLEST..=most).contains(&capacity);
        fits.then(|| ValueTable { slots: vec![Slot::default(); capacity + SPARE], capacity, used: 0 })
    }

    /// How many homes there are.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// How many codes there are.
    pub fn len(&self) -> usize {
        self.used
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Memory taken.
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
    }

    #[inline]
    fn home(&self, high: u64) -> usize {
        ((u128::from(high) * self.capacity as u128) >> 64) as usize
    }

    /// Fetches what [`ValueTable::get`] will read.
    #[inline]
    pub fn hint(&self, place: CodeSlot) {
        prefetch(&self.slots[self.home(place.high)]);
    }

    /// The score of a code.
    #[inline]
    pub fn get(&self, place: CodeSlot) -> Option<VisitScore> {
        let (at, is_there) = self.search(place);
        is_there.then(|| self.slots[at].unpacked())
    }

    /// The slot of a place, or the one it has to go to. There is always an empty slot at the end.
    #[inline]
    fn search(&self, place: CodeSlot) -> (usize, bool) {
        let key = (place.high, place.low);
        let mut at = self.home(place.high);
        loop {
            let slot = &self.slots[at];
            if !slot.is_used() || slot.key() >= key {
                return (at, slot.is_used() && slot.key() == key);
            }
            at += 1;
        }
    }

    /// Adds one visit that ended with `points`; a code that is new gets `first` instead.
    pub fn add(&mut self, place: CodeSlot, points: u64, first: u64) {
        let (at, is_there) = self.search(place);
        if is_there {
            let slot = &mut self.slots[at];
            if slot.score & MOST_VISITS < MOST_VISITS {
                slot.score += points << COUNT_BITS | 1;
            }
            return;
        }
        let slot = Slot { high: place.high, low: place.low, score: first << COUNT_BITS | 1 };
        self.insert(at, slot);
    }

    fn insert(&mut self, at: usize, slot: Slot) {
        let free = at + self.slots[at..].iter().position(|slot| !slot.is_used()).expect("the last is free");
        self.slots.copy_within(at..free, at + 1);
        self.slots[at] = slot;
        self.used += 1;
        if self.used * 100 > self.capacity * FULL || free + 1 == self.slots.len() {
            self.grow();
        }
    }

    /// A quarter more slots, in place: everything moves to the end, then each to its new home.
    fn grow(&mut self) {
        let before = self.slots.len();
        self.capacity += self.capacity / 4;
        let after = self.capacity + SPARE;
        self.slots.reserve_exact(after - before);
        self.slots.resize(after, Slot::default());
        let mut to = after;
        for from in (0..before).rev() {
            if self.slots[from].is_used() {
                to -= 1;
                self.slots.swap(from, to);
            }
        }
        let mut next = 0;
        for from in to..after {
            let slot = std::mem::take(&mut self.slots[from]);
            let at = self.home(slot.high).max(next);
            assert!(at <= from, "scrambled codes spread evenly");
            self.slots[at] = slot;
            next = at + 1;
        }
        assert!(!self.slots[after - 1].is_used(), "scrambled codes spread evenly");
    }

    /// All slots that are used, in the order of their hashes: as good as shuffled, and always the same.
    pub(super) fn used(&self) -> impl Iterator<Item = &Slot> {
        self.slots.iter().filter(|slot| slot.is_used())
    }

    /// Puts a slot behind all that are there; false if it does not belong there.
    pub(super) fn append(&mut self, slot: Slot, next: &mut usize, last: &mut Option<(u64, u64)>) -> bool {
        let at = self.home(slot.high).max(*next);
        if !slot.is_used() || last.is_some_and(|last| last >= slot.key()) || at + 1 >= self.slots.len() {
            return false;
        }
        self.slots[at] = slot;
        self.used += 1;
        (*next, *last) = (at + 1, Some(slot.key()));
        true
    }

    /// Codes and scores in an order as good as shuffled, and always the same.
    pub fn iter(&self) -> impl Iterator<Item = (u128, VisitScore)> {
        self.used().map(|slot| (slot.code(), slot.unpacked()))
    }

    /// How many slots there are, for those who read the table piece by piece.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// What is in a range of slots.
    pub fn within(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = (u128, VisitScore)> {
        self.slots[range].iter().filter(|slot| slot.is_used()).map(|slot| (slot.code(), slot.unpacked()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use std::collections::HashMap;
    use trilith_base::Seed;

    #[test]
    fn holds_what_a_map_holds_in_any_order() {
        let mut rng = Seed(1).rng();
        let mut map: HashMap<u128, VisitScore> = HashMap::new();
        let (mut table, mut backwards) = (ValueTable::default(), ValueTable::default());
        // Codes as alike as those of a game: few bits set, many of them seen again.
        let visits: Vec<(u128, u64)> = (0..60_000)
            .map(|_| (1 << rng.random_range(0..128) | 1 << rng.random_range(0..40), rng.random_range(0..65)))
            .chain((0..60_000).map(|number| (number, 3)))
            .collect();
        for &(code, points) in &visits {
            let score = map.entry(code).or_insert(VisitScore { sum: 0, count: 0 });
            (score.sum, score.count) = (score.sum + points, score.count + 1);
            table.add(CodeSlot::of(code), points, points);
        }
        visits.iter().rev().for_each(|&(code, points)| backwards.add(CodeSlot::of(code), points, points));
        assert_eq!(table.len(), map.len());
        for (&code, &score) in &map {
            assert_eq!(table.get(CodeSlot::of(code)), Some(score));
            assert_eq!(table.get(CodeSlot::of(code | 1 << 127 | 1 << 126 | 1 << 125)), None);
        }
        assert!(table.iter().all(|(code, score)| map[&code] == score));
        assert!(table.iter().eq(backwards.iter()), "content does not depend on order");
        assert!(table.bytes() < map.len() * 24 * 5 / 3 + SPARE * 24);
    }

    #[test]
    fn new_codes_may_be_given_another_score() {
        let mut table = ValueTable::default();
        table.add(CodeSlot::of(7), 0, 2);
        table.add(CodeSlot::of(7), 0, 2);
        assert_eq!(table.get(CodeSlot::of(7)), Some(VisitScore { sum: 2, count: 2 }));
        assert_eq!(table.get(CodeSlot::of(7)).unwrap().mean(), 1.0);
    }
}
