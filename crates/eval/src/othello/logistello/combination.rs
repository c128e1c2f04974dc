//! S5's combinations of features (chapter 3): FISHER, QUAD, LOG, LOG+ and FISHER+.
//!
//! The chance of the side to move is `1 / (1 + exp(-f(x)))` with `f(x) = b + w.x`, for QUAD also `+ x A x'`; each
//! number of discs from 12 to 62 has its own `b`, `w` and `A`. The forms differ in how these are fitted. The value is
//! `f` itself, the logarithm of the odds: search needs no more, since the chance grows with it.

use std::fmt;
use std::str::FromStr;

use trilith_games::othello::{Move, Othello, Position};

use super::feature::{LogistelloFeatures, LogistelloNumbers, MOST};
use crate::catalogue::LeafEvaluator;
use crate::evaluator::{Evaluator, Unit, Value};
use crate::explanation::{Explanation, Term};

/// How the parameters were fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Linear discriminant: normal features with equal covariances.
    Fisher,
    /// The same with signs as those of each feature alone.
    FisherPlus,
    /// Quadratic discriminant: normal features, each class with its covariances.
    Quad,
    /// Logistic regression.
    Log,
    /// The same with signs as those of each feature alone.
    LogPlus,
}

const FORMS: [(Form, &str); 5] = [
    (Form::Fisher, "fisher"),
    (Form::FisherPlus, "fisher+"),
    (Form::Quad, "quad"),
    (Form::Log, "log"),
    (Form::LogPlus, "log+"),
];

/// There is no form of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown form `{0}`: expected fisher, fisher+, quad, log or log+")]
pub struct UnknownForm(String);

impl FromStr for Form {
    type Err = UnknownForm;

    fn from_str(text: &str) -> Result<Form, UnknownForm> {
        let form = FORMS.iter().find(|(_, name)| *name == text).map(|&(form, _)| form);
        form.ok_or_else(|| UnknownForm(text.into()))
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = FORMS.iter().find(|(form, _)| form == self).map_or("", |&(_, name)| name);
        f.pad(name)
    }
}

/// The smallest number of discs with parameters of its own.
pub const FIRST: u32 = 12;
/// The largest one.
pub const LAST: u32 = 62;
/// Sets of parameters.
pub const SETS: usize = (LAST - FIRST + 1) as usize;
/// The value of one unit of log odds.
pub const ONE: Value = 1000;
const UNIT: Unit = Unit { name: "log odds", one: ONE };
/// Odds beyond any doubt; keeps values far from won games.
const CERTAIN: f64 = 1000.0;

/// The parameters of one number of discs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CombinationParameters {
    /// `b`.
    pub constant: f64,
    /// `w`, one a feature.
    pub weights: Vec<f64>,
    /// `A`, row by row, one row a feature; empty for linear forms.
    pub quadratic: Vec<f64>,
}

/// Features and how they are combined.
#[derive(Clone, Debug, PartialEq)]
pub struct Combination {
    form: Form,
    features: LogistelloFeatures,
    sets: Vec<CombinationParameters>,
    symmetric: bool,
}

/// The number of a position's set of parameters.
#[inline]
pub fn set(position: &Position) -> usize {
    let discs = 64 - position.empties().count_ones();
    (discs.clamp(FIRST, LAST) - FIRST) as usize
}

impl Combination {
    /// From [`SETS`] sets of parameters; each has a weight for every feature, and for QUAD a square of them.
    ///
    /// # Panics
    /// If numbers are missing.
    pub fn new(form: Form, features: LogistelloFeatures, sets: Vec<CombinationParameters>) -> Combination {
        let count = features.len();
        let square = if form == Form::Quad { count * count } else { 0 };
        assert_eq!(sets.len(), SETS, "sets of parameters");
        assert!(sets.iter().all(|set| set.weights.len() == count && set.quadratic.len() == square));
        let symmetric = features.is_symmetric();
        Combination { form, features, sets, symmetric }
    }

