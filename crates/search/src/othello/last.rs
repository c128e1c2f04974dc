//! The last four empty squares, without mobility, lists or a table.
//!
//! Each function answers the null-window question 'more than `alpha`?' with a bound on the right side of it. The
//! last disc is not played but counted: with the board full but one square, each line is a byte and a table look-up.

use super::squares::{NEIGHBOURS, QUADRANTS};

/// Twice the discs turned along a line of eight by a disc at a place, for each set of own discs on the line.
///
/// Places past the end of a short diagonal hold no own disc, so nothing is turned towards them.
static TURNED: [[u8; 256]; 8] = turned();
const COLUMN_A: u64 = 0x0101_0101_0101_0101;
/// The rising and the falling diagonal of each square, without the square.
static DIAGONALS: [[u64; 2]; 64] = diagonals();

const fn turned() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut at = 0;
    while at < 8 {
        let mut own = 0;
        while own < 256 {
            let above = own & !((2_usize << at) - 1);
            let below = own & ((1_usize << at) - 1);
            let mut count = 0;
            if above != 0 {
                count += above.trailing_zeros() - at as u32 - 1;
            }
            if below != 0 {
                count += at as u32 - 1 - below.ilog2();
            }
            table[at][own] = 2 * count as u8;
            own += 1;
        }
        at += 1;
    }
    table
}

const fn diagonals() -> [[u64; 2]; 64] {
    let mut masks = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut at = 0;
        while at < 64 {
            let (x, y) = (square as i32 % 8, square as i32 / 8);
            let (a, b) = (at % 8, at / 8);
            if at != square as i32 {
                if a + b == x + y {
                    masks[square][0] |= 1 << at;
                }
                if a - b == x - y {
                    masks[square][1] |= 1 << at;
                }
            }
            at += 1;
        }
        square += 1;
    }
    masks
}

/// Twice the discs that `own` turns with the last disc, on `square`. Trusts that all other squares are occupied.
#[inline(always)]
pub fn turned_last(own: u64, square: u8) -> i32 {
    let square = usize::from(square) & 63;
    let (x, y) = (square & 7, square >> 3);
    let [rise, fall] = DIAGONALS[square];
    let row = own >> (8 * y) & 255;
    let column = (own >> x & COLUMN_A).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let rise = (own & rise).wrapping_mul(COLUMN_A) >> 56;
    let fall = (own & fall).wrapping_mul(COLUMN_A) >> 56;
    i32::from(TURNED[x][row as usize])
        + i32::from(TURNED[y][column as usize & 255])
        + i32::from(TURNED[x][rise as usize & 255])
        + i32::from(TURNED[x][fall as usize & 255])
}

/// The score of an ended game: empty squares go to the winner.
#[inline(always)]
pub fn final_score(own: u64, other: u64) -> i32 {
    let (own, other) = (own.count_ones() as i32, other.count_ones() as i32);
    match own - other {
        difference if difference > 0 => 64 - 2 * other,
        difference if difference < 0 => 2 * own - 64,
        _ => 0,
    }
}

/// The score with one empty square.
#[inline(always)]
fn last_1(own: u64, alpha: i32, square: u8) -> i32 {
    let turned = turned_last(own, square);
    let filled = 2 * own.count_ones() as i32 - 62;
    if turned != 0 {
        return filled + turned;
    }
    // Who leads gets the square if neither can take it; the opponent's disc can only make that less.
    let ended = if filled > 0 { filled } else { filled - 2 };
    if ended <= alpha {
        return ended;
    }
    match turned_last(!own, square) {
        0 => ended,
        turned => filled - 2 - turned,
    }
}

const NONE: i32 = -128;

/// The score with the one empty square given.
pub fn only(nodes: &mut u64, own: u64, alpha: i32, square: u8) -> i32 {
    *nodes += 1;
    last_1(own, alpha, square)
}

