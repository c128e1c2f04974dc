//! Strategic features beside S1's 42, as S1 wishes for (7.2.1): what its polynomial could not see in the game of appendix E.
//!
//! There White has few moves, two corners are attacked, and hardly a disc is stable although there are many. So each side's
//! moves, the corners it can take at once, and its stable discs are counted, each as a share of the most there can be.

use trilith_games::othello::{Othello, Position};

use super::features::{FEATURES, features, names};
use crate::features::FeatureSet;

/// S1's features and six more.
pub const STRATEGIC_SET: &str = "othilie-48";
const CORNERS: u64 = 0x8100_0000_0000_0081;
/// More moves than any game offers: the known most is 33.
const MOST_MOVES: f64 = 33.0;

/// `othilie-48`.
#[derive(Clone, Copy, Debug)]
pub struct StrategicFeatures;

impl FeatureSet<Othello> for StrategicFeatures {
    fn name(&self) -> &str {
        STRATEGIC_SET
    }

    fn names(&self) -> Vec<String> {
        let more = [
            "own moves",
            "other moves",
            "corners in reach",
            "corners attacked",
            "own stable",
            "other stable",
        ];
        names().chain(more.map(String::from)).collect()
    }

    fn count(&self) -> usize {
        FEATURES + 6
    }

    fn fill(&self, _: &Othello, position: &Position, into: &mut [f32]) {
        let all = features(position).into_iter().chain(strategic(position));
        into.iter_mut().zip(all).for_each(|(into, number)| *into = number as f32);
    }

    fn is_symmetric(&self) -> bool {
        false
    }
}

/// The six, each from 0 to 1: moves, corners that can be taken, stable discs, own before other.
fn strategic(position: &Position) -> [f64; 6] {
    let (own, other) = (position.mobility(), position.after_pass().mobility());
    let count = |bits: u64| f64::from(bits.count_ones());
    [
        count(own) / MOST_MOVES,
        count(other) / MOST_MOVES,
        count(own & CORNERS) / 4.0,
        count(other & CORNERS) / 4.0,
        count(stable(position.own, position.other)) / 64.0,
        count(stable(position.other, position.own)) / 64.0,
    ]
}

const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = LEFT << 7;
/// Along rows, columns and both diagonals: the shift, and the files that it must not start from upwards and downwards.
const LINES: [(u32, u64, u64); 4] = [(1, RIGHT, LEFT), (8, 0, 0), (9, RIGHT, LEFT), (7, LEFT, RIGHT)];

/// The squares one step further along a line.
fn shifted(bits: u64, (step, not_up, not_down): (u32, u64, u64), is_up: bool) -> u64 {
    if is_up { (bits & !not_up) << step } else { (bits & !not_down) >> step }
}

/// Discs of `own` that nothing can turn: along each of the four lines through them the line is full, the border is next, or a
/// stable disc of the same side is. A lower bound, as all simple ones are.
fn stable(own: u64, other: u64) -> u64 {
    let settled = LINES.map(|line| border(line) | full(own | other, line));
    let mut stable = 0;
    loop {
        let beside = |line| shifted(stable, line, true) | shifted(stable, line, false);
        let next =
            LINES.iter().zip(settled).fold(own, |all, (&line, settled)| all & (settled | beside(line)));
        if next == stable {
            return stable;
        }
        stable = next;
    }
}

/// The squares that lack a neighbour along a line.
fn border(line: (u32, u64, u64)) -> u64 {
    !(shifted(!0, line, true) & shifted(!0, line, false))
}

/// The squares whose whole line is taken: seven steps cross the board.
fn full(taken: u64, line: (u32, u64, u64)) -> u64 {
    [true, false].into_iter().fold(taken, |all, is_up| {
        let is_last = !shifted(!0, line, !is_up);
        all & (0..7).fold(taken, |full, _| full & (is_last | shifted(full, line, !is_up)))
    })
}

#[cfg(test)]
mod tests {
    use trilith_base::Seed;
    use trilith_games::Game;

    use super::*;
    use crate::contract::sample;

    fn bits(names: &str) -> u64 {
        names.split(' ').fold(0, |all, name| {
            let name = name.as_bytes();
            all | 1 << (name[0] - b'a' + 8 * (name[1] - b'1'))
        })
    }

    #[test]
    fn stable_discs_by_hand() {
        assert_eq!(stable(bits("a1 b1 c1 a2 b2"), bits("d1 d2")), bits("a1 b1 c1 a2 b2"));
        assert_eq!(stable(bits("b1 c1 d4"), bits("e1")), 0, "nothing leans on a corner");
        assert_eq!(stable(bits("b1 h1"), bits("a1 c1 d1 e1 f1 g1")), bits("b1 h1"), "a full edge is settled");
        assert_eq!(stable(!0, 0), !0);
    }

    /// Nothing that is called stable is ever turned, in whole games.
    #[test]
    fn what_is_stable_stays() {
        let game = Othello::default();
        let mut seen = 0;
        for (number, start) in sample(&game, Seed(5), 7, 60).into_iter().enumerate() {
            let mut position = start;
            let mut rng = Seed(number as u64).rng();
            let (black, white) = position.colours();
            let settled = [stable(black, white), stable(white, black)];
            seen += settled[0].count_ones() + settled[1].count_ones();
            while let Some(mv) = trilith_games::playout::random_move(&game, &position, &mut rng) {
                position = game.play(&position, mv);
                let (black, white) = position.colours();
                assert!(settled[0] & !black == 0 && settled[1] & !white == 0, "{}", game.diagram(&start));
            }
        }
        assert!(seen > 100, "{seen}");
    }

    #[test]
    fn six_features_more_between_0_and_1() {
        let game = Othello::default();
        for position in sample(&game, Seed(6), 5, 200) {
            let numbers = crate::features::of(&StrategicFeatures, &game, &position);
            assert_eq!((numbers.len(), StrategicFeatures.names().len()), (48, 48));
            assert!(numbers.iter().all(|number| (0.0..=1.0).contains(number)), "{numbers:?}");
            let turned = crate::features::of(&StrategicFeatures, &game, &position.after_pass());
            for (own, other) in [(42, 43), (44, 45), (46, 47)] {
                assert_eq!(numbers[own], turned[other]);
            }
            assert_eq!(numbers[42], position.mobility().count_ones() as f32 / 33.0);
        }
    }
}
