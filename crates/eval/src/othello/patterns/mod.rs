//! Pattern weights: a sum of weights by game phase, in expected discs. The fast evaluation, and the linear part of [`super::nnue`].
//!
//! The value of a position is the sum over all pattern instances of the weight of what stands on them, and of one
//! weight for the number of discs, each taken from the table of the phase. Seen from the side to move, so who is to
//! move matters; equal on all eight images because images share weights ([`layout`]).
//!
//! A linear function of its weights: [`features`] names the summands, [`OthelloPatterns::from_weights`] takes what a learner
//! made of them.

mod explain;
mod file;
mod hand;
pub mod layout;

use trilith_base::pages;
use trilith_games::othello::technique::portable::{flips, mobility};
use trilith_games::othello::{Move, Othello, Position};
use trilith_games::{Colour, Game, Outcome};

use crate::evaluator::{Evaluator, Unit, Value};
use crate::othello::ternary::TernaryNumbers;
use layout::{BIASES, CENTRES, INSTANCES, LANES, PACKING, PLAIN, POWERS};

/// The value of one disc.
pub const ONE: Value = 128;
/// No estimate is larger; only a wiped-out opponent is worth as much.
const MOST: Value = 64 * ONE;
/// Phases of a fresh evaluation: two disc numbers each.
pub const PHASES: usize = 30;

/// As many weights as there are `i16`s: those around a weight can be looked up by any number, without a check.
const WINDOW: usize = 1 << 16;

/// Weighted patterns.
#[derive(Clone, Debug, PartialEq)]
pub struct OthelloPatterns {
    phases: usize,
    /// [`PLAIN`] weights a phase, in `1 / ONE` discs, with half a [`WINDOW`] before and behind.
    weights: Box<[i16]>,
    /// By number of discs from 4 on.
    biases: [i16; BIASES],
}

/// The number each instance reads.
pub type Indices = TernaryNumbers<LANES>;

/// The phase of a position with so many discs (4 to 64), of `phases` equal ones.
#[inline]
pub const fn phase(discs: u32, phases: usize) -> usize {
    let played = discs.saturating_sub(4) as usize;
    played * phases / BIASES
}

/// The packed weights, below [`layout::weights`], whose sum is the value of the position in its phase.
pub fn features(position: &Position) -> [u32; INSTANCES.len() + 1] {
    let places = places(position.to_move, &Indices::of(&POWERS, position));
    std::array::from_fn(|at| match places.get(at) {
        Some(&place) => PACKING.packed[place as usize],
        None => (PACKING.biases() + bias(discs(position))) as u32,
    })
}

/// The plain weight of every instance for the side to move.
fn places(to_move: Colour, indices: &Indices) -> [u32; INSTANCES.len()] {
    std::array::from_fn(|at| CENTRES[at].wrapping_add_signed(seen_by(to_move, indices.0[at]).into()))
}

/// A number of Black's as one of the side to move.
#[inline(always)]
fn seen_by(to_move: Colour, number: i16) -> i16 {
    // Taking away all ones after turning every bit negates a number; with zeros it stays.
    let turn = match to_move {
        Colour::Black => 0,
        Colour::White => -1_i16,
    };
    (number ^ turn).wrapping_sub(turn)
}

/// Which of the weights for the number of discs; broken positions with fewer than four count as four.
#[inline(always)]
fn bias(discs: u32) -> usize {
    discs.saturating_sub(4) as usize
}

#[inline]
fn discs(position: &Position) -> u32 {
    64 - position.empties().count_ones()
}

impl OthelloPatterns {
    /// All weights zero.
    pub fn zero(phases: usize) -> OthelloPatterns {
        OthelloPatterns { phases, weights: pages::defaults(phases * PLAIN + WINDOW), biases: [0; BIASES] }
    }

