//! Rates and Elo differences: 400 points for each power of ten in the odds.

use std::fmt;

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

/// An Elo difference with the interval that holds the truth in 95 of 100 cases; an end that nothing bounds is infinite,
/// which JSON writes as null.
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

/// `+12.3 [-4.0, +28.6]`; `above +640` or `below -640` where the interval has one end only.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) => write!(f, "{:+.1} [{:+.1}, {:+.1}]", self.elo, self.low, self.high),
            (true, false) => write!(f, "above {:+.0}", self.low),
            (false, true) => write!(f, "below {:+.0}", self.high),
            (false, false) => f.write_str("unknown"),
        }
    }
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

    /// The rate's 95% interval: the normal one where it fits between 0 and 1, else Wilson's, whose ends always do.
    fn bounds(&self) -> (f64, f64) {
        if self.variance <= 0.0 {
            return self.uniform_bounds();
        }
        let reach = Z95 * (self.variance / self.count).sqrt();
        match self.mean - reach > 0.0 && self.mean + reach < 1.0 {
            true => (self.mean - reach, self.mean + reach),
            false => self.wilson(),
        }
    }

    /// E. B. Wilson's interval. Results that spread less than wins and losses count as so many more of those.
    fn wilson(&self) -> (f64, f64) {
        let count = self.count * self.mean * (1.0 - self.mean) / self.variance;
        let weight = Z95 * Z95 / count;
        let middle = (self.mean + weight / 2.0) / (1.0 + weight);
        let spread = self.mean * (1.0 - self.mean) / count + weight / (4.0 * count);
        let reach = Z95 * spread.sqrt() / (1.0 + weight);
        (middle - reach, middle + reach)
    }

    /// Where all observations were equal: what was never seen has a share s of at most 1 - 5%^(1/count), for else it would
    /// have been seen in 95 of 100 cases. Nothing is better than all points: there the interval has one end only.
    fn uniform_bounds(&self) -> (f64, f64) {
        let is_extreme = self.mean == 0.0 || self.mean == 1.0;
        let chance: f64 = if is_extreme { 0.05 } else { 0.025 };
        let unseen = 1.0 - chance.powf(1.0 / self.count);
        (self.mean * (1.0 - unseen), self.mean + unseen * (1.0 - self.mean))
    }

    /// The Elo difference. With all points or none the estimate is that of a quarter of an observation lost or won, and
    /// the interval is open on that side.
    pub fn interval(&self) -> Interval {
        if self.count == 0.0 {
            return Interval { elo: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY, los: 0.5 };
        }
        let rim = 0.25 / self.count;
        let (low, high) = self.bounds();
        Interval {
            elo: elo_of(self.mean.clamp(rim, 1.0 - rim)),
            low: elo_of(low),
            high: elo_of(high),
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

    /// At the lower end of ten wins of ten, ten wins in a row have a chance of 5%.
    #[test]
    fn ten_wins_of_ten_prove_something_but_not_everything() {
        let all = Sample::new([0.0, 0.5, 1.0], [0, 0, 10]).interval();
        assert!((all.los - (1.0 - 1.0 / 1024.0)).abs() < 1e-12);
        assert!((rate_of(all.low).powi(10) - 0.05).abs() < 1e-9, "{all:?}");
        assert!(all.elo.is_finite() && all.elo > all.low && all.high == f64::INFINITY, "{all:?}");
        assert_eq!(all.to_string(), "above +183");
        let lost = Sample::new([0.0, 0.5, 1.0], [10, 0, 0]).interval();
        assert_eq!((lost.low, lost.to_string()), (f64::NEG_INFINITY, "below -183".into()));
        let none = Sample::new([0.0, 0.5, 1.0], [0, 10, 0]).interval();
        assert!(none.elo == 0.0 && none.los == 0.5, "{none:?}");
        // At the upper end ten draws in a row have a chance of 2.5%, all other games being wins.
        let decided = 2.0 * (rate_of(none.high) - 0.5);
        assert!(((1.0 - decided).powi(10) - 0.025).abs() < 1e-9, "{none:?}");
        assert!((none.low + none.high).abs() < 1e-9, "{none:?}");
    }

    /// Both ends of every interval are about as unlikely as they promise, by adding up the binomial distribution.
    #[test]
    fn one_loss_leaves_the_interval_between_0_and_1() {
        for games in [10u64, 20, 100, 1000] {
            for losses in [1, 2] {
                let sample = Sample::new([0.0, 0.5, 1.0], [losses, 0, games - losses]);
                let (low, high) = sample.wilson();
                let at_most = |rate: f64, most: u64| -> f64 {
                    let term = |number: u64| {
                        let choose: f64 =
                            (0..number).map(|i| (games - i) as f64 / (number - i) as f64).product();
                        choose * (1.0 - rate).powi(number as i32) * rate.powi((games - number) as i32)
                    };
                    (0..=most).map(term).sum()
                };
                // The normal approximation of Wilson's interval is known to be good to a few percent here.
                let (below, above) = (at_most(low, losses), 1.0 - at_most(high, losses - 1));
                assert!((0.002..0.06).contains(&below), "{games} {losses}: {below}");
                assert!((0.003..0.18).contains(&above), "{games} {losses}: {above}");
                let interval = sample.interval();
                assert!(interval.low < interval.elo && interval.elo < interval.high, "{interval:?}");
                assert!(interval.high.is_finite(), "{interval:?}");
            }
        }
    }
}
