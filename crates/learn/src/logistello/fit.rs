//! CombinationParameters by maximum likelihood (S5, 3.1 and 3.2): normal discriminants and logistic regression.
//!
//! `f(x) = b + w.x` (`+ x A x'` for QUAD) with the chance of winning `1 / (1 + exp(-f(x)))`.

use trilith_eval::othello::logistello::combination::{CombinationParameters, Form};

use super::symmetric::{Factor, Symmetric, dot};

/// Examples: features for the side to move, and whether it won.
#[derive(Clone, Debug, Default)]
pub struct LabelledRows {
    /// `width` numbers a row.
    pub features: Vec<f64>,
    /// One a row.
    pub won: Vec<bool>,
    /// Features a row.
    pub width: usize,
}

impl LabelledRows {
    fn iter(&self) -> impl Iterator<Item = (&[f64], bool)> {
        self.features.chunks_exact(self.width).zip(self.won.iter().copied())
    }

    /// Mean and covariance of a class, and how many it has.
    fn class(&self, won: bool) -> (Vec<f64>, Symmetric, f64) {
        let members = || self.iter().filter(move |row| row.1 == won).map(|row| row.0);
        let count = members().count() as f64;
        let mut mean = vec![0.0; self.width];
        members().for_each(|row| mean.iter_mut().zip(row).for_each(|(sum, value)| *sum += value));
        mean.iter_mut().for_each(|sum| *sum /= count.max(1.0));
        let mut covariance = Symmetric::zeros(self.width);
        for row in members() {
            covariance.add_square(1.0 / count.max(1.0), &mixed(row, 1.0, &mean, -1.0));
        }
        (mean, covariance, count)
    }

    /// Only these features.
    fn only(&self, kept: &[usize]) -> LabelledRows {
        let features = self.iter().flat_map(|(row, _)| kept.iter().map(|&at| row[at])).collect();
        LabelledRows { features, won: self.won.clone(), width: kept.len() }
    }

    /// The standard deviation of each feature.
    pub fn deviations(&self) -> Vec<f64> {
        let count = self.won.len().max(1) as f64;
        (0..self.width)
            .map(|at| {
                let mean = self.iter().map(|(row, _)| row[at]).sum::<f64>() / count;
                (self.iter().map(|(row, _)| (row[at] - mean).powi(2)).sum::<f64>() / count).sqrt()
            })
            .collect()
    }

    /// The mean logarithm of what `parameters` say of what happened; 0 is perfect.
    pub fn log_likelihood(&self, parameters: &CombinationParameters) -> f64 {
        let sum: f64 = self
            .iter()
            .map(|(row, won)| {
                let odds = log_odds(parameters, row);
                -(1.0 + (if won { -odds } else { odds }).clamp(-700.0, 700.0).exp()).ln()
            })
            .sum();
        sum / self.won.len().max(1) as f64
    }
}

fn log_odds(parameters: &CombinationParameters, row: &[f64]) -> f64 {
    let linear: f64 = parameters.weights.iter().zip(row).map(|(weight, value)| weight * value).sum();
    let rows = parameters.quadratic.chunks_exact(row.len().max(1)).zip(row);
    let square: f64 = rows.map(|(a, x)| x * a.iter().zip(row).map(|(a, x)| a * x).sum::<f64>()).sum();
    parameters.constant + linear + square
}

/// The parameters of a form for `rows`. Where a class is missing or nothing can be solved, zeros.
pub fn fit(rows: &LabelledRows, form: Form) -> CombinationParameters {
    let square = if form == Form::Quad { rows.width * rows.width } else { 0 };
    let nothing =
        CombinationParameters { constant: 0.0, weights: vec![0.0; rows.width], quadratic: vec![0.0; square] };
    let wins = rows.won.iter().filter(|&&won| won).count();
    if wins == 0 || wins == rows.won.len() {
        return nothing;
    }
    let found = match form {
        Form::Fisher => fisher(rows),
        Form::Log => logistic(rows),
        Form::Quad => quadratic(rows),
        Form::FisherPlus => Some(consistent(rows, fisher)),
        Form::LogPlus => Some(consistent(rows, logistic)),
    };
    found.filter(|found| found.weights.iter().all(|weight| weight.is_finite())).unwrap_or(nothing)
}

/// `a` times `x` plus `b` times `y`.
fn mixed(x: &[f64], a: f64, y: &[f64], b: f64) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| a * x + b * y).collect()
}

/// The factor of a covariance with a trace of itself on its diagonal, so that features that never vary do no harm.
fn factor(covariance: Symmetric) -> Option<Factor> {
    covariance.raised(1e-6, 1e-9).factor()
}

