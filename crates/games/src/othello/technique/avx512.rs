//! Flips with AVX-512: four directions side by side, with the leading zeros of each lane. The rest is as with AVX2.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::avx2::any_lane;
pub use super::avx2::{mobility, nth_bit};
use super::lines::LINES;
use super::rays::RAYS;

/// As [`super::portable::flips`].
///
/// # Safety
/// The CPU has all features of `TechniqueKind::Avx512`.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vpopcntdq"
)]
pub fn flips(own: u64, other: u64, square: u8) -> u64 {
    let rays = &RAYS[usize::from(square) & 63];
    // SAFETY: a row of the table is 64 bytes, two loads of 32.
    let (up, down) = unsafe {
        (_mm256_loadu_si256(rays.as_ptr().cast()), _mm256_loadu_si256(rays.as_ptr().add(4).cast()))
    };
    let own = _mm256_set1_epi64x(own as i64);
    let other = _mm256_set1_epi64x(other as i64);
    any_lane(_mm256_or_si256(flips_up(own, other, up), flips_down(own, other, down)))
}

/// Adding one below a ray carries through the run of `other` to the square that ends it.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn flips_up(own: __m256i, other: __m256i, ray: __m256i) -> __m256i {
    let ones = _mm256_set1_epi64x(-1);
    let carried = _mm256_sub_epi64(_mm256_or_si256(other, _mm256_xor_si256(ray, ones)), ones);
    let end = _mm256_and_si256(carried, _mm256_and_si256(own, ray));
    // Where nothing is outflanked, zero is less than zero minus one.
    let below = _mm256_min_epu64(end, _mm256_add_epi64(end, ones));
    _mm256_and_si256(below, ray)
}

/// The highest square of a ray that is not `other`'s ends the run.
#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512vl")]
fn flips_down(own: __m256i, other: __m256i, ray: __m256i) -> __m256i {
    // The lowest bit stands in for an empty ray, where its effect is masked out.
    let blocked = _mm256_or_si256(_mm256_andnot_si256(other, ray), _mm256_set1_epi64x(1));
    let first = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(blocked));
    let end = _mm256_and_si256(first, _mm256_and_si256(own, ray));
    let above = _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_add_epi64(end, end));
    _mm256_and_si256(above, ray)
}

/// As [`super::portable::last_flips`].
///
/// # Safety
/// The CPU has all features of `TechniqueKind::Avx512`; among those that do, none extracts bits slowly.
#[inline]
#[target_feature(
    enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vpopcntdq"
)]
pub fn last_flips(own: u64, square: u8) -> u32 {
    let lines = &LINES[usize::from(square) & 63];
    let along = |line: usize| {
        let own = _pext_u64(own, lines.masks[line]) as usize;
        // SAFETY: the mask has at most eight squares.
        u32::from(unsafe { *lines.turned[line].get_unchecked(own) })
    };
    along(0) + along(1) + along(2) + along(3)
}
