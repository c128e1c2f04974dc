//! Levels for people: how much a level may think and how far below its best move it may stray.
//!
//! The steps are as even in rating as could be measured, from a little above random play to a program that people
//! hardly beat. `trilith tournament tournaments/levels-GAME.toml` rates them; docs/strength.md has the tables and the
//! intervals.

use std::ops::RangeInclusive;

/// What a level may do, and how strong that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Plies it looks ahead at most.
    pub depth: u32,
    /// Positions it looks at for one move, at most.
    pub nodes: u64,
    /// Moves this much worse than the best, in thousandths of the evaluation's unit, are as good to it.
    pub radius_permille: u32,
    /// Elo in the game's own list, in which random moves have 0.
    pub rating: i32,
}

/// All numbered levels.
pub const LEVELS: RangeInclusive<u8> = 1..=10;

/// So many positions that the depth alone is the limit of a level.
pub const PLENTY: u64 = 2_000_000;

const OTHELLO: [Level; 10] = [
    plies(1, 17_000, 157),
    plies(1, 12_800, 358),
    plies(1, 9_000, 654),
    plies(2, 7_000, 899),
    plies(2, 4_500, 1102),
    plies(3, 3_100, 1337),
    plies(4, 1_700, 1660),
    plies(6, 400, 1874),
    plies(8, 0, 1989),
    nodes(30, 1_000_000, 2213),
];

const MORRIS: [Level; 10] = [
    plies(1, 4_000, 367),
    plies(1, 2_100, 531),
    plies(1, 1_400, 702),
    plies(1, 800, 930),
    plies(2, 800, 1067),
    plies(2, 300, 1245),
    plies(3, 250, 1382),
    plies(4, 0, 1516),
    plies(5, 0, 1670),
    nodes(40, 1_000_000, 1822),
];

const ABALONE: [Level; 10] = [
    plies(1, 900, 214),
    plies(1, 550, 389),
    plies(1, 450, 447),
    plies(1, 340, 645),
    plies(1, 210, 846),
    plies(2, 350, 923),
    plies(2, 220, 1115),
    plies(2, 130, 1304),
    plies(3, 80, 1438),
    nodes(20, 1_000_000, 1784),
];

const fn plies(depth: u32, radius_permille: u32, rating: i32) -> Level {
    Level { depth, nodes: PLENTY, radius_permille, rating }
}

const fn nodes(depth: u32, nodes: u64, rating: i32) -> Level {
    Level { depth, nodes, radius_permille: 0, rating }
}

/// Level `number` of a game, the nearest there is; 10 is the strongest that does not depend on the machine's speed.
/// The levels of Othello stand for those of an unknown game.
pub fn level(game: &str, number: u8) -> Level {
    let levels = match game {
        "morris" => &MORRIS,
        "abalone" => &ABALONE,
        _ => &OTHELLO,
    };
    levels[usize::from(number.clamp(*LEVELS.start(), *LEVELS.end())) - 1]
}

/// S2's three names, and the numbers.
pub fn parse(text: &str) -> Option<u8> {
    match text {
        "beginner" => Some(2),
        "advanced" => Some(5),
        "expert" => Some(8),
        _ => text.parse().ok().filter(|number| LEVELS.contains(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GAMES;

    #[test]
    fn every_level_is_stronger_than_the_one_before_and_the_first_beats_random_play() {
        for game in GAMES {
            let ratings: Vec<_> = LEVELS.map(|number| level(game, number).rating).collect();
            assert!(ratings[0] > 0 && ratings.is_sorted_by(|a, b| a < b), "{game}: {ratings:?}");
        }
    }

    #[test]
    fn a_stronger_level_looks_at_least_as_far_and_strays_no_further_at_the_same_depth() {
        for game in GAMES {
            for number in 1..10 {
                let (one, next) = (level(game, number), level(game, number + 1));
                assert!(one.depth <= next.depth, "{game}: {number}");
                assert!(
                    one.depth < next.depth || one.radius_permille > next.radius_permille,
                    "{game}: {number}"
                );
            }
        }
    }

    #[test]
    fn names_and_numbers_are_read_and_nothing_else() {
        assert_eq!(["1", "10", "expert"].map(parse), [Some(1), Some(10), Some(8)]);
        assert_eq!(["0", "11", "", "best"].map(parse), [None; 4]);
    }
}
