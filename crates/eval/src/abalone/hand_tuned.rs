//! The evaluation that `engine` plays Abalone with: a weighted sum of where the marbles of each side lie and how they
//! lie together, by phase of the game.
//!
//! Places are kept from move to move as [`SideSums`]; what depends on neighbours comes fresh from shifted sets.

use trilith_base::{Artifact, ArtifactError};
use trilith_games::Game;
use trilith_games::abalone::cells::{self, CELLS};
use trilith_games::abalone::{Abalone, Move, Position};

use super::shapes;
use super::sums::{Between, CLASS_NAMES, CLASSES, Marbles, SideSums, class};
use crate::catalogue::LeafEvaluator;
use crate::evaluator::{Evaluator, Unit, Value};
use crate::explanation::{Explanation, Term};
use crate::features::FeatureSet;
use crate::linear;
use crate::patterns::CountedEvaluator;

const UNIT: Unit = Unit { name: "marbles", one: 100 };
/// Steps of a weight within one step of a value.
const FINE: i32 = 64;

/// What is counted of own marbles and taken away for the other's, after the classes of cells.
const SHAPES: [&str; 5] =
    ["pairs", "triples", "isolated", "spread", "sixteenths of a step to AbaPro's point of reference"];
/// What is counted of each side with a weight of its own.
const THREATS: [&str; 2] = ["own threats", "other threats"];
/// Marbles a side can lose until the game is lost: 0 to 14, each number with its own weight.
const LIVES: usize = 15;
const THREATS_AT: usize = CLASSES + SHAPES.len();
const LIVES_AT: usize = THREATS_AT + THREATS.len();
/// All of these, and the right to move.
const WIDTH: usize = LIVES_AT + 2 * LIVES + 1;
const PHASES: [&str; 3] = ["up to 1 ejected", "2 to 4 ejected", "5 or more ejected"];

/// The evaluation; weights in hundredths of a marble, [`FINE`] to the step.
#[derive(Clone, Debug)]
pub struct AbaloneHandTuned {
    weights: [[i32; WIDTH]; PHASES.len()],
    cells: [Marbles; PHASES.len()],
}

/// Where the marbles of both sides lie, weighted as in the phase of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    own: SideSums,
    other: SideSums,
}

impl AbaloneHandTuned {
    /// The name of the feature set in files.
    pub const FEATURES: &'static str = "abalone-production";

    fn new(weights: [[i32; WIDTH]; PHASES.len()]) -> AbaloneHandTuned {
        let cells = weights.map(|weights| {
            Marbles::new(weights.first_chunk().expect("the weights of the classes come first"))
        });
        AbaloneHandTuned { weights, cells }
    }

    /// The evaluation with the weights of `file`, in marbles; those past ten thousand count ten thousand.
    pub fn load(file: &Artifact) -> Result<AbaloneHandTuned, ArtifactError> {
        Ok(AbaloneHandTuned::from_weights(linear::read::<Abalone>(
            file,
            Self::FEATURES,
            &[PHASES.len(), WIDTH],
        )?))
    }

    /// A file that [`AbaloneHandTuned::load`] reads back to an equal evaluation.
    pub fn artifact(&self) -> Artifact {
        linear::write::<Abalone>(Self::FEATURES, &[PHASES.len(), WIDTH], self.to_weights())
    }

    fn places(&self, position: &Position) -> Places {
        let cells = &self.cells[phase(position)];
        Places { own: cells.sum(position.own), other: cells.sum(position.other) }
    }
}

fn marbles(weight: i32) -> f32 {
    weight as f32 / (FINE * UNIT.one) as f32
}

impl Default for AbaloneHandTuned {
    /// Weights set by hand, the same in all phases.
    fn default() -> AbaloneHandTuned {
        let classes = [4, 4, 3, 3, 2, 1, -6, -8, -12];
        let (shapes, threats) = ([3, 2, -6, 0, -1], [35, -25]);
        // More than the rim costs that a marble is rid of when it goes; the last ones are the dearest.
        let lives = (0..LIVES as i32).map(|left| 150 * left - 40 * (4 - left).max(0));
        let others = lives.clone().map(|lives| -lives);
        let all = classes.into_iter().chain(shapes).chain(threats).chain(lives).chain(others).chain([10]);
        let mut phase = [0; WIDTH];
        for (weight, given) in phase.iter_mut().zip(all) {
            *weight = given * FINE;
        }
        AbaloneHandTuned::new([phase; PHASES.len()])
    }
}

#[inline(always)]
fn shapes(set: u64, sums: SideSums, point: Between) -> [i32; SHAPES.len()] {
    let isolated = shapes::isolated(set).count_ones() as i32;
    [shapes::pairs(set), shapes::triples(set), isolated, sums.spread(), point.steps(set)]
}

#[inline(always)]
fn threats(position: &Position) -> [i32; 2] {
    [
        shapes::ejections(position.own, position.other | position.princess),
        shapes::ejections(position.other, position.own | position.princess),
    ]
}

#[inline(always)]
fn phase(position: &Position) -> usize {
    match position.own_lost + position.other_lost {
        0 | 1 => 0,
        2..=4 => 1,
        _ => 2,
    }
}

/// The places of the weights of the lives that both sides have left.
#[inline(always)]
fn lives(game: &Abalone, position: &Position) -> [usize; 2] {
    let left = |lost: u8| usize::from(game.rules().eject.saturating_sub(lost)).min(LIVES - 1);
    [LIVES_AT + left(position.own_lost), LIVES_AT + LIVES + left(position.other_lost)]
}

