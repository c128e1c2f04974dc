//! What is weighed beside the patterns of Morris, stage by stage: the terms of [`MorrisHandTuned`], and how free both sides
//! are.
//!
//! To be shut in is no matter of degree, so a weight a move cannot say what it costs: two moves left against six is worse
//! than any sum of the two. Hence a table with one weight for each pair of numbers of moves along lines, and one for
//! the empty points that only one side's stones stand beside.

use trilith_games::Game;
use trilith_games::morris::{Morris, Position};

use super::hand_tuned::{self, FINE, MorrisHandTuned, PHASES, Phase, UNIT, stones};
use super::patterns::{STAGES, stage};
use crate::catalogue::LeafEvaluator;
use crate::evaluator::{Evaluator, Unit, Value};
use crate::explanation::{Explanation, Term};
use crate::patterns::CountedEvaluator;

/// Numbers of moves that are told apart; more count as the most.
const MOVES: usize = 12;
/// Numbers of points with one side's stones beside them that are told apart.
const ALONE: usize = 8;
const TABLES: usize = MOVES * MOVES + ALONE * ALONE;
const WIDTH: usize = hand_tuned::WIDTH + TABLES;

/// Weights of one stage, in the steps of [`MorrisHandTuned`].
#[derive(Clone, Debug)]
struct Stage {
    terms: Phase,
    tables: [i16; TABLES],
}

/// The evaluation by counts alone.
#[derive(Clone, Debug)]
pub struct Weighed {
    /// [`WIDTH`] for each stage.
    weights: Vec<i32>,
    stages: Vec<Stage>,
}

impl Weighed {
    /// The weights that make [`MorrisHandTuned`] with `given` ones, by rules with flying.
    pub(super) fn from_hand_tuned(given: &[f32]) -> Vec<f32> {
        let phases: Vec<_> = given.chunks_exact(hand_tuned::WIDTH).collect();
        debug_assert_eq!(phases.len(), PHASES.len());
        let of_stage = |stage| match stage {
            ..=13 => phases[0],
            14 => phases[4],
            15 => phases[2],
            16 => phases[3],
            _ => phases[1],
        };
        let mut weights = Vec::with_capacity(Self::WEIGHTS);
        for stage in 0..STAGES {
            weights.extend_from_slice(of_stage(stage));
            weights.extend([0.0; TABLES]);
        }
        weights
    }
}

impl Default for Weighed {
    /// Weights set by hand.
    fn default() -> Weighed {
        Weighed::from_weights(&Weighed::from_hand_tuned(&MorrisHandTuned::default().to_weights()))
    }
}

/// Moves along lines of both sides, and points that only one side stands beside, as places in the tables.
#[inline(always)]
fn freedom(game: &Morris, position: &Position, moves: [u32; 2]) -> [usize; 2] {
    let (grid, empty) = (game.rules().grid, position.empty());
    let [own, other] = [grid.neighbours(position.own()) & empty, grid.neighbours(position.other()) & empty];
    let place = |numbers: [u32; 2], most: usize| {
        let [own, other] = numbers.map(|number| (number as usize).min(most - 1));
        own * most + other
    };
    let alone = [(own & !other).count_ones(), (other & !own).count_ones()];
    [place(moves, MOVES), MOVES * MOVES + place(alone, ALONE)]
}

/// The stage, the numbers of [`MorrisHandTuned`] and the two places in the tables.
fn describe(game: &Morris, position: &Position) -> (usize, [i32; hand_tuned::WIDTH], [usize; 2]) {
    let (_, numbers) = hand_tuned::describe(game, position);
    let moves = [numbers[0] as u32, numbers[hand_tuned::SIDE] as u32];
    (stage(position), numbers, freedom(game, position, moves))
}

impl CountedEvaluator<Morris> for Weighed {
    const WEIGHTS: usize = STAGES * WIDTH;

    fn describe(game: &Morris, position: &Position, mut visit: impl FnMut(usize, f32)) {
        let (stage, numbers, places) = describe(game, position);
        let first = stage * WIDTH;
        for (at, &number) in numbers.iter().enumerate().filter(|&(_, &number)| number != 0) {
            visit(first + at, number as f32);
        }
        places.into_iter().for_each(|place| visit(first + hand_tuned::WIDTH + place, 1.0));
    }

    fn from_weights(given: &[f32]) -> Weighed {
        let weights: Vec<i32> = given.iter().map(|&weight| hand_tuned::steps(weight)).collect();
        let lay_out = |weights: &[i32]| {
            let (terms, tables) = weights.split_at(hand_tuned::WIDTH);
            Stage {
                terms: hand_tuned::lay_out(terms.try_into().expect("split there")),
                tables: std::array::from_fn(|at| tables[at] as i16),
            }
        };
        let stages = weights.chunks_exact(WIDTH).map(lay_out).collect();
        Weighed { weights, stages }
    }

    fn to_weights(&self) -> Vec<f32> {
        self.weights.iter().map(|&weight| stones(weight)).collect()
    }
}

impl Evaluator<Morris> for Weighed {
    type Carry = ();

    fn unit(&self) -> Unit {
        UNIT
    }

    #[inline(always)]
    fn begin(&self, _: &Morris, _: &Position) {}

    #[inline(always)]
    fn advance(&self, _: &Morris, _: &(), _: &Position, _: <Morris as Game>::Move, _: &Position) {}

    #[inline(always)]
    fn value(&self, game: &Morris, position: &Position, _: &()) -> Value {
        let stones = hand_tuned::on_board(position);
        let stage = &self.stages[stage(position)];
        let sets = hand_tuned::both(game, position, stones);
        // The first three sets of a side are its moves along lines.
        let moves = [0, 1].map(|side: usize| sets[side][..3].iter().map(|set| set.count_ones()).sum());
        let free: i32 =
            freedom(game, position, moves).into_iter().map(|place| i32::from(stage.tables[place])).sum();
        (stage.terms.sum(position, stones, &sets) + free) / FINE
    }
}

impl LeafEvaluator<Morris> for Weighed {
    fn unit(&self) -> Unit {
        UNIT
    }

    fn value(&self, game: &Morris, position: &Position) -> Value {
        Evaluator::value(self, game, position, &())
    }

    fn explain(&self, game: &Morris, position: &Position) -> Explanation {
        let (stage, numbers, places) = describe(game, position);
        let weights = &self.weights[stage * WIDTH..][..WIDTH];
        let mut terms = Vec::new();
        for ((name, &number), &weight) in hand_tuned::names().zip(&numbers).zip(weights) {
            terms.push(Term::weighted(name, f64::from(number), f64::from(stones(weight))));
        }
        for (name, place) in
            ["moves along lines of both", "points beside one side only"].into_iter().zip(places)
        {
            let weight = stones(weights[hand_tuned::WIDTH + place]);
            terms.push(Term::weighted(name, 1.0, f64::from(weight)));
        }
        Explanation::sum(UNIT.name, terms)
    }
}
