//! What one side has on the board, as sets of points whose sizes count.

use trilith_games::morris::points::{self, Points, SpokeGrid};

/// The moves that `stones` have along lines to `empty` points: one bit each in three words.
#[inline(always)]
pub fn slides(grid: SpokeGrid, stones: Points, empty: Points) -> [u32; 3] {
    // Nothing comes to the outer ring from outside, nor to the inner one from inside: with eight bits above the points
    // there is room for both ways across the rings.
    let outwards = grid.outwards(stones) & empty;
    let across = grid.inwards(stones) & empty | outwards & 0xff | (outwards & 0xff00) << 16;
    [points::clockwise(stones) & empty, points::anticlockwise(stones) & empty, across]
}

/// Stones without an empty neighbour.
#[inline(always)]
pub fn blocked(grid: SpokeGrid, stones: Points, empty: Points) -> Points {
    stones & !grid.neighbours(empty)
}

/// Neighbours that `stones` have on an empty board: S2's potential moves.
pub fn potential(grid: SpokeGrid, stones: Points) -> u32 {
    2 * stones.count_ones() + grid.branches(stones).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRIDS: [SpokeGrid; 2] = [SpokeGrid::PLAIN, SpokeGrid::DIAGONALS];

    #[test]
    fn potential_moves_are_neighbours_on_an_empty_board() {
        for grid in GRIDS {
            for point in 0..24 {
                assert_eq!(potential(grid, 1 << point), grid.neighbours(1 << point).count_ones());
            }
        }
        assert_eq!(GRIDS.map(|grid| potential(grid, points::ALL)), [64, 80]);
    }

    #[test]
    fn slides_and_blocked_stones_are_counted_stone_by_stone() {
        let mut word = 1_u64;
        for number in 0..20_000 {
            let grid = GRIDS[number % 2];
            word = trilith_base::seed::mix(word);
            let stones = word as u32 & points::ALL;
            let empty = (word >> 32) as u32 & points::ALL & !stones;
            let ways = |point: u8| (grid.neighbours(1 << point) & empty).count_ones();
            let all: u32 = points::each(stones).map(ways).sum();
            assert_eq!(slides(grid, stones, empty).map(u32::count_ones).iter().sum::<u32>(), all);
            let without = points::each(stones).filter(|&point| ways(point) == 0);
            assert_eq!(blocked(grid, stones, empty), without.fold(0, |set, point| set | 1 << point));
        }
    }

    #[test]
    fn mills_are_counted_once() {
        let mills = |stones: Points| SpokeGrid::PLAIN.lines(stones).mills(stones).count_ones();
        let spoke = 1 << 1 | 1 << 9 | 1 << 17;
        assert_eq!(mills(points::ALL), 16);
        assert_eq!([0b111, 0b11111, 0b101, spoke, spoke | 0b111].map(mills), [1, 2, 0, 1, 2]);
    }
}
