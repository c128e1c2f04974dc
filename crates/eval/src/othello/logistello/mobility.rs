//! Current mobility: moves of the side to move less those of its opponent (S5, 2.1).
//!
//! The approximation sums over the 38 rays the moves that each would allow by itself, so that a move which turns
//! discs on several rays counts several times. [`by_table`] is what it was to replace: the exact count from tables of
//! moves on each ray.
//!
//! S5 found the approximation three times as fast as its exact count. With the numbers of the rays at hand it is twice
//! as fast here (18.6 against 36.7 ns, `benches/othello.rs`), and bit boards, which need no numbers, count exactly in
//! 19.7 ns: what was a trade in 1994 is none now. Its discordance is that of the exact count to within 0.01
//! up to 57 discs (`examples/othello_discordance.rs`).

use std::sync::LazyLock;

use trilith_games::othello::Position;
use trilith_games::othello::technique::portable;

use super::ray::{RayDiscs, table};
use super::shape::{RAYS, SquareList};
use crate::othello::ternary::{Powers, TernaryNumbers, sign};

/// Exact, from bit boards.
pub fn mobility(position: &Position) -> i32 {
    let Position { own, other, .. } = *position;
    let count = |own, other| portable::mobility(own, other).count_ones() as i32;
    count(own, other) - count(other, own)
}

/// The table of a ray: moves of Black less those of White.
pub fn ray_table(length: usize) -> Vec<i8> {
    table(length, |line| line.moves().count_ones() as i8 - line.swapped().moves().count_ones() as i8)
}

/// Lanes for the numbers of the rays.
pub const LANES: usize = 48;
const COUNT: usize = 38;
/// The tables of all lengths, filled up to a power of two so that a masked index needs no check.
const ENTRIES: usize = 16_384;

/// The rays with their tables, made once.
pub struct Rays {
    /// To keep their numbers.
    pub powers: Box<Powers<LANES>>,
    /// Where the number 0 of each ray stands in the tables.
    centres: [u16; COUNT],
    differences: Box<[i8; ENTRIES]>,
    pub(super) potentials: Box<[i8; ENTRIES]>,
    /// Moves of Black and of White on the ray.
    moves: Box<[[u8; 2]; ENTRIES]>,
    /// The board of each set of places on each ray.
    boards: Box<[[u64; 256]; COUNT]>,
}

/// The rays.
pub static ALL: LazyLock<Rays> = LazyLock::new(Rays::new);

impl Rays {
    fn new() -> Rays {
        let mut rays = Rays {
            powers: Box::new([[0; LANES]; 64]),
            centres: [0; COUNT],
            differences: Box::new([0; ENTRIES]),
            potentials: Box::new([0; ENTRIES]),
            moves: Box::new([[0; 2]; ENTRIES]),
            boards: Box::new([[0; 256]; COUNT]),
        };
        let starts = rays.push_tables();
        let shapes = RAYS.map(|(_, text)| text.parse::<SquareList>().expect("the rays are shapes"));
        for (lane, squares) in shapes.iter().flat_map(SquareList::instances).enumerate() {
            rays.centres[lane] = (starts[squares.len()] + 3_usize.pow(squares.len() as u32) / 2) as u16;
            for (place, &square) in squares.iter().enumerate() {
                rays.powers[usize::from(square)][lane] = 3_i16.pow(place as u32);
                let with = |content: usize| (content >> place & 1) as u64;
                (0..256).for_each(|content| rays.boards[lane][content] |= with(content) << square);
            }
        }
        rays
    }

    /// Tables for every length; returns where each begins.
    fn push_tables(&mut self) -> [usize; 9] {
        let (mut starts, mut next) = ([0; 9], 0);
        for (length, start) in starts.iter_mut().enumerate().skip(3) {
            let codes = 3_usize.pow(length as u32);
            (*start, next) = (next, next + codes);
            self.differences[*start..next].copy_from_slice(&ray_table(length));
            self.potentials[*start..next].copy_from_slice(&super::potential::ray_table(length));
            for code in 0..codes {
                let line = RayDiscs::of(code, length);
                self.moves[*start + code] = [line.moves(), line.swapped().moves()];
            }
        }
        starts
    }

    /// Where the content of each ray stands in the tables; the four edges first.
    #[inline]
    pub(super) fn places<'a>(
        &'a self,
        numbers: &'a TernaryNumbers<LANES>,
    ) -> impl Iterator<Item = usize> + 'a {
        self.centres
            .iter()
            .zip(&numbers.0)
            .map(|(&centre, &number)| usize::from(centre.wrapping_add_signed(number)) & (ENTRIES - 1))
    }
}

/// The approximation from kept numbers: 38 table entries.
#[inline]
pub fn approximated(position: &Position, numbers: &TernaryNumbers<LANES>) -> i32 {
    let rays = &*ALL;
    let sum: i32 = rays.places(numbers).map(|place| i32::from(rays.differences[place])).sum();
    sign(position.to_move) * sum
}

/// The exact count from kept numbers: 38 table entries, brought together on two boards.
#[inline]
pub fn by_table(position: &Position, numbers: &TernaryNumbers<LANES>) -> i32 {
    let rays = &*ALL;
    let (mut black, mut white) = (0, 0);
    for (board, place) in rays.boards.iter().zip(rays.places(numbers)) {
        let moves = rays.moves[place];
        black |= board[usize::from(moves[0])];
        white |= board[usize::from(moves[1])];
    }
    sign(position.to_move) * (black.count_ones() as i32 - white.count_ones() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::sample::positions;
    use trilith_base::Seed;
    use trilith_games::othello::squares;

    fn numbers(position: &Position) -> TernaryNumbers<LANES> {
        TernaryNumbers::of(&ALL.powers, position)
    }

    #[test]
    fn tables_count_exactly_what_bit_boards_count() {
        for position in positions(Seed(1), 2000) {
            assert_eq!(by_table(&position, &numbers(&position)), mobility(&position));
        }
    }

    /// Moves of `own`, each as often as there are lines through it on which it turns discs.
    fn with_lines(own: u64, other: u64) -> i32 {
        let lines = |square: u8| {
            let flips = portable::flips(own, other, square);
            let line = |flip: u8| match (square / 8 == flip / 8, square % 8 == flip % 8) {
                (true, _) => 1,
                (_, true) => 2,
                _ if square / 8 + square % 8 == flip / 8 + flip % 8 => 4,
                _ => 8_i32,
            };
            squares(flips).fold(0, |all, flip| all | line(flip)).count_ones() as i32
        };
        squares(portable::mobility(own, other)).map(lines).sum()
    }

    /// In S5, figure 2.2, a move counts four times.
    #[test]
    fn the_approximation_counts_a_move_once_for_each_ray_it_turns_discs_on() {
        for position in positions(Seed(5), 2000) {
            let Position { own, other, .. } = position;
            let expected = with_lines(own, other) - with_lines(other, own);
            assert_eq!(approximated(&position, &numbers(&position)), expected);
        }
    }

    #[test]
    fn changing_sides_changes_the_sign() {
        for position in positions(Seed(2), 500) {
            let passed = position.after_pass();
            assert_eq!(
                approximated(&passed, &numbers(&passed)),
                -approximated(&position, &numbers(&position))
            );
            assert_eq!(mobility(&passed), -mobility(&position));
        }
    }
}