    /// From [`layout::weights`] packed weights in discs for each of `phases` phases, rounded to `1 / ONE`.
    ///
    /// # Panics
    /// If there are not that many.
    pub fn from_weights(phases: usize, packed: &[f32]) -> OthelloPatterns {
        let count = layout::weights();
        assert_eq!(packed.len(), phases * count, "weights of {phases} phases");
        let mut patterns = OthelloPatterns::zero(phases);
        let weights = &mut patterns.weights[WINDOW / 2..];
        for (plain, packed) in weights.chunks_exact_mut(PLAIN).zip(packed.chunks_exact(count)) {
            for (weight, &number) in plain.iter_mut().zip(&PACKING.packed) {
                *weight = round(packed[number as usize]);
            }
        }
        for (played, weight) in patterns.biases.iter_mut().enumerate() {
            let start = phase(played as u32 + 4, phases) * count + PACKING.biases();
            *weight = round(packed[start + played]);
        }
        patterns
    }

    /// The packed weights in discs, as [`OthelloPatterns::from_weights`] takes them. A bias outside its phase is zero.
    pub fn to_weights(&self) -> Vec<f32> {
        let count = layout::weights();
        let mut packed = vec![0.0; self.phases * count];
        let weights = &self.weights[WINDOW / 2..];
        for (plain, packed) in weights.chunks_exact(PLAIN).zip(packed.chunks_exact_mut(count)) {
            for (&weight, &number) in plain.iter().zip(&PACKING.packed) {
                packed[number as usize] = f32::from(weight) / ONE as f32;
            }
        }
        for (played, &weight) in self.biases.iter().enumerate() {
            let start = phase(played as u32 + 4, self.phases) * count + PACKING.biases();
            packed[start + played] = f32::from(weight) / ONE as f32;
        }
        packed
    }

    /// How many phases it tells apart.
    pub fn phases(&self) -> usize {
        self.phases
    }

    /// The plain weights of the phase with so many discs, with half a window before and behind.
    #[inline(always)]
    fn table(&self, discs: u32) -> &[i16; PLAIN + WINDOW] {
        let start = phase(discs, self.phases) * PLAIN;
        self.weights[start..start + PLAIN + WINDOW].try_into().expect("a phase has this many")
    }

    /// What each instance reads, a disc of `own` counting as black.
    #[inline(always)]
    pub fn indices(own: u64, other: u64) -> Indices {
        Indices::of(&POWERS, &Position { own, other, to_move: Colour::Black })
    }

    /// The indices after a disc on `square` that turned `flips`, seen by the other side; both as [`OthelloPatterns::indices`].
    #[inline(always)]
    pub fn indices_after(indices: &Indices, square: u8, flips: u64) -> Indices {
        indices.turned(&POWERS, square, flips)
    }

    /// The value for the side to move with so many discs on the board, from [`OthelloPatterns::indices`].
    #[inline(always)]
    pub fn value_of(&self, discs: u32, indices: &Indices) -> Value {
        self.sum(discs, Colour::Black, indices)
    }

    /// The weights of positions with so many discs.
    #[inline(always)]
    pub fn weights(&self, discs: u32) -> DiscCountWeights<'_> {
        DiscCountWeights { table: self.table(discs), bias: self.biases[bias(discs)].into() }
    }

    #[inline(always)]
    fn sum(&self, discs: u32, to_move: Colour, indices: &Indices) -> Value {
        self.weights(discs).sum(to_move, indices)
    }
}

/// The weights of one number of discs: what is the same for all moves of a position.
#[derive(Clone, Copy)]
pub struct DiscCountWeights<'a> {
    table: &'a [i16; PLAIN + WINDOW],
    bias: Value,
}

impl DiscCountWeights<'_> {
    /// The value for the side to move, from [`OthelloPatterns::indices`].
    #[inline(always)]
    pub fn value(&self, indices: &Indices) -> Value {
        self.sum(Colour::Black, indices)
    }

    #[inline(always)]
    fn sum(&self, to_move: Colour, indices: &Indices) -> Value {
        let places = indices.0.map(|number| (seen_by(to_move, number) as u16) ^ 1 << 15);
        let sum = self.bias
            + self.part::<0, 15>(&places)
            + self.part::<15, 30>(&places)
            + self.part::<30, 45>(&places)
            + self.part::<45, { INSTANCES.len() }>(&places);
        sum.clamp(-MOST + 1, MOST - 1)
    }

    /// The sum over some instances: few enough for a compiler to write them out, with the place of each window in it.
    #[inline(always)]
    fn part<const FIRST: usize, const END: usize>(&self, places: &[u16; LANES]) -> Value {
        (FIRST..END).fold(0, |sum, at| {
            let start = CENTRES[at] as usize;
            let window: &[i16; WINDOW] =
                self.table[start..start + WINDOW].try_into().expect("a window is this long");
            sum + i32::from(window[usize::from(places[at])])
        })
    }
}

