//! Products of matrices that lie in slices: a checked face for `matrixmultiply`, which picks AVX2 and FMA at run time.

#![allow(unsafe_code)]

/// A matrix in a slice, as it lies or transposed.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a> {
    data: &'a [f32],
    rows: usize,
    columns: usize,
    row_step: usize,
    column_step: usize,
}

impl<'a> Matrix<'a> {
    /// Row by row; panics if the slice is too short.
    pub fn new(data: &'a [f32], rows: usize, columns: usize) -> Matrix<'a> {
        Matrix::spaced(data, rows, columns, columns)
    }

    /// Row by row, each beginning `row_step` after the one before; panics if the slice is too short.
    pub fn spaced(data: &'a [f32], rows: usize, columns: usize, row_step: usize) -> Matrix<'a> {
        assert!(rows == 0 || (rows - 1) * row_step + columns <= data.len(), "a matrix lies in its slice");
        assert!(row_step >= columns, "rows do not overlap");
        Matrix { data, rows, columns, row_step, column_step: 1 }
    }

    /// Rows and columns swapped; nothing is moved.
    pub fn transposed(self) -> Matrix<'a> {
        Matrix {
            rows: self.columns,
            columns: self.rows,
            row_step: self.column_step,
            column_step: self.row_step,
            ..self
        }
    }
}

/// `into = a b + keep * into`, `into` row by row with `row_step` between rows; panics if the sizes do not fit.
pub fn multiply(a: Matrix<'_>, b: Matrix<'_>, keep: f32, into: &mut [f32], row_step: usize) {
    let (rows, inner, columns) = (a.rows, a.columns, b.columns);
    assert!(inner == b.rows && row_step >= columns, "sizes of a product fit");
    assert!(rows == 0 || (rows - 1) * row_step + columns <= into.len(), "a product lies in its slice");
    // SAFETY: `Matrix` holds all elements its strides reach in `data` (checked when made; transposing swaps sizes and
    // strides together), and the assertion above says the same of `into`, which nothing else can refer to.
    unsafe {
        matrixmultiply::sgemm(
            rows,
            inner,
            columns,
            1.0,
            a.data.as_ptr(),
            a.row_step as isize,
            a.column_step as isize,
            b.data.as_ptr(),
            b.row_step as isize,
            b.column_step as isize,
            keep,
            into.as_mut_ptr(),
            row_step as isize,
            1,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_sums_of_products() {
        let a: Vec<f32> = (0..15).map(|n| n as f32 - 5.0).collect();
        let b: Vec<f32> = (0..20).map(|n| (n * n % 7) as f32).collect();
        let mut into = vec![1.0; 3 * 6];
        multiply(Matrix::new(&a, 3, 5), Matrix::new(&b, 4, 5).transposed(), 2.0, &mut into, 6);
        for row in 0..3 {
            for column in 0..4 {
                let sum: f32 = (0..5).map(|at| a[row * 5 + at] * b[column * 5 + at]).sum();
                assert_eq!(into[row * 6 + column], sum + 2.0);
            }
            assert_eq!(into[row * 6 + 4..row * 6 + 6], [1.0; 2], "what lies between rows stays");
        }
    }
}
