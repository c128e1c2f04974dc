//! NNUE: a small network on patterns, in expected discs, made to be valued at the leaves of a search.
//!
//! The value is the sum of two parts. The *linear* part are pattern weights by phase ([`OthelloPatterns`]). The *network* part
//! looks at lists of squares of its own, its *lanes*: what stands on a lane selects a row of [`WIDTH`] small numbers.
//!
//! ```text
//! sum    = bias + the rows of all lanes                               i16[128]
//! c      = sum clipped to 0..=127                                     (127 stands for 1)
//! x[k]   = c[k] * c[k + 64] >> 7                                      u8[64]
//! y      = first * (x, moves of both sides) >> 6, clipped to -127..=127   i8[16]
//! u      = (y clipped at 0, y * y >> 7)                               u8[32]
//! z      = second * u >> 6, clipped to 0..=127                        u8[32]
//! value  = linear + 2 * (output * (z, x)) / 127                       in 1/128 discs
//! ```
//!
//! `first`, `second` and `output` have weights of their own for every number of discs. Whole numbers only, so every
//! machine gives the same value. `training/othello_nnue.py` learns the weights with the same rounding.
//!
//! The lanes stand in the file: other shapes need no other program.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod cache;
pub mod file;
mod kernel;
mod lanes;

use trilith_games::othello::technique::portable::mobility;
use trilith_games::othello::{Move, Othello, Position};
use trilith_games::{Colour, Game, Outcome};

use crate::catalogue::LeafEvaluator;
use crate::evaluator::{Evaluator, Unit, Value};
use crate::explanation::{Explanation, Term};
use crate::othello::patterns::{Indices, ONE, OthelloPatterns};
use crate::othello::ternary::{Powers, TernaryNumbers};
use cache::ValueCache;
use kernel::{PairSums, Stack, WeightRow};
use lanes::Lanes;

/// Numbers in a row.
pub const WIDTH: usize = 128;
/// Products that the first layer reads.
pub const HALF: usize = WIDTH / 2;
/// Outputs of the first layer.
pub const HIDDEN: usize = 16;
/// Outputs of the second layer.
pub const SECOND: usize = 32;
/// One set of small layers for every number of discs from 4 to 63.
pub const STACKS: usize = 60;
/// The most lanes a network may have.
pub const LANES: usize = 48;
/// The most of them that are no patterns of the linear part.
pub const REST: usize = 32;

/// No estimate is larger; only a wiped-out opponent is worth as much.
const MOST: Value = 64 * ONE;

/// A network with its weights.
pub struct Nnue {
    linear: OthelloPatterns,
    lanes: Lanes,
    /// What a disc on each square adds to the number of each lane that is no pattern of the linear part.
    powers: Box<Powers<REST>>,
    rows: Box<[WeightRow]>,
    bias: PairSums,
    stacks: Box<[Stack]>,
    /// The fastest that this CPU has.
    kernel: Kernel,
    cache: ValueCache,
}

/// Adds up the rows called by number and takes the sums through the small layers; in 1/128 discs.
type Kernel = fn(&[WeightRow], &[u32], &PairSums, &Stack, [u32; 2]) -> Value;

/// The kernel for this CPU, chosen when a network is loaded. All give the same values.
#[allow(unsafe_code)]
fn kernel_for_cpu() -> Kernel {
    #[cfg(target_arch = "x86_64")]
    if avx512::is_here() {
        // SAFETY: The CPU has what the kernel asks for.
        return |rows, chosen, bias, stack, moves| unsafe { avx512::value(rows, chosen, bias, stack, moves) };
    }
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: The CPU has AVX2.
        return |rows, chosen, bias, stack, moves| unsafe { avx2::value(rows, chosen, bias, stack, moves) };
    }
    kernel::value
}

/// What is kept up to date from move to move, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accumulator {
    /// Of the linear part, and of the lanes that are among its patterns.
    linear: Indices,
    /// Of the other lanes.
    rest: TernaryNumbers<REST>,
}

impl Nnue {
    /// Read from the whole board, seen by `own`.
    #[inline]
    pub fn begin_for(&self, own: u64, other: u64) -> Accumulator {
        let position = Position { own, other, to_move: Colour::Black };
        Accumulator {
            linear: OthelloPatterns::indices(own, other),
            rest: TernaryNumbers::of(&self.powers, &position),
        }
    }

    /// After a disc of the side to move on `square` that turned `flips`, seen by the other side.
    #[inline(always)]
    pub fn after(&self, accumulator: &Accumulator, square: u8, flips: u64) -> Accumulator {
        Accumulator {
            linear: OthelloPatterns::indices_after(&accumulator.linear, square, flips),
            rest: accumulator.rest.turned(&self.powers, square, flips),
        }
    }

    /// After a pass.
    #[inline(always)]
    pub fn after_pass(accumulator: &Accumulator) -> Accumulator {
        Accumulator { linear: accumulator.linear.seen_by_other(), rest: accumulator.rest.seen_by_other() }
    }

