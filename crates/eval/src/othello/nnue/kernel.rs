//! The arithmetic of the network: rows added up, products, and the small layers of one number of discs.
//!
//! Plain loops over arrays of fixed size: the reference that the kernels for some CPUs are tested against.

use super::{HALF, HIDDEN, SECOND, WIDTH};
use crate::evaluator::Value;

/// The rows called `chosen`, added to `bias`, through the layers of `stack`; in 1/128 discs.
pub fn value(rows: &[WeightRow], chosen: &[u32], bias: &PairSums, stack: &Stack, moves: [u32; 2]) -> Value {
    let mut sums = bias.apart();
    for &row in chosen {
        sums.add(&rows[row as usize]);
    }
    stack.value(&sums.products(), moves)
}

/// What one content of a lane adds, and [`OFFSET`]: bytes without a sign are added up two at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(128))]
pub struct WeightRow(pub [u8; WIDTH]);

/// What the bytes of a row are more than the weights.
pub const OFFSET: i16 = 128;

/// The sum of rows; some dozens of bytes fit sixteen bits by far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct RowSums(pub [i16; WIDTH]);

/// Sums of neighbouring bytes taken as one number of 16 bits, and of the second bytes alone. What the latter leave of the
/// former, modulo 2^16, are the sums of the first bytes: two additions and a shift add up two bytes, and the products of
/// such sums lie in their order again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct PairSums {
    pub pairs: [i16; HALF],
    pub seconds: [i16; HALF],
}

impl PairSums {
    /// What the sums begin with: `bias`, less what the rows of so many lanes have too much.
    pub fn new(bias: [i16; WIDTH], lanes: usize) -> PairSums {
        let at = |at: usize| bias[at].wrapping_sub(lanes as i16 * OFFSET);
        PairSums {
            pairs: std::array::from_fn(|pair| at(2 * pair).wrapping_add(at(2 * pair + 1) << 8)),
            seconds: std::array::from_fn(|pair| at(2 * pair + 1)),
        }
    }

    /// The sum for every number of a row.
    pub fn apart(&self) -> RowSums {
        let first = |pair: usize| self.pairs[pair].wrapping_sub(self.seconds[pair] << 8);
        RowSums(std::array::from_fn(|at| if at % 2 == 0 { first(at / 2) } else { self.seconds[at / 2] }))
    }
}

/// What the first layer reads, 0 to 126.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Products(pub [u8; HALF]);

/// 1 as an activation.
pub const FULL: i16 = 127;
/// What one move counts as an activation.
const MOVE: u32 = 4;

impl Default for WeightRow {
    fn default() -> WeightRow {
        WeightRow([0; WIDTH])
    }
}

impl WeightRow {
    /// From the weights.
    pub fn new(weights: &[i8; WIDTH]) -> WeightRow {
        WeightRow(weights.map(|weight| (i16::from(weight) + OFFSET) as u8))
    }
}

impl RowSums {
    #[inline(always)]
    fn add(&mut self, row: &WeightRow) {
        for (sum, &number) in self.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_add(i16::from(number));
        }
    }

    /// The first half times the second, both clipped.
    #[inline(always)]
    fn products(&self) -> Products {
        Products(std::array::from_fn(|at| {
            let (one, other) = (self.0[at].clamp(0, FULL), self.0[at + HALF].clamp(0, FULL));
            ((one * other) >> 7) as u8
        }))
    }
}

/// The small layers of one number of discs. Weights of layers come by four inputs, so that one vector multiplies the same
/// four inputs for many outputs. The last four of the first layer are the moves of both sides and two that are nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Stack {
    pub first: [[[i8; 4]; HIDDEN]; HALF / 4 + 1],
    pub second: [[[i8; 4]; SECOND]; HIDDEN / 2],
    pub output_products: [i16; HALF],
    pub output_second: [i16; SECOND],
    pub first_bias: [i32; HIDDEN],
    pub second_bias: [i32; SECOND],
    pub output_bias: i32,
}

/// The numbers of moves as activations, the last four of the first layer.
#[inline(always)]
pub fn inputs(moves: [u32; 2]) -> [u8; 4] {
    let [own, other] = moves.map(|count| (MOVE * count).min(FULL as u32) as u8);
    [own, other, 0, 0]
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
        let begun = layer(self.first_bias, &self.first, &x.0);
        let mut u = [0_u8; 2 * HIDDEN];
        for (at, sum) in layer(begun, &self.first[HALF / 4..], &inputs(moves)).into_iter().enumerate() {
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
