//! What the network said of positions met lately: searches come back to the same leaves by other moves and with other bounds.
//!
//! One word a slot, which threads share without locks: the upper bits of a position's key beside the value. A slot that is
//! overwritten costs time only, never a value.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use trilith_base::pages;

use crate::evaluator::Value;

/// Few enough to stay in a core's own cache.
const SLOTS: usize = 1 << 14;
/// The bits of a slot that hold the value.
const VALUE: u64 = 0xffff;

/// The values of one network.
pub struct ValueCache(Box<[AtomicU64]>);

impl ValueCache {
    /// Nothing known yet.
    pub fn new() -> ValueCache {
        ValueCache(pages::defaults(SLOTS))
    }

    /// What was said of the position with this key.
    #[inline(always)]
    pub fn get(&self, key: u64) -> Option<Value> {
        let slot = self.slot(key).load(Relaxed);
        ((slot ^ key) & !VALUE == 0).then_some(Value::from(slot as i16))
    }

    /// Remembers a value, if it is not too large.
    #[inline(always)]
    pub fn put(&self, key: u64, value: Value) {
        if i16::try_from(value).is_ok() {
            self.slot(key).store(key & !VALUE | value as u64 & VALUE, Relaxed);
        }
    }

    #[inline(always)]
    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.0[key as usize & (SLOTS - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_until_another_takes_its_slot() {
        let cache = ValueCache::new();
        let (key, other) = (0x0123_4567_89ab_cdef, 0x0123_4567_89ac_cdef);
        assert_eq!(cache.get(key), None);
        cache.put(key, -300);
        assert_eq!((cache.get(key), cache.get(other)), (Some(-300), None));
        cache.put(other, 40_000);
        assert_eq!(cache.get(key), Some(-300), "what does not fit is not kept");
        cache.put(other, 7);
        assert_eq!((cache.get(key), cache.get(other)), (None, Some(7)));
    }
}
