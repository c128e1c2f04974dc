//! The perceptron with sixteen numbers at a time: the sums of [`portable`](super::portable) in the same order, so the same bits.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use trilith_games::othello::squares;

use super::{FIRST, SECOND, Weights};
use crate::activation::{EXPONENTIAL, FLAT, ROUNDING};

/// Vectors of a hidden layer; the second one's last is half empty.
const FIRST_VECTORS: usize = FIRST / 2;
const SECOND_VECTORS: usize = SECOND.div_ceil(2);

/// The output.
#[target_feature(enable = "avx512f,avx512dq,bmi1")]
pub fn points(weights: &Weights, own: u64, other: u64) -> f32 {
    let first = first_layer(weights, own, other);
    let second = second_layer(weights, &first);
    let last: [__m512; SECOND_VECTORS] = vectors(&weights.last);
    let mut lanes = _mm256_setzero_ps();
    for (activations, last) in second.into_iter().zip(last) {
        let products = _mm512_mul_ps(activations, last);
        lanes = _mm256_add_ps(lanes, _mm512_castps512_ps256(products));
        lanes = _mm256_add_ps(lanes, _mm512_extractf32x8_ps::<1>(products));
    }
    let mut eight = [0.0; 8];
    // SAFETY: writes exactly the eight numbers, at any alignment.
    unsafe { _mm256_storeu_ps(eight.as_mut_ptr(), lanes) }
    eight.iter().sum::<f32>() + weights.last_bias
}

#[inline]
#[target_feature(enable = "avx512f,bmi1")]
fn first_layer(weights: &Weights, own: u64, other: u64) -> [[f32; 16]; FIRST_VECTORS] {
    let mut sums: [__m512; FIRST_VECTORS] = vectors(&weights.first_bias);
    for square in squares(own) {
        let column: [__m512; FIRST_VECTORS] = vectors(&weights.first[usize::from(square) & 63]);
        for (sum, weight) in sums.iter_mut().zip(column) {
            *sum = _mm512_add_ps(*sum, weight);
        }
    }
    for square in squares(other) {
        let column: [__m512; FIRST_VECTORS] = vectors(&weights.first[usize::from(square) & 63]);
        for (sum, weight) in sums.iter_mut().zip(column) {
            *sum = _mm512_sub_ps(*sum, weight);
        }
    }
    let mut activations = [[0.0; 16]; FIRST_VECTORS];
    for (activation, sum) in activations.iter_mut().zip(sums) {
        // SAFETY: writes exactly the sixteen numbers, at any alignment.
        unsafe { _mm512_storeu_ps(activation.as_mut_ptr(), tanh(sum)) }
    }
    activations
}

#[inline]
#[target_feature(enable = "avx512f")]
fn second_layer(weights: &Weights, first: &[[f32; 16]; FIRST_VECTORS]) -> [__m512; SECOND_VECTORS] {
    let mut even: [__m512; SECOND_VECTORS] = vectors(&weights.second_bias);
    let mut odd = [_mm512_setzero_ps(); SECOND_VECTORS];
    for (pair, columns) in first.as_flattened().chunks_exact(2).zip(weights.second.chunks_exact(2)) {
        let (left, right) = (_mm512_set1_ps(pair[0]), _mm512_set1_ps(pair[1]));
        let [one, two]: [[__m512; SECOND_VECTORS]; 2] = [vectors(&columns[0]), vectors(&columns[1])];
        for at in 0..SECOND_VECTORS {
            even[at] = _mm512_add_ps(even[at], _mm512_mul_ps(left, one[at]));
            odd[at] = _mm512_add_ps(odd[at], _mm512_mul_ps(right, two[at]));
        }
    }
    for (sum, odd) in even.iter_mut().zip(odd) {
        *sum = tanh(_mm512_add_ps(*sum, odd));
    }
    even
}

/// The steps of [`tanh_all`](crate::activation::tanh_all).
#[inline]
#[target_feature(enable = "avx512f")]
fn tanh(number: __m512) -> __m512 {
    let all = |number: f32| _mm512_set1_ps(number);
    let clamped = _mm512_min_ps(_mm512_max_ps(number, all(-FLAT)), all(FLAT));
    let power = _mm512_mul_ps(_mm512_mul_ps(all(2.0), clamped), all(std::f32::consts::LOG2_E));
    let rounded = _mm512_add_ps(power, all(ROUNDING));
    let rest = _mm512_sub_ps(power, _mm512_sub_ps(rounded, all(ROUNDING)));
    let rest = _mm512_mul_ps(rest, all(std::f32::consts::LN_2));
    let mut exp = all(EXPONENTIAL[0]);
    for coefficient in &EXPONENTIAL[1..] {
        exp = _mm512_add_ps(_mm512_mul_ps(exp, rest), all(*coefficient));
    }
    let whole = _mm512_slli_epi32::<23>(_mm512_castps_si512(rounded));
    let scale = _mm512_castsi512_ps(_mm512_add_epi32(whole, _mm512_castps_si512(all(1.0))));
    let exp = _mm512_mul_ps(exp, scale);
    _mm512_sub_ps(all(1.0), _mm512_div_ps(all(2.0), _mm512_add_ps(exp, all(1.0))))
}

/// Eights as sixteens, zeros beside the last if it is alone.
#[inline]
#[target_feature(enable = "avx512f")]
fn vectors<const EIGHTS: usize, const VECTORS: usize>(eights: &[[f32; 8]; EIGHTS]) -> [__m512; VECTORS] {
    const { assert!(VECTORS == EIGHTS.div_ceil(2)) };
    let numbers = eights.as_flattened();
    let mut vectors = [_mm512_setzero_ps(); VECTORS];
    for (vector, sixteen) in vectors.iter_mut().zip(numbers.chunks(16)) {
        let here = if sixteen.len() == 16 { 0xffff } else { 0xff };
        // SAFETY: reads the numbers of `sixteen` and no others, at any alignment.
        *vector = unsafe { _mm512_maskz_loadu_ps(here, sixteen.as_ptr()) };
    }
    vectors
}
