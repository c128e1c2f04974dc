//! The evaluation that `engine` plays Morris with: a weighted sum of what each side has, by phase of the game.
//!
//! All counts come fresh from the bit sets in some twenty nanoseconds, so nothing is kept from move to move.

use trilith_base::{Artifact, ArtifactError};
use trilith_games::Game;
use trilith_games::morris::points::{Points, SpokeGrid};
use trilith_games::morris::{MOST_STONES, Morris, Position};

use super::counts;
use crate::catalogue::LeafEvaluator;
use crate::evaluator::{Evaluator, Unit, Value};
use crate::explanation::{Explanation, Term};
use crate::features::FeatureSet;
use crate::linear;
use crate::patterns::CountedEvaluator;

pub(super) const UNIT: Unit = Unit { name: "stones", one: 100 };
/// Steps of a weight within one step of a value.
pub(super) const FINE: i32 = 16;

/// What is counted of each side, beside its stones, and in how many sets.
const TERMS: [(&str, usize); 8] = [
    ("moves along lines", 3),
    ("blocked stones", 1),
    ("closed mills", 1),
    ("points to close a mill at", 1),
    ("lines with one stone missing", 3),
    ("mills that close from a mill", 1),
    ("points that open two mills", 1),
    ("neighbours past two", 1),
];
pub(super) const SIDE: usize = TERMS.len();
/// Sets of a side.
const SETS: usize = 12;
/// Stones of a side, on the board and in hand: 0 to 9, each number with its own weight. Those past nine, of variants
/// with more, weigh what the ninth does.
const STONES: usize = 10;
const ALL_STONES: usize = MOST_STONES as usize + 1;
/// Own terms, the other's terms, own number of stones, the other's, and the right to move.
pub(super) const WIDTH: usize = 2 * SIDE + 2 * STONES + 1;
pub(super) const PHASES: [&str; 5] = ["placing", "moving", "own flying", "other flying", "both flying"];

/// The weights of one phase, in hundredths of a stone and [`FINE`] to the step, laid out for reading.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phase {
    sets: [[i16; SETS]; 2],
    own_stones: [i32; ALL_STONES],
    other_stones: [i32; ALL_STONES],
    to_move: i32,
}

impl Phase {
    /// The weighted sum, in steps of weights.
    #[inline(always)]
    pub(super) fn sum(&self, position: &Position, stones: [u32; 2], sets: &[[u32; SETS]; 2]) -> i32 {
        let sizes = sets.as_flattened().iter().map(|set| set.count_ones() as i16);
        let weights = self.sets.as_flattened();
        let sum: i32 = sizes.zip(weights).map(|(size, &weight)| i32::from(size) * i32::from(weight)).sum();
        let own = self.own_stones[stones[0] as usize + usize::from(position.own_hand())];
        let other = self.other_stones[stones[1] as usize + usize::from(position.other_hand())];
        sum + own + other + self.to_move
    }
}

/// The evaluation; two hundred weights.
#[derive(Clone, Debug)]
pub struct MorrisHandTuned {
    weights: [[i32; WIDTH]; PHASES.len()],
    phases: [Phase; PHASES.len()],
}

impl MorrisHandTuned {
    /// The name of the feature set in files.
    pub const FEATURES: &'static str = "morris-production";

    fn new(weights: [[i32; WIDTH]; PHASES.len()]) -> MorrisHandTuned {
        MorrisHandTuned { weights, phases: weights.map(lay_out) }
    }

    /// The evaluation with the weights of `file`, in stones; those past twenty count twenty.
    pub fn load(file: &Artifact) -> Result<MorrisHandTuned, ArtifactError> {
        Ok(MorrisHandTuned::from_weights(linear::read::<Morris>(
            file,
            Self::FEATURES,
            &[PHASES.len(), WIDTH],
        )?))
    }

    /// A file that [`MorrisHandTuned::load`] reads back to an equal evaluation.
    pub fn artifact(&self) -> Artifact {
        linear::write::<Morris>(Self::FEATURES, &[PHASES.len(), WIDTH], self.to_weights())
    }
}

pub(super) fn lay_out(weights: [i32; WIDTH]) -> Phase {
    let mut sets = [[0; SETS]; 2];
    for (sets, weights) in sets.iter_mut().zip(weights[..2 * SIDE].chunks(SIDE)) {
        let spread =
            TERMS.iter().zip(weights).flat_map(|(term, &weight)| std::iter::repeat_n(weight, term.1));
        for (set, weight) in sets.iter_mut().zip(spread) {
            *set = weight as i16;
        }
    }
    let (own, other) = weights[2 * SIDE..WIDTH - 1].split_at(STONES);
    Phase { sets, own_stones: extended(own), other_stones: extended(other), to_move: weights[WIDTH - 1] }
}

