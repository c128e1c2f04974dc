//! Ridge regression on sparse rows of ones: minimises `sum c (w . x - y)^2 + ridge * sum w^2`.
//!
//! Conjugate gradients on the normal equations, scaled by how often each weight occurs. Rows have the same number of
//! ones each (one weight a pattern instance), so a row is just the numbers of its weights.

/// Rows of weight numbers with their targets.
pub struct SparseRows<'a> {
    /// `width` numbers a row, each below the number of weights; a number may stand twice.
    pub features: &'a [u32],
    /// One a row.
    pub targets: &'a [f32],
    /// How much each row counts.
    pub counts: &'a [f32],
    /// Ones a row.
    pub width: usize,
}

impl SparseRows<'_> {
    fn predict(&self, weights: &[f32], into: &mut [f32]) {
        for (value, row) in into.iter_mut().zip(self.features.chunks_exact(self.width)) {
            *value = row.iter().map(|&feature| weights[feature as usize]).sum();
        }
    }

    fn gather(&self, residuals: &[f32], into: &mut [f32]) {
        into.fill(0.0);
        let counted = residuals.iter().zip(self.counts).map(|(residual, count)| residual * count);
        for (residual, row) in counted.zip(self.features.chunks_exact(self.width)) {
            for &feature in row {
                into[feature as usize] += residual;
            }
        }
    }

    /// The sum of squares of what is said of each row.
    fn square(&self, values: &[f32]) -> f64 {
        values.iter().zip(self.counts).map(|(&value, &count)| f64::from(value * value * count)).sum()
    }

    /// The root of the mean squared error of `weights`.
    pub fn error(&self, weights: &[f32]) -> f64 {
        let mut values = vec![0.0; self.targets.len()];
        self.predict(weights, &mut values);
        let wrong = values.iter().zip(self.targets).zip(self.counts);
        let sum: f64 =
            wrong.map(|((value, target), count)| f64::from(count * (value - target).powi(2))).sum();
        let counts: f64 = self.counts.iter().map(|&count| f64::from(count)).sum();
        if counts > 0.0 { (sum / counts).sqrt() } else { 0.0 }
    }
}

/// Improves `weights` by so many iterations.
pub fn fit(rows: &SparseRows, weights: &mut [f32], ridge: f32, iterations: usize) {
    let count = weights.len();
    let mut scale = vec![ridge; count];
    for (row, &count) in rows.features.chunks_exact(rows.width).zip(rows.counts) {
        row.iter().for_each(|&feature| scale[feature as usize] += count);
    }
    scale.iter_mut().for_each(|scale| *scale = 1.0 / *scale);
    let mut residuals = vec![0.0; rows.targets.len()];
    rows.predict(weights, &mut residuals);
    residuals.iter_mut().zip(rows.targets).for_each(|(value, target)| *value = target - *value);
    let mut gradient = vec![0.0; count];
    rows.gather(&residuals, &mut gradient);
    gradient.iter_mut().zip(&*weights).for_each(|(gradient, weight)| *gradient -= ridge * weight);
    let mut step: Vec<f32> = gradient.iter().zip(&scale).map(|(gradient, scale)| gradient * scale).collect();
    let mut power = dot(&gradient, &step);
    let mut image = vec![0.0; rows.targets.len()];
    let mut back = vec![0.0; count];
    for _ in 0..iterations {
        rows.predict(&step, &mut image);
        let curvature = rows.square(&image) + f64::from(ridge) * dot(&step, &step);
        if curvature <= f64::EPSILON || power <= f64::EPSILON {
            break;
        }
        let length = (power / curvature) as f32;
        weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight += length * step);
        residuals.iter_mut().zip(&image).for_each(|(residual, image)| *residual -= length * image);
        rows.gather(&residuals, &mut back);
        for ((gradient, back), weight) in gradient.iter_mut().zip(&back).zip(&*weights) {
            *gradient = back - ridge * weight;
        }
        let scaled: Vec<f32> =
            gradient.iter().zip(&scale).map(|(gradient, scale)| gradient * scale).collect();
        let next = dot(&gradient, &scaled);
        let keep = (next / power) as f32;
        step.iter_mut().zip(&scaled).for_each(|(step, scaled)| *step = scaled + keep * *step);
        power = next;
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use trilith_base::Seed;

    #[test]
    fn weights_that_made_the_targets_are_found() {
        let mut rng = Seed(1).rng();
        let truth: Vec<f32> = (0..50).map(|_| rng.random_range(-5.0..5.0)).collect();
        let features: Vec<u32> = (0..3 * 2000).map(|_| rng.random_range(0..50)).collect();
        let targets: Vec<f32> =
            features.chunks_exact(3).map(|row| row.iter().map(|&f| truth[f as usize]).sum()).collect();
        let counts = vec![1.0; targets.len()];
        let rows = SparseRows { features: &features, targets: &targets, counts: &counts, width: 3 };
        let mut weights = vec![0.0; 50];
        fit(&rows, &mut weights, 1e-4, 60);
        assert!(rows.error(&weights) < 1e-3, "{}", rows.error(&weights));
        let far = weights.iter().zip(&truth).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(far < 0.01, "{far}");
    }

    #[test]
    fn a_weight_without_rows_stays_at_zero_and_ridge_shrinks() {
        let rows = SparseRows { features: &[0, 0, 0], targets: &[4.0; 3], counts: &[1.0; 3], width: 1 };
        let mut weights = vec![0.0; 2];
        fit(&rows, &mut weights, 3.0, 10);
        assert!((weights[0] - 2.0).abs() < 1e-5 && weights[1] == 0.0, "{weights:?}");
    }

    #[test]
    fn a_row_that_counts_thrice_is_as_three() {
        let fitted = |features: &[u32], targets: &[f32], counts: &[f32]| {
            let rows = SparseRows { features, targets, counts, width: 2 };
            let mut weights = vec![0.0; 3];
            fit(&rows, &mut weights, 0.5, 20);
            (weights, rows.error(&[0.0; 3]))
        };
        let (once, error) = fitted(&[0, 1, 1, 2], &[3.0, -1.0], &[3.0, 1.0]);
        let (thrice, same) = fitted(&[0, 1, 0, 1, 0, 1, 1, 2], &[3.0, 3.0, 3.0, -1.0], &[1.0; 4]);
        assert!(once.iter().zip(&thrice).all(|(a, b)| (a - b).abs() < 1e-4), "{once:?} {thrice:?}");
        assert!((error - same).abs() < 1e-6 && (error - 7.0_f64.sqrt()).abs() < 1e-6, "{error}");
    }
}
