//! S2's 39 binary features (Table 4.1): nine groups of which at most one feature each is on.
//!
//! As in S2, stones are those on the board and moves those along lines, also while stones are placed (4.5.1 counts
//! three stones and five moves there); a side that may fly has its flights instead. An open mill is a line with two
//! stones and an empty point that can be filled in one move: from the hand, by flying, or from a neighbour off the
//! line (5.1). The table has no feature for exactly ten moves, nor for exactly seven potential moves more or less:
//! its words are 'more than'.

use std::ops::Range;

use trilith_games::Game;
use trilith_games::morris::points::Points;
use trilith_games::morris::{Morris, Position};

use super::counts;
use crate::features::FeatureSet;

/// How many features there are.
pub const COUNT: usize = 39;
/// How many groups they form.
pub const GROUPS: usize = 9;
/// Stands for 'no feature of this group'.
pub const NONE: usize = COUNT;

/// Names and hand weights, in the order of Table 4.1.
pub const TABLE: [(&str, f64); COUNT] = [
    ("own stones: 4", 0.10),
    ("own stones: 5", 0.15),
    ("own stones: 6", 0.20),
    ("own stones: 7", 0.25),
    ("own stones: 8", 0.30),
    ("own stones: 9", 0.35),
    ("other stones: 4", -0.10),
    ("other stones: 5", -0.15),
    ("other stones: 6", -0.20),
    ("other stones: 7", -0.25),
    ("other stones: 8", -0.30),
    ("other stones: 9", -0.35),
    ("own moves: 2 or 3", 0.10),
    ("own moves: 4 or 5", 0.15),
    ("own moves: 6 or 7", 0.20),
    ("own moves: 8 or 9", 0.25),
    ("own moves: more than 10", 0.30),
    ("other moves: 2 or 3", -0.10),
    ("other moves: 4 or 5", -0.15),
    ("other moves: 6 or 7", -0.20),
    ("other moves: 8 or 9", -0.25),
    ("other moves: more than 10", -0.30),
    ("own closed mills: 1", 0.01),
    ("own closed mills: more than 1", 0.02),
    ("other closed mills: 1", -0.01),
    ("other closed mills: more than 1", -0.02),
    ("own open mills: 1", 0.02),
    ("own open mills: more than 1", 0.04),
    ("other open mills: 1", -0.02),
    ("other open mills: more than 1", -0.04),
    ("potential moves: more than 7 less", -0.16),
    ("potential moves: 4 to 6 less", -0.08),
    ("potential moves: 2 to 3 less", -0.04),
    ("potential moves: 1 less", -0.02),
    ("potential moves: the same", 0.00),
    ("potential moves: 1 more", 0.02),
    ("potential moves: 2 to 3 more", 0.04),
    ("potential moves: 4 to 6 more", 0.08),
    ("potential moves: more than 7 more", 0.16),
];

const OTHER_STONES: usize = 6;
const OWN_MOVES: usize = 12;
const OTHER_MOVES: usize = 17;
const OWN_CLOSED: usize = 22;
const OTHER_CLOSED: usize = 24;
const OWN_OPEN: usize = 26;
const OTHER_OPEN: usize = 28;
const POTENTIAL: usize = 30;

/// What S2 counts of one side.
struct Side {
    stones: u32,
    moves: u32,
    closed: u32,
    open: u32,
    potential: u32,
}

fn side(game: &Morris, stones: Points, hand: u8, empty: Points) -> Side {
    let grid = game.rules().grid;
    let lines = grid.lines(stones);
    let number = stones.count_ones();
    let flies = hand == 0 && game.rules().flying && number == 3;
    let open = if hand > 0 || flies { lines.apart() } else { lines.apart_by_sliding(stones) };
    let moves = match flies {
        true => number * empty.count_ones(),
        false => counts::slides(grid, stones, empty).map(u32::count_ones).iter().sum(),
    };
    Side {
        stones: number,
        moves,
        closed: lines.mills(stones).count_ones(),
        open: open.map(|set| (set & empty).count_ones()).iter().sum(),
        potential: counts::potential(grid, stones),
    }
}

