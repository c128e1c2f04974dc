//! Moves: which there are, what they do. All by sets of cells; a marble is never looked at alone.
//!
//! For a direction, the rearmost marbles of in-line moves and the ends of broadside moves are sets that a few
//! shifts give, so that counting is a matter of set sizes and listing a walk over members.

use std::hash::{Hash, Hasher};

use super::cells::{BOARD, CELLS, INNER, ahead, behind, each, far};
use super::hints;
use super::position::Position;
use crate::game::MoveList;

/// One to three own marbles in a line and the direction they go in, by place alone: what they push is up to the
/// position. Directions are those of [`super::cells::STEPS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub(super) first: u8,
    pub(super) axis: u8,
    pub(super) direction: u8,
    pub(super) marbles: u8,
}

/// One small number, so that statistics by move cost one multiplication.
impl Hash for Move {
    #[inline(always)]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u16(self.code());
    }
}

/// How many different [`Move::code`]s there are: to each direction three moves in line and four broadside.
pub(super) const CODES: usize = 6 * 7 * CELLS;

/// Seven times the direction, and two for each axis of a broadside move.
const KINDS: [[u8; 6]; 6] = kinds();

const fn kinds() -> [[u8; 6]; 6] {
    let mut kinds = [[0; 6]; 6];
    let mut at = 0;
    while at < 36 {
        let (direction, axis) = (at / 6, at % 6);
        let turn = (axis + 6 - direction) % 3;
        kinds[direction][axis] = 7 * direction as u8 + 2 * turn as u8;
        at += 1;
    }
    kinds
}

impl Move {
    /// A number below [`CODES`], another for each move.
    #[inline(always)]
    pub(super) const fn code(self) -> u16 {
        // In line 0 to 2 by marbles, broadside 3 and 4 or 5 and 6: two of their marbles are the first.
        let kind = KINDS[self.direction as usize][self.axis as usize] + self.marbles - 1;
        kind as u16 * CELLS as u16 + self.first as u16
    }

    /// The move of a single marble or of a line along itself; `rear` is the last marble of the line.
    pub const fn in_line(rear: u8, direction: u8, marbles: u8) -> Move {
        Move { first: rear, axis: direction, direction, marbles }
    }

    /// The move of a line sideways. `axis` leads from `first` to the other end; the line is turned so that the
    /// axis is one of the first three directions, which makes the move's form unique.
    pub const fn broadside(first: u8, axis: u8, direction: u8, marbles: u8) -> Move {
        if axis < 3 {
            return Move { first, axis, direction, marbles };
        }
        Move { first: far(first, axis, marbles - 1), axis: axis - 3, direction, marbles }
    }

    /// Whether the marbles move sideways.
    pub const fn is_broadside(self) -> bool {
        self.axis != self.direction
    }

    /// The rearmost marble of an in-line move, else one end.
    pub const fn first(self) -> u8 {
        self.first
    }

    /// The foremost marble of an in-line move, else the other end.
    pub const fn last(self) -> u8 {
        far(self.first, self.axis, self.marbles - 1)
    }

    /// Where the marbles go, as an index of [`super::cells::STEPS`].
    pub const fn direction(self) -> u8 {
        self.direction
    }

    /// How many own marbles move, 1 to 3.
    pub const fn marbles(self) -> u8 {
        self.marbles
    }

    /// The own marbles that move, from the first to the last.
    pub fn line(self) -> impl Iterator<Item = u8> {
        (0..self.marbles).map(move |steps| far(self.first, self.axis, steps))
    }

    /// The own marbles that move.
    #[inline(always)]
    fn moved(self) -> u64 {
        let axis = usize::from(self.axis);
        let first = 1 << self.first;
        let second = if self.marbles > 1 { ahead(first, axis) } else { 0 };
        let third = if self.marbles > 2 { ahead(second, axis) } else { 0 };
        first | second | third
    }

    /// The marbles that are pushed in `position`.
    #[inline(always)]
    fn pushed(self, moved: u64, position: &Position) -> u64 {
        let direction = usize::from(self.direction);
        let next = ahead(moved, direction) & position.pushable();
        next | ahead(next & INNER[direction], direction) & position.pushable()
    }

    /// Whether the move pushes a marble. Trusts that it is legal.
    #[inline(always)]
    pub fn pushes(self, position: &Position) -> bool {
        ahead(self.moved(), usize::from(self.direction)) & position.pushable() != 0
    }

    /// Whether the move, which some position has, is one of this position too.
    pub(super) fn is_legal(self, position: &Position) -> bool {
        let direction = usize::from(self.direction);
        let (moved, inner) = (self.moved(), INNER[direction]);
        if moved & !(position.own & inner) != 0 {
            return false;
        }
        let (own, pushable) = (position.own, position.pushable());
        let next = ahead(moved, direction) & !moved;
        if next & (own | pushable) == 0 {
            return true;
        }
        if self.is_broadside() || self.marbles == 1 || next & own != 0 {
            return false;
        }
        // One marble, or two before three: behind them nothing, or the end of the board.
        let ends = |set: u64| set & inner == 0 || ahead(set, direction) & (own | pushable) == 0;
        let second = ahead(next & inner, direction);
        ends(next) || self.marbles == 3 && second & pushable != 0 && ends(second)
    }

