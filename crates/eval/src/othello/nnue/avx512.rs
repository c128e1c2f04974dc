//! The network with AVX-512: rows are added up 32 numbers at a time; the small layers are those of AVX2.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::avx2;
use super::kernel::{FULL, RowSums, Stack, WeightRow};
use crate::evaluator::Value;

/// Vectors of 32 sums each.
const PARTS: usize = 4;

/// Whether this CPU has what [`value`] asks for.
pub fn is_here() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx2")
}

/// In 1/128 discs: the rows called `chosen`, added to `bias`, through the layers of `stack`.
///
/// # Panics
/// If a row is chosen that is not there.
///
/// # Safety
/// [`is_here`].
#[target_feature(enable = "avx512f,avx512bw,avx2")]
pub unsafe fn value(
    rows: &[WeightRow],
    chosen: &[u32],
    bias: &RowSums,
    stack: &Stack,
    moves: [u32; 2],
) -> Value {
    // SAFETY: All loads are of arrays of exactly the size that is read: `PARTS` times 32 numbers of a row or of sums.
    let sums = unsafe {
        let mut sums = [_mm512_setzero_si512(); PARTS];
        for (part, sum) in sums.iter_mut().enumerate() {
            *sum = _mm512_loadu_si512(bias.0.as_ptr().add(32 * part).cast());
        }
        for &row in chosen {
            let row = rows[row as usize].0.as_ptr();
            for (part, sum) in sums.iter_mut().enumerate() {
                let numbers = _mm256_loadu_si256(row.add(32 * part).cast());
                *sum = _mm512_add_epi16(*sum, _mm512_cvtepi8_epi16(numbers));
            }
        }
        sums
    };
    avx2::layers(stack, products(&sums), moves)
}

/// 64 bytes: the clipped first half times the clipped second half.
#[target_feature(enable = "avx512f,avx512bw,avx2")]
fn products(sums: &[__m512i; PARTS]) -> [__m256i; 2] {
    let (zero, full) = (_mm512_setzero_si512(), _mm512_set1_epi16(FULL));
    let clip = |x: __m512i| _mm512_min_epi16(_mm512_max_epi16(x, zero), full);
    let product =
        |at: usize| _mm512_srli_epi16::<7>(_mm512_mullo_epi16(clip(sums[at]), clip(sums[at + PARTS / 2])));
    [_mm512_cvtepi16_epi8(product(0)), _mm512_cvtepi16_epi8(product(1))]
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
