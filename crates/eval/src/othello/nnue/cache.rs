//! What a network said of positions met lately: searches come back to the same leaves by other moves and with other bounds.
//!
//! Every thread remembers for itself, for all networks it asks: shared slots would wander from core to core with every
//! value that is written. A slot is one word, the upper bits of a position's key beside the value. One that is overwritten
//! costs time only, never a value.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use trilith_base::seed::mix;

use crate::evaluator::Value;

/// Few enough to stay in a core's own cache.
const SLOTS: usize = 1 << 14;
/// The bits of a slot that hold the value.
const VALUE: u64 = 0xffff;

thread_local! {
    static SLOTS_HERE: Box<[Cell<u64>]> = vec![Cell::new(0); SLOTS].into();
}

/// The values of one network.
pub struct ValueCache {
    /// Tells its positions from those of other networks.
    salt: u64,
}

impl ValueCache {
    /// Nothing known yet.
    pub fn new() -> ValueCache {
        static NETWORKS: AtomicU64 = AtomicU64::new(1);
        ValueCache { salt: mix(NETWORKS.fetch_add(1, Relaxed)) }
    }

    /// What was said of the position with this key, or now what `say` says.
    #[inline(always)]
    pub fn get_or(&self, key: u64, say: impl FnOnce() -> Value) -> Value {
        let key = key ^ self.salt;
        SLOTS_HERE.with(|slots| {
            let slot = &slots[key as usize & (SLOTS - 1)];
            let known = slot.get();
            if (known ^ key) & !VALUE == 0 {
                return Value::from(known as i16);
            }
            let value = say();
            if i16::try_from(value).is_ok() {
                slot.set(key & !VALUE | value as u64 & VALUE);
            }
            value
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_until_another_takes_its_slot_and_by_its_own_network_and_thread_alone() {
        let (cache, second) = (ValueCache::new(), ValueCache::new());
        let (key, other) = (0x0123_4567_89ab_cdef, 0x0123_4567_89ac_cdef);
        let known = |cache: &ValueCache, key| cache.get_or(key, || 40_000);
        assert_eq!(cache.get_or(key, || -300), -300);
        assert_eq!((known(&cache, key), known(&cache, other)), (-300, 40_000));
        assert_eq!(known(&cache, key), -300, "what does not fit is not kept");
        assert_eq!(known(&second, key), 40_000);
        assert_eq!(std::thread::scope(|scope| scope.spawn(|| known(&cache, key)).join().unwrap()), 40_000);
        assert_eq!(cache.get_or(other, || 7), 7);
        assert_eq!((known(&cache, key), known(&cache, other)), (40_000, 7));
    }
}
