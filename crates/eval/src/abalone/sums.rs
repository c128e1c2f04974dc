//! Where the marbles of a side lie, summed up in one word that moves keep up to date by adding and taking away.
//!
//! The low half of a word sums the weights of the cells, the high half counts marbles and sums their rows, columns and
//! squared distances to the centre.

use trilith_games::abalone::cells::{BOARD, CELLS, each, place};

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

const MARBLES_AT: u32 = 32;
const ROWS_AT: u32 = 36;
const COLUMNS_AT: u32 = 43;
const SQUARES_AT: u32 = 50;
/// Added to every weight, so that no sum is negative. Fourteen marbles of twice as much fit into 32 bits.
const BIAS: i32 = 1 << 26;

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

/// What one marble adds to the sums, by cell.
#[derive(Clone, Debug)]
pub struct Marbles([u64; CELLS]);

impl Marbles {
    /// The table for a weight a class, each less than 2^26.
    pub fn new(weights: &[i32; CLASSES]) -> Marbles {
        Marbles(std::array::from_fn(|cell| {
            let (row, column) = place(cell as u8);
            let square = square(i64::from(row) - 4, i64::from(column) - 4) as u64;
            let places = u64::from(row) << ROWS_AT | u64::from(column) << COLUMNS_AT | square << SQUARES_AT;
            places | 1 << MARBLES_AT | (weights[class(cell as u8)] + BIAS) as u64
        }))
    }

    /// The sums of a set of at most fourteen marbles.
    pub fn sum(&self, set: u64) -> SideSums {
        SideSums(each(set).map(|cell| self.0[usize::from(cell)]).sum())
    }

    /// The sums after marbles have left `before` and come to `after`.
    #[inline(always)]
    pub fn moved(&self, sums: SideSums, before: u64, after: u64) -> SideSums {
        let mut sums = sums.0;
        for cell in each(after & !before & BOARD) {
            sums += self.0[usize::from(cell)];
        }
        for cell in each(before & !after & BOARD) {
            sums -= self.0[usize::from(cell)];
        }
        SideSums(sums)
    }
}

/// One part in so many of 2^32, rounded up: makes divisions multiplications.
const PARTS: [u64; 16] = parts();

const fn parts() -> [u64; 16] {
    let mut parts = [0; 16];
    let mut number = 1;
    while number < 16 {
        parts[number] = (1_u64 << 32).div_ceil(number as u64);
        number += 1;
    }
    parts
}

/// The sums of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideSums(u64);

impl SideSums {
    /// How many marbles there are.
    #[inline(always)]
    pub fn marbles(self) -> i32 {
        (self.0 >> MARBLES_AT & 0xf) as i32
    }

    /// The sum of the weights of their cells.
    #[inline(always)]
    pub fn cells(self) -> i32 {
        (self.0 as u32).wrapping_sub((self.marbles() * BIAS) as u32) as i32
    }

    /// The sums of rows, columns and their difference, seen from the centre.
    #[inline(always)]
    fn places(self) -> [i32; 3] {
        let rows = (self.0 >> ROWS_AT & 0x7f) as i32 - 4 * self.marbles();
        let columns = (self.0 >> COLUMNS_AT & 0x7f) as i32 - 4 * self.marbles();
        [rows, columns, rows - columns]
    }

    /// The sum of squared distances to the side's own centre of mass, rounded up.
    #[inline(always)]
    pub fn spread(self) -> i32 {
        let marbles = self.marbles();
        let [rows, columns, _] = self.places();
        let squares = (self.0 >> SQUARES_AT) as i32;
        let centre = (rows * rows + columns * columns - rows * columns) as u64;
        squares - ((centre * PARTS[marbles as usize]) >> 32) as i32
    }
}

/// Steps are measured in parts of this size.
pub const STEP: i32 = 16;
/// Finer parts that places are measured in.
const FINE: i32 = 64;

/// The cells of each row, each column and each line along which both grow together.
static LINES: [[u64; 9]; 3] = lines();