/// The phase and the whole row of numbers that its weights go with.
fn describe(game: &Abalone, position: &Position) -> (usize, [i32; WIDTH]) {
    let mut numbers = [0; WIDTH];
    let plain = Marbles::new(&[0; CLASSES]);
    let point = Between::of(plain.sum(position.own), plain.sum(position.other));
    for (set, sign) in [(position.own, 1), (position.other, -1)] {
        for cell in cells::each(set) {
            numbers[class(cell)] += sign;
        }
        for (number, shape) in numbers[CLASSES..].iter_mut().zip(shapes(set, plain.sum(set), point)) {
            *number += sign * shape;
        }
    }
    numbers[THREATS_AT..LIVES_AT].copy_from_slice(&threats(position));
    for place in lives(game, position) {
        numbers[place] = 1;
    }
    numbers[WIDTH - 1] = 1;
    (phase(position), numbers)
}

/// What the numbers of [`describe`] are called.
fn names() -> impl Iterator<Item = String> {
    let terms = CLASS_NAMES.into_iter().chain(SHAPES).chain(THREATS).map(String::from);
    let sides = ["own", "other"].into_iter();
    let lives = sides.flat_map(|side| (0..LIVES).map(move |left| format!("{side} marbles to lose: {left}")));
    terms.chain(lives).chain(["right to move".into()])
}

impl CountedEvaluator<Abalone> for AbaloneHandTuned {
    const WEIGHTS: usize = PHASES.len() * WIDTH;

    fn describe(game: &Abalone, position: &Position, mut visit: impl FnMut(usize, f32)) {
        let (phase, numbers) = describe(game, position);
        for (at, &number) in numbers.iter().enumerate().filter(|&(_, &number)| number != 0) {
            visit(phase * WIDTH + at, number as f32);
        }
    }

    fn from_weights(given: &[f32]) -> AbaloneHandTuned {
        const MOST: i32 = 10_000 * UNIT.one * FINE;
        let mut weights = [[0; WIDTH]; PHASES.len()];
        for (weight, given) in weights.as_flattened_mut().iter_mut().zip(given) {
            let rounded = (given * (FINE * UNIT.one) as f32).round() as i32;
            *weight = rounded.clamp(-MOST, MOST);
        }
        AbaloneHandTuned::new(weights)
    }

    fn to_weights(&self) -> Vec<f32> {
        self.weights.as_flattened().iter().map(|&weight| marbles(weight)).collect()
    }
}

impl Evaluator<Abalone> for AbaloneHandTuned {
    type Carry = Places;

    fn unit(&self) -> Unit {
        UNIT
    }

    fn begin(&self, _: &Abalone, position: &Position) -> Places {
        self.places(position)
    }

    #[inline(always)]
    fn advance(&self, _: &Abalone, places: &Places, before: &Position, _: Move, after: &Position) -> Places {
        let now = phase(after);
        if now != phase(before) {
            return self.places(after);
        }
        let cells = &self.cells[now];
        Places {
            own: cells.moved(places.other, before.other, after.own),
            other: cells.moved(places.own, before.own, after.other),
        }
    }

    #[inline(always)]
    fn value(&self, game: &Abalone, position: &Position, places: &Places) -> Value {
        let weights = &self.weights[phase(position)];
        let point = Between::of(places.own, places.other);
        let own = shapes(position.own, places.own, point);
        let other = shapes(position.other, places.other, point);
        let mut sum = places.own.cells() - places.other.cells() + weights[WIDTH - 1];
        for (at, (own, other)) in own.into_iter().zip(other).enumerate() {
            sum += (own - other) * weights[CLASSES + at];
        }
        for (at, threats) in threats(position).into_iter().enumerate() {
            sum += threats * weights[THREATS_AT + at];
        }
        let [own, other] = lives(game, position).map(|place| weights[place]);
        (sum + own + other) / FINE
    }
}

impl LeafEvaluator<Abalone> for AbaloneHandTuned {
    fn unit(&self) -> Unit {
        UNIT
    }

    fn value(&self, game: &Abalone, position: &Position) -> Value {
        let carry = Evaluator::begin(self, game, position);
        Evaluator::value(self, game, position, &carry)
    }

    fn explain(&self, game: &Abalone, position: &Position) -> Explanation {
        let (phase, numbers) = describe(game, position);
        let weights = &self.weights[phase];
        let mut terms = Vec::new();
        for ((name, &number), &weight) in names().zip(&numbers).zip(weights) {
            terms.push(Term::weighted(name, f64::from(number), f64::from(marbles(weight))));
        }
        let weight = |cell: usize| f64::from(marbles(weights[class(cell as u8)]));
        let stands = |set: u64, cell: usize| f64::from((set >> cell & 1) as u32);
        let cells = (0..CELLS)
            .map(|cell| weight(cell) * (stands(position.own, cell) - stands(position.other, cell)))
            .collect();
        Explanation { cells, ..Explanation::sum(UNIT.name, terms) }
    }
}

/// The numbers that the weights of [`AbaloneHandTuned`] go with, phase by phase; those of other phases are zero.
#[derive(Clone, Copy, Debug, Default)]
pub struct AbaloneHandTunedFeatures;

impl FeatureSet<Abalone> for AbaloneHandTunedFeatures {
    fn name(&self) -> &str {
        AbaloneHandTuned::FEATURES
    }

    fn names(&self) -> Vec<String> {
        PHASES.iter().flat_map(|phase| names().map(move |name| format!("{phase}: {name}"))).collect()
    }

    fn count(&self) -> usize {
        PHASES.len() * WIDTH
    }

    fn fill(&self, game: &Abalone, position: &Position, into: &mut [f32]) {
        into.fill(0.0);
        let (phase, numbers) = describe(game, position);
        for (into, number) in into[phase * WIDTH..].iter_mut().zip(numbers) {
            *into = number as f32;
        }
    }
}