/// The features of a position that are on, from 0, one a group or [`NONE`].
pub fn active(game: &Morris, position: &Position) -> [usize; GROUPS] {
    let empty = position.empty();
    let own = side(game, position.own(), position.own_hand(), empty);
    let other = side(game, position.other(), position.other_hand(), empty);
    [
        stones(own.stones, 0),
        stones(other.stones, OTHER_STONES),
        moves(own.moves, OWN_MOVES),
        moves(other.moves, OTHER_MOVES),
        one_or_more(own.closed, OWN_CLOSED),
        one_or_more(other.closed, OTHER_CLOSED),
        one_or_more(own.open, OWN_OPEN),
        one_or_more(other.open, OTHER_OPEN),
        difference(own.potential as i32 - other.potential as i32),
    ]
}

fn stones(number: u32, first: usize) -> usize {
    // Variants have more than nine: their stones count as nine.
    match number.min(9) {
        stones @ 4.. => first + stones as usize - 4,
        _ => NONE,
    }
}

fn moves(number: u32, first: usize) -> usize {
    match number {
        2..=9 => first + number as usize / 2 - 1,
        0 | 1 | 10 => NONE,
        _ => first + 4,
    }
}

fn one_or_more(number: u32, first: usize) -> usize {
    match number {
        0 => NONE,
        1 => first,
        _ => first + 1,
    }
}

fn difference(more: i32) -> usize {
    let step = match more.abs() {
        0 => 0,
        1 => 1,
        2 | 3 => 2,
        4..=6 => 3,
        7 => return NONE,
        _ => 4,
    };
    (POTENTIAL as i32 + 4 + step * more.signum()) as usize
}

/// A part of the features as a set of its own.
#[derive(Clone, Debug)]
pub struct MuehleFeatures {
    name: &'static str,
    parts: [Range<usize>; 2],
}

/// All 39.
pub const STANDARD: MuehleFeatures = MuehleFeatures { name: "morris-39", parts: [0..39, 0..0] };
/// Stones, moves and potential moves: those of 'Small', without mills.
pub const SMALL: MuehleFeatures = MuehleFeatures { name: "morris-31", parts: [0..22, 30..39] };
/// Stones and moves: those of 'Klein'.
pub const KLEIN: MuehleFeatures = MuehleFeatures { name: "morris-22", parts: [0..22, 0..0] };
/// Stones: those of 'Minimal'.
pub const MINIMAL: MuehleFeatures = MuehleFeatures { name: "morris-12", parts: [0..12, 0..0] };

impl MuehleFeatures {
    /// The features of this part by their place in [`TABLE`].
    pub fn places(&self) -> impl Iterator<Item = usize> + use<> {
        let [first, second] = self.parts.clone();
        first.chain(second)
    }
}

impl FeatureSet<Morris> for MuehleFeatures {
    fn name(&self) -> &str {
        self.name
    }

    fn names(&self) -> Vec<String> {
        self.places().map(|place| TABLE[place].0.into()).collect()
    }

    fn count(&self) -> usize {
        self.places().count()
    }

    fn fill(&self, game: &Morris, position: &Position, into: &mut [f32]) {
        into.fill(0.0);
        let first = self.parts[0].clone();
        for place in active(game, position) {
            if first.contains(&place) {
                into[place] = 1.0;
            } else if self.parts[1].contains(&place) {
                into[place - self.parts[1].start + first.end] = 1.0;
            }
        }
    }
}

/// All pairs of the 39, 1521 of them: S2's 'Combi'.
#[derive(Clone, Copy, Debug)]
pub struct MuehleFeaturePairs;

impl FeatureSet<Morris> for MuehleFeaturePairs {
    fn name(&self) -> &str {
        "morris-39x39"
    }

    fn names(&self) -> Vec<String> {
        let pair = |first: &str, second: &str| format!("{first} with {second}");
        TABLE.iter().flat_map(|first| TABLE.map(|second| pair(first.0, second.0))).collect()
    }

    fn count(&self) -> usize {
        COUNT * COUNT
    }

    fn fill(&self, game: &Morris, position: &Position, into: &mut [f32]) {
        into.fill(0.0);
        let active = active(game, position);
        for first in active.into_iter().filter(|&first| first != NONE) {
            for second in active.into_iter().filter(|&second| second != NONE) {
                into[first * COUNT + second] = 1.0;
            }
        }
    }
}
