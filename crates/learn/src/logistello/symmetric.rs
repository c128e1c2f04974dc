//! Symmetric systems of a few equations: Cholesky's factor, what it solves, and its determinant.
//!
//! A matrix `A` that is symmetric and positive definite is `L L'` with a lower triangle `L`.

/// A symmetric matrix, kept whole, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Symmetric {
    width: usize,
    entries: Vec<f64>,
}

impl Symmetric {
    pub(super) fn zeros(width: usize) -> Symmetric {
        Symmetric { width, entries: vec![0.0; width * width] }
    }

    /// Adds `scale * x x'`.
    pub(super) fn add_square(&mut self, scale: f64, x: &[f64]) {
        for (row, &left) in self.entries.chunks_exact_mut(self.width.max(1)).zip(x) {
            row.iter_mut().zip(x).for_each(|(entry, right)| *entry += scale * left * right);
        }
    }

    /// `a` times itself plus `b` times `other`.
    pub(super) fn mixed(&self, a: f64, other: &Symmetric, b: f64) -> Symmetric {
        let pairs = self.entries.iter().zip(&other.entries);
        Symmetric { width: self.width, entries: pairs.map(|(own, other)| a * own + b * other).collect() }
    }

    /// With a part of each entry of the diagonal added to it, and a constant.
    pub(super) fn raised(mut self, part: f64, constant: f64) -> Symmetric {
        for entry in self.entries.iter_mut().step_by(self.width + 1) {
            *entry += part * *entry + constant;
        }
        self
    }

    pub(super) fn times(&self, x: &[f64]) -> Vec<f64> {
        self.entries.chunks_exact(self.width.max(1)).map(|row| dot(row, x)).collect()
    }

    pub(super) fn entries(&self) -> &[f64] {
        &self.entries
    }

    /// Its factor; none if it is not positive definite.
    pub(super) fn factor(&self) -> Option<Factor> {
        let width = self.width;
        let mut lower = vec![0.0; width * width];
        for row in 0..width {
            let (above, own) = lower.split_at_mut(row * width);
            for column in 0..row {
                let other = &above[column * width..][..=column];
                let rest = self.entries[row * width + column] - dot(&own[..column], other);
                own[column] = rest / other[column];
            }
            let pivot = self.entries[row * width + row] - dot(&own[..row], &own[..row]);
            if pivot.is_nan() || pivot <= 0.0 {
                return None;
            }
            own[row] = pivot.sqrt();
        }
        Some(Factor { width, lower })
    }
}

/// Cholesky's factor.
pub(super) struct Factor {
    width: usize,
    /// Row by row, zero above the diagonal.
    lower: Vec<f64>,
}

impl Factor {
    /// The `x` with `A x = right`.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let entry = |row: usize, column: usize| self.lower[row * self.width + column];
        let mut x = right.to_vec();
        for row in 0..self.width {
            let known: f64 = (0..row).map(|column| entry(row, column) * x[column]).sum();
            x[row] = (x[row] - known) / entry(row, row);
        }
        for row in (0..self.width).rev() {
            let known: f64 = (row + 1..self.width).map(|below| entry(below, row) * x[below]).sum();
            x[row] = (x[row] - known) / entry(row, row);
        }
        x
    }

    /// The inverse of `A`.
    pub(super) fn inverse(&self) -> Symmetric {
        let columns = (0..self.width).flat_map(|at| {
            let mut unit = vec![0.0; self.width];
            unit[at] = 1.0;
            self.solve(&unit)
        });
        Symmetric { width: self.width, entries: columns.collect() }
    }

    /// The logarithm of the determinant of `A`.
    pub(super) fn log_determinant(&self) -> f64 {
        2.0 * self.lower.iter().step_by(self.width + 1).map(|entry| entry.ln()).sum::<f64>()
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `[[4, 2, -2], [2, 10, 2], [-2, 2, 6]]`, whose factor has the rows (2), (1, 3), (-1, 1, 2).
    fn known() -> Symmetric {
        Symmetric { width: 3, entries: vec![4.0, 2.0, -2.0, 2.0, 10.0, 2.0, -2.0, 2.0, 6.0] }
    }

    #[test]
    fn factor_and_determinant_are_those_done_by_hand() {
        let factor = known().factor().unwrap();
        assert_eq!(factor.lower, [2.0, 0.0, 0.0, 1.0, 3.0, 0.0, -1.0, 1.0, 2.0]);
        assert!((factor.log_determinant() - 144f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn solutions_and_inverse_give_back_what_was_asked() {
        let (matrix, x) = (known(), [1.0, -2.0, 3.0]);
        let factor = matrix.factor().unwrap();
        for found in [factor.solve(&matrix.times(&x)), factor.inverse().times(&matrix.times(&x))] {
            assert!(found.iter().zip(x).all(|(found, x)| (found - x).abs() < 1e-12), "{found:?}");
        }
    }

    #[test]
    fn squares_add_up_and_what_is_not_definite_has_no_factor() {
        let mut sum = Symmetric::zeros(2);
        sum.add_square(2.0, &[1.0, -3.0]);
        assert_eq!(sum.entries(), [2.0, -6.0, -6.0, 18.0]);
        assert!(sum.clone().raised(0.5, 1.0).factor().is_some());
        assert!(sum.raised(-0.5, 0.0).factor().is_none());
        assert!(known().mixed(f64::NAN, &known(), 1.0).factor().is_none());
    }
}
