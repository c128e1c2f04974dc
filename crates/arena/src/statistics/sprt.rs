//! The sequential probability ratio test: stop as soon as one of two Elo differences is likely enough.
//!
//! The generalised test over whole distributions (M. Van den Bergh, 'Comments on Normalized Elo'): under each
//! hypothesis the outcome probabilities are the most likely ones that fulfil it, and the logarithm of the two
//! likelihoods' ratio decides. Over single games the outcomes are three (trinomial), over pairs five (pentanomial);
//! only the latter is right for pairs from one opening.

use std::fmt;
use std::str::FromStr;

use super::{Pairs, Tally, rate_of};

/// What `elo0` and `elo1` mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Ordinary Elo: the expected rate.
    Logistic,
    /// The rate over its own spread: the effort to show a difference does not depend on the share of draws.
    Normalized,
}

/// A test of 'elo0 or less' against 'elo1 or more'.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference not worth having.
    pub elo0: f64,
    /// The difference hoped for; greater than `elo0`.
    pub elo1: f64,
    /// The chance to accept `elo1` wrongly.
    pub alpha: f64,
    /// The chance to accept `elo0` wrongly.
    pub beta: f64,
    /// What the differences mean.
    pub model: Model,
}

/// What the test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtDecision {
    /// `elo0` is accepted.
    H0,
    /// `elo1` is accepted.
    H1,
    /// Play on.
    Open,
}

impl SprtDecision {
    /// `H0`, `H1` or `open`.
    pub fn name(self) -> &'static str {
        match self {
            SprtDecision::H0 => "H0",
            SprtDecision::H1 => "H1",
            SprtDecision::Open => "open",
        }
    }
}

/// A text that is no test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "test `{text}`: expected `elo0,elo1,alpha,beta` such as `0,5,0.05,0.05`, then `,normalized` if wanted; {fault}"
)]
pub struct SprtError {
    text: String,
    fault: &'static str,
}

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let wrong = |fault| SprtError { text: text.into(), fault };
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let (numbers, model) = match parts.as_slice() {
            [numbers @ .., "normalized"] => (numbers, Model::Normalized),
            [numbers @ .., "logistic"] => (numbers, Model::Logistic),
            numbers => (numbers, Model::Logistic),
        };
        let numbers: Vec<f64> = numbers
            .iter()
            .map(|part| part.parse().ok().filter(|number: &f64| number.is_finite()))
            .collect::<Option<_>>()
            .ok_or_else(|| wrong("not all of these are numbers"))?;
        let &[elo0, elo1, alpha, beta] = numbers.as_slice() else {
            return Err(wrong("there must be four numbers"));
        };
        if elo0 >= elo1 {
            return Err(wrong("elo0 must be less than elo1"));
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(wrong("alpha and beta must be greater than 0 and together less than 1"));
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{},{}", self.elo0, self.elo1, self.alpha, self.beta)?;
        match self.model {
            Model::Logistic => Ok(()),
            Model::Normalized => f.write_str(",normalized"),
        }
    }
}

impl Sprt {
    /// The ratios at which the test ends: accept `elo0` at or below the first, `elo1` at or above the second.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What a ratio says.
    pub fn verdict(&self, llr: f64) -> SprtDecision {
        let (lower, upper) = self.bounds();
        match llr {
            _ if llr >= upper => SprtDecision::H1,
            _ if llr <= lower => SprtDecision::H0,
            _ => SprtDecision::Open,
        }
    }

    /// The log-likelihood ratio of single games.
    pub fn trinomial(&self, tally: &Tally) -> f64 {
        self.ratio([0.0, 0.5, 1.0], [tally.losses, tally.draws, tally.wins], 1.0)
    }

    /// The log-likelihood ratio of pairs.
    pub fn pentanomial(&self, pairs: &Pairs) -> f64 {
        self.ratio(super::pairs::RATES, pairs.0, 2f64.sqrt())
    }

    /// `spread` is how many times narrower the rate of one observation lies than that of one game.
    fn ratio<const N: usize>(&self, values: [f64; N], counts: [u64; N], spread: f64) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        // What has not been seen is taken to be rare, not impossible.
        let counts = counts.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let seen = Distribution { values, chances: counts.map(|count| count / total) };
        let under = |elo: f64| match self.model {
            Model::Logistic => seen.with_mean(rate_of(elo)),
            Model::Normalized => seen.with_lead(spread * elo * std::f64::consts::LN_10 / 800.0),
        };
        let (null, alternative) = (under(self.elo0), under(self.elo1));
        let gain = |number: usize| counts[number] * (alternative[number] / null[number]).ln();
        (0..N).map(gain).sum()
    }
}

/// Outcomes with their values and chances; no chance is zero.
struct Distribution<const N: usize> {
    values: [f64; N],
    chances: [f64; N],
}

