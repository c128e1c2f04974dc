//! The last four empty squares, without lists or a table, and without mobility unless no move is legal.
//!
//! Each function answers the null-window question 'more than `alpha`?' with a bound on the right side of it. Who asks
//! counts the node, so that a pass is not one more. The last disc is not played but counted.

use super::squares::{NEIGHBOURS, QUADRANTS};

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

/// The score with one empty square; `flips` counts the discs that a side turns with its disc there.
#[inline(always)]
fn count_last(own: u64, alpha: i32, flips: impl Fn(u64) -> u32) -> i32 {
    let turned = 2 * flips(own) as i32;
    let filled = 2 * own.count_ones() as i32 - 62;
    if turned != 0 {
        return filled + turned;
    }
    // Who leads gets the square if neither can take it; the opponent's disc can only make that less.
    let ended = if filled > 0 { filled } else { filled - 2 };
    if ended <= alpha {
        return ended;
    }
    match 2 * flips(!own) as i32 {
        0 => ended,
        turned => filled - 2 - turned,
    }
}

/// Less than every score and bound.
const NONE: i32 = -128;

trilith_games::per_technique! {
    /// The score with the one empty square given.
    #[inline]
    fn last_1(own: u64, alpha: i32, square: u8) -> i32 {
        count_last(own, alpha, |own| last_flips(own, square))
    }

    /// The score with the two empty squares given.
    fn last_2(nodes: &mut u64, own: u64, other: u64, alpha: i32, a: u8, b: u8) -> i32 {
        let best = then_1(nodes, own, other, alpha, a, b);
        if best > alpha {
            return best;
        }
        let best = best.max(then_1(nodes, own, other, alpha, b, a));
        if best != NONE {
            return best;
        }
        if mobility(other, own) == 0 {
            return final_score(own, other);
        }
        -last_2(nodes, other, own, -alpha - 1, a, b)
    }

    /// The score of a disc on `square` that leaves `last`; `NONE` if it is not legal.
    #[inline]
    fn then_1(nodes: &mut u64, own: u64, other: u64, alpha: i32, square: u8, last: u8) -> i32 {
        if NEIGHBOURS[usize::from(square) & 63] & other == 0 {
            return NONE;
        }
        let turned = flips(own, other, square);
        if turned == 0 {
            return NONE;
        }
        *nodes += 1;
        -count_last(other ^ turned, -alpha - 1, |own| last_flips(own, last))
    }

    /// The score with the three empty squares given; `odd` are the quadrants with an odd number of them.
    fn last_3(nodes: &mut u64, own: u64, other: u64, alpha: i32, [mut a, mut b, mut c]: [u8; 3], odd: u64) -> i32 {
        if odd >> a & 1 == 0 {
            if odd >> b & 1 == 1 {
                (a, b) = (b, a);
            } else {
                (a, c) = (c, a);
            }
        }
        let best = then_2(nodes, own, other, alpha, a, [b, c]);
        if best > alpha {
            return best;
        }
        let best = best.max(then_2(nodes, own, other, alpha, b, [a, c]));
        if best > alpha {
            return best;
        }
        let best = best.max(then_2(nodes, own, other, alpha, c, [a, b]));
        if best != NONE {
            return best;
        }
        if mobility(other, own) == 0 {
            return final_score(own, other);
        }
        -last_3(nodes, other, own, -alpha - 1, [a, b, c], odd)
    }

    /// The score of a disc on `square` that leaves two; `NONE` if it is not legal.
    #[inline]
    fn then_2(nodes: &mut u64, own: u64, other: u64, alpha: i32, square: u8, [a, b]: [u8; 2]) -> i32 {
        if NEIGHBOURS[usize::from(square) & 63] & other == 0 {
            return NONE;
        }
        let turned = flips(own, other, square);
        if turned == 0 {
            return NONE;
        }
        *nodes += 1;
        -last_2(nodes, other ^ turned, own ^ turned ^ 1 << square, -alpha - 1, a, b)
    }

    /// The score with four empty squares.
    fn last_4(nodes: &mut u64, own: u64, other: u64, alpha: i32, odd: u64) -> i32 {
        let [a, b, c, d] = in_order(!(own | other), odd);
        let best = then_3(nodes, own, other, alpha, a, [b, c, d], odd);
        if best > alpha {
            return best;
        }
        let best = best.max(then_3(nodes, own, other, alpha, b, [a, c, d], odd));
        if best > alpha {
            return best;
        }
        let best = best.max(then_3(nodes, own, other, alpha, c, [a, b, d], odd));
        if best > alpha {
            return best;
        }
        let best = best.max(then_3(nodes, own, other, alpha, d, [a, b, c], odd));
        if best != NONE {
            return best;
        }
        if mobility(other, own) == 0 {
            return final_score(own, other);
        }
        -last_4(nodes, other, own, -alpha - 1, odd)
    }

    /// The score of a disc on `square` that leaves three; `NONE` if it is not legal.
    #[inline]
    fn then_3(nodes: &mut u64, own: u64, other: u64, alpha: i32, square: u8, rest: [u8; 3], odd: u64) -> i32 {
        if NEIGHBOURS[usize::from(square) & 63] & other == 0 {
            return NONE;
        }
        let turned = flips(own, other, square);
        if turned == 0 {
            return NONE;
        }
        *nodes += 1;
        let odd = odd ^ QUADRANTS[usize::from(square) & 63];
        -last_3(nodes, other ^ turned, own ^ turned ^ 1 << square, -alpha - 1, rest, odd)
    }
}

/// Four squares, those of odd quadrants first, and of those one alone in its quadrant.
///
/// Either none, two or all of them are in odd quadrants.
#[inline(always)]
fn in_order(empties: u64, odd: u64) -> [u8; 4] {
    let odd = empties & odd;
    let front = if odd == 0 { empties } else { odd };
    let together = odd & QUADRANTS[front.trailing_zeros() as usize & 63];
    if together.count_ones() == 3 {
        let [a, b, c, _] = squares_of(together);
        return [(odd & !together).trailing_zeros() as u8, a, b, c];
    }
    let second = front & front.wrapping_sub(1);
    let (a, b) = (front.trailing_zeros() as u8, second.trailing_zeros() as u8);
    let back = empties ^ 1 << (a & 63) ^ 1 << (b & 63);
    [a, b, back.trailing_zeros() as u8, (back & back.wrapping_sub(1)).trailing_zeros() as u8]
}

/// The lowest four squares.
#[inline(always)]
pub fn squares_of(mut bits: u64) -> [u8; 4] {
    std::array::from_fn(|_| {
        let square = bits.trailing_zeros() as u8;
        bits &= bits.wrapping_sub(1);
        square
    })
}
