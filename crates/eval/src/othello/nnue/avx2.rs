//! The network with AVX2: the same numbers as [`super::kernel`], several times as fast.
//!
//! By hand because compilers make no `maddubs` of the plain loops: measured with `trilith bench eval`, row `nnue`.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::kernel::{FULL, PairSums, Stack, WeightRow, inputs};
use super::{HALF, HIDDEN, SECOND};
use crate::evaluator::Value;

/// Vectors of a row.
const PARTS: usize = 4;

/// In 1/128 discs: the rows called `chosen`, added to `bias`, through the layers of `stack`.
///
/// # Panics
/// If a row is chosen that is not there.
///
/// # Safety
/// The CPU has AVX2.
#[target_feature(enable = "avx2")]
pub unsafe fn value(
    rows: &[WeightRow],
    chosen: &[u32],
    bias: &PairSums,
    stack: &Stack,
    moves: [u32; 2],
) -> Value {
    // SAFETY: There are 16 numbers for each of the `PARTS`.
    let begin =
        |sums: &[i16; HALF], part: usize| unsafe { _mm256_loadu_si256(sums.as_ptr().add(16 * part).cast()) };
    let mut pairs: [_; PARTS] = std::array::from_fn(|part| begin(&bias.pairs, part));
    let mut seconds: [_; PARTS] = std::array::from_fn(|part| begin(&bias.seconds, part));
    for &row in chosen {
        let row = rows[row as usize].0.as_ptr();
        for (part, (pairs, seconds)) in pairs.iter_mut().zip(&mut seconds).enumerate() {
            // SAFETY: A row has `PARTS` times 32 bytes.
            let bytes = unsafe { _mm256_loadu_si256(row.add(32 * part).cast()) };
            *pairs = _mm256_add_epi16(*pairs, bytes);
            *seconds = _mm256_add_epi16(*seconds, _mm256_srli_epi16::<8>(bytes));
        }
    }
    layers(stack, products(pairs, seconds), moves)
}

/// 64 bytes: the clipped first half times the clipped second half.
#[target_feature(enable = "avx2")]
fn products(pairs: [__m256i; PARTS], seconds: [__m256i; PARTS]) -> [__m256i; 2] {
    let (zero, full) = (_mm256_setzero_si256(), _mm256_set1_epi16(FULL));
    let clip = |x: __m256i| _mm256_min_epi16(_mm256_max_epi16(x, zero), full);
    let first = |part: usize| clip(_mm256_sub_epi16(pairs[part], _mm256_slli_epi16::<8>(seconds[part])));
    let second = |part: usize| clip(seconds[part]);
    let product = |part: usize| {
        let other = part + PARTS / 2;
        let first = _mm256_srli_epi16::<7>(_mm256_mullo_epi16(first(part), first(other)));
        // Shifted so that what is left of its last seven bits is the upper byte.
        let second = _mm256_slli_epi16::<1>(_mm256_mullo_epi16(second(part), second(other)));
        _mm256_or_si256(first, _mm256_and_si256(second, _mm256_set1_epi16(!255)))
    };
    [product(0), product(1)]
}

/// The products `x`, through the small layers.
#[target_feature(enable = "avx2")]
fn layers(stack: &Stack, x: [__m256i; 2], moves: [u32; 2]) -> Value {
    let u = first(stack, x, moves);
    let z = second(stack, u);
    2 * (stack.output_bias + output(stack, x, z)) / 127
}

/// Eight numbers of 32 bits.
#[target_feature(enable = "avx2")]
fn eight(numbers: &[i32], at: usize) -> __m256i {
    let eight: &[i32; 8] = numbers[8 * at..8 * at + 8].try_into().expect("eight numbers");
    // SAFETY: Eight numbers of 32 bits are 256 bits.
    unsafe { _mm256_loadu_si256(eight.as_ptr().cast()) }
}

/// `sums`, for eight outputs a vector, plus the products of a layer's weights with the bytes `x`.
#[target_feature(enable = "avx2")]
fn layer<const VECTORS: usize, const OUT: usize, const FOURS: usize>(
    mut sums: [__m256i; VECTORS],
    weights: &[[[i8; 4]; OUT]; FOURS],
    x: &[i32; FOURS],
) -> [__m256i; VECTORS] {
    const { assert!(OUT == 8 * VECTORS) };
    for (four, &x) in weights.iter().zip(x) {
        let x = _mm256_set1_epi32(x);
        for (at, sum) in sums.iter_mut().enumerate() {
            // SAFETY: Eight outputs have 32 bytes of weights, and there are eight times as many as vectors.
            let weights = unsafe { _mm256_loadu_si256(four.as_ptr().cast::<__m256i>().add(at)) };
            // No byte of `x` is above 127, so that two products fit sixteen bits.
            let products = _mm256_madd_epi16(_mm256_maddubs_epi16(x, weights), _mm256_set1_epi16(1));
            *sum = _mm256_add_epi32(*sum, products);
        }
    }
    sums
}

