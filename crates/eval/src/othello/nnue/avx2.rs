//! The network with AVX2: the same numbers as [`super::kernel`], several times as fast.
//!
//! By hand because compilers make no `maddubs` of the plain loops: measured with `trilith bench eval`, row `nnue`.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::kernel::{FULL, MOVE, RowSums, Stack, WeightRow};
use super::{HIDDEN, SECOND};
use crate::evaluator::Value;

/// Vectors of sixteen sums each.
const PARTS: usize = 8;

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
    bias: &RowSums,
    stack: &Stack,
    moves: [u32; 2],
) -> Value {
    // SAFETY: All loads are of arrays of exactly the size that is read: `PARTS` times 16 numbers of a row or of sums,
    // 64 or 32 bytes of a layer's row. Unaligned loads are used throughout.
    unsafe {
        let mut sums = [_mm256_setzero_si256(); PARTS];
        for (part, sum) in sums.iter_mut().enumerate() {
            *sum = _mm256_loadu_si256(bias.0.as_ptr().add(16 * part).cast());
        }
        for &row in chosen {
            let row = rows[row as usize].0.as_ptr();
            for (part, sum) in sums.iter_mut().enumerate() {
                let numbers = _mm_loadu_si128(row.add(16 * part).cast());
                *sum = _mm256_add_epi16(*sum, _mm256_cvtepi8_epi16(numbers));
            }
        }
        let x = products(&sums);
        let u = first(stack, x, moves);
        let z = second(stack, u);
        let out = stack.output_bias + output(stack, x, z);
        2 * out / 127
    }
}

/// 64 bytes: the clipped first half times the clipped second half.
#[target_feature(enable = "avx2")]
fn products(sums: &[__m256i; PARTS]) -> [__m256i; 2] {
    let (zero, full) = (_mm256_setzero_si256(), _mm256_set1_epi16(FULL));
    let clip = |x: __m256i| _mm256_min_epi16(_mm256_max_epi16(x, zero), full);
    let product =
        |at: usize| _mm256_srli_epi16::<7>(_mm256_mullo_epi16(clip(sums[at]), clip(sums[at + PARTS / 2])));
    // Packing works on halves of 128 bits: the quarters are put in order again.
    let packed = |at: usize| {
        _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(product(at), product(at + 1)))
    };
    [packed(0), packed(2)]
}

/// Sums of four neighbouring products of bytes without and with a sign.
#[target_feature(enable = "avx2")]
fn dot(x: __m256i, weights: __m256i) -> __m256i {
    // No byte is above 127, so that two products fit sixteen bits.
    _mm256_madd_epi16(_mm256_maddubs_epi16(x, weights), _mm256_set1_epi16(1))
}

/// The sums over all eight numbers of each of four vectors.
#[target_feature(enable = "avx2")]
fn sums_of(four: [__m256i; 4]) -> __m128i {
    let [a, b, c, d] = four;
    let both = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
    _mm_add_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256::<1>(both))
}

/// # Safety
/// The CPU has AVX2.
#[target_feature(enable = "avx2")]
unsafe fn first(stack: &Stack, x: [__m256i; 2], moves: [u32; 2]) -> [u8; 2 * HIDDEN] {
    let moves = moves.map(|count| (MOVE * count as i32).min(FULL.into()));
    let mut u = [0; 2 * HIDDEN];
    for four in 0..HIDDEN / 4 {
        let sum = |at: usize| {
            // SAFETY: A row of the layer has 64 bytes.
            let (low, high) = unsafe {
                let row: *const __m256i = stack.first[4 * four + at].as_ptr().cast();
                (_mm256_loadu_si256(row), _mm256_loadu_si256(row.add(1)))
            };
            _mm256_add_epi32(dot(x[0], low), dot(x[1], high))
        };
        let mut sums = [0_i32; 4];
        // SAFETY: Four numbers of 32 bits are 128 bits.
        unsafe { _mm_storeu_si128(sums.as_mut_ptr().cast(), sums_of([sum(0), sum(1), sum(2), sum(3)])) };
        for (at, sum) in (4 * four..).zip(sums) {
            let [own, other] = stack.first_moves[at];
            let y = stack.first_bias[at] + sum + own * moves[0] + other * moves[1];
            let y = (y >> 6).clamp(-i32::from(FULL), FULL.into());
            u[at] = y.max(0) as u8;
            u[HIDDEN + at] = ((y * y) >> 7) as u8;
        }
    }
    u
}

