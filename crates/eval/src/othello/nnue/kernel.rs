//! The arithmetic of the network: rows added up, products, and the small layers of one number of discs.
//!
//! Plain loops over arrays of fixed size: the reference that the kernels for some CPUs are tested against.

use super::{HALF, HIDDEN, SECOND, WIDTH};
use crate::evaluator::Value;

/// The rows called `chosen`, added to `bias`, through the layers of `stack`; in 1/128 discs.
pub fn value(rows: &[WeightRow], chosen: &[u32], bias: &RowSums, stack: &Stack, moves: [u32; 2]) -> Value {
    let mut sums = *bias;
    for &row in chosen {
        sums.add(&rows[row as usize]);
    }
    stack.value(&sums.products(), moves)
}

/// What one content of a lane adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct WeightRow(pub [i8; WIDTH]);

/// The sum of rows; some dozens of bytes fit sixteen bits by far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct RowSums(pub [i16; WIDTH]);

/// What the first layer reads, 0 to 126.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Products(pub [u8; HALF]);

/// 1 as an activation.
pub const FULL: i16 = 127;
/// What one move counts as an activation.
pub const MOVE: i32 = 4;

impl RowSums {
    #[inline(always)]
    pub fn add(&mut self, row: &WeightRow) {
        for (sum, &number) in self.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_add(i16::from(number));
        }
    }

    /// The first half times the second, both clipped.
    #[inline(always)]
    pub fn products(&self) -> Products {
        Products(std::array::from_fn(|at| {
            let (one, other) = (self.0[at].clamp(0, FULL), self.0[at + HALF].clamp(0, FULL));
            ((one * other) >> 7) as u8
        }))
    }
}

/// The small layers of one number of discs. Weights of layers come by four inputs, so that one vector multiplies the same
/// four inputs for many outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Stack {
    pub first: [[[i8; 4]; HIDDEN]; HALF / 4],
    pub second: [[[i8; 4]; SECOND]; HIDDEN / 2],
    pub output_products: [i16; HALF],
    pub output_second: [i16; SECOND],
    /// For each side, what one of its moves adds to each output.
    pub first_moves: [[i32; HIDDEN]; 2],
    pub first_bias: [i32; HIDDEN],
    pub second_bias: [i32; SECOND],
    pub output_bias: i32,
}

/// `sums` plus a layer's products; no number of `x` is above 127, so that pairs of products fit sixteen bits.
#[inline(always)]
fn layer<const N: usize>(mut sums: [i32; N], weights: &[[[i8; 4]; N]], x: &[u8]) -> [i32; N] {
    for (four, x) in weights.iter().zip(x.chunks_exact(4)) {
        for (sum, weights) in sums.iter_mut().zip(four) {
            *sum += (0..4).map(|at| i32::from(weights[at]) * i32::from(x[at])).sum::<i32>();
        }
    }
    sums
}

#[inline(always)]
fn wide_dot<const N: usize>(weights: &[i16; N], x: &[u8; N]) -> i32 {
    (0..N).fold(0, |sum, at| sum + i32::from(weights[at]) * i32::from(x[at]))
}

impl Stack {
    /// In 1/128 discs, with the numbers of moves of the side to move and of its opponent.
    #[inline(always)]
    pub fn value(&self, x: &Products, moves: [u32; 2]) -> Value {
        let moves = moves.map(|count| (MOVE * count as i32).min(FULL.into()));
        let [own, other] = &self.first_moves;
        let begun = std::array::from_fn(|at| self.first_bias[at] + own[at] * moves[0] + other[at] * moves[1]);
        let mut u = [0_u8; 2 * HIDDEN];
        for (at, sum) in layer(begun, &self.first, &x.0).into_iter().enumerate() {
            let y = (sum >> 6).clamp(-i32::from(FULL), FULL.into());
            u[at] = y.max(0) as u8;
            u[HIDDEN + at] = ((y * y) >> 7) as u8;
        }
        let z = layer(self.second_bias, &self.second, &u).map(|sum| (sum >> 6).clamp(0, FULL.into()) as u8);
        let out =
            self.output_bias + wide_dot(&self.output_products, &x.0) + wide_dot(&self.output_second, &z);
        2 * out / 127
    }
}
