//! The same match played several times: mean and spread of the rates (S1, 3.2; S3, table 1).

use serde::Serialize;

/// What several passes show together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Passes {
    /// How many.
    pub count: usize,
    /// The mean of their rates.
    pub mean: f64,
    /// The standard deviation of just these passes: divided by their number, as in S1.
    pub deviation: f64,
    /// The standard deviation estimated for further passes: divided by one less, as in S3; 0 for one pass.
    pub sample_deviation: f64,
}

impl Passes {
    /// Mean and spread of `rates`; none without any.
    pub fn of(rates: &[f64]) -> Option<Passes> {
        let count = rates.len();
        let mean = rates.iter().sum::<f64>() / count as f64;
        let squares = rates.iter().map(|rate| (rate - mean).powi(2)).sum::<f64>();
        let spread = |over: usize| if over == 0 { 0.0 } else { (squares / over as f64).sqrt() };
        (count > 0).then(|| Passes {
            count,
            mean,
            deviation: spread(count),
            sample_deviation: spread(count - 1),
        })
    }

    /// S3's band: 95 of 100 further passes lie between these rates. A player outside it is not of the same strength.
    pub fn band(&self) -> (f64, f64) {
        (self.mean - 1.96 * self.sample_deviation, self.mean + 1.96 * self.sample_deviation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S1, table 5.7 (group C, first trial): three passes of 1000 games.
    #[test]
    fn mean_and_deviation_are_those_of_s1() {
        for (rates, mean, deviation) in [([24.8, 24.3, 25.6], 24.9, 0.54), ([57.6, 60.5, 57.8], 58.6, 1.32)] {
            let passes = Passes::of(&rates).unwrap();
            assert!(
                (passes.mean - mean).abs() < 0.05 && (passes.deviation - deviation).abs() < 0.005,
                "{passes:?}"
            );
        }
    }

    /// S3, table 1: ten passes of random against random, Black's rates.
    #[test]
    fn the_band_is_that_of_s3() {
        let rates = [51.65, 49.10, 47.15, 47.05, 48.20, 45.30, 48.10, 45.65, 48.25, 48.75];
        let passes = Passes::of(&rates).unwrap();
        assert!((passes.mean - 47.92).abs() < 1e-9);
        assert!((passes.sample_deviation - 1.812_947).abs() < 1e-6);
        let (low, high) = passes.band();
        assert!((low - 44.366).abs() < 1e-3 && (high - 51.473).abs() < 1e-3, "{low} {high}");
        assert_eq!(Passes::of(&[]), None);
    }
}
