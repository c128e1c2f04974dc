//! Flips and mobility with AVX2: four directions of one position side by side.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

pub use super::portable::last_flips;
use super::rays::RAYS;

/// As [`super::portable::flips`].
///
/// # Safety
/// The CPU has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub fn flips(own: u64, other: u64, square: u8) -> u64 {
    let rays = &RAYS[usize::from(square) & 63];
    // SAFETY: a row of the table is 64 bytes, two loads of 32.
    let (up, down) = unsafe {
        (_mm256_loadu_si256(rays.as_ptr().cast()), _mm256_loadu_si256(rays.as_ptr().add(4).cast()))
    };
    let own = _mm256_set1_epi64x(own as i64);
    let other = _mm256_set1_epi64x(other as i64);
    let both = _mm256_or_si256(flips_up(own, other, up), flips_down(own, other, down));
    any_lane(both)
}

/// Adding one below a ray carries through the run of `other` to the square that ends it.
#[inline]
#[target_feature(enable = "avx2")]
fn flips_up(own: __m256i, other: __m256i, ray: __m256i) -> __m256i {
    let ones = _mm256_set1_epi64x(-1);
    let outside = _mm256_xor_si256(ray, ones);
    let carried = _mm256_sub_epi64(_mm256_or_si256(other, outside), ones);
    let end = _mm256_and_si256(carried, _mm256_and_si256(own, ray));
    let none = _mm256_cmpeq_epi64(end, _mm256_setzero_si256());
    let below = _mm256_sub_epi64(_mm256_add_epi64(end, ones), none);
    _mm256_and_si256(below, ray)
}

/// Squares that are not `other`'s are smeared along the ray, away from the move: what stays free is the run.
#[inline]
#[target_feature(enable = "avx2")]
fn flips_down(own: __m256i, other: __m256i, ray: __m256i) -> __m256i {
    let step = _mm256_set_epi64x(9, 7, 8, 1);
    let two = _mm256_set_epi64x(18, 14, 16, 2);
    let four = _mm256_set_epi64x(36, 28, 32, 4);
    let mut blocked = _mm256_andnot_si256(other, ray);
    blocked = _mm256_or_si256(blocked, _mm256_srlv_epi64(blocked, step));
    blocked = _mm256_or_si256(blocked, _mm256_srlv_epi64(blocked, two));
    blocked = _mm256_or_si256(blocked, _mm256_srlv_epi64(blocked, four));
    blocked = _mm256_and_si256(blocked, ray);
    // No square above the highest blocked one is blocked: that one ends the run.
    let end = _mm256_andnot_si256(_mm256_srlv_epi64(blocked, step), blocked);
    let open = _mm256_cmpeq_epi64(_mm256_and_si256(end, own), _mm256_setzero_si256());
    _mm256_andnot_si256(open, _mm256_andnot_si256(blocked, ray))
}

/// As [`super::portable::mobility`].
///
/// # Safety
/// The CPU has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub fn mobility(own: u64, other: u64) -> u64 {
    const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;
    let step = _mm256_set_epi64x(9, 7, 8, 1);
    let two = _mm256_set_epi64x(18, 14, 16, 2);
    let empty = !(own | other);
    let own = _mm256_set1_epi64x(own as i64);
    let through =
        _mm256_and_si256(_mm256_set1_epi64x(other as i64), _mm256_set_epi64x(INNER, INNER, -1, INNER));
    let mut up = _mm256_and_si256(through, _mm256_sllv_epi64(own, step));
    let mut down = _mm256_and_si256(through, _mm256_srlv_epi64(own, step));
    up = _mm256_or_si256(up, _mm256_and_si256(through, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(through, _mm256_srlv_epi64(down, step)));
    let up_pairs = _mm256_and_si256(through, _mm256_sllv_epi64(through, step));
    let down_pairs = _mm256_srlv_epi64(up_pairs, step);
    up = _mm256_or_si256(up, _mm256_and_si256(up_pairs, _mm256_sllv_epi64(up, two)));
    down = _mm256_or_si256(down, _mm256_and_si256(down_pairs, _mm256_srlv_epi64(down, two)));
    up = _mm256_or_si256(up, _mm256_and_si256(up_pairs, _mm256_sllv_epi64(up, two)));
    down = _mm256_or_si256(down, _mm256_and_si256(down_pairs, _mm256_srlv_epi64(down, two)));
    let beyond = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    any_lane(beyond) & empty
}

/// As [`super::portable::nth_bit`], for numbers below 64.
///
/// # Safety
/// The CPU has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub fn nth_bit(bits: u64, number: u32) -> u64 {
    _pdep_u64(1 << number, bits)
}

/// The four lanes joined by `or`.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn any_lane(lanes: __m256i) -> u64 {
    let half = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    let quarter = _mm_or_si128(half, _mm_unpackhi_epi64(half, half));
    _mm_cvtsi128_si64(quarter) as u64
}
