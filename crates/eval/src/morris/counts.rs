//! What one side has on the board, by sets of points.

use trilith_games::morris::points::{self, Lines, Points};

/// Middles of all rings, and of the middle ring.
const MIDDLES: Points = 0x00aa_aaaa;
const CROSSINGS: Points = 0x0000_aa00;

/// The moves that `stones` have along lines to `empty` points.
#[inline(always)]
pub fn slides(stones: Points, empty: Points) -> i32 {
    let along = pair(points::clockwise(stones) & empty, points::anticlockwise(stones) & empty);
    let across = pair(points::inwards(stones) & empty, points::outwards(stones) & empty);
    (along.count_ones() + across.count_ones()) as i32
}

/// Two sets in one word, so that both are counted at once.
#[inline(always)]
fn pair(a: Points, b: Points) -> u64 {
    u64::from(a) | u64::from(b) << 32
}

/// Stones without an empty neighbour.
#[inline(always)]
pub fn blocked(stones: Points, empty: Points) -> i32 {
    (stones & !points::neighbours(empty)).count_ones() as i32
}

/// Neighbours that `stones` would have on an empty board: S2's potential moves.
#[inline(always)]
pub fn potential(stones: Points) -> i32 {
    (2 * stones.count_ones() + pair(stones & MIDDLES, stones & CROSSINGS).count_ones()) as i32
}

/// Closed mills.
#[inline(always)]
pub fn mills(lines: Lines, stones: Points) -> i32 {
    lines.count(stones) as i32 / 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn potential_moves_are_neighbours_on_an_empty_board() {
        for point in 0..24 {
            assert_eq!(potential(1 << point) as u32, points::neighbours(1 << point).count_ones());
        }
        assert_eq!(potential(points::ALL), 64);
    }

    #[test]
    fn slides_and_blocked_stones_are_counted_stone_by_stone() {
        let mut word = 1_u64;
        for _ in 0..10_000 {
            word = trilith_base::seed::mix(word);
            let stones = word as u32 & points::ALL;
            let empty = (word >> 32) as u32 & points::ALL & !stones;
            let ways: Vec<_> = points::each(stones)
                .map(|p| (points::neighbours(1 << p) & empty).count_ones() as i32)
                .collect();
            assert_eq!(slides(stones, empty), ways.iter().sum::<i32>());
            assert_eq!(blocked(stones, empty), ways.iter().filter(|&&ways| ways == 0).count() as i32);
        }
    }

    #[test]
    fn mills_are_counted_once() {
        assert_eq!(mills(Lines::of(points::ALL), points::ALL), 16);
        assert_eq!(mills(Lines::of(0b111), 0b111), 1);
        assert_eq!(mills(Lines::of(0b11111), 0b11111), 2);
        assert_eq!(mills(Lines::of(0b101), 0b101), 0);
    }
}