/// The weights of all numbers of stones.
fn extended(weights: &[i32]) -> [i32; ALL_STONES] {
    std::array::from_fn(|stones| {
        by_stones(stones).map(|(place, number)| weights[place] * number).iter().sum()
    })
}

/// Which weights a number of stones takes, and how often: its own, and past nine as much more as the ninth adds.
fn by_stones(stones: usize) -> [(usize, i32); 2] {
    let past = stones.saturating_sub(STONES - 1) as i32;
    [(stones.min(STONES - 1), 1 + past), (STONES - 2, -past)]
}

/// A weight in steps; those past twenty count twenty.
pub(super) fn steps(weight: f32) -> i32 {
    let rounded = (weight * (FINE * UNIT.one) as f32).round() as i32;
    rounded.clamp(i16::MIN.into(), i16::MAX.into())
}

/// The same from steps.
pub(super) fn stones(weight: i32) -> f32 {
    weight as f32 / (FINE * UNIT.one) as f32
}

impl Default for MorrisHandTuned {
    /// Weights set by hand.
    fn default() -> MorrisHandTuned {
        let [placing, moving, own_flying, other_flying, both_flying] = [
            ([3, -5, 5, 50, 12, 30, 10, 3], [-3, 5, -5, -22, -12, -30, -5, -3]),
            ([6, -10, 15, 60, 8, 90, 0, 3], [-6, 10, -15, -30, -8, -80, 0, -3]),
            ([0, 0, 10, 80, 25, 0, 0, 0], [-5, 8, -15, -40, -8, -60, 0, -2]),
            ([5, -8, 15, 60, 8, 60, 0, 2], [0, 0, -10, -60, -25, 0, 0, 0]),
            ([0, 0, 10, 90, 25, 0, 0, 0], [0, 0, -10, -50, -25, 0, 0, 0]),
        ];
        let weights = [placing, moving, own_flying, other_flying, both_flying].map(by_hand);
        MorrisHandTuned::new(weights)
    }
}

/// All weights of a phase from those of the terms, in hundredths; each stone counts one, and the move a little.
fn by_hand((own, other): ([i32; SIDE], [i32; SIDE])) -> [i32; WIDTH] {
    let stones = (0..STONES as i32).map(|number| number * UNIT.one);
    let others = stones.clone().map(|stones| -stones);
    let all = own.into_iter().chain(other).chain(stones).chain(others).chain([5]);
    let mut weights = [0; WIDTH];
    for (weight, given) in weights.iter_mut().zip(all) {
        *weight = given * FINE;
    }
    weights
}

/// How many stones the sides have on the board.
#[inline(always)]
pub(super) fn on_board(position: &Position) -> [u32; 2] {
    [position.own().count_ones(), position.other().count_ones()]
}

#[inline(always)]
fn sets(grid: SpokeGrid, stones: Points, leaps: bool, empty: Points) -> [u32; SETS] {
    let lines = grid.lines(stones);
    let [first, second, third] = lines.apart();
    let in_mills = stones & lines.any();
    let closable = if leaps { lines.any() } else { lines.closed_by_sliding(stones) };
    let [clockwise, anticlockwise, across] = counts::slides(grid, stones, empty);
    [
        clockwise,
        anticlockwise,
        across,
        counts::blocked(grid, stones, empty),
        lines.mills(stones),
        closable & empty,
        first & empty,
        second & empty,
        third & empty,
        lines.closed_by_sliding(in_mills) & empty,
        grid.forks(stones, empty),
        grid.branches(stones),
    ]
}

#[inline(always)]
pub(super) fn both(game: &Morris, position: &Position, stones: [u32; 2]) -> [[u32; SETS]; 2] {
    let (grid, empty) = (game.rules().grid, position.empty());
    let leaps = |hand: u8, stones: u32| hand > 0 || game.rules().flying && stones == 3;
    [
        sets(grid, position.own(), leaps(position.own_hand(), stones[0]), empty),
        sets(grid, position.other(), leaps(position.other_hand(), stones[1]), empty),
    ]
}

#[inline(always)]
fn phase(game: &Morris, position: &Position, stones: [u32; 2]) -> usize {
    if position.in_hand() > 0 {
        return 0;
    }
    let [own, other] = stones.map(|stones| usize::from(game.rules().flying && stones <= 3));
    1 + own + 2 * other
}

