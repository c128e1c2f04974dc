//! The evaluation that `engine` plays Abalone with: a weighted sum of where the marbles of each side lie and how they
//! lie together, by phase of the game.
//!
//! Places are kept from move to move as [`Sums`]; what depends on neighbours comes fresh from shifted sets.

use trilith_base::{Artifact, ArtifactError};
use trilith_games::Game;
use trilith_games::abalone::{Abalone, Move, Position};

use super::shapes;
use super::sums::{CLASS_NAMES, CLASSES, Sums};
use crate::evaluator::{Evaluator, Unit, Value};
use crate::explanation::{Explanation, Term};
use crate::features::FeatureSet;
use crate::linear;

const UNIT: Unit = Unit { name: "marbles", one: 100 };
/// Steps of a weight within one step of a value.
const FINE: i32 = 64;

/// What is counted of each side beside the classes of cells and the marbles it can still lose.
const TERMS: [&str; 5] = ["pairs", "triples", "isolated", "threats", "spread"];
/// Numbers of a side: classes, terms.
const SIDE: usize = CLASSES + TERMS.len();
/// Marbles a side can lose until the game is lost: 0 to 14, each number with its own weight.
const LIVES: usize = 15;
/// Both sides, their lives, and the right to move.
const WIDTH: usize = 2 * SIDE + 2 * LIVES + 1;
const PHASES: [&str; 3] = ["up to 1 ejected", "2 to 4 ejected", "5 or more ejected"];

/// Weights in hundredths of a marble, [`FINE`] to the step.
#[derive(Clone, Debug)]
pub struct Production {
    weights: [[i32; WIDTH]; PHASES.len()],
}

/// Where the marbles of both sides lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    own: Sums,
    other: Sums,
}

impl Production {
    /// The name of the feature set in files.
    pub const FEATURES: &'static str = "abalone-production";

    /// The evaluation with the weights of `file`, in marbles.
    pub fn load(file: &Artifact) -> Result<Production, ArtifactError> {
        let given = linear::read::<Abalone>(file, Self::FEATURES, &[PHASES.len(), WIDTH])?;
        let mut weights = [[0; WIDTH]; PHASES.len()];
        for (weight, given) in weights.as_flattened_mut().iter_mut().zip(given) {
            *weight = (given * (FINE * UNIT.one) as f32).round() as i32;
        }
        Ok(Production { weights })
    }

    /// A file that [`Production::load`] reads back to an equal evaluation.
    pub fn artifact(&self) -> Artifact {
        let weights = self.weights.as_flattened().iter().map(|&weight| marbles(weight)).collect();
        linear::write::<Abalone>(Self::FEATURES, &[PHASES.len(), WIDTH], weights)
    }

    /// The terms that add up to the value.
    pub fn explain(&self, game: &Abalone, position: &Position) -> Explanation {
        let (phase, numbers) = describe(game, position);
        let weights = &self.weights[phase];
        let mut terms = Vec::new();
        for ((name, &number), &weight) in names().zip(&numbers).zip(weights) {
            terms.push(Term::weighted(name, f64::from(number), f64::from(marbles(weight))));
        }
        Explanation::sum(UNIT.name, terms)
    }
}

fn marbles(weight: i32) -> f32 {
    weight as f32 / (FINE * UNIT.one) as f32
}

impl Default for Production {
    /// Weights set by hand, the same in all phases.
    fn default() -> Production {
        let classes = [40, 36, 30, 28, 14, 10, -12, -16, -24];
        let (own_terms, other_terms) = ([3, 2, -6, 35, -1], [-3, -2, 6, -25, 1]);
        let own = classes.into_iter().chain(own_terms);
        let other = classes.map(|class| -class).into_iter().chain(other_terms);
        // The nearer the end, the dearer a marble; the cells a lost marble no longer holds count on top.
        let lives = |left: i32| -(UNIT.one * 12 / (left + 2));
        let lives = (0..LIVES as i32).map(lives);
        let all = own.chain(other).chain(lives.clone()).chain(lives.map(|lives| -lives)).chain([10]);
        let mut phase = [0; WIDTH];
        for (weight, given) in phase.iter_mut().zip(all) {
            *weight = given * FINE;
        }
        Production { weights: [phase; PHASES.len()] }
    }
}

#[inline(always)]
fn side(sums: Sums, set: u64, against: u64) -> [i32; SIDE] {
    let mut numbers = [0; SIDE];
    numbers[..CLASSES].copy_from_slice(&sums.classes());
    numbers[CLASSES] = shapes::pairs(set);
    numbers[CLASSES + 1] = shapes::triples(set);
    numbers[CLASSES + 2] = shapes::isolated(set).count_ones() as i32;
    numbers[CLASSES + 3] = shapes::ejections(set, against);
    numbers[CLASSES + 4] = sums.spread(set.count_ones() as i32);
    numbers
}

#[inline(always)]
fn both(position: &Position, places: &Places) -> [[i32; SIDE]; 2] {
    let own = side(places.own, position.own, position.other | position.princess);
    [own, side(places.other, position.other, position.own | position.princess)]
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
    let left = |lost: u8| usize::from(game.rules().eject.saturating_sub(lost));
    [2 * SIDE + left(position.own_lost), 2 * SIDE + LIVES + left(position.other_lost)]
}

/// The phase and the whole row of numbers that its weights go with.
fn describe(game: &Abalone, position: &Position) -> (usize, [i32; WIDTH]) {
    let places = Places { own: Sums::of(position.own), other: Sums::of(position.other) };
    let mut numbers = [0; WIDTH];
    numbers[..2 * SIDE].copy_from_slice(both(position, &places).as_flattened());
    for place in lives(game, position) {
        numbers[place] = 1;
    }
    numbers[WIDTH - 1] = 1;
    (phase(position), numbers)
}

/// What the numbers of [`describe`] are called.
fn names() -> impl Iterator<Item = String> {
    let sides = ["own", "other"];
    let numbers = || CLASS_NAMES.into_iter().chain(TERMS);
    let terms = sides.into_iter().flat_map(move |side| numbers().map(move |name| format!("{side} {name}")));
    let lives = sides.into_iter().flat_map(|side| (0..LIVES).map(move |n| format!("{side} lives: {n}")));
    terms.chain(lives).chain(["right to move".into()])
}

impl Evaluator<Abalone> for Production {
    type Carry = Places;

    fn unit(&self) -> Unit {
        UNIT
    }

    fn begin(&self, _: &Abalone, position: &Position) -> Places {
        Places { own: Sums::of(position.own), other: Sums::of(position.other) }
    }

    #[inline]
    fn advance(&self, _: &Abalone, places: &Places, before: &Position, _: Move, after: &Position) -> Places {
        Places {
            own: places.other.moved(before.other, after.own),
            other: places.own.moved(before.own, after.other),
        }
    }

    #[inline]
    fn value(&self, game: &Abalone, position: &Position, places: &Places) -> Value {
        let weights = &self.weights[phase(position)];
        let both = both(position, places);
        let sum: i32 = both.as_flattened().iter().zip(weights).map(|(number, weight)| number * weight).sum();
        let [own, other] = lives(game, position).map(|place| weights[place]);
        (sum + own + other + weights[WIDTH - 1]) / FINE
    }
}

/// The numbers that the weights of [`Production`] go with, phase by phase; those of other phases are zero.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProductionFeatures;

impl FeatureSet<Abalone> for ProductionFeatures {
    fn name(&self) -> &'static str {
        Production::FEATURES
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
