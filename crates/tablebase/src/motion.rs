//! What the rules say once all stones are placed, asked for whole sets of points at once.
//!
//! Of the switches only three matter here: captures, flying and diagonals. A stone that slides or flies never takes two,
//! so `double-mill` does not; with so many stones as tables know the board is never full; and the draw rules are left
//! out: a value in a tablebase says what best play reaches when nobody counts repetitions or quiet plies. How many
//! stones a side began with, and how they were placed, is past: Lasker's endgames are those of nine men.

use trilith_games::morris::points::{self, Points, SpokeGrid};
use trilith_games::morris::{CaptureFromMill, Rules, STANDARD};

/// The rules of the endgame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Motion {
    grid: SpokeGrid,
    capture: CaptureFromMill,
    flying: bool,
}

impl Motion {
    /// What of `rules` matters here.
    pub fn of(rules: &Rules) -> Motion {
        Motion { grid: rules.grid, capture: rules.capture_from_mill, flying: rules.flying }
    }

    /// The rules with all that does not matter as in the preset: what files and folders are called by.
    pub fn name(self) -> String {
        let Motion { grid, capture, flying } = self;
        Rules { grid, capture_from_mill: capture, flying, ..STANDARD }.to_string()
    }

    /// Which points lines join.
    #[inline(always)]
    pub fn grid(self) -> SpokeGrid {
        self.grid
    }

    /// Opposing stones that one closed mill may take.
    #[inline(always)]
    pub fn removable(self, other: Points) -> Points {
        let free = other & !self.grid.in_mills(other);
        match self.capture {
            CaptureFromMill::Always => other,
            CaptureFromMill::IfAllInMills if free == 0 => other,
            _ => free,
        }
    }

    /// Whether a side with so many stones flies.
    #[inline(always)]
    pub fn flies(self, stones: u32) -> bool {
        self.flying && stones == 3
    }
}

/// Calls `visit` with the mover's stones before each way in which one of `movable` came to its place from a point of
/// `empty`, sliding or flying.
#[inline(always)]
pub fn each_before(
    grid: SpokeGrid,
    stones: Points,
    movable: Points,
    empty: Points,
    flies: bool,
    mut visit: impl FnMut(Points),
) {
    if flies {
        for to in points::each(movable) {
            points::each(empty).for_each(|from| visit(stones ^ (1 << to) | 1 << from));
        }
        return;
    }
    let mut each = |from: Points, to: fn(Points) -> Points| {
        let mut rest = from & empty;
        while rest != 0 {
            let bit = rest & rest.wrapping_neg();
            visit(stones ^ bit ^ to(bit));
            rest ^= bit;
        }
    };
    each(points::clockwise(movable), points::anticlockwise);
    each(points::anticlockwise(movable), points::clockwise);
    each(grid.inwards(movable), |bit| bit >> 8);
    each(grid.outwards(movable), |bit| bit << 8);
}

/// How many moves there are in all, closing mills or not; calls `close` with the mover's stones after each move that
/// closes a mill.
#[inline(always)]
pub fn each_closing(
    grid: SpokeGrid,
    stones: Points,
    empty: Points,
    flies: bool,
    mut close: impl FnMut(Points),
) -> u32 {
    if flies {
        for from in points::each(stones) {
            let rest = stones ^ (1 << from);
            points::each(grid.lines(rest).any() & empty).for_each(|to| close(rest | 1 << to));
        }
        return stones.count_ones() * empty.count_ones();
    }
    let lines = grid.lines(stones);
    let mut count = 0;
    let mut each = |to: Points, closing: Points, from: fn(Points) -> Points| {
        count += (to & empty).count_ones();
        let mut rest = to & empty & closing;
        while rest != 0 {
            let bit = rest & rest.wrapping_neg();
            close(stones ^ bit ^ from(bit));
            rest ^= bit;
        }
    };
    each(points::clockwise(stones), lines.coming_clockwise(), points::anticlockwise);
    each(points::anticlockwise(stones), lines.coming_anticlockwise(), points::clockwise);
    each(grid.inwards(stones), lines.coming_across(), |bit| bit >> 8);
    each(grid.outwards(stones), lines.coming_across(), |bit| bit << 8);
    count
}
