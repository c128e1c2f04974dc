//! What one side has on the board, as sets of points whose sizes count.

use trilith_games::morris::points::{self, Points};

/// Middles of all rings, and of the middle ring.
const MIDDLES: Points = 0x00aa_aaaa;
const CROSSINGS: Points = 0x0000_aa00;

/// The moves that `stones` have along lines to `empty` points: one member each in three sets.
#[inline(always)]
pub fn slides(stones: Points, empty: Points) -> [Points; 3] {
    // Across the rings only middles are reached, which leaves the corners to hold one of the two ways.
    let across = points::inwards(stones) & empty | points::clockwise(points::outwards(stones) & empty);
    [points::clockwise(stones) & empty, points::anticlockwise(stones) & empty, across]
}

/// Stones without an empty neighbour.
#[inline(always)]
pub fn blocked(stones: Points, empty: Points) -> Points {
    stones & !points::neighbours(empty)
}

/// One member for each neighbour past two that a stone has on an empty board.
#[inline(always)]
pub fn branches(stones: Points) -> Points {
    stones & MIDDLES | points::clockwise(stones & CROSSINGS)
}

/// Neighbours that `stones` have on an empty board: S2's potential moves.
pub fn potential(stones: Points) -> u32 {
    2 * stones.count_ones() + branches(stones).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_games::morris::points::Lines;

    #[test]
    fn potential_moves_are_neighbours_on_an_empty_board() {
        for point in 0..24 {
            assert_eq!(potential(1 << point), points::neighbours(1 << point).count_ones());
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
            let ways = |point: u8| (points::neighbours(1 << point) & empty).count_ones();
            let all: u32 = points::each(stones).map(ways).sum();
            assert_eq!(slides(stones, empty).map(u32::count_ones).iter().sum::<u32>(), all);
            let without = points::each(stones).filter(|&point| ways(point) == 0);
            assert_eq!(blocked(stones, empty), without.fold(0, |set, point| set | 1 << point));
        }
    }

    #[test]
    fn mills_are_counted_once() {
        let mills = |stones: Points| Lines::of(stones).mills(stones).count_ones();
        let spoke = 1 << 1 | 1 << 9 | 1 << 17;
        assert_eq!(mills(points::ALL), 16);
        assert_eq!([0b111, 0b11111, 0b101, spoke, spoke | 0b111].map(mills), [1, 2, 0, 1, 2]);
    }
}
