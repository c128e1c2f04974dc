//! A hint to fetch memory that will be read soon.

#![allow(unsafe_code)]

/// Asks for the cache line at `place`; does nothing where the CPU has no such hint.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 CPU has this instruction, and it only reads a place that `place` says is there.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
