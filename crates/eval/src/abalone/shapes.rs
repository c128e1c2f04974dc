//! How the marbles of a side lie together and what they can push, by shifted sets of cells.

use trilith_games::abalone::cells::{BOARD, INNER, ahead, behind};

/// What `of` says of each direction, written out so that shifts and masks become constants.
#[inline(always)]
fn by_direction<T>(of: impl Fn(usize) -> T) -> [T; 6] {
    [of(0), of(1), of(2), of(3), of(4), of(5)]
}

/// The same for one direction of each axis.
#[inline(always)]
fn by_axis<T>(of: impl Fn(usize) -> T) -> [T; 3] {
    [of(0), of(1), of(2)]
}

/// Marbles of `set` that have one of `target` next to them in `direction`.
#[inline(always)]
fn before(set: u64, target: u64, direction: usize) -> u64 {
    set & INNER[direction] & behind(target, direction)
}

/// The sizes of three sets together, in two counts instead of three.
#[inline(always)]
fn sizes([a, b, c]: [u64; 3]) -> i32 {
    let (odd, two) = (a ^ b ^ c, a & b | (a ^ b) & c);
    (odd.count_ones() + 2 * two.count_ones()) as i32
}

/// Pairs of neighbouring marbles.
#[inline(always)]
pub fn pairs(set: u64) -> i32 {
    sizes(by_axis(|axis| before(set, set, axis)))
}

/// Three marbles in a line; four in a line count twice.
#[inline(always)]
pub fn triples(set: u64) -> i32 {
    sizes(by_axis(|axis| before(set, before(set, set, axis), axis)))
}

/// Marbles with all six neighbours of the same set.
#[inline(always)]
pub fn protected(set: u64) -> u64 {
    by_direction(|direction| before(set, set, direction)).into_iter().fold(set, |all, with| all & with)
}

/// Marbles without a neighbour of the same set.
#[inline(always)]
pub fn isolated(set: u64) -> u64 {
    // Who has a neighbour one way is one the other way.
    let joined = by_axis(|axis| {
        let with = before(set, set, axis);
        with | ahead(with, axis)
    });
    set & !(joined[0] | joined[1] | joined[2])
}

/// Rearmost marbles of the moves of `own` that push one of `pushable` off the board in `direction`.
#[inline(always)]
fn ejecting(own: u64, pushable: u64, direction: usize) -> u64 {
    let on_rim = pushable & !INNER[direction];
    let before = |target| before(own, target, direction);
    let before_one = before(on_rim);
    let before_two = before(pushable & INNER[direction] & behind(on_rim, direction));
    // A marble is the rearmost of at most one line, so the two sets are disjoint.
    before(before_one) | before(before(before_one | before_two))
}

/// Moves of `own` that push one of `pushable` off the board.
#[inline(always)]
pub fn ejections(own: u64, pushable: u64) -> i32 {
    // Mostly there are none, and one look tells.
    let sets = by_direction(|direction| ejecting(own, pushable, direction));
    match sets.iter().fold(0, |any, set| any | set) {
        0 => 0,
        _ => sets.iter().map(|set| set.count_ones() as i32).sum(),
    }
}

/// Marbles of `own` that a move of `other` would push off the board, each once.
pub fn threatened(own: u64, other: u64) -> u64 {
    let towards = |direction: usize| {
        let inner = INNER[direction];
        let after = |set: u64| ahead(set & inner, direction);
        let pair = after(other) & after(after(other));
        let triple = pair & after(after(after(other)));
        let on_rim = own & !inner;
        on_rim & (pair | after(own & triple))
    };
    by_direction(towards).iter().fold(0, |all, set| all | set)
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
    by_direction(towards).iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;
    use trilith_games::abalone::cells::{each, neighbour};
    use trilith_games::abalone::{Abalone, Move, Position};
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
            let lost =
                moves.iter().filter(|mv| mv.ejects(position)).fold(0, |set, mv| set | ejected(position, mv));
            if position.princess == 0 {
                assert_eq!(threatened(position.other, position.own), lost, "{}", game.diagram(position));
            }
        });
    }

    /// The marble that an ejecting move pushes off: the last one ahead of the line.
    fn ejected(position: &Position, mv: &Move) -> u64 {
        let mut cell = mv.last();
        while let Some(next) = neighbour(cell, mv.direction()) {
            cell = next;
        }
        position.pushable() & 1 << cell
    }
}
