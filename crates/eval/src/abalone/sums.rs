//! Where the marbles of a side lie, summed up in one word that moves keep up to date by adding and taking away.
//!
//! Under the twelve symmetries the 61 cells fall into nine classes. A word holds how many marbles lie in each class
//! (four bits, at most twelve cells a class), then the sums over marbles of row, column and squared distance to the
//! centre.

use trilith_games::abalone::cells::{self, CELLS, each, place};

/// Classes of cells that no symmetry takes into each other.
pub const CLASSES: usize = 9;
/// What the classes are called, from the centre to the corners.
pub const CLASS_NAMES: [&str; CLASSES] = [
    "centre",
    "ring 1",
    "ring 2 between corners",
    "ring 2 corners",
    "ring 3 between corners",
    "ring 3 corners",
    "rim middles",
    "rim beside corners",
    "rim corners",
];

const COUNT_BITS: u32 = 4;
const ROWS_AT: u32 = COUNT_BITS * CLASSES as u32;
const COLUMNS_AT: u32 = ROWS_AT + 7;
const SQUARES_AT: u32 = COLUMNS_AT + 7;

/// What one marble adds, by cell.
const MARBLE: [u64; CELLS] = marbles();

const fn marbles() -> [u64; CELLS] {
    let mut marbles = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (row, column) = place(cell as u8);
        let class = class(cell as u8);
        marbles[cell] = 1 << (COUNT_BITS * class as u32)
            | (row as u64) << ROWS_AT
            | (column as u64) << COLUMNS_AT
            | (square(row as i64 - 4, column as i64 - 4) as u64) << SQUARES_AT;
        cell += 1;
    }
    marbles
}

/// The squared length of a way up and right, where neighbouring cells lie one apart.
const fn square(up: i64, right: i64) -> i64 {
    up * up + right * right - up * right
}

/// The class of a cell: squared distance to the centre tells all classes apart.
pub const fn class(cell: u8) -> usize {
    let (row, column) = place(cell);
    match square(row as i64 - 4, column as i64 - 4) {
        0 => 0,
        1 => 1,
        3 => 2,
        4 => 3,
        7 => 4,
        9 => 5,
        12 => 6,
        13 => 7,
        _ => 8,
    }
}

/// The sums of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums(u64);

impl Sums {
    /// The sums of a set of at most fourteen marbles.
    pub fn of(set: u64) -> Sums {
        Sums(each(set).map(|cell| MARBLE[usize::from(cell)]).sum())
    }

    /// The sums after marbles have left `before` and come to `after`.
    #[inline(always)]
    pub fn moved(self, before: u64, after: u64) -> Sums {
        let mut sums = self.0;
        for cell in each(after & !before & cells::BOARD) {
            sums += MARBLE[usize::from(cell)];
        }
        for cell in each(before & !after & cells::BOARD) {
            sums -= MARBLE[usize::from(cell)];
        }
        Sums(sums)
    }

    /// Marbles in each class.
    #[inline(always)]
    pub fn classes(self) -> [i32; CLASSES] {
        std::array::from_fn(|class| (self.0 >> (COUNT_BITS * class as u32) & 0xf) as i32)
    }

    /// The sum of squared distances to the side's own centre of mass, rounded up, for `marbles` marbles.
    #[inline(always)]
    pub fn spread(self, marbles: i32) -> i32 {
        let rows = (self.0 >> ROWS_AT & 0x7f) as i32 - 4 * marbles;
        let columns = (self.0 >> COLUMNS_AT & 0x7f) as i32 - 4 * marbles;
        let squares = (self.0 >> SQUARES_AT) as i32;
        let centre = rows * rows + columns * columns - rows * columns;
        squares - centre / marbles.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_games::Game;
    use trilith_games::abalone::Abalone;

    #[test]
    fn classes_are_the_orbits_of_the_symmetries() {
        let game = Abalone::default();
        let start = game.start();
        let orbit = |cell: u8| -> u64 {
            let only = trilith_games::abalone::Position { own: 1 << cell, other: 0, ..start };
            (0..Abalone::SYMMETRIES).fold(0, |all, symmetry| all | game.image(&only, symmetry).own)
        };
        for cell in 0..CELLS as u8 {
            let same = (0..CELLS as u8).filter(|&other| class(other) == class(cell));
            assert_eq!(same.fold(0, |set, cell| set | 1 << cell), orbit(cell), "cell {cell}");
        }
    }

    #[test]
    fn fields_hold_fourteen_marbles_anywhere() {
        let mut by_column: Vec<u8> = (0..CELLS as u8).collect();
        for key in [|cell: &u8| place(*cell).1, |cell: &u8| place(*cell).0, |cell: &u8| class(*cell) as u8] {
            by_column.sort_by_key(key);
            let set = by_column.iter().rev().take(14).fold(0_u64, |set, &cell| set | 1 << cell);
            let sums = Sums::of(set);
            assert_eq!(sums.classes().iter().sum::<i32>(), 14);
            assert_eq!(sums.spread(14), slow_spread(set));
        }
    }

    fn slow_spread(set: u64) -> i32 {
        let marbles = f64::from(set.count_ones());
        let places = || each(set).map(place).map(|(row, column)| (f64::from(row), f64::from(column)));
        let row = places().map(|place| place.0).sum::<f64>() / marbles;
        let column = places().map(|place| place.1).sum::<f64>() / marbles;
        let square = |(r, c): (f64, f64)| (r - row).powi(2) + (c - column).powi(2) - (r - row) * (c - column);
        (places().map(square).sum::<f64>() - 1e-9).ceil() as i32
    }
}
