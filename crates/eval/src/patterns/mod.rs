//! Learned evaluations of Morris and Abalone: a sum of pattern weights by stage of the game and of weighted counts,
//! in log odds of winning.
//!
//! The value is linear in its weights: [`Patterns::describe`] names the summands, [`Patterns::from_weights`] takes what
//! a learner made of them. Numbers of patterns are kept from move to move. (Othello's own patterns are laid out at
//! compile time, with more lanes: [`crate::othello::patterns`].)

mod cpu;
mod file;
pub mod layout;

use trilith_games::{Colour, Game};

use crate::catalogue::LeafEvaluator;
use crate::evaluator::{Evaluator, Unit, Value};
use crate::explanation::{Explanation, Term};
pub use layout::Layout;

/// The value of 1 in log odds.
pub const ONE: Value = 100;
/// Steps of a weight within one step of a value.
const FINE: i32 = 16;
const UNIT: Unit = Unit { name: "log odds", one: ONE };

/// Games whose boards are looked at in patterns of cells, `LANES` at a time.
pub trait Patterned<const LANES: usize>: Game {
    /// Counts that are weighed beside the patterns.
    type Counts: CountedEvaluator<Self>;
    /// The feature set in files; a change of shapes, stages or counts needs another name.
    const FEATURES: &'static str;
    /// Stages of the game with weights of their own.
    const STAGES: usize;

    /// Files of coarser stages that can still be read.
    const OLDER: Option<Older> = None;

    /// The patterns, made once.
    fn layout() -> &'static Layout<LANES>;
    /// The stage of a position, below [`Patterned::STAGES`].
    fn stage(&self, position: &Self::Position) -> usize;
    /// The cells of the stones of Black and White.
    fn sides(&self, position: &Self::Position) -> [u64; 2];
    /// As [`Evaluator::is_familiar`], by the rules alone.
    fn is_familiar(&self) -> bool {
        true
    }
    /// As [`Evaluator::closed_games`].
    fn closed_games(&self) -> Option<f64> {
        None
    }
    /// As [`Evaluator::mobility`], of which [`ONE`] steps make one.
    fn mobility(&self, _position: &Self::Position) -> Value {
        0
    }
}

/// How weights with fewer shapes or other stages and counts are read.
#[derive(Clone, Copy, Debug)]
pub struct Older {
    /// The feature set in their files.
    pub features: &'static str,
    /// How many of the shapes they have, the first ones.
    pub shapes: usize,
    /// Which of their stages each stage comes from.
    pub stages: &'static [usize],
    /// How many stages they have.
    pub old_stages: usize,
    /// How many weights of counts they have.
    pub old_counts: usize,
    /// Weights of counts from theirs.
    pub counts: fn(&[f32]) -> Vec<f32>,
}

/// A weighted sum of counts by phase, which can be learned.
pub trait CountedEvaluator<G: Game>: Evaluator<G> + LeafEvaluator<G> + Clone + Sized {
    /// How many weights there are, all phases together.
    const WEIGHTS: usize;

    /// Calls `visit` with the weight and the number of each summand that is not zero.
    fn describe(game: &G, position: &G::Position, visit: impl FnMut(usize, f32));
    /// From [`CountedEvaluator::WEIGHTS`] weights, in units of which [`ONE`] steps make one.
    fn from_weights(weights: &[f32]) -> Self;
    /// What [`CountedEvaluator::from_weights`] takes.
    fn to_weights(&self) -> Vec<f32>;
}

/// Room for the plain weights of a stage, and a zero after them: as much as 16 bits can number.
const TABLE: usize = 1 << 16;

/// Weighted patterns and counts.
#[derive(Clone, Debug)]
pub struct Patterns<G: Patterned<LANES>, const LANES: usize> {
    /// [`TABLE`] for each stage.
    weights: Vec<i16>,
    counts: G::Counts,
    layout: &'static Layout<LANES>,
    kernels: cpu::Kernels<G, LANES>,
}

/// What is kept from move to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct PatternNumbers<const LANES: usize>([i16; LANES]);