/// `f(x) = (mu_G - mu_V) S^-1 (x - (mu_G + mu_V) / 2)` with the pooled covariance.
fn fisher(rows: &LabelledRows) -> Option<CombinationParameters> {
    let ((won, a, wins), (lost, b, losses)) = (rows.class(true), rows.class(false));
    let pooled = a.mixed(wins / (wins + losses), &b, losses / (wins + losses));
    let weights = factor(pooled)?.solve(&mixed(&won, 1.0, &lost, -1.0));
    let constant = -dot(&weights, &mixed(&won, 0.5, &lost, 0.5));
    Some(CombinationParameters { constant, weights, quadratic: Vec::new() })
}

/// Each class with its own covariance.
fn quadratic(rows: &LabelledRows) -> Option<CombinationParameters> {
    let ((won, a, _), (lost, b, _)) = (rows.class(true), rows.class(false));
    let (factor_a, factor_b) = (factor(a)?, factor(b)?);
    let (a, b) = (factor_a.inverse(), factor_b.inverse());
    let (from_won, from_lost) = (a.times(&won), b.times(&lost));
    let squares = dot(&won, &from_won) - dot(&lost, &from_lost);
    let constant = -(squares + factor_a.log_determinant() - factor_b.log_determinant()) / 2.0;
    Some(CombinationParameters {
        constant,
        weights: mixed(&from_won, 1.0, &from_lost, -1.0),
        quadratic: b.mixed(0.5, &a, -0.5).entries().to_vec(),
    })
}

/// Steps of Newton-Raphson, halved ones counted; a few are enough where there is an answer.
const STEPS: usize = 40;
/// Changes below are none.
const STILL: f64 = 1e-9;

/// Iteratively reweighted least squares, from S5's start: chances of 0.99 for what was won and 0.01 for what was lost.
/// A step that goes too far, as the first ones from there can, is halved until it helps.
fn logistic(rows: &LabelledRows) -> Option<CombinationParameters> {
    let mut best: Option<(f64, Vec<f64>)> = None;
    let (_, mut next) = newton(rows, None)?;
    for _ in 0..STEPS {
        let (likelihood, step) = newton(rows, Some(&next))?;
        match &best {
            Some((reached, from)) if likelihood < *reached => next = mixed(&next, 0.5, from, 0.5),
            Some((reached, _)) if likelihood - reached < STILL * rows.won.len() as f64 => break,
            _ => best = Some((likelihood, std::mem::replace(&mut next, step))),
        }
    }
    let (_, beta) = best?;
    Some(CombinationParameters {
        constant: *beta.first()?,
        weights: beta[1..].to_vec(),
        quadratic: Vec::new(),
    })
}

/// The logarithm of the likelihood of `beta`, constant first, and where Newton's method goes from it; without `beta`
/// from S5's start.
fn newton(rows: &LabelledRows, beta: Option<&[f64]>) -> Option<(f64, Vec<f64>)> {
    let width = rows.width + 1;
    let (mut square, mut right) = (Symmetric::zeros(width), vec![0.0; width]);
    let mut likelihood = 0.0;
    let mut x = vec![1.0; width];
    for (row, won) in rows.iter() {
        x[1..].copy_from_slice(row);
        let result = f64::from(won);
        let chance = beta.map_or(result.clamp(0.01, 0.99), |beta| 1.0 / (1.0 + (-dot(beta, &x)).exp()));
        let chance = chance.clamp(1e-12, 1.0 - 1e-12);
        likelihood += if won { chance.ln() } else { (1.0 - chance).ln() };
        let spread = chance * (1.0 - chance);
        let z = (chance / (1.0 - chance)).ln() + (result - chance) / spread;
        square.add_square(spread, &x);
        right.iter_mut().zip(&x).for_each(|(sum, value)| *sum += spread * z * value);
    }
    Some((likelihood, square.raised(1e-9, 1e-12).factor()?.solve(&right)))
}