/// The phase and the whole row of numbers that its weights go with.
pub(super) fn describe(game: &Morris, position: &Position) -> (usize, [i32; WIDTH]) {
    let stones = on_board(position);
    let mut numbers = [0; WIDTH];
    for (numbers, sets) in numbers.chunks_mut(SIDE).zip(both(game, position, stones)) {
        let mut sizes = sets.into_iter().map(|set| set.count_ones() as i32);
        for (number, (_, sets)) in numbers.iter_mut().zip(TERMS) {
            *number = sizes.by_ref().take(sets).sum();
        }
    }
    for (first, stones) in [(2 * SIDE, position.own_total()), (2 * SIDE + STONES, position.other_total())] {
        by_stones(stones as usize).iter().for_each(|&(place, number)| numbers[first + place] += number);
    }
    numbers[WIDTH - 1] = 1;
    (phase(game, position, stones), numbers)
}

/// What the numbers of [`describe`] are called.
pub(super) fn names() -> impl Iterator<Item = String> {
    let sides = ["own", "other"];
    let terms = sides.into_iter().flat_map(|side| TERMS.map(|(term, _)| format!("{side} {term}")));
    let stones = sides.into_iter().flat_map(|side| (0..STONES).map(move |n| format!("{side} stones: {n}")));
    terms.chain(stones).chain(["right to move".into()])
}

impl CountedEvaluator<Morris> for MorrisHandTuned {
    const WEIGHTS: usize = PHASES.len() * WIDTH;

    fn describe(game: &Morris, position: &Position, mut visit: impl FnMut(usize, f32)) {
        let (phase, numbers) = describe(game, position);
        for (at, &number) in numbers.iter().enumerate().filter(|&(_, &number)| number != 0) {
            visit(phase * WIDTH + at, number as f32);
        }
    }

    fn from_weights(given: &[f32]) -> MorrisHandTuned {
        let mut weights = [[0; WIDTH]; PHASES.len()];
        for (weight, given) in weights.as_flattened_mut().iter_mut().zip(given) {
            *weight = steps(*given);
        }
        MorrisHandTuned::new(weights)
    }

    fn to_weights(&self) -> Vec<f32> {
        self.weights.as_flattened().iter().map(|&weight| stones(weight)).collect()
    }
}

impl Evaluator<Morris> for MorrisHandTuned {
    type Carry = ();

    fn unit(&self) -> Unit {
        UNIT
    }

    #[inline(always)]
    fn begin(&self, _: &Morris, _: &Position) {}

    #[inline(always)]
    fn advance(&self, _: &Morris, _: &(), _: &Position, _: <Morris as Game>::Move, _: &Position) {}

    #[inline]
    fn value(&self, game: &Morris, position: &Position, _: &()) -> Value {
        let stones = on_board(position);
        let phase = &self.phases[phase(game, position, stones)];
        phase.sum(position, stones, &both(game, position, stones)) / FINE
    }
}

impl LeafEvaluator<Morris> for MorrisHandTuned {
    fn unit(&self) -> Unit {
        UNIT
    }

    fn value(&self, game: &Morris, position: &Position) -> Value {
        Evaluator::value(self, game, position, &())
    }

    fn explain(&self, game: &Morris, position: &Position) -> Explanation {
        let (phase, numbers) = describe(game, position);
        let weights = &self.weights[phase];
        let mut terms = Vec::new();
        for ((name, &number), &weight) in names().zip(&numbers).zip(weights) {
            terms.push(Term::weighted(name, f64::from(number), f64::from(stones(weight))));
        }
        Explanation::sum(UNIT.name, terms)
    }
}

/// The numbers that the weights of [`MorrisHandTuned`] go with, phase by phase; those of other phases are zero.
#[derive(Clone, Copy, Debug, Default)]
pub struct MorrisHandTunedFeatures;

impl FeatureSet<Morris> for MorrisHandTunedFeatures {
    fn name(&self) -> &str {
        MorrisHandTuned::FEATURES
    }

    fn names(&self) -> Vec<String> {
        PHASES.iter().flat_map(|phase| names().map(move |name| format!("{phase}: {name}"))).collect()
    }

    fn count(&self) -> usize {
        PHASES.len() * WIDTH
    }

    fn fill(&self, game: &Morris, position: &Position, into: &mut [f32]) {
        into.fill(0.0);
        let (phase, numbers) = describe(game, position);
        for (into, number) in into[phase * WIDTH..].iter_mut().zip(numbers) {
            *into = number as f32;
        }
    }
}