impl<const LANES: usize> PatternNumbers<LANES> {
    #[inline(always)]
    fn add(&mut self, layout: &Layout<LANES>, mut cells: u64, times: i16) {
        while cells != 0 {
            let powers = &layout.powers[cells.trailing_zeros() as usize & 63];
            for (number, power) in self.0.iter_mut().zip(powers) {
                *number = number.wrapping_add(times.wrapping_mul(*power));
            }
            cells &= cells - 1;
        }
    }
}

impl<G: Patterned<LANES>, const LANES: usize> Patterns<G, LANES> {
    /// How many weights a learner has to find: packed ones stage by stage, then those of the counts.
    pub fn count() -> usize {
        G::STAGES * G::layout().packed_weights() + G::Counts::WEIGHTS
    }

    /// Patterns that know nothing and counts weighed by hand: where learning begins.
    pub fn by_hand() -> Patterns<G, LANES>
    where
        G::Counts: Default,
    {
        let mut weights = vec![0.0; G::STAGES * G::layout().packed_weights()];
        weights.extend(G::Counts::default().to_weights());
        Patterns::from_weights(&weights)
    }

    /// Calls `visit` with weight and number of each summand of the position's value.
    pub fn describe(game: &G, position: &G::Position, mut visit: impl FnMut(usize, f32)) {
        let layout = G::layout();
        let first = game.stage(position) * layout.packed_weights();
        let places = places(layout, game.to_move(position), &numbers(game, position));
        for &place in &places[..layout.instances.len()] {
            visit(first + layout.packed[usize::from(place)] as usize, 1.0);
        }
        let counts = G::STAGES * layout.packed_weights();
        G::Counts::describe(game, position, |weight, number| visit(counts + weight, number));
    }

    /// From [`Patterns::count`] weights in log odds.
    ///
    /// # Panics
    /// If there are not that many.
    pub fn from_weights(given: &[f32]) -> Patterns<G, LANES> {
        assert_eq!(given.len(), Self::count(), "weights of {}", G::NAME);
        let layout = G::layout();
        let (patterns, counts) = given.split_at(G::STAGES * layout.packed_weights());
        let mut weights = vec![0; G::STAGES * TABLE];
        let stages = patterns.chunks_exact(layout.packed_weights());
        for (table, stage) in weights.chunks_exact_mut(TABLE).zip(stages) {
            for (weight, &packed) in table.iter_mut().zip(&layout.packed) {
                *weight = (stage[packed as usize] * (ONE * FINE) as f32).round() as i16;
            }
        }
        let kernels = cpu::Kernels::best();
        Patterns { weights, counts: G::Counts::from_weights(counts), layout, kernels }
    }

    /// What [`Patterns::from_weights`] takes.
    pub fn to_weights(&self) -> Vec<f32> {
        let layout = self.layout;
        let mut weights = vec![0.0; G::STAGES * layout.packed_weights()];
        let stages = self.weights.chunks_exact(TABLE);
        for (packed, plain) in weights.chunks_exact_mut(layout.packed_weights()).zip(stages) {
            for (&at, &weight) in layout.packed.iter().zip(plain) {
                packed[at as usize] = f32::from(weight) / (ONE * FINE) as f32;
            }
        }
        weights.extend(self.counts.to_weights());
        weights
    }

    #[inline(always)]
    fn table(&self, game: &G, position: &G::Position) -> &[i16; TABLE] {
        self.weights[game.stage(position) * TABLE..].first_chunk().expect("every stage has a table")
    }

    /// As [`Evaluator::value`], compiled for the CPU of the function it is called from.
    #[inline(always)]
    fn value_inlined(&self, game: &G, position: &G::Position, (numbers, counts): &Carry<G, LANES>) -> Value {
        let table = self.table(game, position);
        let mut sum = 0;
        for place in places(self.layout, game.to_move(position), numbers) {
            sum += i32::from(table[usize::from(place)]);
        }
        sum / FINE + Evaluator::value(&self.counts, game, position, counts)
    }

