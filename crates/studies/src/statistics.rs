//! What numbers say, and how surely: estimates with 95% intervals, held against a stated alternative.
//!
//! A conclusion is confirmed if the interval excludes the alternative, refuted if it excludes the conclusion, and open
//! otherwise. Means of few runs have Student's intervals, differences of means Welch's.

use trilith_arena::statistics::{Tally, Z95};

use crate::report::{Verdict, VerdictTest};

/// Of all intervals.
const LEVEL: f64 = 0.95;

/// What stands in place of an interval where there is but one run.
pub const NO_INTERVAL: &str = "one run: no interval";

/// Half the 95% interval of a rate, from the spread of single games.
pub fn half_width(tally: &Tally) -> f64 {
    let games = tally.games().max(1) as f64;
    let rate = tally.rate();
    let squares = tally.wins as f64 * (1.0 - rate).powi(2)
        + tally.draws as f64 * (0.5 - rate).powi(2)
        + tally.losses as f64 * rate.powi(2);
    Z95 * (squares / games).sqrt() / games.sqrt()
}

/// A rate with its interval in words, such as `62.1% ± 3.0`.
pub fn shown(tally: &Tally) -> String {
    format!("{:.1}% \u{b1} {:.1}", 100.0 * tally.rate(), 100.0 * half_width(tally))
}

/// A number with its interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    quantity: String,
    value: f64,
    half: f64,
    /// How much it rests on, and what that is.
    count: (u64, &'static str),
}

impl Estimate {
    /// A rate in per cent.
    pub fn rate(quantity: impl Into<String>, tally: &Tally) -> Estimate {
        // All games alike have no spread but still an error: that of one more game the other way.
        let games = tally.games().max(1) as f64;
        let half = half_width(tally).max(Z95 * 0.5 / games);
        let count = (tally.games(), "games");
        Estimate { quantity: quantity.into(), value: 100.0 * tally.rate(), half: 100.0 * half, count }
    }

    /// By how many points the rate of `a` lies above that of `b`.
    pub fn between_rates(quantity: impl Into<String>, a: &Tally, b: &Tally) -> Estimate {
        let [first, second] = [Estimate::rate("", a), Estimate::rate("", b)];
        first.less(&second, quantity)
    }

    /// By how much `self` lies above `other`, which is independent of it.
    pub fn less(&self, other: &Estimate, quantity: impl Into<String>) -> Estimate {
        Estimate {
            quantity: quantity.into(),
            value: self.value - other.value,
            half: self.half.hypot(other.half),
            count: self.count,
        }
    }

    /// The mean of a sample of runs.
    pub fn mean(quantity: impl Into<String>, sample: &[f64]) -> Estimate {
        Estimate {
            quantity: quantity.into(),
            value: mean(sample),
            half: half_of_mean(sample),
            count: (sample.len() as u64, "runs"),
        }
    }

    /// By how much the mean of `a` lies above that of `b` (Welch).
    pub fn between_means(quantity: impl Into<String>, a: &[f64], b: &[f64]) -> Estimate {
        let [one, two] = [a, b].map(|sample| standard_error(sample).powi(2));
        let least = a.len().min(b.len());
        let freedom = |error: f64, count: usize| error.powi(2) / (count as f64 - 1.0).max(1e-9);
        let below = freedom(one, a.len()) + freedom(two, b.len());
        let degrees = if least < 2 { 0.0 } else { (one + two).powi(2) / below.max(1e-300) };
        let half = if one + two > 0.0 || least < 2 { student(degrees) * (one + two).sqrt() } else { 0.0 };
        let half = if least < 2 { f64::INFINITY } else { half };
        Estimate {
            quantity: quantity.into(),
            value: mean(a) - mean(b),
            half,
            count: (least as u64, "runs of each"),
        }
    }

    /// The same for the difference of two shares in per cent, each of so many games: where all runs are alike there is no
    /// spread but still an error, that of one more game the other way in each.
    pub fn of_shares(mut self, games: u64) -> Estimate {
        self.half = self.half.max(100.0 * Z95 * 0.5 * 2.0_f64.sqrt() / games.max(1) as f64);
        self
    }

    /// The sum of the first numbers as a share of the sum of the second, by independent pairs of both.
    pub fn ratio(quantity: impl Into<String>, pairs: &[(f64, f64)], what: &'static str) -> Estimate {
        let sum = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>();
        let (above, below) = (sum(|pair| pair.0), sum(|pair| pair.1).max(1e-300));
        let (value, count) = (above / below, pairs.len() as f64);
        let squares: f64 = pairs.iter().map(|pair| (pair.0 - value * pair.1).powi(2)).sum();
        let error = (squares * count / (count - 1.0).max(1e-9)).sqrt() / below;
        let half = student(count - 1.0) * error;
        let half = if half.is_nan() { f64::INFINITY } else { half };
        Estimate { quantity: quantity.into(), value, half, count: (pairs.len() as u64, what) }
    }

