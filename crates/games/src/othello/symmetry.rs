//! The eight symmetries of the square on bit boards and on squares.
//!
//! The number of a symmetry is three switches: 4 swaps columns and rows (first), then 1 mirrors left and right and
//! 2 turns top and bottom over. Only 5 and 6, the quarter turns, are not their own inverse but each other's.

/// How many symmetries the board has.
pub const SYMMETRIES: usize = 8;

/// Columns and rows swapped: a1 and h8 stay.
#[inline]
pub const fn transpose(bits: u64) -> u64 {
    let bits = swap(bits, 28, 0x0000_0000_f0f0_f0f0);
    let bits = swap(bits, 14, 0x0000_cccc_0000_cccc);
    swap(bits, 7, 0x00aa_00aa_00aa_00aa)
}

/// Swaps the bits under `mask` with those `by` places higher.
#[inline]
const fn swap(bits: u64, by: u32, mask: u64) -> u64 {
    let change = (bits ^ (bits >> by)) & mask;
    bits ^ change ^ (change << by)
}

/// Left and right mirrored: bits in each byte reversed.
#[inline]
pub const fn mirror(bits: u64) -> u64 {
    bits.swap_bytes().reverse_bits()
}

/// Top and bottom turned over.
#[inline]
pub const fn turn_over(bits: u64) -> u64 {
    bits.swap_bytes()
}

/// The bits as seen through `symmetry`, which is below 8.
#[inline]
pub const fn image(bits: u64, symmetry: usize) -> u64 {
    let bits = if symmetry & 4 != 0 { transpose(bits) } else { bits };
    let bits = if symmetry & 1 != 0 { mirror(bits) } else { bits };
    if symmetry & 2 != 0 { turn_over(bits) } else { bits }
}

/// Where `square` lies through `symmetry`.
#[inline]
pub const fn image_square(square: u8, symmetry: usize) -> u8 {
    let square = if symmetry & 4 != 0 { square >> 3 | (square & 7) << 3 } else { square };
    let square = if symmetry & 1 != 0 { square ^ 7 } else { square };
    if symmetry & 2 != 0 { square ^ 56 } else { square }
}

/// The symmetry that undoes `symmetry`.
#[inline]
pub const fn inverse(symmetry: usize) -> usize {
    match symmetry {
        5 => 6,
        6 => 5,
        own => own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_go_where_their_squares_go() {
        for symmetry in 0..SYMMETRIES {
            for square in 0..64 {
                assert_eq!(image(1 << square, symmetry), 1 << image_square(square, symmetry));
                let there = image_square(square, symmetry);
                assert_eq!(image_square(there, inverse(symmetry)), square);
            }
        }
    }

    #[test]
    fn no_two_symmetries_are_the_same() {
        const B1: u64 = 1 << 1;
        let images: std::collections::HashSet<_> = (0..SYMMETRIES).map(|s| image(B1, s)).collect();
        assert_eq!(images.len(), SYMMETRIES);
    }
}