    /// Whether the move pushes a marble off the board. Trusts that it is legal.
    pub fn ejects(self, position: &Position) -> bool {
        self.pushed(self.moved(), position) & !INNER[usize::from(self.direction)] != 0
    }

    /// The position after the move. Trusts that it is legal.
    #[inline(always)]
    pub fn play(self, position: &Position) -> Position {
        let direction = usize::from(self.direction);
        let moved = self.moved();
        let mut after = Position {
            own: position.other,
            other: position.own & !moved | ahead(moved, direction),
            princess: position.princess,
            own_lost: position.other_lost,
            other_lost: position.own_lost,
            to_move: !position.to_move,
        };
        if ahead(moved, direction) & position.pushable() != 0 {
            let pushed = self.pushed(moved, position);
            let push = |set: u64| set & !pushed | ahead(set & pushed & INNER[direction], direction);
            after.own = push(position.other);
            after.princess = push(position.princess);
            after.own_lost += u8::from(position.other & pushed & !INNER[direction] != 0);
        }
        after
    }
}

/// The moves towards one direction, as sets of their first marbles.
struct Towards {
    /// Rearmost marbles of in-line moves, by the number of own marbles less one.
    in_line: [u64; 3],
    /// Ends of broadside moves: axis, set of pairs, set of triples.
    broadside: [(u8, u64, u64); 2],
}

/// The moves towards `direction`, a constant at every call so that shifts and masks are constants too.
#[inline(always)]
fn towards(direction: usize, own: u64, pushable: u64) -> Towards {
    let inner = INNER[direction];
    let own = own & BOARD;
    let can_step = own & inner;
    let before_empty = behind(BOARD & !(own | pushable), direction);
    // A marble can be pushed if the cell behind it is empty or off the board.
    let loose = pushable & (before_empty | !inner);
    let before_loose = behind(loose, direction);
    let before_loose_pair = behind(pushable & inner & before_loose, direction);
    let single = can_step & before_empty;
    let front_of_two = single | can_step & before_loose;
    let front_of_three = front_of_two | can_step & before_loose_pair;
    let pair = can_step & behind(front_of_two, direction);
    let triple = can_step & behind(can_step & behind(front_of_three, direction), direction);
    let beside = |axis: usize| {
        let pair = single & INNER[axis] & behind(single, axis);
        (axis as u8, pair, pair & behind(pair, axis))
    };
    Towards {
        in_line: [single, pair, triple],
        broadside: [beside((direction + 1) % 3), beside((direction + 2) % 3)],
    }
}

/// How many moves there are, as if the game had not ended.
#[inline(always)]
pub fn count(own: u64, pushable: u64) -> u64 {
    let count = |direction| {
        let Towards { in_line: [single, pair, triple], broadside } = towards(direction, own, pushable);
        // The next cells differ, so no marble is the rearmost of two of them.
        let in_line = (single | pair | triple).count_ones();
        let beside = broadside.map(|(_, pair, triple)| pair.count_ones() + triple.count_ones());
        u64::from(in_line + beside[0] + beside[1])
    };
    count(0) + count(1) + count(2) + count(3) + count(4) + count(5)
}

/// Appends every move, as if the game had not ended.
#[inline(always)]
pub fn list(position: &Position, into: &mut MoveList<Move>) {
    list_towards::<0>(position, into);
    list_towards::<1>(position, into);
    list_towards::<2>(position, into);
    list_towards::<3>(position, into);
    list_towards::<4>(position, into);
    list_towards::<5>(position, into);
}

/// Appends every move in a direction. A constant, so that shifts and masks are constants too.
#[inline(always)]
fn list_towards<const DIRECTION: usize>(position: &Position, into: &mut MoveList<Move>) {
    let Towards { in_line, broadside } = towards(DIRECTION, position.own, position.pushable());
    let direction = DIRECTION as u8;
    for (marbles, set) in (1..).zip(in_line) {
        into.extend(each(set).map(|rear| Move::in_line(rear, direction, marbles)));
    }
    for (axis, pairs, triples) in broadside {
        into.extend(each(pairs).map(|first| Move { first, axis, direction, marbles: 2 }));
        into.extend(each(triples).map(|first| Move { first, axis, direction, marbles: 3 }));
    }
}

/// Stages of a search: ejections, other pushes, moves that push nothing.
pub const MOVE_STAGES: usize = 3;

/// Appends the moves of a stage, as if the game had not ended.
#[inline]
pub fn list_stage(position: &Position, stage: usize, into: &mut MoveList<Move>) {
    match stage {
        0 => hints::ejections(position, into),
        1 => list_pushes(position, into),
        _ => list_others(position, into),
    }
}

