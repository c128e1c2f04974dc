//! The perceptron with eight numbers at a time, all sums of a layer in registers.
//!
//! Every sum has the order of [`portable`](super::portable) and no products are fused, so the bits are the same.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use trilith_games::othello::squares;

use super::{FIRST, SECOND, Weights};
use crate::activation::{EXPONENTIAL, FLAT, ROUNDING};

/// The output.
#[target_feature(enable = "avx2,bmi1")]
pub fn points(weights: &Weights, own: u64, other: u64) -> f32 {
    let first = first_layer(weights, own, other);
    let second = second_layer(weights, &first);
    let mut lanes = _mm256_setzero_ps();
    for (activations, last) in second.iter().zip(&weights.last) {
        lanes = _mm256_add_ps(lanes, _mm256_mul_ps(*activations, load(last)));
    }
    store(lanes).iter().sum::<f32>() + weights.last_bias
}

#[inline]
#[target_feature(enable = "avx2,bmi1")]
fn first_layer(weights: &Weights, own: u64, other: u64) -> [[f32; 8]; FIRST] {
    let mut sums = [_mm256_setzero_ps(); FIRST];
    for (sum, bias) in sums.iter_mut().zip(&weights.first_bias) {
        *sum = load(bias);
    }
    for square in squares(own) {
        let column = &weights.first[usize::from(square) & 63];
        for (sum, weight) in sums.iter_mut().zip(column) {
            *sum = _mm256_add_ps(*sum, load(weight));
        }
    }
    for square in squares(other) {
        let column = &weights.first[usize::from(square) & 63];
        for (sum, weight) in sums.iter_mut().zip(column) {
            *sum = _mm256_sub_ps(*sum, load(weight));
        }
    }
    let mut activations = [[0.0; 8]; FIRST];
    for (activation, sum) in activations.iter_mut().zip(sums) {
        *activation = store(tanh(sum));
    }
    activations
}

#[inline]
#[target_feature(enable = "avx2")]
fn second_layer(weights: &Weights, first: &[[f32; 8]; FIRST]) -> [__m256; SECOND] {
    let (mut even, mut odd) = ([_mm256_setzero_ps(); SECOND], [_mm256_setzero_ps(); SECOND]);
    for (sum, bias) in even.iter_mut().zip(&weights.second_bias) {
        *sum = load(bias);
    }
    for (pair, columns) in first.as_flattened().chunks_exact(2).zip(weights.second.chunks_exact(2)) {
        let (left, right) = (_mm256_set1_ps(pair[0]), _mm256_set1_ps(pair[1]));
        for at in 0..SECOND {
            even[at] = _mm256_add_ps(even[at], _mm256_mul_ps(left, load(&columns[0][at])));
            odd[at] = _mm256_add_ps(odd[at], _mm256_mul_ps(right, load(&columns[1][at])));
        }
    }
    for (sum, odd) in even.iter_mut().zip(odd) {
        *sum = tanh(_mm256_add_ps(*sum, odd));
    }
    even
}

/// The steps of [`tanh_all`](crate::activation::tanh_all).
#[inline]
#[target_feature(enable = "avx2")]
fn tanh(number: __m256) -> __m256 {
    let all = |number: f32| _mm256_set1_ps(number);
    let clamped = _mm256_min_ps(_mm256_max_ps(number, all(-FLAT)), all(FLAT));
    let power = _mm256_mul_ps(_mm256_mul_ps(all(2.0), clamped), all(std::f32::consts::LOG2_E));
    let rounded = _mm256_add_ps(power, all(ROUNDING));
    let rest = _mm256_sub_ps(power, _mm256_sub_ps(rounded, all(ROUNDING)));
    let rest = _mm256_mul_ps(rest, all(std::f32::consts::LN_2));
    let mut exp = all(EXPONENTIAL[0]);
    for coefficient in &EXPONENTIAL[1..] {
        exp = _mm256_add_ps(_mm256_mul_ps(exp, rest), all(*coefficient));
    }
    let whole = _mm256_slli_epi32::<23>(_mm256_castps_si256(rounded));
    let scale = _mm256_castsi256_ps(_mm256_add_epi32(whole, _mm256_castps_si256(all(1.0))));
    let exp = _mm256_mul_ps(exp, scale);
    _mm256_sub_ps(all(1.0), _mm256_div_ps(all(2.0), _mm256_add_ps(exp, all(1.0))))
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(eight: &[f32; 8]) -> __m256 {
    // SAFETY: reads exactly the eight numbers, at any alignment.
    unsafe { _mm256_loadu_ps(eight.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(lanes: __m256) -> [f32; 8] {
    let mut eight = [0.0; 8];
    // SAFETY: writes exactly the eight numbers, at any alignment.
    unsafe { _mm256_storeu_ps(eight.as_mut_ptr(), lanes) }
    eight
}