/// Features whose weight has another sign than alone are taken out until there are none (S5, 3.4).
///
/// Alone, the sign of a weight is that of the difference of the classes' means: the likelihood is concave, and that
/// difference is its slope at zero.
fn consistent(
    rows: &LabelledRows,
    fit: fn(&LabelledRows) -> Option<CombinationParameters>,
) -> CombinationParameters {
    let alone = mixed(&rows.class(true).0, 1.0, &rows.class(false).0, -1.0);
    let mut kept: Vec<usize> = (0..rows.width).collect();
    loop {
        let found = fit(&rows.only(&kept));
        let Some(found) = found.filter(|_| !kept.is_empty()) else {
            return CombinationParameters {
                constant: 0.0,
                weights: vec![0.0; rows.width],
                quadratic: Vec::new(),
            };
        };
        let agrees = |pair: &(&usize, &f64)| alone[*pair.0] * pair.1 >= 0.0;
        let left: Vec<usize> = kept.iter().zip(&found.weights).filter(agrees).map(|(&at, _)| at).collect();
        if left.len() == kept.len() {
            let mut weights = vec![0.0; rows.width];
            kept.iter().zip(found.weights).for_each(|(&at, weight)| weights[at] = weight);
            return CombinationParameters { constant: found.constant, weights, quadratic: Vec::new() };
        }
        kept = left;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use trilith_base::Seed;

    /// Classes by lot with chances that `truth` gives.
    fn drawn(truth: &CombinationParameters, count: usize) -> LabelledRows {
        let mut rng = Seed(5).rng();
        let mut rows = LabelledRows { width: truth.weights.len(), ..LabelledRows::default() };
        for _ in 0..count {
            let row: Vec<f64> = truth.weights.iter().map(|_| rng.random_range(-2.0..2.0)).collect();
            let chance = 1.0 / (1.0 + (-log_odds(truth, &row)).exp());
            rows.won.push(rng.random_bool(chance));
            rows.features.extend(row);
        }
        rows
    }

    #[test]
    fn logistic_regression_finds_what_made_the_examples() {
        let truth =
            CombinationParameters { constant: 0.5, weights: vec![1.0, -0.7, 0.0], quadratic: Vec::new() };
        let rows = drawn(&truth, 40_000);
        let found = fit(&rows, Form::Log);
        assert!((found.constant - 0.5).abs() < 0.05, "{found:?}");
        assert!(found.weights.iter().zip(&truth.weights).all(|(a, b)| (a - b).abs() < 0.05), "{found:?}");
        // At the maximum no small move helps.
        let best = rows.log_likelihood(&found);
        for at in 0..3 {
            for step in [-1e-3, 1e-3] {
                let mut moved = found.clone();
                moved.weights[at] += step;
                assert!(rows.log_likelihood(&moved) < best);
            }
        }
    }

    /// Two normal classes: the discriminants are those that the classes' densities give.
    #[test]
    fn discriminants_are_those_of_normal_classes() {
        let mut rng = Seed(6).rng();
        let mut normal = || (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
        let mut rows = LabelledRows { width: 2, ..LabelledRows::default() };
        for number in 0..40_000 {
            let won = number % 2 == 0;
            let (x, y) = (normal(), normal());
            // Deviations 2 and 1 against 1 and 1, means (1, 0) and (-1, 0).
            rows.features.extend(if won { [1.0 + 2.0 * x, y] } else { [-1.0 + x, y] });
            rows.won.push(won);
        }
        let found = fit(&rows, Form::Quad);
        let expected = |x: f64, y: f64| {
            let density = |mean: f64, deviation: f64| {
                -((x - mean) / deviation).powi(2) / 2.0 - deviation.ln() - y * y / 2.0
            };
            density(1.0, 2.0) - density(-1.0, 1.0)
        };
        for (x, y) in [(0.0, 0.0), (1.5, -1.0), (-2.0, 0.5)] {
            let odds = log_odds(&found, &[x, y]);
            assert!((odds - expected(x, y)).abs() < 0.15, "{odds} {}", expected(x, y));
        }
        let linear = fit(&rows, Form::Fisher);
        // The pooled variance is (4 + 1) / 2.
        assert!((linear.weights[0] - 2.0 / 2.5).abs() < 0.03 && linear.weights[1].abs() < 0.03, "{linear:?}");
    }

    #[test]
    fn signs_are_those_of_each_feature_alone() {
        let mut rng = Seed(7).rng();
        let mut rows = LabelledRows { width: 2, ..LabelledRows::default() };
        for _ in 0..20_000 {
            // The second is the first with noise, so that alone it looks good and together it is held against it.
            let hidden: f64 = rng.random_range(-1.0..1.0);
            let noise: f64 = rng.random_range(-1.0..1.0);
            rows.features.extend([hidden + noise, 0.5 * hidden + noise]);
            rows.won.push(rng.random_bool(1.0 / (1.0 + (-3.0 * hidden).exp())));
        }
        for (plain, plus) in [(Form::Log, Form::LogPlus), (Form::Fisher, Form::FisherPlus)] {
            assert!(fit(&rows, plain).weights[1] < 0.0);
            let found = fit(&rows, plus);
            assert!(found.weights[0] > 0.0 && found.weights[1] == 0.0, "{found:?}");
        }
    }

    #[test]
    fn what_cannot_be_told_apart_gives_no_infinities() {
        let rows = LabelledRows {
            features: vec![-1.0, -2.0, 1.0, 2.0],
            won: vec![false, false, true, true],
            width: 1,
        };
        for form in [Form::Fisher, Form::FisherPlus, Form::Quad, Form::Log, Form::LogPlus] {
            let found = fit(&rows, form);
            assert!(found.weights[0].is_finite() && found.weights[0] >= 0.0, "{form} {found:?}");
        }
        let one = LabelledRows { won: vec![true; 4], ..rows };
        assert_eq!(fit(&one, Form::Log).weights, [0.0]);
    }
}