trilith_games::per_technique! {
    /// The score with the two empty squares given.
    #[inline]
    fn last_2(nodes: &mut u64, own: u64, other: u64, alpha: i32, first: u8, second: u8) -> i32 {
        *nodes += 1;
        let best = either_of_two(nodes, own, other, alpha, first, second);
        if best != NONE {
            return best;
        }
        match either_of_two(nodes, other, own, -alpha - 1, first, second) {
            NONE => final_score(own, other),
            best => -best,
        }
    }

    /// The better of the two last moves but one; `NONE` if neither is legal.
    #[inline]
    fn either_of_two(nodes: &mut u64, own: u64, other: u64, alpha: i32, first: u8, second: u8) -> i32 {
        let mut best = NONE;
        if NEIGHBOURS[usize::from(first) & 63] & other != 0 {
            let turned = flips(own, other, first);
            if turned != 0 {
                *nodes += 1;
                best = -last_1(other ^ turned, -alpha - 1, second);
                if best > alpha {
                    return best;
                }
            }
        }
        if NEIGHBOURS[usize::from(second) & 63] & other != 0 {
            let turned = flips(own, other, second);
            if turned != 0 {
                *nodes += 1;
                best = best.max(-last_1(other ^ turned, -alpha - 1, first));
            }
        }
        best
    }

    /// The score with the three empty squares given; `odd` are the quadrants with an odd number of them.
    #[inline]
    fn last_3(nodes: &mut u64, own: u64, other: u64, alpha: i32, [mut a, mut b, mut c]: [u8; 3], odd: u64) -> i32 {
        *nodes += 1;
        if odd >> a & 1 == 0 {
            if odd >> b & 1 == 1 {
                (a, b) = (b, a);
            } else {
                (a, c) = (c, a);
            }
        }
        let best = any_of_three(nodes, own, other, alpha, [a, b, c]);
        if best != NONE {
            return best;
        }
        match any_of_three(nodes, other, own, -alpha - 1, [a, b, c]) {
            NONE => final_score(own, other),
            best => -best,
        }
    }

    /// The best of three moves; `NONE` if none is legal.
    fn any_of_three(nodes: &mut u64, own: u64, other: u64, alpha: i32, [a, b, c]: [u8; 3]) -> i32 {
        let mut best = NONE;
        for (square, first, second) in [(a, b, c), (b, a, c), (c, a, b)] {
            if NEIGHBOURS[usize::from(square) & 63] & other != 0 {
                let turned = flips(own, other, square);
                if turned != 0 {
                    let left = own ^ turned ^ 1 << square;
                    best = best.max(-last_2(nodes, other ^ turned, left, -alpha - 1, first, second));
                    if best > alpha {
                        return best;
                    }
                }
            }
        }
        best
    }

    /// The score with four empty squares.
    fn last_4(nodes: &mut u64, own: u64, other: u64, alpha: i32, odd: u64) -> i32 {
        *nodes += 1;
        let squares = in_order(!(own | other), odd);
        let best = any_of_four(nodes, own, other, alpha, squares, odd);
        if best != NONE {
            return best;
        }
        match any_of_four(nodes, other, own, -alpha - 1, squares, odd) {
            NONE => final_score(own, other),
            best => -best,
        }
    }

    /// The best of four moves; `NONE` if none is legal.
    fn any_of_four(nodes: &mut u64, own: u64, other: u64, alpha: i32, [a, b, c, d]: [u8; 4], odd: u64) -> i32 {
        let mut best = NONE;
        for (square, rest) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
            if NEIGHBOURS[usize::from(square) & 63] & other != 0 {
                let turned = flips(own, other, square);
                if turned != 0 {
                    let left = own ^ turned ^ 1 << square;
                    let odd = odd ^ QUADRANTS[usize::from(square) & 63];
                    best = best.max(-last_3(nodes, other ^ turned, left, -alpha - 1, rest, odd));
                    if best > alpha {
                        return best;
                    }
                }
            }
        }
        best
    }
}

/// Four squares, those of odd quadrants first, and of those one alone in its quadrant.
#[inline(always)]
fn in_order(empties: u64, odd: u64) -> [u8; 4] {
    let mut first = empties & odd;
    let alone = first & QUADRANTS[first.trailing_zeros() as usize & 63];
    if alone.count_ones() == 3 {
        let single = (first & !alone).trailing_zeros() as u8;
        let (a, alone) = (alone.trailing_zeros() as u8, alone & (alone - 1));
        let (b, alone) = (alone.trailing_zeros() as u8, alone & (alone - 1));
        return [single, a, b, alone.trailing_zeros() as u8];
    }
    let mut rest = empties & !odd;
    let mut next = || {
        let from = if first != 0 { &mut first } else { &mut rest };
        let square = from.trailing_zeros() as u8;
        *from &= from.wrapping_sub(1);
        square
    };
    [next(), next(), next(), next()]
}