    /// The linear part alone, for the side to move: coarser, and several times as fast.
    #[inline(always)]
    pub fn linear_value(&self, discs: u32, accumulator: &Accumulator) -> Value {
        self.linear.value_of(discs, &accumulator.linear)
    }

    /// The estimate for the side to move of `position`, from what is kept of it and the moves of both sides.
    #[inline(always)]
    pub fn value_of(
        &self,
        position: &Position,
        moves: impl FnOnce() -> [u32; 2],
        accumulator: &Accumulator,
    ) -> Value {
        let discs = (position.own | position.other).count_ones();
        let Accumulator { linear, rest } = accumulator;
        let network = self.remembered(position, || self.network_value(discs, moves(), linear, rest));
        (network + self.linear.value_of(discs, linear)).clamp(-MOST + 1, MOST - 1)
    }

    /// The estimate of `child`, which a disc on a square and what it turned lead to; the linear part alone where it is
    /// `enough`. The lanes are counted only if it is not.
    #[inline(always)]
    pub fn value_after(
        &self,
        accumulator: &Accumulator,
        (square, flips): (u8, u64),
        (child, discs, moves): (&Position, u32, impl FnOnce() -> [u32; 2]),
        enough: impl FnOnce(Value) -> bool,
    ) -> Value {
        let linear = OthelloPatterns::indices_after(&accumulator.linear, square, flips);
        let rough = self.linear.value_of(discs, &linear);
        if enough(rough) {
            return rough;
        }
        let network = self.remembered(child, || {
            let rest = accumulator.rest.turned(&self.powers, square, flips);
            self.network_value(discs, moves(), &linear, &rest)
        });
        (network + rough).clamp(-MOST + 1, MOST - 1)
    }

    /// What the network adds; `ask` asks it, if the position was not met lately.
    #[inline(always)]
    fn remembered(&self, position: &Position, ask: impl FnOnce() -> Value) -> Value {
        self.cache.get_or(position.key(), ask)
    }

    #[inline(always)]
    fn network_value(
        &self,
        discs: u32,
        moves: [u32; 2],
        linear: &Indices,
        rest: &TernaryNumbers<REST>,
    ) -> Value {
        let stack = &self.stacks[(discs.saturating_sub(4) as usize).min(STACKS - 1)];
        let mut chosen = [0; LANES];
        let lanes = self.lanes.rows(linear, rest, &mut chosen);
        (self.kernel)(&self.rows, &chosen[..lanes], &self.bias, stack, moves)
    }

    fn of_position(&self, position: &Position) -> Value {
        let Position { own, other, .. } = *position;
        self.value_of(position, || moves(own, other), &self.begin_for(own, other))
    }
}

/// How many moves the side to move and its opponent have.
#[inline]
fn moves(own: u64, other: u64) -> [u32; 2] {
    [mobility(own, other), mobility(other, own)].map(u64::count_ones)
}

const UNIT: Unit = Unit { name: "discs", one: ONE };

impl Evaluator<Othello> for Nnue {
    type Carry = Accumulator;

    fn unit(&self) -> Unit {
        UNIT
    }

    fn begin(&self, _: &Othello, position: &Position) -> Accumulator {
        self.begin_for(position.own, position.other)
    }

    #[inline]
    fn advance(
        &self,
        _: &Othello,
        carry: &Accumulator,
        before: &Position,
        mv: Move,
        after: &Position,
    ) -> Accumulator {
        match mv.square() {
            Some(square) => self.after(carry, square, before.other & after.other),
            None => Nnue::after_pass(carry),
        }
    }

    #[inline]
    fn value(&self, _: &Othello, position: &Position, carry: &Accumulator) -> Value {
        self.value_of(position, || moves(position.own, position.other), carry)
    }

    fn ended(&self, game: &Othello, position: &Position, _: Outcome) -> Value {
        game.margin(position) * ONE
    }

    #[inline]
    fn is_familiar(&self, game: &Othello, position: &Position) -> bool {
        self.linear.is_familiar(game, position)
    }
}

impl LeafEvaluator<Othello> for Nnue {
    fn unit(&self) -> Unit {
        UNIT
    }

    fn value(&self, _: &Othello, position: &Position) -> Value {
        self.of_position(position)
    }

    fn ended(&self, game: &Othello, position: &Position, _: Outcome) -> Value {
        game.margin(position) * ONE
    }

    /// The terms of the linear part, and what the network adds to their sum as one more.
    fn explain(&self, game: &Othello, position: &Position) -> Explanation {
        let linear = self.linear.explain(game, position);
        let total = f64::from(self.of_position(position)) / f64::from(ONE);
        let mut terms = linear.terms;
        terms.push(Term::weighted("how the patterns work together", 1.0, total - linear.total));
        Explanation { cells: linear.cells, ..Explanation::sum(UNIT.name, terms) }
    }

    /// Every lane has rows of its own: images of a position differ by what is not yet learned.
    fn is_symmetric(&self) -> bool {
        false
    }
}