    /// How the parameters were fitted.
    pub fn form(&self) -> Form {
        self.form
    }

    /// What is combined.
    pub fn features(&self) -> &LogistelloFeatures {
        &self.features
    }

    /// The parameters by number of discs from [`FIRST`] on.
    pub fn sets(&self) -> &[CombinationParameters] {
        &self.sets
    }

    /// The log odds of the side to move.
    #[inline]
    pub fn log_odds(&self, position: &Position, kept: &LogistelloNumbers) -> f64 {
        let values = self.features.values(position, kept);
        let CombinationParameters { constant, weights, quadratic } = &self.sets[set(position)];
        let linear: f64 = weights.iter().zip(&values).map(|(weight, value)| weight * value).sum();
        let rows = quadratic.chunks_exact(weights.len()).zip(&values);
        let products =
            rows.map(|(row, value)| value * row.iter().zip(&values).map(|(a, x)| a * x).sum::<f64>());
        constant + linear + products.sum::<f64>()
    }

    fn rounded(&self, position: &Position, kept: &LogistelloNumbers) -> Value {
        (certain(self.log_odds(position, kept)) * f64::from(ONE)).round() as Value
    }
}

/// Log odds kept inside what a search takes for an estimate.
fn certain(odds: f64) -> f64 {
    odds.clamp(-CERTAIN, CERTAIN)
}

