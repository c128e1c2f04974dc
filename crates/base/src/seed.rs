//! Seeds: every random draw of the program comes from one, by name and number.
//!
//! Derivation depends on names alone, never on threads, time or map order, so that a run gives the same result
//! however many threads worked on it.

use std::fmt;
use std::str::FromStr;

use rand::SeedableRng;
pub use rand_chacha::ChaCha8Rng as Rng;
use serde::{Deserialize, Serialize};

/// Where randomness starts. The same seed means the same draws on every machine and in every version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Seed(pub u64);

impl Seed {
    /// The seed of a named part of the work, such as game 17 of a match.
    pub fn derive(self, name: &str, number: u64) -> Seed {
        // FNV-1a over the name, then two rounds of the splitmix64 finaliser.
        let name = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Seed(mix(mix(self.0 ^ name).wrapping_add(number)))
    }

    /// A generator that starts here.
    pub fn rng(self) -> Rng {
        Rng::seed_from_u64(self.0)
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Seed {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Seed, Self::Err> {
        text.parse().map(Seed)
    }
}

/// Spreads every bit of `word` over all 64: the splitmix64 finaliser, a bijection.
#[inline]
pub const fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng as _;

    #[test]
    fn seeds_mean_the_same_next_year() {
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf, "first output of the published splitmix64 with state 0");
        assert_eq!(Seed(1).derive("game", 17), Seed(SEED_1_GAME_17));
        assert_eq!(Seed(1).rng().next_u64(), FIRST_DRAW_OF_SEED_1);
    }

    const SEED_1_GAME_17: u64 = 15_793_756_640_557_869_886;
    const FIRST_DRAW_OF_SEED_1: u64 = 7_424_550_030_962_593_201;

    #[test]
    fn names_and_numbers_lead_apart() {
        let all: std::collections::HashSet<_> =
            (0..1000).flat_map(|n| ["game", "opening"].map(|name| Seed(7).derive(name, n))).collect();
        assert_eq!(all.len(), 2000);
    }
}
