//! CombinationParameters by maximum likelihood (S5, 3.1 and 3.2): normal discriminants and logistic regression.
//!
//! `f(x) = b + w.x` (`+ x A x'` for QUAD) with the chance of winning `1 / (1 + exp(-f(x)))`.

use nalgebra::{DMatrix, DVector};
use trilith_eval::othello::logistello::combination::{CombinationParameters, Form};

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
    fn class(&self, won: bool) -> (DVector<f64>, DMatrix<f64>, f64) {
        let members = || self.iter().filter(move |row| row.1 == won).map(|row| row.0);
        let count = members().count() as f64;
        let mut mean = DVector::zeros(self.width);
        members().for_each(|row| mean += DVector::from_column_slice(row));
        mean /= count.max(1.0);
        let mut covariance = DMatrix::zeros(self.width, self.width);
        for row in members() {
            let centred = DVector::from_column_slice(row) - &mean;
            covariance.ger(1.0, &centred, &centred, 1.0);
        }
        (mean, covariance / count.max(1.0), count)
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

/// A covariance with a trace of itself on its diagonal, so that features that never vary do no harm.
fn inverse(mut covariance: DMatrix<f64>) -> Option<DMatrix<f64>> {
    for at in 0..covariance.nrows() {
        covariance[(at, at)] += 1e-6 * covariance[(at, at)] + 1e-9;
    }
    covariance.cholesky().map(|factor| factor.inverse())
}

/// `f(x) = (mu_G - mu_V) S^-1 (x - (mu_G + mu_V) / 2)` with the pooled covariance.
fn fisher(rows: &LabelledRows) -> Option<CombinationParameters> {
    let ((won, a, wins), (lost, b, losses)) = (rows.class(true), rows.class(false));
    let pooled = (a * wins + b * losses) / (wins + losses);
    let weights = inverse(pooled)? * (&won - &lost);
    let constant = -weights.dot(&((won + lost) / 2.0));
    Some(CombinationParameters { constant, weights: weights.as_slice().to_vec(), quadratic: Vec::new() })
}

/// Each class with its own covariance.
fn quadratic(rows: &LabelledRows) -> Option<CombinationParameters> {
    let ((won, a, _), (lost, b, _)) = (rows.class(true), rows.class(false));
    let (a, b) = (inverse(a)?, inverse(b)?);
    let log_determinant = |inverse: &DMatrix<f64>| {
        let factor = inverse.clone().cholesky()?;
        Some(-2.0 * factor.l().diagonal().iter().map(|entry| entry.ln()).sum::<f64>())
    };
    let weights = &a * &won - &b * &lost;
    let squares = won.dot(&(&a * &won)) - lost.dot(&(&b * &lost));
    let constant = -(squares + log_determinant(&a)? - log_determinant(&b)?) / 2.0;
    let square = (b - a) / 2.0;
    let quadratic = square.transpose().as_slice().to_vec();
    Some(CombinationParameters { constant, weights: weights.as_slice().to_vec(), quadratic })
}

/// Steps of Newton-Raphson, halved ones counted; a few are enough where there is an answer.
const STEPS: usize = 40;
/// Changes below are none.
const STILL: f64 = 1e-9;

/// Iteratively reweighted least squares, from S5's start: chances of 0.99 for what was won and 0.01 for what was lost.
/// A step that goes too far, as the first ones from there can, is halved until it helps.
fn logistic(rows: &LabelledRows) -> Option<CombinationParameters> {
    let mut best: Option<(f64, DVector<f64>)> = None;
    let (_, mut next) = newton(rows, None)?;
    for _ in 0..STEPS {
        let (likelihood, step) = newton(rows, Some(&next))?;
        match &best {
            Some((reached, from)) if likelihood < *reached => next = (next + from) / 2.0,
            Some((reached, _)) if likelihood - reached < STILL * rows.won.len() as f64 => break,
            _ => best = Some((likelihood, std::mem::replace(&mut next, step))),
        }
    }
    let (_, beta) = best?;
    Some(CombinationParameters {
        constant: beta[0],
        weights: beta.as_slice()[1..].to_vec(),
        quadratic: Vec::new(),
    })
}

/// The logarithm of the likelihood of `beta`, constant first, and where Newton's method goes from it; without `beta`
/// from S5's start.
fn newton(rows: &LabelledRows, beta: Option<&DVector<f64>>) -> Option<(f64, DVector<f64>)> {
    let width = rows.width + 1;
    let (mut square, mut right) = (DMatrix::zeros(width, width), DVector::zeros(width));
    let mut likelihood = 0.0;
    for (row, won) in rows.iter() {
        let x = DVector::from_iterator(width, std::iter::once(1.0).chain(row.iter().copied()));
        let result = f64::from(won);
        let chance = beta.map_or(result.clamp(0.01, 0.99), |beta| 1.0 / (1.0 + (-beta.dot(&x)).exp()));
        let chance = chance.clamp(1e-12, 1.0 - 1e-12);
        likelihood += if won { chance.ln() } else { (1.0 - chance).ln() };
        let spread = chance * (1.0 - chance);
        let z = (chance / (1.0 - chance)).ln() + (result - chance) / spread;
        square.ger(spread, &x, &x, 1.0);
        right.axpy(spread * z, &x, 1.0);
    }
    for at in 0..width {
        square[(at, at)] += 1e-9 * square[(at, at)] + 1e-12;
    }
    Some((likelihood, square.cholesky()?.solve(&right)))
}

/// Features whose weight has another sign than alone are taken out until there are none (S5, 3.4).
///
/// Alone, the sign of a weight is that of the difference of the classes' means: the likelihood is concave, and that
/// difference is its slope at zero.
fn consistent(
    rows: &LabelledRows,
    fit: fn(&LabelledRows) -> Option<CombinationParameters>,
) -> CombinationParameters {
    let alone = rows.class(true).0 - rows.class(false).0;
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
