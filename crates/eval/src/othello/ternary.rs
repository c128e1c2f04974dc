//! Contents of square lists as balanced ternary numbers, kept up to date from move to move.
//!
//! The `k`-th square of a list adds `3^k` for a black disc and `-3^k` for a white one, so changing colours negates a
//! number, and up to ten squares fit an `i16`. All lists are updated together, whole vectors at a time.

use trilith_games::Colour;
use trilith_games::othello::symmetry::{SYMMETRIES, image_square};
use trilith_games::othello::{Position, squares};

/// What a disc on each square adds to the number of each list.
pub type Powers<const LANES: usize> = [[i16; LANES]; 64];

/// The number of every list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct TernaryNumbers<const LANES: usize>(pub [i16; LANES]);

impl<const LANES: usize> TernaryNumbers<LANES> {
    /// Read from the whole board.
    pub fn of(powers: &Powers<LANES>, position: &Position) -> TernaryNumbers<LANES> {
        let (black, white) = position.colours();
        let mut numbers = TernaryNumbers([0; LANES]);
        squares(black).for_each(|square| numbers.add(powers, square, 1));
        squares(white).for_each(|square| numbers.add(powers, square, -1));
        numbers
    }

    /// After a disc of `mover` on the square `bit` that turned `flips`; no bits at all for a pass.
    #[inline]
    pub fn after(
        &self,
        powers: &Powers<LANES>,
        mover: Colour,
        bit: u64,
        flips: u64,
    ) -> TernaryNumbers<LANES> {
        let mut change = TernaryNumbers([0; LANES]);
        squares(flips).for_each(|square| change.add(powers, square, 2));
        squares(bit).for_each(|square| change.add(powers, square, 1));
        let sign = sign(mover) as i16;
        // A change alone may wrap around, what comes of it cannot.
        TernaryNumbers(std::array::from_fn(|at| self.0[at].wrapping_add(sign.wrapping_mul(change.0[at]))))
    }

    /// Numbers of the side to move after its disc on `square` that turned `flips`, seen by the other side.
    #[inline(always)]
    pub fn turned(&self, powers: &Powers<LANES>, square: u8, flips: u64) -> TernaryNumbers<LANES> {
        let mut change = TernaryNumbers([0; LANES]);
        squares(flips).for_each(|square| change.add(powers, square, 1));
        let own = &powers[usize::from(square) & 63];
        let after = |at: usize| {
            self.0[at].wrapping_add(own[at]).wrapping_add(change.0[at]).wrapping_add(change.0[at])
        };
        TernaryNumbers(std::array::from_fn(|at| after(at).wrapping_neg()))
    }

    /// Numbers of one side as those of the other.
    #[inline(always)]
    pub fn seen_by_other(&self) -> TernaryNumbers<LANES> {
        TernaryNumbers(self.0.map(i16::wrapping_neg))
    }

    #[inline(always)]
    fn add(&mut self, powers: &Powers<LANES>, square: u8, times: i16) {
        for (number, power) in self.0.iter_mut().zip(&powers[usize::from(square) & 63]) {
            *number = number.wrapping_add(times.wrapping_mul(*power));
        }
    }
}

/// 1 for Black, -1 for White: turns a number into that of the side to move.
#[inline]
pub const fn sign(colour: Colour) -> i32 {
    match colour {
        Colour::Black => 1,
        Colour::White => -1,
    }
}

/// The orders in which the symmetries of the board that keep a set of squares in its place read its list.
pub fn own_symmetries(squares: &[u8]) -> Vec<Vec<usize>> {
    let order = |symmetry| {
        let place = |&square: &u8| squares.iter().position(|&own| own == image_square(square, symmetry));
        squares.iter().map(place).collect::<Option<Vec<usize>>>()
    };
    (0..SYMMETRIES).filter_map(order).collect()
}

/// The number whose digit `order[k]` is digit `k` of `code`.
pub fn permute(mut code: usize, order: &[usize]) -> usize {
    let mut image = 0;
    for &place in order {
        image += code % 3 * 3_usize.pow(place as u32);
        code /= 3;
    }
    image
}
