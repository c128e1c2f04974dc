//! Moves: which there are, what they do. All by sets of cells; a marble is never looked at alone.
//!
//! For a direction, the rearmost marbles of in-line moves and the ends of broadside moves are sets that a few
//! shifts give, so that counting is a matter of set sizes and listing a walk over members.

use super::cells::{BOARD, INNER, ahead, behind, each, far};
use super::position::Position;
use crate::game::MoveList;

/// One to three own marbles in a line and the direction they go in, by place alone: what they push is up to the
/// position. Directions are those of [`super::cells::STEPS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub(super) first: u8,
    pub(super) axis: u8,
    pub(super) direction: u8,
    pub(super) marbles: u8,
}

impl Move {
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
    let (own, pushable) = (position.own, position.pushable());
    let mut list = |direction: usize| {
        let Towards { in_line, broadside } = towards(direction, own, pushable);
        let direction = direction as u8;
        for (marbles, set) in (1..).zip(in_line) {
            into.extend(each(set).map(|rear| Move::in_line(rear, direction, marbles)));
        }
        for (axis, pairs, triples) in broadside {
            into.extend(each(pairs).map(|first| Move { first, axis, direction, marbles: 2 }));
            into.extend(each(triples).map(|first| Move { first, axis, direction, marbles: 3 }));
        }
    };
    list(0);
    list(1);
    list(2);
    list(3);
    list(4);
    list(5);
}

/// Whether there is no move. Nearly always one look is enough: some marble has an empty neighbour.
#[inline]
pub fn is_blocked(own: u64, pushable: u64) -> bool {
    let empty = BOARD & !(own | pushable);
    let can_step = |direction| own & INNER[direction] & behind(empty, direction) != 0;
    !(0..6).any(can_step) && count(own, pushable) == 0
}
