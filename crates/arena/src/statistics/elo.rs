//! Rates and Elo differences: 400 points for each power of ten in the odds.

use serde::Serialize;

use super::{Z95, cumulative};

/// The expected rate of a side that is `elo` points stronger.
pub fn rate_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference that gives `rate`; infinite at 0 and 1.
pub fn elo_of(rate: f64) -> f64 {
    400.0 * (rate / (1.0 - rate)).log10()
}

/// An Elo difference with the interval that holds the truth in 95 of 100 cases.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The best guess.
    pub elo: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The likelihood of superiority: the chance that the true difference is positive.
    pub los: f64,
}

/// Independent observations of a rate: single games, or pairs of games.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// How many.
    pub count: f64,
    /// Their mean, from 0 to 1.
    pub mean: f64,
    /// Their variance.
    pub variance: f64,
}

impl Sample {
    /// A sample of `values` with the number of times each was observed.
    pub fn new<const N: usize>(values: [f64; N], counts: [u64; N]) -> Sample {
        let count = counts.iter().sum::<u64>() as f64;
        let mean = values.iter().zip(counts).map(|(value, times)| value * times as f64).sum::<f64>() / count;
        let square = |(value, times): (&f64, u64)| (value - mean).powi(2) * times as f64;
        let variance = values.iter().zip(counts).map(square).sum::<f64>() / count;
        Sample { count, mean, variance }
    }

    /// Half the width of the rate's 95% interval. Where all observations were equal the normal interval would have no
    /// width at all; the rule of three says that what was never seen has a share of at most 3/count.
    fn reach(&self) -> f64 {
        match self.variance > 0.0 {
            true => Z95 * (self.variance / self.count).sqrt(),
            false => (3.0 / self.count).min(1.0),
        }
    }

    /// The Elo difference; no odds are better than those of a quarter of an observation lost.
    pub fn interval(&self) -> Interval {
        if self.count == 0.0 {
            return Interval { elo: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY, los: 0.5 };
        }
        let rim = 0.25 / self.count;
        let elo = |rate: f64| elo_of(rate.clamp(rim, 1.0 - rim));
        let reach = self.reach();
        Interval {
            elo: elo(self.mean),
            low: elo(self.mean - reach),
            high: elo(self.mean + reach),
            los: self.los(),
        }
    }

    /// With equal observations, by the sign test.
    fn los(&self) -> f64 {
        let lead = self.mean - 0.5;
        match self.variance > 0.0 {
            true => cumulative(lead / (self.variance / self.count).sqrt()),
            false if lead == 0.0 => 0.5,
            false if lead > 0.0 => 1.0 - 0.5f64.powf(self.count),
            false => 0.5f64.powf(self.count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_and_differences_are_each_other_s_inverse() {
        assert!((rate_of(400.0) - 10.0 / 11.0).abs() < 1e-15);
        for rate in [0.01, 0.25, 0.5, 0.9] {
            assert!((rate_of(elo_of(rate)) - rate).abs() < 1e-12);
        }
        assert_eq!(elo_of(1.0), f64::INFINITY);
    }

    #[test]
    fn ten_wins_of_ten_prove_something_but_not_everything() {
        let all = Sample::new([0.0, 0.5, 1.0], [0, 0, 10]).interval();
        assert!((all.los - (1.0 - 1.0 / 1024.0)).abs() < 1e-12);
        assert!((all.low - elo_of(0.7)).abs() < 1e-9 && all.elo.is_finite() && all.high == all.elo);
        let none = Sample::new([0.0, 0.5, 1.0], [0, 10, 0]).interval();
        assert!(none.elo == 0.0 && none.low < -100.0 && none.high > 100.0 && none.los == 0.5);
    }
}