/// The chance of winning that log odds stand for.
pub fn chance(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

impl Evaluator<Othello> for Combination {
    type Carry = LogistelloNumbers;

    fn unit(&self) -> Unit {
        UNIT
    }

    fn begin(&self, _: &Othello, position: &Position) -> LogistelloNumbers {
        self.features.begin(position)
    }

    #[inline]
    fn advance(
        &self,
        _: &Othello,
        carry: &LogistelloNumbers,
        before: &Position,
        mv: Move,
        after: &Position,
    ) -> LogistelloNumbers {
        self.features.advance(carry, before, mv.bit(), after)
    }

    fn value(&self, _: &Othello, position: &Position, carry: &LogistelloNumbers) -> Value {
        self.rounded(position, carry)
    }
}

impl LeafEvaluator<Othello> for Combination {
    fn unit(&self) -> Unit {
        UNIT
    }

    fn value(&self, _: &Othello, position: &Position) -> Value {
        self.rounded(position, &self.features.begin(position))
    }

    /// One term a feature and, for QUAD, one a pair; each cell gets an equal share of the tables that it is part of,
    /// the linear terms only.
    fn explain(&self, _: &Othello, position: &Position) -> Explanation {
        let kept = self.features.begin(position);
        let values = self.features.values(position, &kept);
        let CombinationParameters { constant, weights, quadratic } = &self.sets[set(position)];
        let name = |at: usize| self.features.sources()[at].0.as_str();
        let mut terms = vec![Term::weighted("constant", 1.0, *constant)];
        let mut cells = vec![0.0; 64];
        for (at, &weight) in weights.iter().enumerate() {
            terms.push(Term::weighted(name(at), values[at], weight));
            for (squares, part) in self.features.parts(at, position, &kept) {
                let share = weight * part / squares.len() as f64;
                squares.iter().for_each(|&square| cells[usize::from(square)] += share);
            }
        }
        for (at, &weight) in quadratic.iter().enumerate() {
            let (row, column) = (at / weights.len(), at % weights.len());
            let product = values[row] * values[column];
            terms.push(Term::weighted(format!("{} x {}", name(row), name(column)), product, weight));
        }
        let sum: f64 = terms.iter().map(|term| term.contribution).sum();
        terms.push(Term::weighted("kept inside certainty", 1.0, certain(sum) - sum));
        Explanation { cells, ..Explanation::sum(UNIT.name, terms) }
    }

    fn is_symmetric(&self) -> bool {
        self.symmetric
    }
}

const _: () = assert!(MOST >= 12, "LOGISTELLO combines eleven features and a constant");

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::othello::logistello::feature::logistello;
    use crate::othello::logistello::probability::PHASES;
    use crate::othello::logistello::shape::SquareList;
    use crate::othello::sample::positions;
    use rand::RngExt;
    use trilith_base::Seed;
    use trilith_games::{Game, playout};

    /// Logistello's features with tables and parameters by lot; tables equal on a shape's own images.
    pub fn sample(form: Form) -> Combination {
        let mut rng = Seed(3).rng();
        let tables = |shape: &SquareList| {
            let codes = shape.codes();
            let digits = |mut code: usize| -> i32 {
                shape.squares().iter().fold(0, |sum, _| {
                    let digit = code % 3;
                    code /= 3;
                    sum * 2 + digit as i32 - 1
                })
            };
            let mirrored = |code: usize| -> i32 {
                let reversed =
                    shape.squares().iter().fold((0, code), |(all, code), _| (all * 3 + code % 3, code / 3)).0;
                digits(code) + digits(reversed)
            };
            (0..PHASES * codes).map(|at| (mirrored(at % codes) / 3).clamp(-127, 127) as i8).collect()
        };
        let features = LogistelloFeatures::new(logistello(tables)).unwrap();
        let count = features.len();
        let square = if form == Form::Quad { count * count } else { 0 };
        let mut draw =
            |count: usize, most: f64| (0..count).map(|_| rng.random_range(-most..most)).collect::<Vec<f64>>();
        let sets = (0..SETS).map(|at| CombinationParameters {
            constant: at as f64 / 100.0,
            weights: draw(count, 0.01),
            quadratic: draw(square, 0.0001),
        });
        let sets = sets.collect();
        Combination::new(form, features, sets)
    }

    #[test]
    fn kept_equals_fresh_over_random_moves() {
        let (game, combination) = (Othello::default(), sample(Form::Quad));
        let mut rng = Seed(1).rng();
        let mut plies = 0;
        while plies < 100_000 {
            let mut position = game.start();
            let mut carry = combination.begin(&game, &position);
            while let Some(mv) = playout::random_move(&game, &position, &mut rng) {
                let after = game.play(&position, mv);
                carry = combination.advance(&game, &carry, &position, mv, &after);
                assert_eq!(carry, combination.begin(&game, &after), "{}", game.diagram(&after));
                position = after;
                plies += 1;
            }
            let kept = Evaluator::value(&combination, &game, &position, &carry);
            assert_eq!(kept, LeafEvaluator::value(&combination, &game, &position));
        }
    }

    #[test]
    fn explanations_add_up_to_the_value() {
        let game = Othello::default();
        for form in [Form::LogPlus, Form::Quad] {
            let combination = sample(form);
            for position in positions(Seed(2), 100) {
                let explanation = combination.explain(&game, &position);
                let value = f64::from(LeafEvaluator::value(&combination, &game, &position)) / f64::from(ONE);
                assert!((explanation.total - value).abs() < 0.000_51);
            }
        }
    }

    #[test]
    fn tables_without_regard_to_reading_direction_give_symmetric_values() {
        let (game, combination) = (Othello::default(), sample(Form::Log));
        assert!(combination.is_symmetric());
        for position in positions(Seed(4), 200) {
            let value =
                |symmetry| LeafEvaluator::value(&combination, &game, &game.image(&position, symmetry));
            assert!((1..8).all(|symmetry| value(symmetry) == value(0)), "{}", game.diagram(&position));
        }
    }

    #[test]
    fn one_set_for_each_number_of_discs() {
        let with = |discs: u32| Position {
            own: (1_u64 << (discs - 1) << 1).wrapping_sub(1),
            other: 0,
            ..Position::START
        };
        assert_eq!([4, 12, 13, 62, 64].map(|discs| set(&with(discs))), [0, 0, 1, 50, 50]);
        assert!((chance(0.0) - 0.5).abs() < 1e-12 && chance(3.0) > 0.95);
        for (form, name) in FORMS {
            assert_eq!(name.parse(), Ok(form));
            assert_eq!(form.to_string(), name);
        }
    }
}
