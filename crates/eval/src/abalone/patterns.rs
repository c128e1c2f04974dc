//! The patterns of Abalone: all lines of the board, along which marbles are pushed, and every inner cell with its six
//! neighbours, which say how marbles lie together and where a block has gaps.

use std::sync::LazyLock;

use trilith_games::abalone::cells::{cell_at, columns, neighbour};
use trilith_games::abalone::{Abalone, Position, Rules};
use trilith_games::{Colour, Game};

use super::AbaloneHandTuned;
use crate::evaluator::Value;
use crate::patterns::{CountedEvaluator, Layout, Older, Patterned};

/// Three times nine lines and 37 inner cells.
pub const LANES: usize = 64;
/// What a move more than the opponent has is worth where a game stands still, in steps of the value; chosen by matches
/// (docs/strength.md).
const FREEDOM: Value = 8;
/// Learned patterns of Abalone.
pub type AbalonePatterns = crate::patterns::Patterns<Abalone, LANES>;

/// Inner cells, one of each kind that no symmetry carries into another.
const AROUND: [(&str, (usize, usize)); 6] = [
    ("around e5", (4, 4)),
    ("around e6", (4, 5)),
    ("around e7", (4, 6)),
    ("around f7", (5, 6)),
    ("around e8", (4, 7)),
    ("around f8", (5, 7)),
];

/// A cell and its six neighbours.
fn around((row, column): (usize, usize)) -> Vec<u8> {
    let centre = cell_at(row, column).expect("a cell of the board");
    let neighbours = (0..6).map(|direction| neighbour(centre, direction).expect("an inner cell"));
    std::iter::once(centre).chain(neighbours).collect()
}

static LAYOUT: LazyLock<Layout<LANES>> = LazyLock::new(|| {
    let names = ["line of 5", "line of 6", "line of 7", "line of 8", "line of 9"];
    let line = |row: usize| columns(row).filter_map(|column| cell_at(row, column)).collect::<Vec<u8>>();
    let lines = names.into_iter().enumerate().map(|(row, name)| (name, line(row)));
    let shapes: Vec<_> = lines.chain(AROUND.map(|(name, centre)| (name, around(centre)))).collect();
    let game = Abalone::default();
    Layout::new(&shapes, Abalone::SYMMETRIES, |cell, symmetry| {
        let alone = Position { own: 1 << cell, other: 0, princess: 0, ..game.start() };
        game.image(&alone, symmetry).own.trailing_zeros() as u8
    })
});

impl Patterned<LANES> for Abalone {
    type Counts = AbaloneHandTuned;
    const FEATURES: &'static str = "abalone-patterns-6";
    const STAGES: usize = 4;
    const OLDER: Option<Older> = Some(Older {
        features: "abalone-patterns-5",
        shapes: 5,
        stages: &[0, 1, 2, 3],
        old_stages: 4,
        old_counts: AbaloneHandTuned::WEIGHTS,
        counts: <[f32]>::to_vec,
    });

    fn layout() -> &'static Layout<LANES> {
        &LAYOUT
    }

    /// By how many marbles have been ejected.
    #[inline]
    fn stage(&self, position: &Position) -> usize {
        match position.own_lost + position.other_lost {
            0 | 1 => 0,
            2 | 3 => 1,
            4..=6 => 2,
            _ => 3,
        }
    }

    #[inline]
    fn sides(&self, position: &Position) -> [u64; 2] {
        match position.to_move {
            Colour::Black => [position.own, position.other],
            Colour::White => [position.other, position.own],
        }
    }

    /// The daisies begin in contact and hardly ever close: there seeking mobility costs games (docs/strength.md). From snakes
    /// who moves second is a little behind until something happens; from the standard layout it loses games to seek mobility then.
    fn closed_games(&self) -> Option<f64> {
        let is = |name: &str| name.parse().is_ok_and(|rules: Rules| rules.layout == self.rules().layout);
        [("standard", 0.0), ("snakes", 0.8)].into_iter().find(|(name, _)| is(name)).map(|(_, behind)| behind)
    }

    /// Who closes in on a block has more moves than the block has.
    fn mobility(&self, position: &Position) -> Value {
        let turned = Position { own: position.other, other: position.own, ..*position };
        let moves = |position: &Position| self.count_moves(position) as Value;
        FREEDOM * (moves(position) - moves(&turned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;
    use trilith_games::{Record, playout};

    #[test]
    fn freedom_of_one_side_is_want_of_it_to_the_other() {
        let game = Abalone::default();
        let mut record = Record::new(game.clone());
        assert_eq!(Patterned::mobility(&game, record.position()), 0, "the start is symmetric");
        playout::play_on(&mut record, 15, &mut Seed(3).rng());
        let position = *record.position();
        let (own, other, to_move) = (position.other, position.own, !position.to_move);
        let turned = Position { own, other, to_move, ..position };
        assert_ne!(Patterned::mobility(&game, &position), 0);
        assert_eq!(Patterned::mobility(&game, &turned), -Patterned::mobility(&game, &position));
        let behind = |layout: &str| Patterned::closed_games(&Abalone::new(layout.parse().unwrap()));
        assert_eq!(["standard", "snakes", "belgian-daisy"].map(behind), [Some(0.0), Some(0.8), None]);
    }
}
