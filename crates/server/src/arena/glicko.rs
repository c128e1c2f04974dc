//! Glicko-2: ratings with a deviation and a volatility.
//!
//! M. E. Glickman, *Example of the Glicko-2 system* (revision of 2022). Every game is a rating period of its own, so a
//! rating is up to date after each. The step numbers are those of the paper.

use serde::Serialize;

/// How much volatilities may change; the paper says 0.3 to 1.2.
const TAU: f64 = 0.5;
/// Points of a Glicko rating in one unit of the inner scale.
const SCALE: f64 = 173.7178;
/// When the search for the new volatility is near enough.
const EPSILON: f64 = 1e-6;
/// No deviation grows beyond that of a newcomer.
const DEVIATION: f64 = 350.0;

/// What is believed about somebody's strength in one game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct GlickoRating {
    pub(crate) rating: f64,
    /// A standard deviation of `rating`.
    pub(crate) deviation: f64,
    pub(crate) volatility: f64,
    /// Rated games so far.
    pub(crate) games: u64,
}

impl Default for GlickoRating {
    fn default() -> GlickoRating {
        GlickoRating { rating: 1500.0, deviation: DEVIATION, volatility: 0.06, games: 0 }
    }
}

/// The rating after games against `others`, each with one's own score: 1, 0.5 or 0.
pub(crate) fn after(own: &GlickoRating, others: &[(GlickoRating, f64)]) -> GlickoRating {
    // 2: to the inner scale.
    let (mu, phi) = ((own.rating - 1500.0) / SCALE, own.deviation / SCALE);
    if others.is_empty() {
        let deviation = (phi.hypot(own.volatility) * SCALE).min(DEVIATION);
        return GlickoRating { deviation, ..*own };
    }
    // 3 and 4: how much the results say, and in which direction.
    let (mut information, mut gain) = (0.0, 0.0);
    for (other, score) in others {
        let weight = g(other.deviation / SCALE);
        let expected = 1.0 / (1.0 + (-weight * (mu - (other.rating - 1500.0) / SCALE)).exp());
        information += weight * weight * expected * (1.0 - expected);
        gain += weight * (score - expected);
    }
    let variance = 1.0 / information;
    // 5 to 8.
    let volatility = volatility(phi, variance, variance * gain, own.volatility);
    let before = phi.hypot(volatility);
    let phi = 1.0 / (1.0 / (before * before) + information).sqrt();
    let rating = (mu + phi * phi * gain) * SCALE + 1500.0;
    let deviation = (phi * SCALE).min(DEVIATION);
    GlickoRating { rating, deviation, volatility, games: own.games + others.len() as u64 }
}

fn g(phi: f64) -> f64 {
    1.0 / (1.0 + 3.0 * phi * phi / (std::f64::consts::PI * std::f64::consts::PI)).sqrt()
}

/// Step 5: the volatility that makes the results most likely, by the Illinois form of regula falsi.
fn volatility(phi: f64, variance: f64, delta: f64, sigma: f64) -> f64 {
    let start = (sigma * sigma).ln();
    let f = |x: f64| {
        let e = x.exp();
        let sum = phi * phi + variance + e;
        e * (delta * delta - sum) / (2.0 * sum * sum) - (x - start) / (TAU * TAU)
    };
    let mut a = start;
    let mut b = match delta * delta - phi * phi - variance {
        more if more > 0.0 => more.ln(),
        _ => (1..).map(|k| start - f64::from(k) * TAU).find(|&x| f(x) >= 0.0).unwrap_or(start),
    };
    let (mut fa, mut fb) = (f(a), f(b));
    while (b - a).abs() > EPSILON {
        let c = a + (a - b) * fa / (fb - fa);
        let fc = f(c);
        if fc * fb <= 0.0 {
            (a, fa) = (b, fb);
        } else {
            fa /= 2.0;
        }
        (b, fb) = (c, fc);
    }
    (a / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rating(rating: f64, deviation: f64) -> GlickoRating {
        GlickoRating { rating, deviation, ..GlickoRating::default() }
    }

    #[test]
    fn glickmans_worked_example() {
        let others =
            [(rating(1400.0, 30.0), 1.0), (rating(1550.0, 100.0), 0.0), (rating(1700.0, 300.0), 0.0)];
        let new = after(&rating(1500.0, 200.0), &others);
        assert!((new.rating - 1464.06).abs() < 0.01, "{new:?}");
        assert!((new.deviation - 151.52).abs() < 0.01, "{new:?}");
        assert!((new.volatility - 0.05999).abs() < 0.00001, "{new:?}");
        assert_eq!(new.games, 3);
    }

    #[test]
    fn what_one_wins_the_other_loses_and_both_are_better_known() {
        let (black, white) = (GlickoRating::default(), GlickoRating::default());
        let (won, lost) = (after(&black, &[(white, 1.0)]), after(&white, &[(black, 0.0)]));
        assert!((won.rating - 1500.0 - (1500.0 - lost.rating)).abs() < 1e-6);
        assert!(won.rating > 1600.0 && won.deviation < DEVIATION && lost.deviation < DEVIATION);
        assert!((after(&black, &[(white, 0.5)]).rating - 1500.0).abs() < 1e-9);
    }

    #[test]
    fn who_does_not_play_is_less_known_but_never_less_than_a_newcomer() {
        let idle = after(&rating(1700.0, 60.0), &[]);
        assert!(idle.deviation > 60.0 && idle.rating == 1700.0);
        assert_eq!(after(&GlickoRating::default(), &[]).deviation, DEVIATION);
    }
}