const fn lines() -> [[u64; 9]; 3] {
    let mut lines = [[0; 9]; 3];
    let mut cell = 0;
    while cell < CELLS {
        let (row, column) = place(cell as u8);
        lines[0][row as usize] |= 1 << cell;
        lines[1][column as usize] |= 1 << cell;
        lines[2][(4 + row - column) as usize] |= 1 << cell;
        cell += 1;
    }
    lines
}

/// How far each line of [`LINES`] lies from a place between cells.
#[derive(Clone, Copy, Debug)]
pub struct Between([[i32; 9]; 3]);

impl Between {
    /// AbaPro's point of reference: the mean of both centres of mass and the middle of the board (S4, 3.1).
    #[inline(always)]
    pub fn of(own: SideSums, other: SideSums) -> Between {
        let (here, there) = (own.marbles().max(1), other.marbles().max(1));
        let part = FINE as f32 / (3 * here * there) as f32;
        let (a, b) = (own.places(), other.places());
        // Each part is cut towards zero by itself, so that symmetric positions keep symmetric places.
        let mean = |axis: usize| ((a[axis] * there + b[axis] * here) as f32 * part) as i32;
        Between([0, 1, 2].map(|axis| {
            let mean = mean(axis);
            std::array::from_fn(|line| ((line as i32 - 4) * FINE - mean).abs())
        }))
    }

    /// The sum of steps from the marbles of `set`, in sixteenths: half of what rows, columns and their difference
    /// are apart.
    #[inline(always)]
    pub fn steps(self, set: u64) -> i32 {
        let mut sum = 0;
        for (lines, apart) in LINES.iter().zip(&self.0) {
            for (line, apart) in lines.iter().zip(apart) {
                sum += (set & line).count_ones() as i32 * apart;
            }
        }
        sum / (2 * FINE / STEP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_games::Game;
    use trilith_games::abalone::{Abalone, Position};

    #[test]
    fn classes_are_the_orbits_of_the_symmetries() {
        let game = Abalone::default();
        let start = game.start();
        let orbit = |cell: u8| -> u64 {
            let only = Position { own: 1 << cell, other: 0, ..start };
            (0..Abalone::SYMMETRIES).fold(0, |all, symmetry| all | game.image(&only, symmetry).own)
        };
        for cell in 0..CELLS as u8 {
            let same = (0..CELLS as u8).filter(|&other| class(other) == class(cell));
            assert_eq!(same.fold(0, |set, cell| set | 1 << cell), orbit(cell), "cell {cell}");
        }
    }

    #[test]
    fn fields_hold_fourteen_marbles_anywhere() {
        let weights = [1, -2, 30, -400, 5000, -60_000, 700_000, -8_000_000, BIAS - 1];
        let mut cells: Vec<u8> = (0..CELLS as u8).collect();
        for key in [|cell: &u8| place(*cell).1, |cell: &u8| place(*cell).0, |cell: &u8| class(*cell) as u8] {
            cells.sort_by_key(key);
            for marbles in 1..=14 {
                let set = cells.iter().rev().take(marbles).fold(0_u64, |set, &cell| set | 1 << cell);
                let sums = Marbles::new(&weights).sum(set);
                assert_eq!(sums.marbles() as usize, marbles);
                assert_eq!(sums.cells(), each(set).map(|cell| weights[class(cell)]).sum::<i32>());
                assert_eq!(sums.spread(), slow_spread(set));
            }
        }
    }

    #[test]
    fn steps_are_those_of_abapro() {
        use crate::abalone::heuristics::{centre_of_mass, sum_of_steps};
        let table = Marbles::new(&[0; CLASSES]);
        let mut word = 3_u64;
        for _ in 0..2000 {
            word = trilith_base::seed::mix(word);
            let marbles = each(word & BOARD).take(14).fold(0, |set, cell| set | 1 << cell);
            let others = each(!word & BOARD).skip(9).take(11).fold(0, |set, cell| set | 1 << cell);
            let (a, b) = (centre_of_mass(marbles), centre_of_mass(others));
            let point = ((a.0 + b.0 + 4.0) / 3.0, (a.1 + b.1 + 4.0) / 3.0);
            let expected = sum_of_steps(marbles, point);
            let found = Between::of(table.sum(marbles), table.sum(others)).steps(marbles);
            assert!((found as f32 / STEP as f32 - expected).abs() < 0.4, "{found} {expected}");
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