    /// As [`Evaluator::advance`], compiled for the CPU of the function it is called from.
    #[inline(always)]
    fn advance_inlined(
        &self,
        game: &G,
        (numbers, counts): &Carry<G, LANES>,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Carry<G, LANES> {
        let (old, new) = (game.sides(before), game.sides(after));
        let mut numbers = *numbers;
        for (side, times) in [(0, 1), (1, -1)] {
            numbers.add(self.layout, new[side] & !old[side], times);
            numbers.add(self.layout, old[side] & !new[side], -times);
        }
        (numbers, self.counts.advance(game, counts, before, mv, after))
    }
}

type Carry<G, const LANES: usize> =
    (PatternNumbers<LANES>, <<G as Patterned<LANES>>::Counts as Evaluator<G>>::Carry);

fn numbers<G: Patterned<LANES>, const LANES: usize>(
    game: &G,
    position: &G::Position,
) -> PatternNumbers<LANES> {
    let [black, white] = game.sides(position);
    let mut numbers = PatternNumbers([0; LANES]);
    numbers.add(G::layout(), black, 1);
    numbers.add(G::layout(), white, -1);
    numbers
}

/// The plain weight of every instance for the side to move.
#[inline(always)]
fn places<const LANES: usize>(
    layout: &Layout<LANES>,
    to_move: Colour,
    numbers: &PatternNumbers<LANES>,
) -> [u16; LANES] {
    // Taking away all ones after turning every bit negates a number; with zeros it stays.
    let turn = match to_move {
        Colour::Black => 0,
        Colour::White => -1_i16,
    };
    std::array::from_fn(|at| {
        layout.centres[at].wrapping_add_signed((numbers.0[at] ^ turn).wrapping_sub(turn))
    })
}

impl<G: Patterned<LANES>, const LANES: usize> Evaluator<G> for Patterns<G, LANES> {
    type Carry = Carry<G, LANES>;

    fn unit(&self) -> Unit {
        UNIT
    }

    fn begin(&self, game: &G, position: &G::Position) -> Self::Carry {
        (numbers(game, position), self.counts.begin(game, position))
    }

    #[inline]
    fn advance(
        &self,
        game: &G,
        carry: &Self::Carry,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Self::Carry {
        (self.kernels.advance)(self, game, carry, before, mv, after)
    }

    #[inline]
    fn value(&self, game: &G, position: &G::Position, carry: &Self::Carry) -> Value {
        (self.kernels.value)(self, game, position, carry)
    }

    fn closed_games(&self, game: &G) -> Option<f64> {
        game.closed_games()
    }

    #[inline]
    fn mobility(&self, game: &G, position: &G::Position) -> Value {
        game.mobility(position)
    }

    #[inline]
    fn is_familiar(&self, game: &G, _: &G::Position) -> bool {
        game.is_familiar()
    }
}

impl<G: Patterned<LANES>, const LANES: usize> LeafEvaluator<G> for Patterns<G, LANES> {
    fn unit(&self) -> Unit {
        UNIT
    }

    fn value(&self, game: &G, position: &G::Position) -> Value {
        Evaluator::value(self, game, position, &self.begin(game, position))
    }

    /// One term an instance, then the counts; each cell gets an equal share of the instances that lie on it.
    fn explain(&self, game: &G, position: &G::Position) -> Explanation {
        let places = places(self.layout, game.to_move(position), &numbers(game, position));
        let table = self.table(game, position);
        let board = game.board();
        let mut cells = vec![0.0; board.cells.len()];
        let mut terms = Vec::new();
        for (instance, place) in self.layout.instances.iter().zip(places) {
            let weight = f64::from(table[usize::from(place)]) / f64::from(ONE * FINE);
            for &cell in &instance.cells {
                cells[usize::from(cell)] += weight / instance.cells.len() as f64;
            }
            let name = |cell: Option<&u8>| cell.map_or("", |&cell| &board.cells[usize::from(cell)].name[..]);
            let (first, last) = (name(instance.cells.first()), name(instance.cells.last()));
            let shape = self.layout.shapes[instance.shape].name;
            terms.push(Term::weighted(format!("{shape} {first}-{last}"), 1.0, weight));
        }
        terms.extend(self.counts.explain(game, position).terms);
        let sum: f64 = terms.iter().map(|term| term.contribution).sum();
        let value = f64::from(LeafEvaluator::value(self, game, position)) / f64::from(ONE);
        terms.push(Term::weighted("rounded", 1.0, value - sum));
        Explanation { cells, ..Explanation::sum(UNIT.name, terms) }
    }
}