/// # Safety
/// The CPU has AVX2.
#[target_feature(enable = "avx2")]
unsafe fn second(stack: &Stack, u: [u8; 2 * HIDDEN]) -> [u8; SECOND] {
    let mut z = [0; SECOND];
    // SAFETY: `u` has 32 bytes.
    let u = unsafe { _mm256_loadu_si256(u.as_ptr().cast()) };
    for four in 0..SECOND / 4 {
        // SAFETY: A row of the layer has 32 bytes.
        let sum =
            |at: usize| unsafe { dot(u, _mm256_loadu_si256(stack.second[4 * four + at].as_ptr().cast())) };
        let mut sums = [0_i32; 4];
        // SAFETY: Four numbers of 32 bits are 128 bits.
        unsafe { _mm_storeu_si128(sums.as_mut_ptr().cast(), sums_of([sum(0), sum(1), sum(2), sum(3)])) };
        for (at, sum) in (4 * four..).zip(sums) {
            z[at] = ((stack.second_bias[at] + sum) >> 6).clamp(0, FULL.into()) as u8;
        }
    }
    z
}

/// # Safety
/// The CPU has AVX2.
#[target_feature(enable = "avx2")]
unsafe fn output(stack: &Stack, x: [__m256i; 2], z: [u8; SECOND]) -> i32 {
    // SAFETY: The arrays have 32 bytes, 64 and 32 numbers of 16 bits.
    unsafe {
        let z = _mm256_loadu_si256(z.as_ptr().cast());
        let part = |bytes: __m128i, weights: *const i16| {
            _mm256_madd_epi16(_mm256_cvtepu8_epi16(bytes), _mm256_loadu_si256(weights.cast()))
        };
        let both = |bytes: __m256i, weights: *const i16| {
            let low = part(_mm256_castsi256_si128(bytes), weights);
            _mm256_add_epi32(low, part(_mm256_extracti128_si256::<1>(bytes), weights.add(16)))
        };
        let products = stack.output_products.as_ptr();
        let sum = _mm256_add_epi32(both(x[0], products), both(x[1], products.add(32)));
        let sum = _mm256_add_epi32(sum, both(z, stack.output_second.as_ptr()));
        let half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
        let quarter = _mm_add_epi32(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
        _mm_cvtsi128_si32(quarter) + _mm_extract_epi32::<1>(quarter)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{STACKS, file};
    use super::*;
    use crate::othello::Nnue;
    use rand::RngExt;
    use trilith_base::Seed;

    #[test]
    fn it_equals_the_plain_loops() {
        if !is_x86_feature_detected!("avx2") {
            return;
        }
        let nnue = Nnue::from_artifact(&file::fresh(Seed(5))).unwrap();
        let mut rng = Seed(6).rng();
        for round in 0..3000 {
            let chosen: Vec<u32> = (0..22).map(|_| rng.random_range(0..nnue.rows.len() as u32)).collect();
            let stack = &nnue.stacks[round % STACKS];
            let moves = [rng.random_range(0..34), rng.random_range(0..34)];
            let mut sums = nnue.bias;
            chosen.iter().for_each(|&row| sums.add(&nnue.rows[row as usize]));
            // SAFETY: Looked for above.
            let value = unsafe { value(&nnue.rows, &chosen, &nnue.bias, stack, moves) };
            assert_eq!(value, stack.value(&sums.products(), moves));
        }
    }
}