/// Bytes by fours.
#[target_feature(enable = "avx2")]
fn fours<const VECTORS: usize, const FOURS: usize>(bytes: [__m256i; VECTORS]) -> [i32; FOURS] {
    const { assert!(FOURS == 8 * VECTORS) };
    let mut fours = [0; FOURS];
    for (at, vector) in bytes.into_iter().enumerate() {
        // SAFETY: There is room for eight numbers a vector.
        unsafe { _mm256_storeu_si256(fours.as_mut_ptr().add(8 * at).cast(), vector) };
    }
    fours
}

/// 32 bytes: what is above 0, then squares.
#[target_feature(enable = "avx2")]
fn first(stack: &Stack, x: [__m256i; 2], moves: [u32; 2]) -> __m256i {
    let mut inputs = [i32::from_le_bytes(inputs(moves)); HALF / 4 + 1];
    inputs[..HALF / 4].copy_from_slice(&fours::<2, { HALF / 4 }>(x));
    let begun = std::array::from_fn(|at| eight(&stack.first_bias, at));
    let sums: [__m256i; 2] = layer(begun, &stack.first, &inputs);
    let [low, high] = sums.map(|sum| _mm256_srai_epi32::<6>(sum));
    // Packing saturates and works on halves of 128 bits: the quarters are put in order again.
    let y = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(low, high));
    let full = _mm256_set1_epi16(FULL);
    let y = _mm256_max_epi16(_mm256_min_epi16(y, full), _mm256_sub_epi16(_mm256_setzero_si256(), full));
    let squares = _mm256_srli_epi16::<7>(_mm256_mullo_epi16(y, y));
    let above = _mm256_max_epi16(y, _mm256_setzero_si256());
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(above, squares))
}

/// 32 bytes.
#[target_feature(enable = "avx2")]
fn second(stack: &Stack, u: __m256i) -> __m256i {
    let begun = std::array::from_fn::<_, { SECOND / 8 }, _>(|at| eight(&stack.second_bias, at));
    let sums = layer(begun, &stack.second, &fours::<1, { HIDDEN / 2 }>([u]));
    let [a, b, c, d] = sums.map(|sum| _mm256_srai_epi32::<6>(sum));
    // What is below 0 or above 127 is clipped by the second packing and the minimum.
    let packed = _mm256_packus_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
    let clipped = _mm256_min_epu8(packed, _mm256_set1_epi8(FULL as i8));
    // Each packing worked on halves of 128 bits: fours of bytes lie as a, b, c, d of the lower halves, then the upper.
    _mm256_permutevar8x32_epi32(clipped, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7))
}

#[target_feature(enable = "avx2")]
fn output(stack: &Stack, x: [__m256i; 2], z: __m256i) -> i32 {
    // SAFETY: The arrays have 64 and 32 numbers of 16 bits.
    let both = |bytes: __m256i, weights: *const i16| unsafe {
        let part = |bytes: __m128i, weights: *const i16| {
            _mm256_madd_epi16(_mm256_cvtepu8_epi16(bytes), _mm256_loadu_si256(weights.cast()))
        };
        let low = part(_mm256_castsi256_si128(bytes), weights);
        _mm256_add_epi32(low, part(_mm256_extracti128_si256::<1>(bytes), weights.add(16)))
    };
    let products = &stack.output_products;
    let sum = _mm256_add_epi32(both(x[0], products.as_ptr()), both(x[1], products[32..].as_ptr()));
    let sum = _mm256_add_epi32(sum, both(z, stack.output_second.as_ptr()));
    let half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
    let quarter = _mm_add_epi32(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
    _mm_cvtsi128_si32(quarter) + _mm_extract_epi32::<1>(quarter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_equals_the_plain_loops() {
        if is_x86_feature_detected!("avx2") {
            // SAFETY: Looked for above.
            super::super::equals_the_plain_loops(|rows, chosen, bias, stack, moves| unsafe {
                value(rows, chosen, bias, stack, moves)
            });
        }
    }
}
