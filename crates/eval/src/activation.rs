//! The hyperbolic tangent for whole arrays, exact to a few parts in ten million, and sums of products: the same bits
//! on every CPU.

/// Beyond this the tangent of a 32-bit number is one.
pub(crate) const FLAT: f32 = 9.0;
/// Adding and taking it away rounds to a whole number.
pub(crate) const ROUNDING: f32 = 12_582_912.0;
/// The series of the exponential function, the seventh power's coefficient first.
pub(crate) const EXPONENTIAL: [f32; 8] =
    [1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];

/// Replaces every number by its hyperbolic tangent, `1 - 2 / (exp(2 x) + 1)`.
///
/// Inlined so that the caller's CPU features apply to the loop.
#[inline(always)]
pub fn tanh_all<const LENGTH: usize>(numbers: &mut [f32; LENGTH]) {
    for number in numbers {
        let clamped = number.clamp(-FLAT, FLAT);
        let power = 2.0 * clamped * std::f32::consts::LOG2_E;
        *number = 1.0 - 2.0 / (two_to(power) + 1.0);
    }
}

/// Two to a power between -100 and 100: its whole part goes into the exponent, the rest into a polynomial.
#[inline(always)]
fn two_to(power: f32) -> f32 {
    let rounded = power + ROUNDING;
    let rest = (power - (rounded - ROUNDING)) * std::f32::consts::LN_2;
    let mut exp = EXPONENTIAL[0];
    for coefficient in &EXPONENTIAL[1..] {
        exp = exp * rest + coefficient;
    }
    // The whole part stands in the lowest bits of the rounded number; a cast would not be done in vectors.
    exp * f32::from_bits((rounded.to_bits() << 23).wrapping_add(1.0_f32.to_bits()))
}

/// The sum of products in a fixed order: eight sums side by side, then their sum.
#[inline(always)]
pub fn dot<const LENGTH: usize>(a: &[f32; LENGTH], b: &[f32; LENGTH]) -> f32 {
    let mut lanes = [0.0; 8];
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        lanes.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    lanes.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_library_everywhere() {
        for step in -40_000..=40_000 {
            let number = step as f32 / 2000.0;
            let mut found = [number];
            tanh_all(&mut found);
            assert!((found[0] - number.tanh()).abs() < 4e-7, "tanh {number}: {}", found[0]);
        }
        let mut ends = [f32::INFINITY, f32::NEG_INFINITY, 0.0];
        tanh_all(&mut ends);
        assert!((ends[0] - 1.0).abs() < 1e-6 && (ends[1] + 1.0).abs() < 1e-6 && ends[2].abs() < 1e-7);
    }
}
