//! Tables of the squares: neighbours and quadrants.

/// The up to eight squares beside each square.
pub static NEIGHBOURS: [u64; 64] = neighbours();
/// The quarter of the board that each square is in.
pub static QUADRANTS: [u64; 64] = quadrants();
/// a1, h1, a8, h8.
pub const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The three squares beside each corner.
pub const BESIDE: u64 = 0x42c3_0000_0000_c342;

const QUADRANT: u64 = 0x0f0f_0f0f;

const fn neighbours() -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let bit = 1_u64 << square;
        let row = bit | (bit & !0x8080_8080_8080_8080) << 1 | (bit & !0x0101_0101_0101_0101) >> 1;
        table[square] = (row | row << 8 | row >> 8) & !bit;
        square += 1;
    }
    table
}

const fn quadrants() -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = QUADRANT << (square & 4) << (square & 32);
        square += 1;
    }
    table
}

/// All squares of the quadrants that have an odd number of empty squares: who moves there first can move last.
#[inline]
pub fn odd_quadrants(empties: u64) -> u64 {
    [0, 4, 32, 36].into_iter().fold(0, |odd, at| {
        let quadrant = QUADRANT << at;
        odd | if (empties & quadrant).count_ones() & 1 == 1 { quadrant } else { 0 }
    })
}
