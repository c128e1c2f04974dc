//! Flips and mobility with plain 64-bit arithmetic: the reference for every other technique.

use super::lines::{LINES, TURNED};
use super::rays::RAYS;

/// Discs of `other` that a disc of `own` on `square` turns; none if the move is not legal. `square` is below 64.
///
/// Along a ray towards higher bits, adding one below the ray carries through the run of `other` and stops at the
/// first square that is not `other`'s. Along a ray towards lower bits that square is the highest one set.
#[inline]
pub fn flips(own: u64, other: u64, square: u8) -> u64 {
    let rays = &RAYS[usize::from(square) & 63];
    let mut flips = 0;
    for &ray in &rays[..4] {
        let end = (other | !ray).wrapping_add(1) & own & ray;
        flips |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    for &ray in &rays[4..] {
        // The lowest bit stands in for an empty ray, where its effect is masked out.
        let first = HIGHEST >> ((!other & ray) | 1).leading_zeros();
        let end = first & own & ray;
        flips |= end.wrapping_add(end).wrapping_neg() & ray;
    }
    flips
}

const HIGHEST: u64 = 1 << 63;
const COLUMN_A: u64 = 0x0101_0101_0101_0101;
/// Columns b to g: a run must not wrap around the side of the board.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Squares where `own` may put a disc: those beyond a run of `other` that begins beside a disc of `own`.
#[inline(always)]
pub fn mobility(own: u64, other: u64) -> u64 {
    let inner = other & INNER;
    let reached =
        beyond(own, inner, 1) | beyond(own, other, 8) | beyond(own, inner, 7) | beyond(own, inner, 9);
    reached & !(own | other)
}

/// Squares beyond runs of `through` beside `own`, in the two directions of the step `by`.
#[inline(always)]
fn beyond(own: u64, through: u64, by: u32) -> u64 {
    let (up, down) = runs(own, through, by);
    up << by | down >> by
}

/// Runs of `through`, at most six long, that begin beside `from`, in the two directions of the step `by`.
#[inline(always)]
fn runs(from: u64, through: u64, by: u32) -> (u64, u64) {
    let mut up = through & (from << by);
    let mut down = through & (from >> by);
    up |= through & (up << by);
    down |= through & (down >> by);
    let up_pairs = through & (through << by);
    let down_pairs = up_pairs >> by;
    up |= up_pairs & (up << (2 * by));
    down |= down_pairs & (down >> (2 * by));
    up |= up_pairs & (up << (2 * by));
    down |= down_pairs & (down >> (2 * by));
    (up, down)
}

/// How many discs `own` turns with the last disc of the game, on `square`. Trusts that all other squares are occupied.
///
/// A multiplication packs the squares of a column or diagonal into a byte.
#[inline]
pub fn last_flips(own: u64, square: u8) -> u32 {
    let square = usize::from(square) & 63;
    let (x, y) = (square & 7, square >> 3);
    let [_, _, rise, fall] = LINES[square].masks;
    let column = (own >> x & COLUMN_A).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let rise = (own & rise).wrapping_mul(COLUMN_A) >> 56;
    let fall = (own & fall).wrapping_mul(COLUMN_A) >> 56;
    let along = |at: usize, line: u64| u32::from(TURNED[at][usize::from(line as u8)]);
    along(x, own >> (8 * y)) + along(y, column) + along(x, rise) + along(x, fall)
}

/// The bit of `bits` that has `number` others below it; none if there are not that many.
#[inline]
pub fn nth_bit(mut bits: u64, number: u32) -> u64 {
    for _ in 0..number {
        bits &= bits.wrapping_sub(1);
    }
    bits & bits.wrapping_neg()
}

/// The discs after a move, first those of the side to move next; no bit is a pass. Vectorises, as [`flips_of_bit`].
#[inline(always)]
pub fn played(own: u64, other: u64, bit: u64) -> (u64, u64) {
    let flips = flips_of_bit(own, other, bit);
    (other ^ flips, own ^ flips ^ bit)
}

/// As [`flips`], with the square as a bit and without branches or tables, for many positions at a time.
///
/// No bit gives no flips.
#[inline(always)]
pub fn flips_of_bit(own: u64, other: u64, bit: u64) -> u64 {
    let inner = other & INNER;
    between(own, inner, bit, 1)
        | between(own, other, bit, 8)
        | between(own, inner, bit, 7)
        | between(own, inner, bit, 9)
}

/// Runs of `through` beside `bit` that end at a disc of `own`, in the two directions of the step `by`.
#[inline(always)]
fn between(own: u64, through: u64, bit: u64, by: u32) -> u64 {
    let (up, down) = runs(bit, through, by);
    let up = if (up << by) & own != 0 { up } else { 0 };
    let down = if (down >> by) & own != 0 { down } else { 0 };
    up | down
}
