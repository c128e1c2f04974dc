//! Levels for people: how much a level may think and how far below its best move it may stray.
//!
//! The steps are as even in rating as could be measured, from a little above random play to a program that people
//! hardly beat. `trilith tournament tournaments/levels-GAME.toml` rates them; docs/strength.md has the tables and the
//! intervals.

use std::ops::RangeInclusive;

use trilith_games::Game;

use crate::kit::GameKit;
use crate::registry::{UnknownGame, Visitor, with_game};

/// What a level may do, and how strong that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Plies it looks ahead at most.
    pub depth: u32,
    /// Positions it looks at for one move, at most.
    pub nodes: u64,
    /// Moves this much worse than the best, in thousandths of the evaluation's unit, are as good to it.
    pub radius_permille: u32,
    /// Elo in the game's own list, in which random moves have 0; none where nobody has measured it.
    pub rating: Option<i32>,
}

/// All numbered levels.
pub const LEVELS: RangeInclusive<u8> = 1..=10;

/// So many positions that the depth alone is the limit of a level.
pub const PLENTY: u64 = 2_000_000;

/// How many levels there are.
pub const COUNT: usize = 10;

/// For a game whose levels nobody has measured.
pub const UNRATED: [Level; COUNT] = [
    plies(1, 4_000),
    plies(1, 2_000),
    plies(1, 1_000),
    plies(1, 500),
    plies(2, 500),
    plies(2, 0),
    plies(3, 0),
    plies(4, 0),
    plies(5, 0),
    nodes(40, 1_000_000),
];

/// A level that looks so many plies ahead.
pub const fn plies(depth: u32, radius_permille: u32) -> Level {
    Level { depth, nodes: PLENTY, radius_permille, rating: None }
}

/// A level that visits so many positions, at most so many plies ahead, and plays the best move.
pub const fn nodes(depth: u32, nodes: u64) -> Level {
    Level { depth, nodes, radius_permille: 0, rating: None }
}

impl Level {
    /// With the rating that was measured.
    pub const fn rated(self, rating: i32) -> Level {
        Level { rating: Some(rating), ..self }
    }
}

/// Level `number` of a list, the nearest there is.
pub fn pick(levels: &[Level; COUNT], number: u8) -> Level {
    levels[usize::from(number.clamp(*LEVELS.start(), *LEVELS.end())) - 1]
}

/// Level `number` of the game called `game`, the nearest there is; 10 is the strongest that does not depend on the
/// machine's speed.
pub fn level(game: &str, number: u8) -> Result<Level, UnknownGame> {
    with_game(game, Pick(number))
}

struct Pick(u8);

impl Visitor for Pick {
    type Output = Level;

    fn visit<G: Game, C: GameKit<G>>(self) -> Level {
        pick(&C::LEVELS, self.0)
    }
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
            let ratings: Vec<_> = LEVELS.filter_map(|number| level(game, number).unwrap().rating).collect();
            assert!(ratings.iter().all(|&rating| rating > 0), "{game}: {ratings:?}");
            assert!(ratings.is_sorted_by(|a, b| a < b), "{game}: {ratings:?}");
        }
    }

    #[test]
    fn a_stronger_level_looks_at_least_as_far_and_strays_no_further_at_the_same_depth() {
        for game in GAMES {
            for number in 1..10 {
                let [one, next] = [number, number + 1].map(|number| level(game, number).unwrap());
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
