//! Flips and mobility by the best technique for the CPU, chosen once at the entry of long work.
//!
//! Each technique is a module with `flips(own, other, square)`, `mobility(own, other)`, `last_flips(own, square)` and
//! `nth_bit(bits, number)`; the portable one is the reference. Functions with CPU features are only inlined into functions with the same features, so work that
//! calls them in its innermost loop is written once inside [`per_technique!`](crate::per_technique), which makes a
//! copy of it for each technique, and entered through [`with_technique!`](crate::with_technique).
//!
//! ```
//! use trilith_games::othello::technique::Technique;
//!
//! trilith_games::per_technique! {
//!     /// Moves of both sides together.
//!     fn moves_of_both(own: u64, other: u64) -> u32 {
//!         mobility(own, other).count_ones() + mobility(other, own).count_ones()
//!     }
//! }
//!
//! let (own, other) = (0x0000_0008_1000_0000, 0x0000_0010_0800_0000);
//! assert_eq!(trilith_games::with_technique!(Technique::best(), moves_of_both(own, other)), 8);
//! ```

#[cfg(target_arch = "x86_64")]
pub mod avx2;
#[cfg(target_arch = "x86_64")]
pub mod avx512;
mod lines;
pub mod portable;
mod rays;

use std::fmt;

/// A technique that this CPU has; cannot be made for one that it lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Technique(TechniqueKind);

/// Which technique, to choose by; having a `TechniqueKind` promises nothing about the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TechniqueKind {
    /// Plain 64-bit arithmetic.
    Portable,
    /// AVX2 with BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
    /// Also AVX-512 F, BW, CD, DQ, VL and VPOPCNTDQ.
    Avx512,
}

impl Technique {
    /// Needs nothing of the CPU.
    pub const PORTABLE: Technique = Technique(TechniqueKind::Portable);

    /// The fastest technique of this CPU.
    pub fn best() -> Technique {
        Technique::available().next_back().unwrap_or(Technique::PORTABLE)
    }

    /// All techniques of this CPU, the slowest first.
    pub fn available() -> impl DoubleEndedIterator<Item = Technique> {
        [TechniqueKind::Portable, TechniqueKind::Avx2, TechniqueKind::Avx512]
            .into_iter()
            .filter(|&kind| has(kind))
            .map(Technique)
    }

    /// Which technique this is.
    #[inline]
    pub const fn kind(self) -> TechniqueKind {
        self.0
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.0 {
            TechniqueKind::Portable => "portable",
            TechniqueKind::Avx2 => "avx2",
            TechniqueKind::Avx512 => "avx512",
        })
    }
}

#[cfg(target_arch = "x86_64")]
fn has(kind: TechniqueKind) -> bool {
    let avx2 = || {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    };
    let avx512 = || {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vpopcntdq")
    };
    match kind {
        TechniqueKind::Portable => true,
        TechniqueKind::Avx2 => avx2(),
        TechniqueKind::Avx512 => avx2() && avx512(),
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn has(kind: TechniqueKind) -> bool {
    kind == TechniqueKind::Portable
}

/// Makes a copy of the functions for each technique, in modules `portable`, `avx2` and `avx512` beside the call.
///
/// Inside, `flips`, `mobility`, `last_flips` and `nth_bit` are the technique's, and everything in scope at the call can be used. Call the
/// functions with [`with_technique!`](crate::with_technique). Each may say `-> Type`, and must if it returns one.
/// Functions of other files are called directly, technique by technique, if their modules are in scope and named first:
/// `per_technique! { with stability, leaves; fn ... }`.
#[macro_export]
macro_rules! per_technique {
    (with $($module:ident),*; $($body:tt)*) => { $crate::per_technique! { @ [$($module)*] $($body)* } };
    (@ $modules:tt $($body:tt)*) => {
        $crate::technique_module! { portable $modules [] $($body)* }
        #[cfg(target_arch = "x86_64")]
        $crate::technique_module! {
            avx2 $modules [#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]] $($body)*
        }
        #[cfg(target_arch = "x86_64")]
        $crate::technique_module! {
            avx512 $modules
            [#[target_feature(
                enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vpopcntdq"
            )]]
            $($body)*
        }
    };
    ($($body:tt)*) => { $crate::per_technique! { @ [] $($body)* } };
}

/// Part of [`per_technique!`](crate::per_technique): the module of one technique.
#[doc(hidden)]
#[macro_export]
macro_rules! technique_module {
    ($technique:ident [$($module:ident)*] $attribute:tt $($body:tt)*) => {
        #[allow(dead_code, private_interfaces, unused_imports)]
        pub(crate) mod $technique {
            use super::*;
            use $crate::othello::technique::$technique::{flips, last_flips, mobility, nth_bit};
            $(use super::$module::$technique::*;)*
            $crate::functions_with! { $attribute $($body)* }
        }
    };
}

/// Part of [`per_technique!`](crate::per_technique): functions with an attribute.
#[doc(hidden)]
#[macro_export]
macro_rules! functions_with {
    ($attribute:tt) => {};
    (
        [$($attribute:tt)*]
        $(#[$meta:meta])* fn $name:ident $(<$type:ident: $bound:path>)? ($($arguments:tt)*) $(-> $result:ty)? $body:block
        $($more:tt)*
    ) => {
        $(#[$meta])* $($attribute)* pub(crate) fn $name $(<$type: $bound>)? ($($arguments)*) $(-> $result)? $body
        $crate::functions_with! { [$($attribute)*] $($more)* }
    };
}

/// Calls the copy of a function that [`per_technique!`](crate::per_technique) made for a [`Technique`].
///
/// Arguments are names of variables: an expression could do something unsafe unseen.
#[macro_export]
macro_rules! with_technique {
    ($technique:expr, $name:ident($($argument:ident),*)) => {{
        let technique: $crate::othello::technique::Technique = $technique;
        #[allow(unsafe_code)]
        match technique.kind() {
            $crate::othello::technique::TechniqueKind::Portable => portable::$name($($argument),*),
            // SAFETY: a `Technique` of this kind is only made after the CPU was found to have its features.
            #[cfg(target_arch = "x86_64")]
            $crate::othello::technique::TechniqueKind::Avx2 => unsafe { avx2::$name($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            $crate::othello::technique::TechniqueKind::Avx512 => unsafe { avx512::$name($($argument),*) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => unreachable!("only the portable technique is made on this CPU"),
        }
    }};
}
