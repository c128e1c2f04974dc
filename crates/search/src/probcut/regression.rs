//! The line through a cloud of points: least squares in two numbers.

use serde::{Deserialize, Serialize};

/// What was fitted in one phase. In files a row: phase, n, a, b, sigma, r2.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Row", into = "Row")]
pub struct Fit {
    /// [`trilith_games::Game::phase`].
    pub phase: usize,
    /// Points it was fitted from.
    pub n: usize,
    /// Slope.
    pub a: f64,
    /// Where the line begins, in units of the evaluation.
    pub b: f64,
    /// Spread of what the line does not explain, in units of the evaluation.
    pub sigma: f64,
    /// The share of the variance that the line explains.
    pub r2: f64,
}

type Row = (usize, usize, f64, f64, f64, f64);

impl From<Row> for Fit {
    fn from((phase, n, a, b, sigma, r2): Row) -> Fit {
        Fit { phase, n, a, b, sigma, r2 }
    }
}

impl From<Fit> for Row {
    fn from(fit: Fit) -> Row {
        (fit.phase, fit.n, fit.a, fit.b, fit.sigma, fit.r2)
    }
}

/// The best line `y = a * x + b` through `points`; none for fewer than three, or if they all have the same `x`.
pub fn fit(phase: usize, points: &[(f64, f64)]) -> Option<Fit> {
    let n = points.len();
    if n < 3 {
        return None;
    }
    let count = n as f64;
    let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in points {
        let (x, y) = (x - mean_x, y - mean_y);
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    if xx <= 0.0 {
        return None;
    }
    let a = xy / xx;
    let errors = (yy - a * xy).max(0.0);
    let r2 = if yy > 0.0 { 1.0 - errors / yy } else { 1.0 };
    Some(Fit { phase, n, a, b: mean_y - a * mean_x, sigma: (errors / (count - 2.0)).sqrt(), r2 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, RngExt};
    use trilith_base::Seed;

    /// About normal: twelve even draws.
    fn normal(rng: &mut impl Rng) -> f64 {
        (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
    }

    #[test]
    fn known_parameters_are_found_again() {
        for (number, (a, b, sigma)) in (0..).zip([(1.0, 0.0, 1.0), (0.9, -0.7, 2.5), (1.2, 3.0, 0.25)]) {
            let mut rng = Seed(5).derive("cloud", number).rng();
            let points: Vec<(f64, f64)> = (0..20_000)
                .map(|_| {
                    let x = 8.0 * normal(&mut rng);
                    (x, a * x + b + sigma * normal(&mut rng))
                })
                .collect();
            let found = fit(3, &points).unwrap();
            // Five standard errors.
            assert!((found.a - a).abs() < 5.0 * sigma / 8.0 / 141.0, "{found:?}");
            assert!((found.b - b).abs() < 5.0 * sigma / 141.0, "{found:?}");
            assert!((found.sigma - sigma).abs() < 5.0 * sigma / 200.0, "{found:?}");
            let r2 = 1.0 / (1.0 + (sigma / (8.0 * a)).powi(2));
            assert!((found.r2 - r2).abs() < 0.01, "{found:?}");
        }
    }

    #[test]
    fn a_line_has_no_spread_and_too_little_gives_no_line() {
        let line = fit(0, &[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0), (5.0, 11.0)]).unwrap();
        assert_eq!((line.a, line.b, line.r2, line.n), (2.0, 1.0, 1.0, 4));
        assert!(line.sigma < 1e-6);
        assert_eq!(fit(0, &[(0.0, 1.0), (1.0, 3.0)]), None);
        assert_eq!(fit(0, &[(1.0, 1.0), (1.0, 3.0), (1.0, 2.0)]), None);
    }
}
