//! The network with AVX-512 and its products of bytes (VNNI): the same numbers as [`super::kernel`], whole layers a vector.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::kernel::{FULL, PairSums, Stack, WeightRow, inputs};
use super::{HALF, HIDDEN};
use crate::evaluator::Value;

/// Whether this CPU has what [`value`] asks for.
pub fn is_here() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vnni")
}

/// In 1/128 discs: the rows called `chosen`, added to `bias`, through the layers of `stack`.
///
/// # Panics
/// If a row is chosen that is not there.
///
/// # Safety
/// [`is_here`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
pub unsafe fn value(
    rows: &[WeightRow],
    chosen: &[u32],
    bias: &PairSums,
    stack: &Stack,
    moves: [u32; 2],
) -> Value {
    let [mut pairs, mut other_pairs] = two(&bias.pairs);
    let [mut seconds, mut other_seconds] = two(&bias.seconds);
    for &row in chosen {
        let [bytes, other] = two(&rows[row as usize].0);
        pairs = _mm512_add_epi16(pairs, bytes);
        other_pairs = _mm512_add_epi16(other_pairs, other);
        seconds = _mm512_add_epi16(seconds, _mm512_srli_epi16::<8>(bytes));
        other_seconds = _mm512_add_epi16(other_seconds, _mm512_srli_epi16::<8>(other));
    }
    let x = products([pairs, other_pairs], [seconds, other_seconds]);
    let y = first(stack, x, moves);
    2 * (stack.output_bias + output(stack, x, second(stack, y))) / 127
}

/// The two vectors that `numbers` fill.
#[target_feature(enable = "avx512f")]
fn two<T: Copy, const N: usize>(numbers: &[T; N]) -> [__m512i; 2] {
    const { assert!(size_of::<[T; N]>() == 128) };
    let first = numbers.as_ptr().cast::<__m512i>();
    // SAFETY: The array has 128 bytes, as asserted.
    unsafe { [_mm512_loadu_si512(first), _mm512_loadu_si512(first.add(1))] }
}

/// The vector that `numbers` fill.
#[target_feature(enable = "avx512f")]
fn one<T: Copy, const N: usize>(numbers: &[T; N]) -> __m512i {
    const { assert!(size_of::<[T; N]>() == 64) };
    // SAFETY: The array has 64 bytes, as asserted.
    unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) }
}

/// 64 bytes: the clipped first half times the clipped second half.
#[target_feature(enable = "avx512f,avx512bw")]
fn products(pairs: [__m512i; 2], seconds: [__m512i; 2]) -> __m512i {
    let (zero, full) = (_mm512_setzero_si512(), _mm512_set1_epi16(FULL));
    let clip = |x: __m512i| _mm512_min_epi16(_mm512_max_epi16(x, zero), full);
    let first = |at: usize| clip(_mm512_sub_epi16(pairs[at], _mm512_slli_epi16::<8>(seconds[at])));
    let product = _mm512_srli_epi16::<7>(_mm512_mullo_epi16(first(0), first(1)));
    // Shifted so that what is left of its last seven bits is the upper byte.
    let second = _mm512_slli_epi16::<1>(_mm512_mullo_epi16(clip(seconds[0]), clip(seconds[1])));
    _mm512_mask_blend_epi8(0xaaaa_aaaa_aaaa_aaaa, product, second)
}

/// 16 outputs, clipped to -127..=127.
#[target_feature(enable = "avx512f,avx512vnni")]
fn first(stack: &Stack, x: __m512i, moves: [u32; 2]) -> __m512i {
    let mut fours = [0; HALF / 4];
    // SAFETY: There is room for 64 bytes.
    unsafe { _mm512_storeu_si512(fours.as_mut_ptr().cast(), x) };
    let moves = _mm512_set1_epi32(i32::from_le_bytes(inputs(moves)));
    // Four sums side by side: an addition waits for the one before.
    let mut sums = [_mm512_setzero_si512(); 4];
    sums[0] = _mm512_dpbusd_epi32(one(&stack.first_bias), moves, one(&stack.first[HALF / 4]));
    for (at, &four) in fours.iter().enumerate() {
        sums[at % 4] = _mm512_dpbusd_epi32(sums[at % 4], _mm512_set1_epi32(four), one(&stack.first[at]));
    }
    let sum = _mm512_add_epi32(_mm512_add_epi32(sums[0], sums[1]), _mm512_add_epi32(sums[2], sums[3]));
    let full = _mm512_set1_epi32(FULL.into());
    let least = _mm512_set1_epi32((-FULL).into());
    _mm512_max_epi32(_mm512_min_epi32(_mm512_srai_epi32::<6>(sum), full), least)
}

/// 32 numbers of 16 bits, clipped to 0..=127, from the outputs of the first layer.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn second(stack: &Stack, y: __m512i) -> __m512i {
    let mut u = [[0_i32; HIDDEN / 4]; 2];
    let above = _mm512_cvtepi32_epi8(_mm512_max_epi32(y, _mm512_setzero_si512()));
    let squares = _mm512_cvtepi32_epi8(_mm512_srli_epi32::<7>(_mm512_mullo_epi16(y, y)));
    // SAFETY: There is room for twice 16 bytes.
    unsafe {
        _mm_storeu_si128(u[0].as_mut_ptr().cast(), above);
        _mm_storeu_si128(u[1].as_mut_ptr().cast(), squares);
    }
    let mut sums = two(&stack.second_bias);
    let mut others = [_mm512_setzero_si512(); 2];
    for (at, (four, other)) in u[0].into_iter().zip(u[1]).enumerate() {
        let (four, other) = (_mm512_set1_epi32(four), _mm512_set1_epi32(other));
        let (weights, other_weights) = (two(&stack.second[at]), two(&stack.second[HIDDEN / 4 + at]));
        for half in 0..2 {
            sums[half] = _mm512_dpbusd_epi32(sums[half], four, weights[half]);
            others[half] = _mm512_dpbusd_epi32(others[half], other, other_weights[half]);
        }
    }
    let shifted = |half: usize| _mm512_srai_epi32::<6>(_mm512_add_epi32(sums[half], others[half]));
    let z = [shifted(0), shifted(1)].map(|sum| _mm512_cvtsepi32_epi16(sum));
    let z = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(z[0]), z[1]);
    _mm512_min_epi16(_mm512_max_epi16(z, _mm512_setzero_si512()), _mm512_set1_epi16(FULL))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn output(stack: &Stack, x: __m512i, z: __m512i) -> i32 {
    let [low, high] = two(&stack.output_products);
    let sum = _mm512_madd_epi16(z, one(&stack.output_second));
    let lower = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(x));
    let upper = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(x));
    let other = _mm512_madd_epi16(lower, low);
    _mm512_reduce_add_epi32(_mm512_add_epi32(_mm512_dpwssd_epi32(sum, upper, high), other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_equals_the_plain_loops() {
        if is_here() {
            // SAFETY: Looked for above.
            super::super::equals_the_plain_loops(|rows, chosen, bias, stack, moves| unsafe {
                value(rows, chosen, bias, stack, moves)
            });
        }
    }
}