fn round(discs: f32) -> i16 {
    (discs * ONE as f32).round() as i16
}

impl Evaluator<Othello> for OthelloPatterns {
    type Carry = Indices;

    fn unit(&self) -> Unit {
        UNIT
    }

    fn begin(&self, _: &Othello, position: &Position) -> Indices {
        Indices::of(&POWERS, position)
    }

    #[inline]
    fn advance(
        &self,
        _: &Othello,
        carry: &Indices,
        before: &Position,
        mv: Move,
        after: &Position,
    ) -> Indices {
        carry.after(&POWERS, before.to_move, mv.bit(), before.other & after.other)
    }

    #[inline]
    fn value(&self, _: &Othello, position: &Position, carry: &Indices) -> Value {
        self.sum(discs(position), position.to_move, carry)
    }

    fn ended(&self, game: &Othello, position: &Position, _: Outcome) -> Value {
        game.margin(position) * ONE
    }

    /// A side with few discs, or left with few by the next move, may soon have none: that happens in hardly any game of good
    /// players, so weights and calibrations know nothing of it.
    #[inline]
    fn is_familiar(&self, _: &Othello, position: &Position) -> bool {
        let (own, other) = (position.own.count_ones(), position.other.count_ones());
        own.min(other) > FEW && (other > TAKEN || !leaves_few(position))
    }
}

/// Discs that may all be turned in a move or two.
const FEW: u32 = 4;
/// Of more discs than so many a move seldom leaves few.
const TAKEN: u32 = 9;

/// Whether a move leaves the other side fewer than [`FEW`] discs.
#[cold]
fn leaves_few(position: &Position) -> bool {
    let Position { own, other, .. } = *position;
    let mut moves = mobility(own, other);
    while moves != 0 {
        let turned = flips(own, other, moves.trailing_zeros() as u8);
        if (other & !turned).count_ones() < FEW {
            return true;
        }
        moves &= moves - 1;
    }
    false
}