    /// How well two things go together: Fisher's transform of their correlation, `artanh r`.
    pub fn correlation(quantity: impl Into<String>, r: f64, count: usize) -> Estimate {
        let half = Z95 / (count as f64 - 3.0).max(1e-9).sqrt();
        Estimate { quantity: quantity.into(), value: r.atanh(), half, count: (count as u64, "positions") }
    }

    /// A number whose half interval is known.
    pub fn known(quantity: impl Into<String>, value: f64, half: f64, count: (u64, &'static str)) -> Estimate {
        Estimate { quantity: quantity.into(), value, half, count }
    }

    /// The number.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The same with what is counted instead of runs.
    pub fn of(mut self, what: &'static str) -> Estimate {
        self.count.1 = what;
        self
    }

    /// As printed, such as `3.4 ± 0.5`.
    pub fn shown(&self, digits: usize) -> String {
        match self.half.is_finite() {
            true => format!("{:.digits$} \u{b1} {:.digits$}", self.value, self.half),
            false => format!("{:.digits$} ({NO_INTERVAL})", self.value),
        }
    }

    /// Claim: above the bound.
    pub fn above(self, bound: f64) -> VerdictTest {
        let verdict = match () {
            () if self.low() > bound => Verdict::Confirmed,
            () if self.high() < bound => Verdict::Refuted,
            () => Verdict::Open,
        };
        self.test(format!("above {bound}"), format!("{bound} or less"), verdict, bound)
    }

    /// Claim: below the bound.
    pub fn below(self, bound: f64) -> VerdictTest {
        let verdict = match () {
            () if self.high() < bound => Verdict::Confirmed,
            () if self.low() > bound => Verdict::Refuted,
            () => Verdict::Open,
        };
        self.test(format!("below {bound}"), format!("{bound} or more"), verdict, bound)
    }

    /// Claim: within the bounds.
    pub fn within(self, from: f64, to: f64) -> VerdictTest {
        let verdict = match () {
            () if self.low() >= from && self.high() <= to => Verdict::Confirmed,
            () if self.high() < from || self.low() > to => Verdict::Refuted,
            () => Verdict::Open,
        };
        let nearest = if (self.value - from).abs() < (self.value - to).abs() { from } else { to };
        self.test(format!("from {from} to {to}"), "outside".into(), verdict, nearest)
    }

    fn low(&self) -> f64 {
        self.value - self.half
    }

    fn high(&self) -> f64 {
        self.value + self.half
    }

    fn test(self, claim: String, alternative: String, verdict: Verdict, bound: f64) -> VerdictTest {
        let needed = (verdict == Verdict::Open).then(|| self.needed(bound)).flatten();
        // JSON knows no such number.
        let value = if self.value.is_nan() { 0.0 } else { self.value.clamp(-1e9, 1e9) };
        let (low, high) = match self.half.is_finite() {
            true => (value - self.half, value + self.half),
            false => (f64::NEG_INFINITY, f64::INFINITY),
        };
        VerdictTest {
            quantity: self.quantity,
            value,
            low,
            high,
            level: LEVEL,
            claim,
            alternative,
            verdict,
            needed,
        }
    }

    /// How much would decide if the number stays what it is, rounded up to two digits; none if nobody can say.
    fn needed(&self, bound: f64) -> Option<(u64, String)> {
        let apart = (self.value - bound).abs();
        let count = self.count.0 as f64 * (self.half / apart).powi(2);
        if !count.is_finite() || count > 1e12 {
            return None;
        }
        let scale = 10_f64.powf((count.max(1.0).log10().floor() - 1.0).max(0.0));
        Some((((count / scale).ceil() * scale) as u64, self.count.1.into()))
    }
}

/// What is known without chance: a number, the claim about it, the alternative, and whether the claim holds.
pub fn counted(quantity: &str, value: f64, claim: &str, alternative: &str, holds: bool) -> VerdictTest {
    VerdictTest {
        quantity: quantity.into(),
        value,
        low: value,
        high: value,
        level: 1.0,
        claim: claim.into(),
        alternative: alternative.into(),
        verdict: Verdict::of(holds),
        needed: None,
    }
}

/// Student's 97.5% quantile; infinite below one degree of freedom.
fn student(degrees: f64) -> f64 {
    const TABLE: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    match degrees {
        d if d < 0.999 => f64::INFINITY,
        // Whole degrees may come out a little less.
        d if d < 10.999 => TABLE[(d + 1e-6) as usize - 1],
        d => {
            Z95 + (Z95.powi(3) + Z95) / (4.0 * d)
                + (5.0 * Z95.powi(5) + 16.0 * Z95.powi(3) + 3.0 * Z95) / (96.0 * d * d)
        }
    }
}

/// The mean of some numbers; 0 of none.
pub fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

/// The standard deviation of just these numbers.
pub fn deviation(numbers: &[f64]) -> f64 {
    let middle = mean(numbers);
    (numbers.iter().map(|number| (number - middle).powi(2)).sum::<f64>() / numbers.len().max(1) as f64).sqrt()
}

/// The standard error of the mean of a sample.
pub fn standard_error(numbers: &[f64]) -> f64 {
    let count = numbers.len() as f64;
    if count < 2.0 { 0.0 } else { deviation(numbers) * (count / (count - 1.0)).sqrt() / count.sqrt() }
}

/// Half the 95% interval of the mean of a sample; infinite for fewer than two.
pub fn half_of_mean(numbers: &[f64]) -> f64 {
    match numbers.len() {
        0 | 1 => f64::INFINITY,
        count => student(count as f64 - 1.0) * standard_error(numbers),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(wins: u64, losses: u64) -> Tally {
        Tally { wins, draws: 0, losses }
    }

    #[test]
    fn one_run_says_nothing_about_the_next() {
        let test = Estimate::mean("won, %", &[49.75]).above(50.0);
        assert_eq!((test.low, test.high), (f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!(Estimate::mean("", &[49.75]).shown(1), "49.8 (one run: no interval)");
        assert_eq!(test.verdict, Verdict::Open);
        assert_eq!(half_of_mean(&[3.0]), f64::INFINITY);
    }

    #[test]
    fn what_is_counted_has_its_name() {
        let few = Estimate::mean("Q", &[1.0, 3.0]).of("groups").above(2.5);
        assert_eq!(few.needed.map(|(_, what)| what), Some("groups".into()));
    }

    #[test]
    fn intervals_shrink_with_the_root_of_the_games() {
        let (small, large) = (tally(60, 40), tally(6000, 4000));
        assert!((half_width(&small) / half_width(&large) - 10.0).abs() < 1e-9);
        assert!((half_width(&small) - 1.96 * 0.049).abs() < 1e-3);
        assert_eq!(shown(&small), "60.0% \u{b1} 9.6");
    }

    #[test]
    fn an_interval_decides_or_says_how_many_games_would() {
        let above = |wins, losses| Estimate::rate("won", &tally(wins, losses)).above(50.0);
        let found = [above(55, 45), above(550, 450), above(45, 55), above(450, 550)];
        let verdicts: Vec<Verdict> = found.iter().map(|test| test.verdict).collect();
        assert_eq!(verdicts, [Verdict::Open, Verdict::Confirmed, Verdict::Open, Verdict::Refuted]);
        // 55% of n games is decided when 1.96 * 0.4975 / sqrt(n) = 0.05: 380.3.
        assert_eq!(found[0].needed, Some((390, "games".into())));
        assert_eq!(found[1].needed, None);
        assert_eq!(above(50, 50).needed, None, "nobody can say");
        let sure = above(100, 0);
        assert!(sure.low < 100.0 && sure.verdict == Verdict::Confirmed);
    }

    #[test]
    fn being_within_bounds_is_decided_both_ways() {
        let within = |wins| Estimate::rate("won", &tally(wins, 1000 - wins)).within(80.0, 90.0).verdict;
        assert_eq!([850, 805, 700].map(within), [Verdict::Confirmed, Verdict::Open, Verdict::Refuted]);
    }

    /// Welch's example by hand: means 2 and 1, variances of the means 1/3 each, 4 degrees of freedom.
    #[test]
    fn means_are_compared_by_their_errors() {
        let (a, b) = ([1.0, 2.0, 3.0], [0.0, 1.0, 2.0]);
        assert_eq!((mean(&a), deviation(&a)), (2.0, (2.0_f64 / 3.0).sqrt()));
        let test = Estimate::between_means("a - b", &a, &b).above(0.0);
        assert!((test.high - test.value - 2.776 * (2.0_f64 / 3.0).sqrt()).abs() < 1e-9, "{test:?}");
        assert_eq!(test.verdict, Verdict::Open);
        assert_eq!(test.needed, Some((16, "runs of each".into())));
        let alone = Estimate::between_means("", &[1.0], &[0.0]).above(0.0);
        assert_eq!((alone.verdict, alone.needed), (Verdict::Open, None), "one run says nothing");
        let same = Estimate::between_means("", &[0.0; 4], &[0.0; 4]);
        assert_eq!(same.clone().above(1.0).high, 0.0);
        assert_eq!(same.clone().of_shares(400).above(1.0).verdict, Verdict::Refuted);
        assert_eq!(same.clone().of_shares(100).above(1.0).verdict, Verdict::Open);
        assert!((same.of_shares(400).above(1.0).high - 0.346).abs() < 1e-3);
        let even = Estimate::ratio("", &[(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)], "cells");
        assert!((even.value - 0.5).abs() < 1e-12 && even.half < 1e-12);
        // Residuals of (1, 2) and (3, 2) are -1 and 1: error sqrt(2 * 2 / 1) / 4.
        let uneven = Estimate::ratio("", &[(1.0, 2.0), (3.0, 2.0)], "cells");
        assert!((uneven.half - 12.706 * 0.5).abs() < 1e-9, "{uneven:?}");
        assert!((student(30.0) - 2.042).abs() < 1e-3 && (student(11.0) - 2.201).abs() < 3e-3);
    }
}
