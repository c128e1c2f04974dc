//! What a search may know before it looks: ejections first, then pushes, then the way to the centre.

use super::cells::{CELLS, INNER, behind, each, far, place};
use super::moves::{CODES, Move};
use super::position::Position;
use crate::game::MoveList;

/// Steps to the centre from each cell, 0 to 4.
pub const RINGS: [u8; CELLS] = rings();

/// By how many steps the marbles of a move come nearer to the centre together, by [`Move::code`].
static NEARER: [i8; CODES] = nearer();

const fn rings() -> [u8; CELLS] {
    let mut rings = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (row, column) = place(cell as u8);
        let (up, right) = (row.abs_diff(4), column.abs_diff(4));
        // Row and column grow together along one axis, so same signs go together and different signs add up.
        let across = row.abs_diff(column);
        let mut ring = if up > right { up } else { right };
        if across > ring {
            ring = across;
        }
        rings[cell] = ring;
        cell += 1;
    }
    rings
}

const fn nearer() -> [i8; CODES] {
    let mut nearer = [0; CODES];
    let mut at = 0;
    while at < CELLS * 6 * 6 * 3 {
        let (first, direction, axis) = ((at % CELLS) as u8, at / CELLS % 6, at / CELLS / 6 % 6);
        let marbles = (at / CELLS / 36 + 1) as u8;
        let is_move = axis == direction || axis < 3 && axis != (direction + 3) % 6 && marbles > 1;
        if is_move {
            let mv = Move { first, axis: axis as u8, direction: direction as u8, marbles };
            nearer[mv.code() as usize] = steps_nearer(mv);
        }
        at += 1;
    }
    nearer
}

/// The same for one move; 0 for one that leaves the board.
const fn steps_nearer(mv: Move) -> i8 {
    let (mut cell, mut left, mut steps) = (mv.first, mv.marbles, 0);
    loop {
        if INNER[mv.direction as usize] >> cell & 1 == 0 {
            return 0;
        }
        steps += RINGS[cell as usize] as i8 - RINGS[far(cell, mv.direction, 1) as usize] as i8;
        left -= 1;
        if left == 0 {
            return steps;
        }
        if INNER[mv.axis as usize] >> cell & 1 == 0 {
            return 0;
        }
        cell = far(cell, mv.axis, 1);
    }
}

const EJECTION: i32 = 16;
const PUSH: i32 = 8;

/// An ejection, else a push, else by how many steps the marbles together come nearer to the centre.
#[inline(always)]
pub(super) fn ordering_score(position: &Position, mv: Move) -> i32 {
    let steps = i32::from(NEARER[usize::from(mv.code())]);
    if mv.is_broadside() || mv.marbles == 1 || !mv.pushes(position) {
        steps
    } else if mv.ejects(position) {
        steps + EJECTION
    } else {
        steps + PUSH
    }
}

/// Puts the moves that push a marble off the board into the emptied list. Trusts that the game has not ended.
pub(super) fn ejections(position: &Position, into: &mut MoveList<Move>) {
    let (own, pushable) = (position.own, position.pushable());
    for (direction, inner) in INNER.into_iter().enumerate() {
        let on_rim = pushable & !inner;
        if on_rim == 0 {
            continue;
        }
        let can_step = own & inner;
        let before = |set| can_step & behind(set, direction);
        let before_one = before(on_rim);
        let before_two = before(pushable & inner & behind(on_rim, direction));
        let pairs = before(before_one);
        let triples = before(before(before_one | before_two));
        for (marbles, set) in [(2, pairs), (3, triples)] {
            into.extend(each(set).map(|rear| Move::in_line(rear, direction as u8, marbles)));
        }
    }
}

/// Marbles ejected by both sides.
pub(super) fn phase(position: &Position) -> usize {
    usize::from(position.own_lost + position.other_lost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abalone::Abalone;
    use crate::abalone::cells::{BOARD, CENTRE, ahead};
    use crate::game::Game;
    use crate::playout;
    use crate::record::Record;
    use trilith_base::Seed;

    #[test]
    fn rings_are_steps_from_the_centre() {
        let mut reached = 1_u64 << CENTRE;
        for ring in 0..=4 {
            let found = each(BOARD).filter(|&cell| RINGS[usize::from(cell)] <= ring);
            assert_eq!(found.fold(0, |set, cell| set | 1 << cell), reached, "ring {ring}");
            let wider = (0..6).map(|d| ahead(reached & INNER[d], d));
            reached = wider.fold(reached, |set, next| set | next);
        }
    }

    fn distance(set: u64) -> i32 {
        each(set).map(|cell| i32::from(RINGS[usize::from(cell)])).sum()
    }

    #[test]
    fn the_ordering_score_says_what_a_move_does() {
        for rules in ["belgian-daisy", "german-daisy,princess=on"] {
            let mut record = Record::new(Abalone::new(rules.parse().unwrap()));
            let mut rng = Seed(3).rng();
            while record.end().is_none() && record.len() < 400 {
                let position = *record.position();
                let mut moves = MoveList::new();
                record.game().moves(&position, &mut moves);
                for &mv in &moves {
                    let after = mv.play(&position);
                    let kind = if after.own_lost > position.other_lost
                        || after.princess.count_ones() < position.princess.count_ones()
                    {
                        EJECTION
                    } else if after.own != position.other || after.princess != position.princess {
                        PUSH
                    } else {
                        0
                    };
                    let steps = distance(position.own) - distance(after.other);
                    assert_eq!(ordering_score(&position, mv), kind + steps, "{mv:?}");
                }
                playout::play_on(&mut record, 1, &mut rng);
            }
        }
    }
}