const UNIT: Unit = Unit { name: "discs", one: ONE };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::LeafEvaluator;
    use rand::RngExt;
    use trilith_base::Seed;
    use trilith_games::playout;

    /// Weights drawn by lot.
    pub(super) fn sample(phases: usize) -> OthelloPatterns {
        let mut rng = Seed(11).rng();
        let packed: Vec<f32> =
            (0..phases * layout::weights()).map(|_| rng.random_range(-2.0_f32..2.0)).collect();
        OthelloPatterns::from_weights(phases, &packed)
    }

    #[test]
    fn kept_indices_equal_fresh_ones_over_random_moves() {
        let (game, patterns) = (Othello::default(), sample(3));
        let mut rng = Seed(1).rng();
        let mut plies = 0;
        while plies < 100_000 {
            let mut position = game.start();
            let mut carry = patterns.begin(&game, &position);
            while let Some(mv) = playout::random_move(&game, &position, &mut rng) {
                let after = game.play(&position, mv);
                carry = patterns.advance(&game, &carry, &position, mv, &after);
                assert_eq!(carry, patterns.begin(&game, &after), "{}", game.diagram(&after));
                let (kept, fresh) = (
                    Evaluator::value(&patterns, &game, &after, &carry),
                    LeafEvaluator::value(&patterns, &game, &after),
                );
                assert_eq!(kept, fresh);
                position = after;
                plies += 1;
            }
        }
    }

    #[test]
    fn indices_of_the_side_to_move_are_kept_up_to_date_by_flips_alone() {
        let (game, patterns) = (Othello::default(), sample(3));
        let mut rng = Seed(5).rng();
        for _ in 0..50 {
            let mut position = game.start();
            let mut indices = OthelloPatterns::indices(position.own, position.other);
            while let Some(mv) = playout::random_move(&game, &position, &mut rng) {
                let after = game.play(&position, mv);
                let turned = position.other & after.other;
                indices = match mv.square() {
                    Some(square) => OthelloPatterns::indices_after(&indices, square, turned),
                    None => indices.seen_by_other(),
                };
                assert_eq!(indices, OthelloPatterns::indices(after.own, after.other));
                assert_eq!(
                    patterns.value_of(discs(&after), &indices),
                    LeafEvaluator::value(&patterns, &game, &after)
                );
                position = after;
            }
        }
    }

    #[test]
    fn images_have_equal_values_and_features() {
        let (game, patterns) = (Othello::default(), sample(15));
        let mut rng = Seed(2).rng();
        for _ in 0..50 {
            let mut position = game.start();
            while let Some(mv) = playout::random_move(&game, &position, &mut rng) {
                position = game.play(&position, mv);
                let sorted = |position: &Position| {
                    let mut list = features(position);
                    list.sort_unstable();
                    list
                };
                for symmetry in 1..8 {
                    let image = game.image(&position, symmetry);
                    assert_eq!(
                        LeafEvaluator::value(&patterns, &game, &image),
                        LeafEvaluator::value(&patterns, &game, &position)
                    );
                    assert_eq!(sorted(&image), sorted(&position));
                }
            }
        }
    }

    #[test]
    fn the_value_depends_on_who_is_to_move_but_not_on_colours() {
        let (game, patterns) = (Othello::default(), sample(2));
        let mut rng = Seed(3).rng();
        let mut position = game.start();
        while let Some(mv) = playout::random_move(&game, &position, &mut rng) {
            position = game.play(&position, mv);
            let swapped = Position { to_move: !position.to_move, ..position };
            assert_eq!(
                LeafEvaluator::value(&patterns, &game, &swapped),
                LeafEvaluator::value(&patterns, &game, &position)
            );
        }
    }

    #[test]
    fn features_add_up_to_the_value_and_so_does_the_explanation() {
        let game = Othello::default();
        let patterns = sample(30);
        let packed = patterns.to_weights();
        let mut rng = Seed(4).rng();
        let mut position = game.start();
        while let Some(mv) = playout::random_move(&game, &position, &mut rng) {
            position = game.play(&position, mv);
            let weights = &packed[phase(discs(&position), 30) * layout::weights()..];
            let sum: f32 = features(&position).iter().map(|&feature| weights[feature as usize]).sum();
            let value = LeafEvaluator::value(&patterns, &game, &position);
            assert_eq!((sum * ONE as f32) as i32, value);
            let explanation = patterns.explain(&game, &position);
            assert_eq!((explanation.total * f64::from(ONE)) as i32, value);
        }
    }

    #[test]
    fn few_discs_are_not_familiar_nor_what_leaves_few() {
        let (game, patterns) = (Othello::default(), sample(1));
        let after = |moves: &str| {
            let mut position = game.start();
            for mv in moves.split(' ') {
                position = game.play(&position, mv.parse().unwrap());
            }
            patterns.is_familiar(&game, &position)
        };
        assert!(after("e6 f6 f5 d6 c6 b6 d3 g4 g6 f4"));
        // Four discs; then b4 turns five of seven.
        assert!(!after("e6 f6 f5 d6 c6 b6 d3 g4 g6 f4 a6 c5 h3"));
        assert!(!after("e6 f6 f5 d6 c6 b6 d3 g4 g6 f4 a6 c5 h3 c4"));
    }

    #[test]
    fn packed_weights_round_trip() {
        let patterns = sample(4);
        assert_eq!(OthelloPatterns::from_weights(4, &patterns.to_weights()), patterns);
    }

    #[test]
    fn phases_cover_all_disc_numbers_evenly() {
        assert_eq!((phase(4, 30), phase(64, 30)), (0, 29));
        for phases in [1, 2, 12, 15, 20, 30, 60] {
            let sizes: Vec<usize> = (0..phases)
                .map(|wanted| (4..=64).filter(|&discs| phase(discs, phases) == wanted).count())
                .collect();
            assert!(sizes.iter().all(|&size| size.abs_diff(61 / phases) <= 1), "{sizes:?}");
        }
    }
}