/// Fails where `kernel` says something else than the reference.
#[cfg(test)]
fn equals_the_plain_loops(kernel: Kernel) {
    use rand::RngExt;
    let nnue = Nnue::from_artifact(&file::fresh(trilith_base::Seed(5))).unwrap();
    let mut rng = trilith_base::Seed(6).rng();
    for round in 0..3000 {
        let chosen: Vec<u32> = (0..22).map(|_| rng.random_range(0..nnue.rows.len() as u32)).collect();
        let stack = &nnue.stacks[round % STACKS];
        let moves = [rng.random_range(0..34), rng.random_range(0..34)];
        let expected = kernel::value(&nnue.rows, &chosen, &nnue.bias, stack, moves);
        assert_eq!(kernel(&nnue.rows, &chosen, &nnue.bias, stack, moves), expected);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;
    use trilith_games::playout;

    fn sample() -> Nnue {
        Nnue::from_artifact(&file::fresh(Seed(7))).unwrap()
    }

    /// The formulas of the module's head, step by step over vectors of wide numbers.
    fn naive(nnue: &Nnue, position: &Position) -> i64 {
        let Position { own, other, .. } = *position;
        let digit = |square: u8| (own >> square & 1) as i64 - (other >> square & 1) as i64;
        let mut sum: Vec<i64> = nnue.bias.apart().0.iter().map(|&bias| bias.into()).collect();
        let mut first = 0;
        for lane in nnue.lanes.squares() {
            let number: i64 =
                lane.iter().enumerate().map(|(place, &s)| digit(s) * 3_i64.pow(place as u32)).sum();
            let codes = 3_i64.pow(lane.len() as u32);
            let row = &nnue.rows[(first + codes / 2 + number) as usize];
            sum.iter_mut().zip(&row.0).for_each(|(sum, &weight)| *sum += i64::from(weight));
            first += codes;
        }
        let c: Vec<i64> = sum.iter().map(|&sum| sum.clamp(0, 127)).collect();
        let x: Vec<i64> = (0..HALF).map(|k| (c[k] * c[k + HALF]) >> 7).collect();
        let moves = moves(own, other).map(|count| (4 * i64::from(count)).min(127));
        let stack = &nnue.stacks[((own | other).count_ones() as usize - 4).min(STACKS - 1)];
        let y: Vec<i64> = (0..HIDDEN)
            .map(|at| {
                let sum: i64 = (0..HALF).map(|k| i64::from(stack.first[k / 4][at][k % 4]) * x[k]).sum();
                let by_moves: i64 = (0..2).map(|k| i64::from(stack.first[HALF / 4][at][k]) * moves[k]).sum();
                ((i64::from(stack.first_bias[at]) + sum + by_moves) >> 6).clamp(-127, 127)
            })
            .collect();
        let u: Vec<i64> = y.iter().map(|&y| y.max(0)).chain(y.iter().map(|&y| (y * y) >> 7)).collect();
        let z = (0..SECOND).map(|at| {
            let sum: i64 = (0..2 * HIDDEN).map(|k| i64::from(stack.second[k / 4][at][k % 4]) * u[k]).sum();
            ((i64::from(stack.second_bias[at]) + sum) >> 6).clamp(0, 127)
        });
        let by_second: i64 = z.enumerate().map(|(k, z)| i64::from(stack.output_second[k]) * z).sum();
        let by_products: i64 = (0..HALF).map(|k| i64::from(stack.output_products[k]) * x[k]).sum();
        let linear = LeafEvaluator::value(&nnue.linear, &Othello::default(), position);
        let value = i64::from(linear) + 2 * (i64::from(stack.output_bias) + by_second + by_products) / 127;
        value.clamp(-8191, 8191)
    }

    #[test]
    fn the_value_is_that_of_the_formulas_and_what_is_kept_equals_what_is_begun() {
        let (game, nnue) = (Othello::default(), sample());
        let (mut rng, mut far) = (Seed(1).rng(), 0);
        for _ in 0..40 {
            let mut position = game.start();
            let mut carry = nnue.begin(&game, &position);
            while let Some(mv) = playout::random_move(&game, &position, &mut rng) {
                let after = game.play(&position, mv);
                carry = nnue.advance(&game, &carry, &position, mv, &after);
                assert_eq!(carry, nnue.begin(&game, &after), "{}", game.diagram(&after));
                let value = Evaluator::value(&nnue, &game, &after, &carry);
                assert_eq!(i64::from(value), naive(&nnue, &after), "{}", game.diagram(&after));
                assert_eq!(value, LeafEvaluator::value(&nnue, &game, &after));
                let explained = nnue.explain(&game, &after).total * f64::from(ONE);
                assert!((explained - f64::from(value)).abs() < 0.01);
                far += usize::from(value.abs() > ONE);
                position = after;
            }
        }
        assert!(far > 1000, "the network says something: {far}");
    }
}
