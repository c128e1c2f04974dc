//! Levels for people: how much a level may think and how far below its best move it may stray.

use std::ops::RangeInclusive;

/// What a level may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Plies it looks ahead at most.
    pub depth: u32,
    /// Positions it looks at for one move, at most.
    pub nodes: u64,
    /// Moves this much worse than the best, in thousandths of a unit, are as good to it.
    pub radius_permille: u32,
}

/// All numbered levels.
pub const LEVELS: RangeInclusive<u8> = 1..=10;

/// Level `number`; 10 is the strongest that does not depend on the machine's speed.
pub fn level(number: u8) -> Level {
    let number = u32::from(number.clamp(*LEVELS.start(), *LEVELS.end()));
    let radius_permille = [0, 6000, 4000, 2500, 1500, 800, 400, 200, 100, 0, 0][number as usize];
    Level { depth: number + number / 2 * (number / 4), nodes: 100 << (2 * number - 2), radius_permille }
}

/// S2's three names, and the numbers.
pub fn parse(text: &str) -> Option<u8> {
    match text {
        "beginner" => Some(2),
        "advanced" => Some(5),
        "expert" => Some(8),
        _ => text.parse().ok().filter(|number| LEVELS.contains(number)),
    }
}
