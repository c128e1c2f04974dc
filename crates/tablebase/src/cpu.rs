//! Bits gathered and scattered, by instruction (BMI2) or in a loop, and the choice between them, made once per work.
//!
//! All inner loops are generic in [`Gather`] and inlined into [`with_bmi2`], so that counting and finding bits become
//! single instructions too.

#![allow(unsafe_code)]

use trilith_games::morris::points::Points;

/// Moves the bits of a set that lie in a mask together, and apart again.
pub trait Gather: Copy + Send + Sync {
    /// The bits of `set` at the places of `mask`, side by side from bit 0.
    fn gather(self, set: Points, mask: Points) -> u32;
    /// The inverse: bit `i` of `word` goes to the `i`-th place of `mask`.
    fn scatter(self, word: u32, mask: Points) -> Points;
}

/// A piece of work whose hot code is generic in [`Gather`]; `run` must be `#[inline(always)]`.
pub trait GatherWork {
    /// What it gives back.
    type Output;
    /// Does it.
    fn run<P: Gather>(self, gather: P) -> Self::Output;
}

/// Does `work` with the best instructions of this CPU.
pub fn dispatch<W: GatherWork>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(bmi2) = bmi2::Bmi2::detect() {
        // SAFETY: `detect` has found the features that the function is compiled for.
        return unsafe { bmi2::with_bmi2(work, bmi2) };
    }
    work.run(Portable)
}

/// One point after the other.
#[derive(Clone, Copy)]
pub struct Portable;

impl Gather for Portable {
    #[inline(always)]
    fn gather(self, set: Points, mask: Points) -> u32 {
        let (mut rest, mut word, mut place) = (mask, 0, 0);
        while rest != 0 {
            let bit = rest & rest.wrapping_neg();
            word |= u32::from(set & bit != 0) << place;
            place += 1;
            rest ^= bit;
        }
        word
    }

    #[inline(always)]
    fn scatter(self, word: u32, mask: Points) -> Points {
        let (mut rest, mut set, mut word) = (mask, 0, word);
        while word != 0 {
            let bit = rest & rest.wrapping_neg();
            set |= bit & (word & 1).wrapping_neg();
            word >>= 1;
            rest ^= bit;
        }
        set
    }
}

#[cfg(target_arch = "x86_64")]
mod bmi2 {
    use std::arch::is_x86_feature_detected;
    use std::arch::x86_64::{_pdep_u32, _pext_u32};

    use super::{Gather, GatherWork, Points};

    /// Proof that the CPU has the instructions: made by [`Bmi2::detect`] only.
    #[derive(Clone, Copy)]
    pub struct Bmi2(());

    impl Bmi2 {
        pub fn detect() -> Option<Bmi2> {
            let has = is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("avx2");
            has.then_some(Bmi2(()))
        }
    }

    impl Gather for Bmi2 {
        #[inline(always)]
        fn gather(self, set: Points, mask: Points) -> u32 {
            // SAFETY: `self` exists, so the CPU has BMI2.
            unsafe { _pext_u32(set, mask) }
        }

        #[inline(always)]
        fn scatter(self, word: u32, mask: Points) -> Points {
            // SAFETY: `self` exists, so the CPU has BMI2.
            unsafe { _pdep_u32(word, mask) }
        }
    }

    #[target_feature(enable = "bmi1,bmi2,popcnt,avx2")]
    pub fn with_bmi2<W: GatherWork>(work: W, bmi2: Bmi2) -> W::Output {
        work.run(bmi2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::seed::mix;

    struct Both;

    impl GatherWork for Both {
        type Output = Vec<(u32, u32)>;

        #[inline(always)]
        fn run<P: Gather>(self, gather: P) -> Self::Output {
            let draw = |number: u64| (mix(number) as u32 & 0xff_ffff, (mix(number) >> 32) as u32 & 0xff_ffff);
            let both = |(set, mask)| {
                let word = gather.gather(set, mask);
                (word, gather.scatter(word, mask))
            };
            (0..10_000).map(draw).map(both).collect()
        }
    }

    #[test]
    fn instructions_do_what_the_loop_does() {
        let portable = Both.run(Portable);
        assert_eq!(dispatch(Both), portable);
        for (number, (_, set)) in (0..).zip(portable) {
            assert_eq!(set, mix(number) as u32 & (mix(number) >> 32) as u32 & 0xff_ffff);
        }
    }
}
