//! The transposition table: values, bounds and best moves of every game, shared by all threads without a lock.

use trilith_eval::Value;

use crate::analysis::Bound;
use crate::slots::{Bucket, SLOTS, Slot, Slots};

/// What is remembered of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// From the side to move, wins counted from this position.
    pub value: Value,
    /// Plies searched below it.
    pub depth: u8,
    /// What the value says.
    pub bound: Bound,
    /// The action number of the best move, if there is one ([`trilith_games::Game::action_number`]).
    pub best: Option<u16>,
}

/// Remembers positions; grows no larger than it was made.
pub struct TranspositionTable(Slots);

const AGES: u8 = 64;
const NO_MOVE: u16 = u16::MAX;

impl TranspositionTable {
    /// A table of about `mebibytes`, rounded down to a power of two, at least one bucket.
    pub fn new(mebibytes: usize) -> TranspositionTable {
        TranspositionTable(Slots::new(mebibytes << 20))
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.0.clear();
    }

    /// A new search begins: entries of earlier ones are given up first.
    pub fn grow_older(&self) {
        self.0.set_age((self.0.age() + 1) % AGES);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        self.0.bucket(key as usize)
    }

    /// Says that `key` will be asked for soon.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        self.bucket(key).prefetch();
    }

    /// What is remembered of `key`.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<TableEntry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let data = slot.data();
            (slot.is_of(key, data) && data != 0).then(|| unpack(data))
        })
    }

    /// Remembers `entry`: over the same position, else over what is oldest and shallowest.
    #[inline]
    pub fn store(&self, key: u64, entry: TableEntry) {
        let age = self.0.age();
        let worth = |slot: &&Slot| {
            let data = slot.data();
            let years = (AGES + age - age_of(data)) % AGES;
            match data {
                _ if slot.is_of(key, data) => i32::MIN,
                0 => i32::MIN + 1,
                _ => i32::from(depth_of(data)) - 8 * i32::from(years),
            }
        };
        let slot = self.bucket(key).0.iter().min_by_key(worth).expect("a bucket has slots");
        slot.write(key, pack(entry, age));
    }

    /// Slots used by the present search, in thousandths, from a sample.
    pub fn permille(&self) -> u32 {
        let age = self.0.age();
        let sample = self.0.first(250);
        let is_used = |slot: &&Slot| slot.data() != 0 && age_of(slot.data()) == age;
        let used = sample.iter().flat_map(|bucket| &bucket.0).filter(is_used).count();
        (used * 1000 / (sample.len() * SLOTS)) as u32
    }
}

// value 32 bits, move 16, depth 8, age 6, bound 2 (never 0, so that no entry packs to the empty word).
fn pack(entry: TableEntry, age: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    u64::from(entry.value as u32)
        | u64::from(entry.best.unwrap_or(NO_MOVE)) << 32
        | u64::from(entry.depth) << 48
        | u64::from(age) << 56
        | bound << 62
}

fn unpack(data: u64) -> TableEntry {
    let best = (data >> 32) as u16;
    TableEntry {
        value: data as u32 as Value,
        depth: depth_of(data),
        bound: match data >> 62 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        },
        best: (best != NO_MOVE).then_some(best),
    }
}

fn depth_of(data: u64) -> u8 {
    (data >> 48) as u8
}

fn age_of(data: u64) -> u8 {
    (data >> 56) as u8 & (AGES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::seed::mix;

    #[test]
    fn entries_come_back_as_they_were() {
        let table = TranspositionTable::new(1);
        for (number, bound) in (1..).zip([Bound::Exact, Bound::Lower, Bound::Upper]) {
            for (value, best) in [(0, None), (-(1 << 26), Some(0)), (1 << 26, Some(511))] {
                let entry = TableEntry { value, depth: 200, bound, best };
                table.store(mix(number), entry);
                assert_eq!(table.probe(mix(number)), Some(entry));
            }
        }
        assert_eq!(table.probe(mix(99)), None);
        table.clear();
        assert_eq!(table.probe(mix(1)), None);
    }

    #[test]
    fn a_full_bucket_gives_up_the_oldest_and_shallowest() {
        let table = TranspositionTable::new(0);
        let entry = |depth| TableEntry { value: 1, depth, bound: Bound::Exact, best: None };
        for (key, depth) in [(1, 9), (2, 3), (3, 5), (4, 7)] {
            table.store(key, entry(depth));
        }
        table.store(5, entry(1));
        assert_eq!(table.probe(2), None, "the shallowest went");
        table.grow_older();
        table.store(5, entry(1));
        table.store(6, entry(1));
        assert_eq!(table.probe(5), Some(entry(1)), "the new one stayed");
        assert_eq!(table.probe(3), None, "the shallowest of the old ones went");
    }
}
