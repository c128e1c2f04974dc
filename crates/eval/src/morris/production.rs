//! The evaluation that `engine` plays Morris with: a weighted sum of what each side has, by phase of the game.
//!
//! All counts come fresh from the bit sets in some twenty nanoseconds, so nothing is kept from move to move.

use trilith_base::{Artifact, ArtifactError};
use trilith_games::Game;
use trilith_games::morris::points::{self, Lines, Points};
use trilith_games::morris::{Morris, Position, closable};

use super::counts;
use crate::evaluator::{Evaluator, Unit, Value};
use crate::explanation::{Explanation, Term};
use crate::features::FeatureSet;
use crate::linear;

const UNIT: Unit = Unit { name: "stones", one: 100 };
/// Steps of a weight within one step of a value.
const FINE: i32 = 64;

/// What is counted of each side, beside its stones.
const TERMS: [&str; 8] = [
    "moves along lines",
    "blocked stones",
    "closed mills",
    "points to close a mill at",
    "lines with one stone missing",
    "mills that close from a mill",
    "points that open two mills",
    "potential moves",
];
const SIDE: usize = TERMS.len();
/// Stones of a side, on the board and in hand: 0 to 9, each number with its own weight.
const STONES: usize = 10;
/// Own terms, the other's terms, own number of stones, the other's, and the right to move.
const WIDTH: usize = 2 * SIDE + 2 * STONES + 1;
const PHASES: [&str; 5] = ["placing", "moving", "own flying", "other flying", "both flying"];

/// Weights in hundredths of a stone, [`FINE`] to the step.
#[derive(Clone, Debug)]
pub struct Production {
    weights: [[i32; WIDTH]; PHASES.len()],
}

impl Production {
    /// The name of the feature set in files.
    pub const FEATURES: &'static str = "morris-production";

    /// The evaluation with the weights of `file`, in stones.
    pub fn load(file: &Artifact) -> Result<Production, ArtifactError> {
        let given = linear::read::<Morris>(file, Self::FEATURES, &[PHASES.len(), WIDTH])?;
        let mut weights = [[0; WIDTH]; PHASES.len()];
        for (weight, given) in weights.as_flattened_mut().iter_mut().zip(given) {
            *weight = (given * (FINE * UNIT.one) as f32).round() as i32;
        }
        Ok(Production { weights })
    }

    /// A file that [`Production::load`] reads back to an equal evaluation.
    pub fn artifact(&self) -> Artifact {
        let weights = self.weights.as_flattened().iter().map(|&weight| stones(weight)).collect();
        linear::write::<Morris>(Self::FEATURES, &[PHASES.len(), WIDTH], weights)
    }

    /// The terms that add up to the value.
    pub fn explain(&self, game: &Morris, position: &Position) -> Explanation {
        let (phase, numbers) = describe(game, position);
        let weights = &self.weights[phase];
        let mut terms = Vec::new();
        for ((name, &number), &weight) in names().zip(&numbers).zip(weights) {
            terms.push(Term::weighted(name, f64::from(number), f64::from(stones(weight))));
        }
        Explanation::sum(UNIT.name, terms)
    }
}

fn stones(weight: i32) -> f32 {
    weight as f32 / (FINE * UNIT.one) as f32
}

impl Default for Production {
    /// Weights set by hand.
    fn default() -> Production {
        let [placing, moving, own_flying, other_flying, both_flying] = [
            ([3, -5, 5, 50, 12, 30, 10, 2], [-3, 5, -5, -22, -12, -30, -5, -2]),
            ([6, -10, 15, 60, 8, 90, 0, 3], [-6, 10, -15, -30, -8, -80, 0, -3]),
            ([0, 0, 10, 80, 25, 0, 0, 0], [-5, 8, -15, -40, -8, -60, 0, -2]),
            ([5, -8, 15, 60, 8, 60, 0, 2], [0, 0, -10, -60, -25, 0, 0, 0]),
            ([0, 0, 10, 90, 25, 0, 0, 0], [0, 0, -10, -50, -25, 0, 0, 0]),
        ];
        let weights = [placing, moving, own_flying, other_flying, both_flying].map(by_hand);
        Production { weights }
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

#[inline(always)]
fn side(game: &Morris, stones: Points, hand: u8, empty: Points) -> [i32; SIDE] {
    let lines = Lines::of(stones);
    let in_mills = stones & lines.any();
    [
        counts::slides(stones, empty),
        counts::blocked(stones, empty),
        counts::mills(lines, stones),
        closable(game.rules(), stones, hand, empty).count_ones() as i32,
        lines.count(empty) as i32,
        (lines.closed_by_sliding(in_mills) & empty).count_ones() as i32,
        points::forks(stones, empty).count_ones() as i32,
        counts::potential(stones),
    ]
}

#[inline(always)]
fn phase(game: &Morris, position: &Position) -> usize {
    if position.own_hand() + position.other_hand() > 0 {
        return 0;
    }
    let flies = |stones: Points| usize::from(game.rules().flying && stones.count_ones() <= 3);
    1 + flies(position.own()) + 2 * flies(position.other())
}

#[inline(always)]
fn terms(game: &Morris, position: &Position) -> [[i32; SIDE]; 2] {
    let empty = position.empty();
    let own = side(game, position.own(), position.own_hand(), empty);
    [own, side(game, position.other(), position.other_hand(), empty)]
}

/// The phase and the whole row of numbers that its weights go with.
fn describe(game: &Morris, position: &Position) -> (usize, [i32; WIDTH]) {
    let mut numbers = [0; WIDTH];
    numbers[..2 * SIDE].copy_from_slice(terms(game, position).as_flattened());
    numbers[2 * SIDE + position.own_total() as usize] = 1;
    numbers[2 * SIDE + STONES + position.other_total() as usize] = 1;
    numbers[WIDTH - 1] = 1;
    (phase(game, position), numbers)
}

/// What the numbers of [`describe`] are called.
fn names() -> impl Iterator<Item = String> {
    let sides = ["own", "other"];
    let terms = sides.into_iter().flat_map(|side| TERMS.map(|term| format!("{side} {term}")));
    let stones = sides.into_iter().flat_map(|side| (0..STONES).map(move |n| format!("{side} stones: {n}")));
    terms.chain(stones).chain(["right to move".into()])
}

impl Evaluator<Morris> for Production {
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
        let weights = &self.weights[phase(game, position)];
        let terms = terms(game, position);
        let sum: i32 = terms.as_flattened().iter().zip(weights).map(|(term, weight)| term * weight).sum();
        let own = weights[2 * SIDE + position.own_total() as usize];
        let other = weights[2 * SIDE + STONES + position.other_total() as usize];
        (sum + own + other + weights[WIDTH - 1]) / FINE
    }
}

/// The numbers that the weights of [`Production`] go with, phase by phase; those of other phases are zero.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProductionFeatures;

impl FeatureSet<Morris> for ProductionFeatures {
    fn name(&self) -> &'static str {
        Production::FEATURES
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