impl<const N: usize> Distribution<N> {
    /// The most likely chances under which the mean is `rate`.
    fn with_mean(&self, rate: f64) -> [f64; N] {
        self.tilted(self.values.map(|value| value - rate))
    }

    /// The most likely chances under which (mean - 1/2) / deviation is `lead`: the condition is made linear around
    /// the last solution, until that stands still.
    fn with_lead(&self, lead: f64) -> [f64; N] {
        let mut chances = [1.0 / N as f64; N];
        for _ in 0..200 {
            let mean: f64 = (0..N).map(|number| self.values[number] * chances[number]).sum();
            let square = |number: usize| (self.values[number] - mean).powi(2) * chances[number];
            let deviation = (0..N).map(square).sum::<f64>().sqrt();
            let next = self.tilted(self.values.map(|value| {
                let distance = (value - mean) / deviation;
                value - 0.5 - lead * deviation * (1.0 + distance * distance) / 2.0
            }));
            let moved = (0..N).map(|number| (next[number] - chances[number]).abs()).fold(0.0, f64::max);
            chances = next;
            if moved < 1e-9 {
                break;
            }
        }
        chances
    }

    /// The most likely chances under which the mean of `terms` is zero: p/(1 + t*term), with t found by bisection.
    fn tilted(&self, terms: [f64; N]) -> [f64; N] {
        let least = terms.iter().copied().fold(f64::INFINITY, f64::min);
        let most = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (mut low, mut high) = (-1.0 / most, -1.0 / least);
        let tilt = |t: f64| -> f64 {
            (0..N).map(|number| self.chances[number] * terms[number] / (1.0 + t * terms[number])).sum()
        };
        for _ in 0..200 {
            let middle = (low + high) / 2.0;
            if tilt(middle) > 0.0 { low = middle } else { high = middle }
        }
        let t = (low + high) / 2.0;
        std::array::from_fn(|number| self.chances[number] / (1.0 + t * terms[number]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    /// fastchess' own tests: wins, losses, draws; it gives two decimals.
    #[test]
    fn trinomial_ratios_are_those_of_fastchess() {
        use Model::{Logistic, Normalized};
        let cases = [
            ((36433, 36027, 68692), sprt(0.0, 2.0, Normalized), 0.92),
            ((10871, 10650, 20431), sprt(-1.75, 0.25, Normalized), 2.30),
            ((21404, 21184, 40708), sprt(0.5, 2.5, Logistic), -1.57),
            ((57433, 57030, 106593), sprt(0.0, 2.0, Logistic), -2.59),
        ];
        for ((wins, losses, draws), sprt, llr) in cases {
            let found = sprt.trinomial(&Tally { wins, draws, losses });
            assert!((found - llr).abs() < 0.02, "{sprt}: {found} instead of {llr}");
        }
    }

    /// fastchess' own tests: pairs with 0, 1/2, 1, 3/2 and 2 points.
    #[test]
    fn pentanomial_ratios_are_those_of_fastchess() {
        use Model::{Logistic, Normalized};
        let cases = [
            ([365, 16618, 36229, 16974, 390], sprt(0.0, 2.0, Normalized), 2.25),
            ([127, 4883, 10712, 5150, 104], sprt(-1.75, 0.25, Normalized), 3.01),
            ([223, 9863, 21279, 10037, 246], sprt(0.5, 2.5, Logistic), -3.07),
            ([871, 26175, 55983, 26678, 821], sprt(0.0, 2.0, Logistic), -4.98),
        ];
        for (counts, sprt, llr) in cases {
            let found = sprt.pentanomial(&Pairs(counts));
            assert!((found - llr).abs() < 0.02, "{sprt}: {found} instead of {llr}");
        }
    }

    #[test]
    fn bounds_and_verdicts() {
        let sprt = sprt(0.0, 5.0, Model::Logistic);
        let (lower, upper) = sprt.bounds();
        assert!((upper - 2.944).abs() < 1e-3 && (lower + 2.944).abs() < 1e-3);
        assert_eq!(
            [3.0, 0.0, -3.0].map(|llr| sprt.verdict(llr)),
            [SprtDecision::H1, SprtDecision::Open, SprtDecision::H0]
        );
        assert_eq!(sprt.pentanomial(&Pairs::default()), 0.0);
    }

    #[test]
    fn texts_round_trip_and_faults_are_named() {
        for text in ["0,5,0.05,0.05", "-1.75,0.25,0.05,0.1,normalized"] {
            assert_eq!(text.parse::<Sprt>().unwrap().to_string(), text);
        }
        let fault = |text: &str| text.parse::<Sprt>().unwrap_err().to_string();
        assert!(fault("5,0,0.05,0.05").ends_with("elo0 must be less than elo1"));
        assert!(fault("0,5").ends_with("four numbers"));
        assert!(fault("0,5,0.05,x").ends_with("are numbers"));
        assert!(fault("0,5,0.6,0.5").ends_with("less than 1"));
    }
}
