//! Potential mobility: moves that may come up where empty squares touch opposing discs (S5, 2.2, after Rosenbloom).
//!
//! All as own less opponent's count. The approximation of the third sums over the rays the pairs of an opposing disc
//! and an empty square beside it on which the opponent himself could not move there; edges are left out, since chains
//! on them cannot be broken up from other rays. S5 says `number of free places`; counted as pairs, as here, the same
//! sum without the two exceptions *is* the third measure.

use trilith_games::othello::Position;

use super::mobility::{ALL, LANES};
use super::ray::{RayDiscs, table};
use crate::othello::ternary::{TernaryNumbers, sign};

/// The three measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Potential {
    /// Empty squares beside opposing discs.
    Empties,
    /// Opposing discs beside empty squares.
    Discs,
    /// Pairs of an opposing disc and an empty square beside it.
    Pairs,
}

/// Exact, from bit boards: for the side to move less for its opponent.
pub fn potential(position: &Position, measure: Potential) -> i32 {
    let empties = position.empties();
    one_side(position.other, empties, measure) - one_side(position.own, empties, measure)
}

/// The measure for the side whose opponent has `discs`.
fn one_side(discs: u64, empties: u64, measure: Potential) -> i32 {
    let count = match measure {
        Potential::Empties => (around(discs) & empties).count_ones(),
        Potential::Discs => (around(empties) & discs).count_ones(),
        Potential::Pairs => STEPS.iter().map(|&step| (shifted(discs, step) & empties).count_ones()).sum(),
    };
    count as i32
}

const STEPS: [(i8, i8); 8] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];

/// All squares beside those of `bits`, and maybe some of them.
fn around(bits: u64) -> u64 {
    STEPS.iter().fold(0, |all, &step| all | shifted(bits, step))
}

/// The bits moved by rows and columns; those that leave the board are lost.
fn shifted(bits: u64, (rows, columns): (i8, i8)) -> u64 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let bits = match columns {
        1 => (bits & NOT_H) << 1,
        -1 => (bits & NOT_A) >> 1,
        _ => bits,
    };
    match rows {
        1 => bits << 8,
        -1 => bits >> 8,
        _ => bits,
    }
}

/// The approximation of the third measure from kept numbers of the rays.
#[inline]
pub fn approximated(position: &Position, numbers: &TernaryNumbers<LANES>) -> i32 {
    const EDGES: usize = 4;
    let rays = &*ALL;
    let sum: i32 = rays.places(numbers).skip(EDGES).map(|place| i32::from(rays.potentials[place])).sum();
    sign(position.to_move) * sum
}

/// The table of a ray that is no edge: for Black less for White.
pub fn ray_table(length: usize) -> Vec<i8> {
    table(length, |line| pairs(line) - pairs(line.swapped()))
}

/// White discs with an empty place beside them where White cannot move on this line.
fn pairs(line: RayDiscs) -> i8 {
    let free = line.empties() & !line.swapped().moves();
    ((line.white << 1 & free).count_ones() + (line.white >> 1 & free).count_ones()) as i8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::logistello::shape::{RAYS, SquareList};
    use crate::othello::sample::positions;
    use trilith_base::Seed;
    use trilith_games::Colour;

    #[test]
    fn measures_by_hand() {
        // One own disc in the corner, one of the opponent's inside.
        let position = Position { own: 1, other: 1 << 27, to_move: Colour::Black };
        assert_eq!(potential(&position, Potential::Empties), 8 - 3);
        assert_eq!(potential(&position, Potential::Discs), 0);
        assert_eq!(potential(&position, Potential::Pairs), 8 - 3);
        let pair = Position { own: 0, other: 0b11 << 27, to_move: Colour::Black };
        assert_eq!(potential(&pair, Potential::Empties), 10);
        assert_eq!(potential(&pair, Potential::Discs), 2);
        assert_eq!(potential(&pair, Potential::Pairs), 14);
    }

    #[test]
    fn rays_without_exceptions_give_the_third_measure() {
        let shapes = RAYS.map(|(_, text)| text.parse::<SquareList>().unwrap());
        let instances: Vec<Vec<u8>> = shapes.iter().flat_map(SquareList::instances).collect();
        for position in positions(Seed(3), 200) {
            let read = |side: u64, squares: &[u8]| {
                squares
                    .iter()
                    .enumerate()
                    .fold(0, |all, (place, square)| all | ((side >> square & 1) as u8) << place)
            };
            let beside =
                |discs: u8, free: u8| (discs << 1 & free).count_ones() + (discs >> 1 & free).count_ones();
            // Diagonals of one and two squares are no rays of their own.
            let corners: [[u8; 2]; 4] = [[1, 8], [6, 15], [48, 57], [55, 62]];
            let lines = instances.iter().map(Vec::as_slice).chain(corners.iter().map(<[u8; 2]>::as_slice));
            let sum: u32 = lines
                .map(|squares| beside(read(position.other, squares), read(position.empties(), squares)))
                .sum();
            assert_eq!(sum as i32, one_side(position.other, position.empties(), Potential::Pairs));
        }
    }

    #[test]
    fn the_opponents_own_moves_do_not_count() {
        let line = RayDiscs { black: 0b0000_0100, white: 0b0000_1000, length: 8 };
        assert_eq!(pairs(line), 1, "right of White's disc");
        assert_eq!(
            pairs(line.swapped()),
            1,
            "left of Black's, where White could move, counts for White all the same"
        );
        let between = RayDiscs { black: 0b100, white: 0b010, length: 3 };
        assert_eq!(pairs(between), 1);
    }
}
