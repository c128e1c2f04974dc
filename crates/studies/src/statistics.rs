//! What numbers say, and how surely.

use trilith_arena::statistics::{Tally, Z95};

use crate::report::Verdict;

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

/// By how many standard errors the rate of `a` lies above that of `b`.
pub fn z(a: &Tally, b: &Tally) -> f64 {
    let error = (half_width(a).powi(2) + half_width(b).powi(2)).sqrt() / Z95;
    if error > 0.0 { (a.rate() - b.rate()) / error } else { (a.rate() - b.rate()).signum() * 99.0 }
}

/// Whether a rate lies above a half beyond chance, below it, or nobody knows.
pub fn above_half(tally: &Tally) -> Verdict {
    let half = half_width(tally);
    match tally.rate() - 0.5 {
        lead if lead > half => Verdict::Confirmed,
        lead if lead < -half => Verdict::Refuted,
        _ => Verdict::Open,
    }
}

/// Whether all of several parts of a claim hold: one that does not refutes it.
pub fn all_of(parts: impl IntoIterator<Item = Verdict>) -> Verdict {
    parts.into_iter().fold(Verdict::Confirmed, |all, part| match (all, part) {
        (Verdict::Refuted, _) | (_, Verdict::Refuted) => Verdict::Refuted,
        (Verdict::Open, _) | (_, Verdict::Open) => Verdict::Open,
        _ => Verdict::Confirmed,
    })
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

/// By how many standard errors the mean of `a` lies above that of `b` (Welch).
pub fn welch(a: &[f64], b: &[f64]) -> f64 {
    let error = (standard_error(a).powi(2) + standard_error(b).powi(2)).sqrt();
    if error > 0.0 { (mean(a) - mean(b)) / error } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_shrink_with_the_root_of_the_games() {
        let small = Tally { wins: 60, draws: 0, losses: 40 };
        let large = Tally { wins: 6000, draws: 0, losses: 4000 };
        assert!((half_width(&small) / half_width(&large) - 10.0).abs() < 1e-9);
        assert!((half_width(&small) - 1.96 * 0.049).abs() < 1e-3);
        assert_eq!(shown(&small), "60.0% \u{b1} 9.6");
        assert!(
            (z(&small, &small)).abs() < 1e-12 && z(&large, &Tally { wins: 1, draws: 0, losses: 1 }) > 0.0
        );
    }

    #[test]
    fn what_chance_can_explain_stays_open() {
        let tally = |wins, losses| Tally { wins, draws: 0, losses };
        let found =
            [tally(55, 45), tally(550, 450), tally(45, 55), tally(450, 550)].map(|tally| above_half(&tally));
        assert_eq!(found, [Verdict::Open, Verdict::Confirmed, Verdict::Open, Verdict::Refuted]);
        assert_eq!(all_of([found[0], found[1]]), Verdict::Open);
        assert_eq!(all_of(found), Verdict::Refuted);
        assert_eq!(all_of([]), Verdict::Confirmed);
    }

    #[test]
    fn means_are_compared_by_their_errors() {
        let (a, b) = ([1.0, 2.0, 3.0], [0.0, 1.0, 2.0]);
        assert_eq!((mean(&a), deviation(&a)), (2.0, (2.0_f64 / 3.0).sqrt()));
        assert!((welch(&a, &b) - 1.0 / (2.0_f64 / 3.0).sqrt()).abs() < 1e-9);
        assert_eq!(welch(&[1.0], &[0.0]), 0.0, "one number says nothing");
    }
}
