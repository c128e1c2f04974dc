//! Dirichlet noise: positive shares that add up to one.

use std::f64::consts::TAU;

use trilith_base::seed::Rng;

use rand::RngExt;

/// `count` shares with the same concentration `alpha`, which is above 0.
pub fn dirichlet(alpha: f64, count: usize, rng: &mut Rng) -> Vec<f32> {
    let draws: Vec<f64> = (0..count).map(|_| gamma(alpha, rng).max(f64::MIN_POSITIVE)).collect();
    let sum: f64 = draws.iter().sum();
    draws.iter().map(|draw| (draw / sum) as f32).collect()
}

/// A draw from the gamma distribution with scale 1 (Marsaglia and Tsang, ACM TOMS 26, 2000).
fn gamma(shape: f64, rng: &mut Rng) -> f64 {
    if shape < 1.0 {
        let below: f64 = 1.0 - rng.random::<f64>();
        return gamma(shape + 1.0, rng) * below.powf(1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x).powi(3);
        let u = 1.0 - rng.random::<f64>();
        if v > 0.0 && u.ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// A draw from the standard normal distribution (Box and Muller).
fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
    radius * (TAU * rng.random::<f64>()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;

    #[test]
    fn gamma_has_its_mean_and_variance() {
        for shape in [0.3, 1.0, 4.0] {
            let mut rng = Seed(5).rng();
            let draws: Vec<f64> = (0..40_000).map(|_| gamma(shape, &mut rng)).collect();
            let mean = draws.iter().sum::<f64>() / draws.len() as f64;
            let variance = draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / draws.len() as f64;
            assert!((mean / shape - 1.0).abs() < 0.04, "{shape}: mean {mean}");
            assert!((variance / shape - 1.0).abs() < 0.1, "{shape}: variance {variance}");
        }
    }

    #[test]
    fn shares_add_up_to_one_and_small_concentrations_are_uneven() {
        let largest = |alpha| {
            let shares = dirichlet(alpha, 20, &mut Seed(1).rng());
            assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            shares.into_iter().fold(0.0, f32::max)
        };
        assert!(largest(0.05) > 0.4 && largest(100.0) < 0.1);
    }
}
