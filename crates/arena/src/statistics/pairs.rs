//! Pairs of games from one opening with colours changed: they depend on each other, the pairs do not.

use serde::{Deserialize, Serialize};

use super::elo::{Interval, Sample};

/// How many pairs gave 0, 1/2, 1, 3/2 and 2 points: the pentanomial counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairs(pub [u64; 5]);

/// The rates of a pair.
pub(super) const RATES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

impl Pairs {
    /// Pairs in all.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Counts a pair by the sum of its two results: 1 for a win, 0 for a draw, -1 for a loss each.
    pub fn add(&mut self, signs: i32) {
        self.0[(signs.clamp(-2, 2) + 2) as usize] += 1;
    }

    /// The mean rate; a half without pairs.
    pub fn rate(&self) -> f64 {
        if self.count() == 0 { 0.5 } else { Sample::new(RATES, self.0).mean }
    }

    /// The Elo difference with its interval from the spread of the pairs.
    pub fn interval(&self) -> Interval {
        Sample::new(RATES, self.0).interval()
    }

    /// Whether S5's test calls the side stronger at the level of 5%.
    pub fn is_stronger(&self) -> bool {
        self.count() > 0 && self.rate() > pair_test(self.count())
    }
}

/// The rate that a side must exceed in `pairs` pairs to be called stronger: c = 1/2 + 1.65 * sigma / sqrt(N)
/// (S5, 3.6), with the greatest possible sigma of 1/2.
pub fn pair_test(pairs: u64) -> f64 {
    0.5 + 1.65 * 0.5 / (pairs as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S5's table. It was rounded to four digits and then to three: 0.68447 is printed as 0.685, 0.55834 as 0.558.
    #[test]
    fn the_pair_test_has_the_published_bounds() {
        for (pairs, published) in [(20, 0.685), (35, 0.640), (50, 0.617), (100, 0.583), (200, 0.558)] {
            let four_digits = (pair_test(pairs) * 1e4).round() / 1e4;
            assert_eq!((four_digits * 1e3 + 1e-9).round() / 1e3, published, "{pairs}");
        }
    }

    #[test]
    fn a_rate_just_above_the_bound_is_stronger() {
        assert!(!Pairs([7, 0, 21, 0, 7]).is_stronger() && !Pairs::default().is_stronger());
        assert!(Pairs([0, 0, 25, 0, 10]).is_stronger(), "rate 0.643 with 35 pairs");
        assert!(!Pairs([0, 1, 25, 0, 9]).is_stronger(), "rate 0.621 with 35 pairs");
    }

    /// fastchess' own tests of its pentanomial model: difference, half the interval, LOS in percent.
    #[test]
    fn differences_are_those_of_fastchess() {
        let cases = [
            ([34, 54, 63, 64, 75], 55.58, 27.65, 100.00),
            ([332, 433, 498, 333, 334], -8.64, 10.33, 5.05),
            ([7895, 8757, 5685, 568, 9999], -21.04, 2.95, 0.0),
        ];
        for (counts, elo, half, los) in cases {
            let interval = Pairs(counts).interval();
            assert!((interval.elo - elo).abs() < 0.005, "{interval:?}");
            assert!(((interval.high - interval.low) / 2.0 - half).abs() < 0.005, "{interval:?}");
            assert!((interval.los * 100.0 - los).abs() < 0.005, "{interval:?}");
        }
    }

    #[test]
    fn pairs_are_sorted_by_their_points() {
        let mut pairs = Pairs::default();
        [-2, -1, 0, 0, 1, 2, 2, 2].into_iter().for_each(|signs| pairs.add(signs));
        assert_eq!(pairs, Pairs([1, 1, 2, 1, 3]));
    }
}
