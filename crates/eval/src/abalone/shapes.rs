//! How the marbles of a side lie together and what they can push, by shifted sets of cells.

use trilith_games::abalone::cells::{BOARD, INNER, ahead, behind};

/// Marbles with a neighbour of the same set, by direction.
#[inline(always)]
fn before(set: u64, target: u64, direction: usize) -> u64 {
    set & INNER[direction] & behind(target, direction)
}

/// Pairs of neighbouring marbles.
#[inline(always)]
pub fn pairs(set: u64) -> i32 {
    (0..3).map(|axis| before(set, set, axis).count_ones() as i32).sum()
}

/// Three marbles in a line; four in a line count twice.
#[inline(always)]
pub fn triples(set: u64) -> i32 {
    (0..3).map(|axis| before(set, before(set, set, axis), axis).count_ones() as i32).sum()
}

/// Marbles with all six neighbours of the same set.
#[inline(always)]
pub fn protected(set: u64) -> u64 {
    (0..6).fold(set, |all, direction| all & before(set, set, direction))
}

/// Marbles without a neighbour of the same set.
#[inline(always)]
pub fn isolated(set: u64) -> u64 {
    (0..6).fold(set, |all, direction| all & !before(set, set, direction))
}

/// Moves of `own` that push one of `pushable` off the board.
#[inline(always)]
pub fn ejections(own: u64, pushable: u64) -> i32 {
    let towards = |direction: usize| {
        let on_rim = pushable & !INNER[direction];
        let before = |target| before(own, target, direction);
        let before_one = before(on_rim);
        let before_two = before(pushable & INNER[direction] & behind(on_rim, direction));
        // A marble is the rearmost of at most one line, so the two sets are disjoint.
        let rear = before(before_one) | before(before(before_one | before_two));
        rear.count_ones() as i32
    };
    let on_rim = (0..6).fold(0, |rim, direction| rim | pushable & !INNER[direction]);
    if on_rim == 0 { 0 } else { (0..6).map(towards).sum() }
}

/// Moves of `own` that push one or two of `pushable`, off the board or not; `empty` are the other cells.
#[inline(always)]
pub fn sumitos(own: u64, pushable: u64) -> i32 {
    let empty = BOARD & !(own | pushable);
    let towards = |direction: usize| {
        let inner = INNER[direction];
        let loose = pushable & (behind(empty, direction) | !inner);
        let before = |set: u64, target| before(set, target, direction);
        let before_one = before(own, loose);
        let before_two = before(own, before(pushable, loose));
        let rear = before(own, before_one) | before(own, before(own, before_one | before_two));
        rear.count_ones() as i32
    };
    (0..6).map(towards).sum()
}

/// The cells next to `set`, and those of `set` that have a neighbour in it.
#[inline(always)]
pub fn around(set: u64) -> u64 {
    (0..6).fold(0, |all, direction| all | ahead(set & INNER[direction], direction))
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;
    use trilith_games::abalone::cells::{each, neighbour};
    use trilith_games::abalone::{Abalone, Position};
    use trilith_games::{Game, MoveList, Record, playout};

    fn each_position(check: impl Fn(&Abalone, &Position)) {
        for rules in ["standard", "belgian-daisy", "snakes,princess=on"] {
            for number in 0..4 {
                let mut record = Record::new(Abalone::new(rules.parse().unwrap()));
                let mut rng = Seed(9).derive("shapes", number).rng();
                while record.end().is_none() && record.len() < 300 {
                    check(record.game(), record.position());
                    playout::play_on(&mut record, 1, &mut rng);
                }
            }
        }
    }

    fn neighbours(set: u64, cell: u8) -> usize {
        (0..6).filter_map(|direction| neighbour(cell, direction)).filter(|&next| set >> next & 1 == 1).count()
    }

    #[test]
    fn shapes_agree_with_looking_at_each_marble() {
        each_position(|_, position| {
            let own = position.own;
            let with = |count: usize| {
                each(own).filter(|&cell| neighbours(own, cell) == count).fold(0, |set, cell| set | 1 << cell)
            };
            assert_eq!(pairs(own) as usize * 2, each(own).map(|cell| neighbours(own, cell)).sum::<usize>());
            assert_eq!((protected(own), isolated(own)), (with(6), with(0)));
            let in_line = |cell: u8, axis: u8| {
                let next = neighbour(cell, axis)?;
                let last = neighbour(next, axis)?;
                (own >> next & own >> last & 1 == 1).then_some(())
            };
            let lines = each(own).flat_map(|cell| (0..3).filter_map(move |axis| in_line(cell, axis))).count();
            assert_eq!(triples(own) as usize, lines);
            let beside = |&cell: &u8| neighbours(own, cell) > 0;
            assert_eq!(around(own), (0..61).filter(beside).fold(0, |set, cell| set | 1 << cell));
        });
    }

    #[test]
    fn pushes_and_ejections_are_those_of_the_rules() {
        each_position(|game, position| {
            let mut moves = MoveList::new();
            game.moves(position, &mut moves);
            let pushes = moves.iter().filter(|mv| mv.pushes(position)).count();
            let ejecting = moves.iter().filter(|mv| mv.ejects(position)).count();
            assert_eq!(sumitos(position.own, position.pushable()) as usize, pushes);
            assert_eq!(ejections(position.own, position.pushable()) as usize, ejecting);
        });
    }
}