/// Appends the moves that push a marble from cell to cell.
fn list_pushes(position: &Position, into: &mut MoveList<Move>) {
    list_pushes_towards::<0>(position, into);
    list_pushes_towards::<1>(position, into);
    list_pushes_towards::<2>(position, into);
    list_pushes_towards::<3>(position, into);
    list_pushes_towards::<4>(position, into);
    list_pushes_towards::<5>(position, into);
}

#[inline(always)]
fn list_pushes_towards<const DIRECTION: usize>(position: &Position, into: &mut MoveList<Move>) {
    let (own, pushable, inner) = (position.own, position.pushable(), INNER[DIRECTION]);
    let empty = BOARD & !(own | pushable);
    let before = |set: u64, target: u64| set & inner & behind(target, DIRECTION);
    let loose = before(pushable, empty);
    let before_one = before(own, loose);
    let before_two = before(own, before(pushable, loose));
    let pairs = before(own, before_one);
    let triples = before(own, before(own, before_one | before_two));
    for (marbles, set) in [(2, pairs), (3, triples)] {
        into.extend(each(set).map(|rear| Move::in_line(rear, DIRECTION as u8, marbles)));
    }
}

/// Appends the moves that push nothing.
fn list_others(position: &Position, into: &mut MoveList<Move>) {
    list_others_towards::<0>(position, into);
    list_others_towards::<1>(position, into);
    list_others_towards::<2>(position, into);
    list_others_towards::<3>(position, into);
    list_others_towards::<4>(position, into);
    list_others_towards::<5>(position, into);
}

#[inline(always)]
fn list_others_towards<const DIRECTION: usize>(position: &Position, into: &mut MoveList<Move>) {
    let (own, inner, direction) = (position.own, INNER[DIRECTION], DIRECTION as u8);
    let empty = BOARD & !(own | position.pushable());
    let before = |target: u64| own & inner & behind(target, DIRECTION);
    let single = before(empty);
    let pair = before(single);
    for (marbles, set) in [(1, single), (2, pair), (3, before(pair))] {
        into.extend(each(set).map(|rear| Move::in_line(rear, direction, marbles)));
    }
    for axis in [(DIRECTION + 1) % 3, (DIRECTION + 2) % 3] {
        let pairs = single & INNER[axis] & behind(single, axis);
        for (marbles, set) in [(2, pairs), (3, pairs & behind(pairs, axis))] {
            let axis = axis as u8;
            into.extend(each(set).map(|first| Move { first, axis, direction, marbles }));
        }
    }
}

/// Whether there is no move. Nearly always one look is enough: some marble has an empty neighbour.
#[inline]
pub fn is_blocked(own: u64, pushable: u64) -> bool {
    let empty = BOARD & !(own | pushable);
    let can_step = |direction: usize| own & INNER[direction] & behind(empty, direction) != 0;
    let steps = can_step(0) || can_step(1) || can_step(2) || can_step(3) || can_step(4) || can_step(5);
    !steps && count(own, pushable) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abalone::Abalone;
    use crate::game::Game;
    use crate::playout;
    use crate::record::Record;
    use std::collections::HashSet;
    use trilith_base::Seed;

    fn positions() -> Vec<Position> {
        let mut positions = Vec::new();
        for (number, rules) in (0..).zip(["standard", "belgian-daisy", "snakes,princess=on", "german-daisy"])
        {
            let mut record = Record::new(Abalone::new(rules.parse().unwrap()));
            let mut rng = Seed(5).derive("moves", number).rng();
            while record.end().is_none() && record.len() < 300 {
                positions.push(*record.position());
                playout::play_on(&mut record, 7, &mut rng);
            }
        }
        positions
    }

    #[test]
    fn moves_of_other_positions_are_known_for_legal_or_not() {
        let lists: Vec<(Position, HashSet<Move>)> = positions()
            .into_iter()
            .map(|position| {
                let mut moves = MoveList::new();
                list(&position, &mut moves);
                (position, moves.into_iter().collect())
            })
            .collect();
        let all: HashSet<Move> = lists.iter().flat_map(|(_, moves)| moves).copied().collect();
        assert!(all.len() > 1000, "{} different moves", all.len());
        for (position, moves) in &lists {
            for &mv in &all {
                assert_eq!(mv.is_legal(position), moves.contains(&mv), "{mv:?} in {}", position.text());
            }
        }
    }

    #[test]
    fn every_move_has_a_code_of_its_own() {
        let mut codes = HashSet::new();
        for direction in 0..6 {
            for first in 0..CELLS as u8 {
                for marbles in 1..=3 {
                    codes.insert(Move::in_line(first, direction, marbles).code());
                }
                for (turn, marbles) in [(1, 2), (1, 3), (2, 2), (2, 3)] {
                    let axis = (direction + turn) % 3;
                    codes.insert(Move { first, axis, direction, marbles }.code());
                }
            }
        }
        assert_eq!(codes.len(), CODES);
        assert!(codes.iter().all(|&code| usize::from(code) < CODES));
    }
}
