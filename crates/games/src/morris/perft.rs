//! Perft without lists: moves are played as they are found, the last ply is counted.
//!
//! Nearly all of a count is counting bits, so the processor's instruction for it is used where there is one: the same
//! code, compiled a second time, chosen once at the entry.
#![allow(unsafe_code)]

use super::moves;
use super::position::Position;
use super::{Game, Morris};

/// As [`crate::perft::perft`].
pub(super) fn perft(game: &Morris, position: &Position, depth: u32) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has just said that it has the one feature this needs.
        return unsafe { with_popcnt(game, position, depth) };
    }
    portable(game, position, depth)
}

fn portable(game: &Morris, position: &Position, depth: u32) -> u64 {
    step(game, position, depth, portable)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn with_popcnt(game: &Morris, position: &Position, depth: u32) -> u64 {
    step(game, position, depth, |game, position, depth| with_popcnt(game, position, depth))
}

#[inline(always)]
fn step(
    game: &Morris,
    position: &Position,
    depth: u32,
    below: impl Fn(&Morris, &Position, u32) -> u64,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.has_ended(position) {
        return 0;
    }
    if depth == 1 {
        return u64::from(moves::count(game.rules(), position));
    }
    let mut leaves = 0;
    moves::each(game.rules(), position, |mv| leaves += below(game, &moves::play(position, mv), depth - 1));
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::morris::Rules;

    #[test]
    fn the_instruction_counts_as_the_portable_code_does() {
        for rules in ["standard", "thesis,double-mill=two", "capture-from-mill=always,flying=off"] {
            let game = Morris::new(rules.parse::<Rules>().unwrap());
            let flying = game.parse_position("wbw/3/bw1/1w4/3/3/2b w 0 0 0").unwrap();
            for position in [game.start(), flying] {
                assert_eq!(perft(&game, &position, 4), portable(&game, &position, 4), "{rules}");
            }
        }
    }
}
