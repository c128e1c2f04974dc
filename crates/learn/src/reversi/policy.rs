//! How a learning player chooses among after-positions with values (S3, 4.1).

use rand::RngExt;
use serde::{Deserialize, Serialize};
use trilith_base::seed::Rng;

/// A way to choose.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// The best move, but any move with a chance that shrinks as the run goes on, as S3 describes it.
    Epsilon,
    /// The last legal move, row by row, but any move with that chance: what the author's program did, which never updates
    /// its best value while it looks for the best move. Values do not matter.
    EpsilonLast,
    /// Every move with a chance in proportion to its value.
    Sigma,
}

/// How likely the epsilon-greedy player draws any move: one half at first, then a third, a quarter ... after `every` games
/// each, never below `least`.
pub fn epsilon(game: u64, every: u64, least: f64) -> f64 {
    (1.0 / (2 + game / every.max(1)) as f64).max(least)
}

/// Which of the values is chosen; `unknown` stands for those that are not known. There must be at least one.
pub fn choose(policy: Policy, epsilon: f64, values: &[Option<f32>], unknown: f32, rng: &mut Rng) -> usize {
    if values.len() == 1 {
        return 0;
    }
    match policy {
        Policy::EpsilonLast => last(epsilon, values.len(), rng),
        Policy::Epsilon if rng.random::<f64>() < epsilon => rng.random_range(0..values.len()),
        Policy::Epsilon => best(values.iter().map(|value| value.unwrap_or(unknown)), rng),
        Policy::Sigma => in_proportion(values, unknown, rng),
    }
}

/// The last of so many, but any with a chance of `epsilon`.
pub fn last(epsilon: f64, count: usize, rng: &mut Rng) -> usize {
    if rng.random::<f64>() < epsilon { rng.random_range(0..count) } else { count - 1 }
}

/// One of the largest by lot.
pub fn best(values: impl Iterator<Item = f32>, rng: &mut Rng) -> usize {
    let (mut chosen, mut most, mut equals) = (0, f32::NEG_INFINITY, 0);
    for (number, value) in values.enumerate() {
        if value > most {
            (chosen, most, equals) = (number, value, 1);
        } else if value == most {
            equals += 1;
            if rng.random_range(0..equals) == 0 {
                chosen = number;
            }
        }
    }
    chosen
}

/// Networks may say less than nothing; such moves are not drawn unless all are.
fn in_proportion(values: &[Option<f32>], unknown: f32, rng: &mut Rng) -> usize {
    let weight = |value: &Option<f32>| value.unwrap_or(unknown).max(0.0);
    let sum: f32 = values.iter().map(weight).sum();
    if sum <= 0.0 {
        return rng.random_range(0..values.len());
    }
    let mut draw = rng.random::<f32>() * sum;
    let mut chosen = 0;
    for (number, value) in values.iter().enumerate() {
        let weight = weight(value);
        if weight > 0.0 {
            chosen = number;
            if draw < weight {
                break;
            }
            draw -= weight;
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;

    fn shares(policy: Policy, epsilon: f64, values: &[Option<f32>]) -> Vec<f64> {
        let mut rng = Seed(3).rng();
        let mut counts = vec![0.0; values.len()];
        (0..40_000).for_each(|_| counts[choose(policy, epsilon, values, 40.0, &mut rng)] += 1.0 / 40_000.0);
        counts
    }

    fn near(found: &[f64], expected: &[f64]) {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.01), "{found:?} {expected:?}");
    }

    #[test]
    fn moves_are_drawn_as_published() {
        let values = [Some(10.0), None, Some(30.0), Some(0.0)];
        near(&shares(Policy::Sigma, 0.0, &values), &[0.125, 0.5, 0.375, 0.0]);
        near(&shares(Policy::Epsilon, 0.0, &values), &[0.0, 1.0, 0.0, 0.0]);
        near(&shares(Policy::Epsilon, 0.4, &values), &[0.1, 0.7, 0.1, 0.1]);
        near(&shares(Policy::EpsilonLast, 0.4, &values), &[0.1, 0.1, 0.1, 0.7]);
        near(&shares(Policy::Epsilon, 0.0, &[None, Some(50.0), Some(50.0)]), &[0.0, 0.5, 0.5]);
        near(&shares(Policy::Epsilon, 0.0, &[None, None, None, None]), &[0.25; 4]);
        near(&shares(Policy::Sigma, 0.0, &[Some(0.0), Some(-3.0)]), &[0.5, 0.5]);
    }

    #[test]
    fn the_schedule_is_the_published_one() {
        let at = |round: u64| epsilon(round * 100_000, 100_000, 0.1);
        let expected = [2, 3, 4, 5, 6, 7, 8, 9, 10, 10].map(|part| 1.0 / f64::from(part));
        assert!((0..10).all(|round| at(round) == expected[round as usize]));
        assert_eq!(epsilon(99_999, 100_000, 0.1), 0.5);
    }
}
