//! Action numbers and observations: a square's own number, 64 for the pass; own discs, other discs, pass.

use super::{Move, Position, symmetry};

pub const ACTIONS: usize = 65;
pub const OBSERVATION: [usize; 3] = [3, 8, 8];

const PASS: usize = 64;

#[inline]
pub fn number(mv: Move) -> usize {
    mv.square().map_or(PASS, usize::from)
}

#[inline]
pub fn numbered(number: usize) -> Option<Move> {
    match number {
        0..PASS => Some(Move::on(number as u8)),
        PASS => Some(Move::PASS),
        _ => None,
    }
}

/// Planes: own discs, the other side's, and all ones where the side to move must pass.
#[inline]
pub fn observe(position: &Position, into: &mut [u8]) {
    let must_pass = position.mobility() == 0 && !position.has_ended();
    let sets = [position.own, position.other, if must_pass { u64::MAX } else { 0 }];
    for (plane, set) in into.chunks_exact_mut(64).zip(sets) {
        for (row, bits) in plane.chunks_exact_mut(8).zip(set.to_le_bytes()) {
            row.copy_from_slice(&bytes(bits));
        }
    }
}

/// The bits of a row, one a byte, lowest first.
#[inline]
fn bytes(bits: u8) -> [u8; 8] {
    // A copy of the row in each byte, of which byte k keeps bit k; what is left is carried up to bit 7.
    let spread = u64::from(bits).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    ((spread + 0x0040_6070_787c_7e7f) >> 7 & 0x0101_0101_0101_0101).to_le_bytes()
}

pub fn image_place(place: usize, symmetry: usize) -> usize {
    symmetry::image_square(place as u8, symmetry).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_bits_becomes_a_row_of_bytes() {
        for bits in 0..=u8::MAX {
            let expected: [u8; 8] = std::array::from_fn(|bit| bits >> bit & 1);
            assert_eq!(bytes(bits), expected);
        }
    }
}
