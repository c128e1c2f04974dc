//! The normal distribution: two short functions, so that no statistics library is needed.

use std::f64::consts::PI;

/// The chance that a standard normal variable is at most `x`; absolute error below 1e-14.
pub fn cumulative(x: f64) -> f64 {
    let size = x.abs();
    let tail = if size < 5.0 { 0.5 - density(size) * series(size) } else { density(size) * fraction(size) };
    if x < 0.0 { tail } else { 1.0 - tail }
}

fn density(x: f64) -> f64 {
    (-x * x / 2.0).exp() / (2.0 * PI).sqrt()
}

/// x + x^3/3 + x^5/(3*5) + ...: the area from 0 to `x` over the density at `x`.
fn series(x: f64) -> f64 {
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term > sum * 1e-17 && term > 0.0 {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    sum
}

/// 1/(x + 1/(x + 2/(x + ...))): the area beyond `x` over the density at `x`.
fn fraction(x: f64) -> f64 {
    let below = (1..=60).rev().fold(x, |below, number| x + f64::from(number) / below);
    1.0 / below
}

/// The value that a standard normal variable stays below with `chance`, from 0 to 1; infinite at the ends.
pub fn quantile(chance: f64) -> f64 {
    if !(chance > 0.0 && chance < 1.0) {
        return if chance >= 1.0 { f64::INFINITY } else { f64::NEG_INFINITY };
    }
    let (mut low, mut high) = (-39.0, 39.0);
    while high - low > 1e-13 {
        let middle = (low + high) / 2.0;
        if middle == low || middle == high {
            break;
        }
        if cumulative(middle) < chance { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the standard tables (Abramowitz and Stegun, table 26.1), and S5's 1.65 for 5%.
    #[test]
    fn agrees_with_published_tables() {
        let table = [
            (0.0, 0.5),
            (0.5, 0.691_462_461_274_01),
            (1.0, 0.841_344_746_068_54),
            (2.0, 0.977_249_868_051_82),
        ];
        for (x, area) in table {
            assert!((cumulative(x) - area).abs() < 1e-13, "{x}");
            assert!((cumulative(-x) - (1.0 - area)).abs() < 1e-13, "-{x}");
        }
        assert!((cumulative(-5.0) / 2.866_515_719e-7 - 1.0).abs() < 1e-9);
        assert!((cumulative(-4.999_999) / cumulative(-5.000_001) - 1.0).abs() < 1e-4, "the two ways meet");
        assert!((quantile(0.95) - 1.644_853_626_951).abs() < 1e-11);
        assert!((quantile(0.975) - crate::statistics::Z95).abs() < 1e-11);
        assert!((quantile(0.001) + 3.090_232_306_168).abs() < 1e-11);
        assert_eq!((quantile(0.0), quantile(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
