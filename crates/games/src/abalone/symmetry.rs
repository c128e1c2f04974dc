//! The twelve symmetries of the hexagon: number 6 m + k swaps rows and columns if m is 1, then turns the board
//! k sixths of a circle.

use super::cells::{CELLS, each, number, place};
use super::moves::Move;
use super::position::Position;

/// How many there are.
pub const SYMMETRIES: usize = 12;

/// Where each cell goes, by symmetry.
static IMAGES: [[u8; CELLS]; SYMMETRIES] = images();

const fn images() -> [[u8; CELLS]; SYMMETRIES] {
    let mut images = [[0; CELLS]; SYMMETRIES];
    let mut at = 0;
    while at < SYMMETRIES * CELLS {
        let (symmetry, cell) = (at / CELLS, at % CELLS);
        images[symmetry][cell] = image_of(cell as u8, symmetry);
        at += 1;
    }
    images
}

const fn image_of(cell: u8, symmetry: usize) -> u8 {
    let (row, column) = place(cell);
    let (mut row, mut column) = (row as i32 - 4, column as i32 - 4);
    if symmetry >= 6 {
        (row, column) = (column, row);
    }
    let mut turns = symmetry % 6;
    while turns > 0 {
        (row, column) = (column, column - row);
        turns -= 1;
    }
    number((row + 4) as usize, (column + 4) as usize) as u8
}

/// Where `cell` lies through a symmetry.
pub fn image_cell(cell: u8, symmetry: usize) -> u8 {
    IMAGES[symmetry][usize::from(cell)]
}

fn set(set: u64, symmetry: usize) -> u64 {
    let images = &IMAGES[symmetry];
    each(set).fold(0, |image, cell| image | 1 << images[usize::from(cell)])
}

fn turn(direction: u8, symmetry: usize) -> u8 {
    let turns = (symmetry % 6) as u8;
    match symmetry / 6 {
        0 => (direction + turns) % 6,
        // Rows and columns swapped: north-east stays, east and north-west change places.
        _ => (8 - direction + turns) % 6,
    }
}

/// The position as seen through a symmetry.
pub fn image(position: &Position, symmetry: usize) -> Position {
    Position {
        own: set(position.own, symmetry),
        other: set(position.other, symmetry),
        princess: set(position.princess, symmetry),
        ..*position
    }
}

/// The move as seen through a symmetry.
pub fn image_move(mv: Move, symmetry: usize) -> Move {
    let first = IMAGES[symmetry][usize::from(mv.first)];
    let direction = turn(mv.direction, symmetry);
    if mv.is_broadside() {
        Move::broadside(first, turn(mv.axis, symmetry), direction, mv.marbles)
    } else {
        Move::in_line(first, direction, mv.marbles)
    }
}

/// The symmetry that undoes another: a mirror undoes itself, a turn is undone by turning on to a full circle.
pub fn inverse(symmetry: usize) -> usize {
    if symmetry < 6 { (6 - symmetry) % 6 } else { symmetry }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abalone::cells::{BOARD, CENTRE};

    #[test]
    fn symmetries_are_distinct_and_keep_the_board() {
        let distinct: std::collections::HashSet<_> = IMAGES.iter().collect();
        assert_eq!(distinct.len(), SYMMETRIES);
        for symmetry in 0..SYMMETRIES {
            assert_eq!(set(BOARD, symmetry), BOARD);
            assert_eq!(set(1 << CENTRE, symmetry), 1 << CENTRE);
        }
    }
}
