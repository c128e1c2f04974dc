//! What the builder keeps for a slot while it solves: successors not yet settled, and a result.
//!
//! The low bits hold a result, the high ones a count. While the count is above 0 the slot is open and the result is
//! what its best capture comes to; at 0 the slot is settled and the result is its own. Results are plies to the end:
//! even for a loss, odd for a win, so that the parity alone is a result too, if distances are not wanted.

#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};

/// Plies that stand for a draw, and for 'no capture'.
pub const DRAW: u16 = u16::MAX;

/// A slot in one or two bytes.
pub trait SlotCell: Copy + Default + Send + Sync + 'static {
    /// The same, written by several threads.
    type Shared: Sync;
    /// Bits of the result; all of them set is a draw.
    const BITS: u32;
    /// The largest number of plies that can be told apart from others.
    const MOST_PLIES: u32;

    /// The bits as a number.
    fn raw(self) -> u32;
    /// The inverse of [`SlotCell::raw`]. Trusts that `raw` fits.
    fn of(raw: u32) -> Self;
    /// The result that `plies` are kept as.
    fn result(plies: u32) -> u32;
    /// The round in which the result of a capture must be looked at.
    fn due(result: u32) -> u32;
    /// The cells as several threads may write them.
    fn share(cells: &mut [Self]) -> &[Self::Shared];
    /// Writes one.
    fn put(cell: &Self::Shared, value: Self);
}

/// The result that means a draw.
#[inline(always)]
pub const fn drawn<C: SlotCell>() -> u32 {
    (1 << C::BITS) - 1
}

/// Six bits of count and two of result: wins and losses only.
impl SlotCell for u8 {
    type Shared = AtomicU8;
    const BITS: u32 = 2;
    const MOST_PLIES: u32 = u32::MAX;

    #[inline(always)]
    fn raw(self) -> u32 {
        self.into()
    }

    #[inline(always)]
    fn of(raw: u32) -> u8 {
        raw as u8
    }

    #[inline(always)]
    fn result(plies: u32) -> u32 {
        plies & 1
    }

    /// All winning captures at once, then all losing ones: the order makes no difference to who wins.
    #[inline(always)]
    fn due(result: u32) -> u32 {
        2 - (result & 1)
    }

    fn share(cells: &mut [u8]) -> &[AtomicU8] {
        // SAFETY: an atomic byte is a byte in memory, and the exclusive borrow is given up for the shared one.
        unsafe { &*(cells as *mut [u8] as *const [AtomicU8]) }
    }

    #[inline(always)]
    fn put(cell: &AtomicU8, value: u8) {
        cell.store(value, Relaxed);
    }
}

/// Six bits of count and ten of result.
impl SlotCell for u16 {
    type Shared = AtomicU16;
    const BITS: u32 = 10;
    const MOST_PLIES: u32 = (1 << 10) - 2;

    #[inline(always)]
    fn raw(self) -> u32 {
        self.into()
    }

    #[inline(always)]
    fn of(raw: u32) -> u16 {
        raw as u16
    }

    #[inline(always)]
    fn result(plies: u32) -> u32 {
        plies
    }

    #[inline(always)]
    fn due(result: u32) -> u32 {
        result
    }

    fn share(cells: &mut [u16]) -> &[AtomicU16] {
        // SAFETY: an atomic of two bytes has the size and alignment of the plain number, and the exclusive borrow is
        // given up for the shared one.
        unsafe { &*(cells as *mut [u16] as *const [AtomicU16]) }
    }

    #[inline(always)]
    fn put(cell: &AtomicU16, value: u16) {
        cell.store(value, Relaxed);
    }
}
