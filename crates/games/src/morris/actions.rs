//! Action numbers and observations.
//!
//! `576 * taken + 24 * from + to`, where a placed stone has `from` equal to `to`, and `taken` is 0 for nothing, else the
//! removed point plus one. Behind these 25 blocks come the pairs that a double mill takes: `14400 + 276 * to + pair`,
//! with pairs (1, 0), (2, 0), (2, 1), (3, 0) ... counted by their higher point.

use super::moves::{self, Move, NONE};
use super::points::{self, COUNT, Points};
use super::position::Position;
use super::rules::Rules;

const BLOCK: usize = COUNT * COUNT;
const PAIRS: usize = COUNT * (COUNT - 1) / 2;
const DOUBLE: usize = BLOCK * (COUNT + 1);
const SIDE: usize = 7;

pub const ACTIONS: usize = DOUBLE + COUNT * PAIRS;
pub const OBSERVATION: [usize; 3] = [7, SIDE, SIDE];

#[inline]
pub fn number(mv: Move) -> usize {
    let to = usize::from(mv.to);
    let [low, high] = mv.removed.map(usize::from);
    if high != usize::from(NONE) {
        return DOUBLE + PAIRS * to + high * (high - 1) / 2 + low;
    }
    let from = if mv.from == NONE { to } else { mv.from.into() };
    let taken = if low == usize::from(NONE) { 0 } else { low + 1 };
    BLOCK * taken + COUNT * from + to
}

#[inline]
pub fn numbered(number: usize) -> Option<Move> {
    if number >= DOUBLE {
        return numbered_double(number - DOUBLE);
    }
    let (taken, from, to) = (number / BLOCK, number / COUNT % COUNT, number % COUNT);
    let removed = taken.checked_sub(1);
    let is_taken = |point| removed == Some(point);
    let from_board = (from != to).then_some(from as u8);
    (!is_taken(from) && !is_taken(to))
        .then(|| Move::new(from_board, to as u8, [removed.map(|point| point as u8), None]))
}

fn numbered_double(number: usize) -> Option<Move> {
    let (to, mut low, mut high) = (number / PAIRS, number % PAIRS, 1);
    while low >= high {
        low -= high;
        high += 1;
    }
    (to < COUNT && to != low && to != high)
        .then(|| Move::new(None, to as u8, [Some(low as u8), Some(high as u8)]))
}

/// Where each point lies on a plane.
const PLACES: [usize; COUNT] = places();

const fn places() -> [usize; COUNT] {
    let mut places = [0; COUNT];
    let mut point = 0;
    while point < COUNT {
        let name = points::NAMES[point].as_bytes();
        places[point] = SIDE * (b'7' - name[1]) as usize + (name[0] - b'a') as usize;
        point += 1;
    }
    places
}

/// Planes: own stones, the other side's; own stones in hand and the other side's, as numbers; all ones where own
/// stones may fly, the same for the other side; quiet plies up to 255.
#[inline]
pub fn observe(rules: &Rules, position: &Position, into: &mut [u8]) {
    const PLANE: usize = SIDE * SIDE;
    let (stones, numbers) = into.split_at_mut(2 * PLANE);
    stones.fill(0);
    let mut put = |set: Points, plane: usize| {
        points::each(set).for_each(|point| stones[PLANE * plane + PLACES[usize::from(point)]] = 1);
    };
    put(position.own, 0);
    put(position.other, 1);
    let values = [
        position.own_hand,
        position.other_hand,
        moves::may_fly(rules, position).into(),
        moves::may_fly(rules, &position.turned()).into(),
        position.quiet.min(255) as u8,
    ];
    for (plane, value) in numbers.chunks_exact_mut(PLANE).zip(values) {
        plane.fill(value);
    }
}

pub fn image_place(place: usize, symmetry: usize) -> usize {
    let point = PLACES.iter().position(|&known| known == place);
    point.map_or(place, |point| PLACES[usize::from(points::image_point(point as u8, symmetry))])
}
