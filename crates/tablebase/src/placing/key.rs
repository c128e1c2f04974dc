//! Keys of positions with stones in hand: the same for all sixteen images and for either colour.
//!
//! The stones of both sides are the six bytes of a word, a ring each, so that one operation turns or mirrors all of
//! them. With the stones in hand that makes 56 bits, which name the position: nothing is hashed away.

use trilith_games::morris::Position;

/// Names a class of positions; never 0, for there are stones in hand.
pub type Key = u64;

/// Bits of a key.
pub const BITS: u32 = 56;

const BYTES: u64 = 0x0101_0101_0101;
const OUTER: u64 = 0x0000_ff00_00ff;
const MIDDLE: u64 = 0x00ff_0000_ff00;

/// The key of a position.
#[inline]
pub fn key(position: &Position) -> Key {
    let hands = u64::from(position.own_hand()) | u64::from(position.other_hand()) << 4;
    smallest(u64::from(position.own()) | u64::from(position.other()) << 24) | hands << 48
}

/// Stones in both hands.
#[inline]
pub fn hands(key: Key) -> u32 {
    ((key >> 48 & 15) + (key >> 52 & 15)) as u32
}

#[inline]
fn smallest(stones: u64) -> u64 {
    let mirrored = stones.reverse_bits().swap_bytes();
    let mirrored = (mirrored << 1 & (BYTES * 0xfe)) | (mirrored >> 7 & BYTES);
    let turned = |stones| smallest_turn(stones).min(smallest_turn(swap_rings(stones)));
    turned(stones).min(turned(mirrored))
}

#[inline]
fn smallest_turn(stones: u64) -> u64 {
    let quarter = |stones: u64| (stones << 2 & (BYTES * 0xfc)) | (stones >> 6 & (BYTES * 3));
    let half = |stones: u64| (stones << 4 & (BYTES * 0xf0)) | (stones >> 4 & (BYTES * 15));
    let turned = quarter(stones);
    stones.min(turned).min(half(stones)).min(half(turned))
}

#[inline]
fn swap_rings(stones: u64) -> u64 {
    (stones >> 16 & OUTER) | (stones & MIDDLE) | (stones & OUTER) << 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use trilith_base::Seed;
    use trilith_games::morris::Morris;
    use trilith_games::{Colour, Game, Record, playout};

    #[test]
    fn keys_are_equal_where_canonical_positions_are() {
        let game = Morris::default();
        let mut seen: HashMap<Key, Position> = HashMap::new();
        for number in 0..2000 {
            let mut record = Record::new(game);
            playout::play_on(&mut record, 1 + number % 17, &mut Seed(3).derive("keys", number as u64).rng());
            let position = *record.position();
            if position.in_hand() == 0 {
                continue;
            }
            let name = key(&position);
            assert_eq!(hands(name), u32::from(position.in_hand()));
            assert!(name != 0 && name >> BITS == 0);
            assert!((0..16).all(|symmetry| key(&game.image(&position, symmetry)) == name));
            let canonical = game.canonical(&position).0;
            let before = seen.insert(name, canonical);
            assert!(before.is_none_or(|before| before == canonical));
            assert_eq!(game.to_move(&canonical) == Colour::White, hands(name).is_multiple_of(2));
        }
        let all: std::collections::HashSet<_> = seen.values().collect();
        assert_eq!(all.len(), seen.len(), "no class has two keys");
    }
}
