//! Perft with the positions before the last ply counted side by side, in code for the CPU at hand.
//!
//! Counting is straight-line set arithmetic, so the compiler turns the loop over sibling positions into vector code
//! of whatever width the features allow. All variants are the same source; tests compare them.
#![allow(unsafe_code)]

use arrayvec::ArrayVec;

use super::{Abalone, Position, moves};
use crate::game::MoveList;

/// Leaves at `depth`, by the best variant this CPU can run.
pub fn perft(game: &Abalone, position: &Position, depth: u32) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        if has_avx512() {
            // SAFETY: the features that the variant is compiled for have just been found.
            return unsafe { avx512::perft(game, position, depth) };
        }
        if has_avx2() {
            // SAFETY: the features that the variant is compiled for have just been found.
            return unsafe { avx2::perft(game, position, depth) };
        }
    }
    portable::perft(game, position, depth)
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vpopcntdq")
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
}

macro_rules! variant {
    ($name:ident $(, $features:literal)?) => {
        mod $name {
            use super::*;

            $(#[target_feature(enable = $features)])?
            pub fn perft(game: &Abalone, position: &Position, depth: u32) -> u64 {
                if depth == 0 {
                    return 1;
                }
                if game.is_won(position) {
                    return 0;
                }
                match depth {
                    1 => moves::count(position.own, position.pushable()),
                    2 => count_replies(game, position),
                    _ => {
                        let mut list = MoveList::new();
                        moves::list(position, &mut list);
                        list.iter().map(|mv| perft(game, &mv.play(position), depth - 1)).sum()
                    }
                }
            }
        }
    };
}

variant!(portable);
#[cfg(target_arch = "x86_64")]
variant!(avx2, "avx2,popcnt,bmi1,bmi2,lzcnt");
#[cfg(target_arch = "x86_64")]
variant!(avx512, "avx512f,avx512vl,avx512vpopcntdq,avx2,popcnt,bmi1,bmi2,lzcnt");

/// Leaves two plies on.
#[inline(always)]
fn count_replies(game: &Abalone, position: &Position) -> u64 {
    let mut list = MoveList::new();
    moves::list(position, &mut list);
    let mut own = ArrayVec::<u64, 512>::new();
    let mut pushable = ArrayVec::<u64, 512>::new();
    for mv in &list {
        let after = mv.play(position);
        if !game.is_won(&after) {
            own.push(after.own);
            pushable.push(after.pushable());
        }
    }
    // A loop of this function: `sum` would be one of its own, without the CPU's features.
    let mut leaves = 0;
    for (&own, &pushable) in own.iter().zip(&pushable) {
        leaves += moves::count(own, pushable);
    }
    leaves
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::abalone::LAYOUTS;
    use crate::game::Game;
    use crate::playout;
    use crate::record::Record;
    use trilith_base::Seed;

    fn agree(game: &Abalone, position: &Position, depth: u32) {
        let expected = portable::perft(game, position, depth);
        if has_avx2() {
            // SAFETY: the features that the variant is compiled for have just been found.
            assert_eq!(unsafe { avx2::perft(game, position, depth) }, expected, "{}", position.text());
        }
        if has_avx512() {
            // SAFETY: the features that the variant is compiled for have just been found.
            assert_eq!(unsafe { avx512::perft(game, position, depth) }, expected, "{}", position.text());
        }
    }

    #[test]
    fn variants_are_identical() {
        for (number, (name, _)) in (0..).zip(LAYOUTS) {
            for switches in ["", ",princess=on", ",eject=1"] {
                let game = Abalone::new(format!("{name}{switches}").parse().unwrap());
                let mut record = Record::new(game.clone());
                let mut rng = Seed(3).derive(switches, number).rng();
                for _ in 0..20 {
                    agree(&game, record.position(), 2);
                    agree(&game, record.position(), 3);
                    playout::play_on(&mut record, 10, &mut rng);
                }
                agree(&game, &game.start(), 4);
            }
        }
    }
}
