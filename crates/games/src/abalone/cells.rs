//! The 61 cells as the residues modulo 61, so that a set of cells is a `u64` and a step is a rotation.
//!
//! Row r and column c (from 0, so a1 is 0, 0 and e5 is 4, 4) have the number 13 r + c modulo 61. A hexagon of
//! side 5 tiles the plane by a lattice of index 61, hence all numbers differ, and each of the six steps adds a
//! constant: the powers of 14, a sixth root of unity. No 64-bit numbering has room for a rim beside the 61 cells;
//! instead [`INNER`] masks the cells that have no neighbour.

use std::fmt;

/// How many cells there are.
pub const CELLS: usize = 61;
/// All cells.
pub const BOARD: u64 = (1 << CELLS) - 1;
/// The cell in the middle, e5.
pub const CENTRE: u8 = number(4, 4) as u8;
/// What a step adds to a cell's number, by direction: east, north-east, and on against the clock.
pub const STEPS: [u32; 6] = [1, 14, 13, 60, 47, 48];
/// The cells that have a neighbour, by direction.
pub const INNER: [u64; 6] = inner();

/// Row and column, from 0, of each cell.
const PLACES: [(u8, u8); CELLS] = places();
/// What a step adds to row and column, in the order of [`STEPS`].
const TURNS: [(i8, i8); 6] = [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)];

/// The number of a cell on the board by row and column, both from 0; trusts that it is on the board.
pub const fn number(row: usize, column: usize) -> usize {
    (13 * row + column) % CELLS
}

const fn places() -> [(u8, u8); CELLS] {
    let mut places = [(0, 0); CELLS];
    let mut place = 0_usize;
    while place < 81 {
        let (row, column) = (place / 9, place % 9);
        if row.abs_diff(column) <= 4 {
            places[number(row, column)] = (row as u8, column as u8);
        }
        place += 1;
    }
    places
}

const fn inner() -> [u64; 6] {
    let mut inner = [0; 6];
    let mut at = 0;
    while at < 6 * CELLS {
        let (direction, cell) = (at / CELLS, at % CELLS);
        let row = PLACES[cell].0 as i8 + TURNS[direction].0;
        let column = PLACES[cell].1 as i8 + TURNS[direction].1;
        if row >= 0 && row < 9 && column >= 0 && column < 9 && row.abs_diff(column) <= 4 {
            inner[direction] |= 1 << cell;
        }
        at += 1;
    }
    inner
}

/// The cell in `row` and `column`, both from 0, if it is on the board.
pub fn cell_at(row: usize, column: usize) -> Option<u8> {
    (row < 9 && column < 9 && row.abs_diff(column) <= 4).then(|| number(row, column) as u8)
}

/// Row and column of `cell`, from 0; trusts that it is on the board.
pub const fn place(cell: u8) -> (u8, u8) {
    PLACES[cell as usize]
}

/// The columns of `row`, which is at most 8.
pub fn columns(row: usize) -> std::ops::RangeInclusive<usize> {
    row.saturating_sub(4)..=(row + 4).min(8)
}

/// The neighbour of `cell`, if it has one.
pub fn neighbour(cell: u8, direction: u8) -> Option<u8> {
    (INNER[direction as usize] >> cell & 1 == 1).then(|| far(cell, direction, 1))
}

/// The cell `steps` away; trusts that it is on the board.
pub const fn far(cell: u8, direction: u8, steps: u8) -> u8 {
    ((cell as u32 + steps as u32 * STEPS[direction as usize]) % CELLS as u32) as u8
}

/// Each marble of `set` one step on; trusts that `set` lies in [`INNER`] of `direction`.
#[inline(always)]
pub const fn ahead(set: u64, direction: usize) -> u64 {
    (set << STEPS[direction] | set >> (CELLS as u32 - STEPS[direction])) & BOARD
}

/// The cells one step before those of `set`. Right only inside [`INNER`] of `direction`, so mask with it.
#[inline(always)]
pub const fn behind(set: u64, direction: usize) -> u64 {
    match direction {
        // Along a row nothing wraps round but past the masked rim.
        0 => set >> 1,
        3 => set << 1,
        _ => set >> STEPS[direction] | set << (CELLS as u32 - STEPS[direction]),
    }
}

/// The cells of `set`, lowest number first.
#[inline(always)]
pub fn each(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        cell
    })
}

/// The name of a cell: the row as a letter from the bottom, then the number of its diagonal, such as `e5`.
pub struct Name(pub u8);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (row, column) = place(self.0);
        write!(f, "{}{}", char::from(b'a' + row), column + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_distinct_and_steps_constant() {
        assert_eq!(PLACES.iter().collect::<std::collections::HashSet<_>>().len(), CELLS);
        for cell in 0..CELLS as u8 {
            let (row, column) = place(cell);
            assert_eq!(cell_at(row.into(), column.into()), Some(cell));
            for (direction, (up, right)) in TURNS.into_iter().enumerate() {
                let row = usize::try_from(row as i8 + up).ok();
                let column = usize::try_from(column as i8 + right).ok();
                let expected = row.zip(column).and_then(|(row, column)| cell_at(row, column));
                assert_eq!(neighbour(cell, direction as u8), expected);
                if let Some(next) = expected {
                    assert_eq!(ahead(1 << cell, direction), 1 << next);
                    assert_eq!(behind(1 << next, direction) & INNER[direction], 1 << cell);
                }
            }
        }
    }

    #[test]
    fn names_are_those_of_the_field() {
        let name = |row, column| Name(cell_at(row, column).unwrap()).to_string();
        assert_eq!([name(0, 0), name(4, 4), name(8, 8)], ["a1", "e5", "i9"]);
        assert_eq!([cell_at(0, 5), cell_at(8, 3), cell_at(9, 9)], [None; 3]);
        assert_eq!(Name(CENTRE).to_string(), "e5");
    }
}
