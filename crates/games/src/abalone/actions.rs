//! Action numbers and observations.
//!
//! `81 * plane + place`, where `place` is that of the rearmost marble, or of the first end of a broadside line. Planes 0
//! to 5 are moves in line, by direction. Planes 6 to 29 are broadside: `6 + 8 * axis + 4 * (marbles - 2) + side`, where
//! `side` counts the four directions that are not along the axis. Places off the board have no moves.

use super::Position;
use super::cells::{CELLS, cell_at, each, far, neighbour, place};
use super::moves::Move;
use super::symmetry;

const SIDE: usize = 9;
const PLANE: usize = SIDE * SIDE;
const IN_LINE: usize = 6;
const PLANES: usize = IN_LINE + 3 * 2 * 4;

pub const ACTIONS: usize = PLANES * PLANE;
pub const OBSERVATION: [usize; 3] = [5, SIDE, SIDE];

/// Where each cell lies on a plane: row `i` at the top, column 1 at the left.
const PLACES: [u8; CELLS] = places();

const fn places() -> [u8; CELLS] {
    let mut places = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (row, column) = place(cell as u8);
        places[cell] = (8 - row) * 9 + column;
        cell += 1;
    }
    places
}

fn cell_of(place: usize) -> Option<u8> {
    cell_at(8_usize.checked_sub(place / SIDE)?, place % SIDE)
}

#[inline]
pub fn number(mv: Move) -> usize {
    let direction = usize::from(mv.direction);
    let plane = if mv.is_broadside() {
        let axis = usize::from(mv.axis);
        // Directions from the axis on are 0 to 5; 0 and 3 are along it, so 1, 2, 4, 5 become 0 to 3.
        let turn = (direction + 6 - axis) % 6;
        let side = turn - 1 - usize::from(turn > 3);
        IN_LINE + 8 * axis + 4 * (usize::from(mv.marbles) - 2) + side
    } else {
        direction
    };
    PLANE * plane + usize::from(PLACES[usize::from(mv.first)])
}

#[inline]
pub fn numbered(position: &Position, number: usize) -> Option<Move> {
    let (plane, first) = (number / PLANE, cell_of(number % PLANE)?);
    if plane < IN_LINE {
        let direction = plane as u8;
        return neighbour(first, direction).map(|_| in_line(position, first, direction));
    }
    let (axis, rest) = ((plane - IN_LINE) / 8, (plane - IN_LINE) % 8);
    let (marbles, side) = (2 + rest as u8 / 4, rest % 4);
    let turn = side + 1 + usize::from(side > 1);
    let direction = ((axis + turn) % 6) as u8;
    if axis > 2 {
        return None;
    }
    let mut last = first;
    for _ in 1..marbles {
        neighbour(last, direction)?;
        last = neighbour(last, axis as u8)?;
    }
    neighbour(last, direction)?;
    Some(Move::broadside(first, axis as u8, direction, marbles))
}

/// The line that begins at `rear` and goes on as long as own marbles follow, three at most.
#[inline]
fn in_line(position: &Position, rear: u8, direction: u8) -> Move {
    let is_own = |steps: u8| {
        let before = far(rear, direction, steps - 1);
        neighbour(before, direction).is_some_and(|cell| position.own >> cell & 1 == 1)
    };
    let marbles = if !is_own(1) {
        1
    } else if !is_own(2) {
        2
    } else {
        3
    };
    Move::in_line(rear, direction, marbles)
}

/// Planes: own marbles, the other side's, the princess; marbles the own side has lost and the other side has lost, as
/// numbers.
#[inline]
pub fn observe(position: &Position, into: &mut [u8]) {
    let (marbles, numbers) = into.split_at_mut(3 * PLANE);
    marbles.fill(0);
    for (plane, set) in marbles.chunks_exact_mut(PLANE).zip([position.own, position.other, position.princess])
    {
        each(set).for_each(|cell| plane[usize::from(PLACES[usize::from(cell)])] = 1);
    }
    for (plane, value) in numbers.chunks_exact_mut(PLANE).zip([position.own_lost, position.other_lost]) {
        plane.fill(value);
    }
}

pub fn image_place(place: usize, symmetry: usize) -> usize {
    cell_of(place).map_or(place, |cell| PLACES[usize::from(symmetry::image_cell(cell, symmetry))].into())
}
