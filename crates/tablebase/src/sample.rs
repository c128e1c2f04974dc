//! Positions drawn by lot from a table: where matches begin, what learners are shown.

use rand::RngExt;
use trilith_base::Seed;
use trilith_games::morris::Position;
use trilith_games::{Colour, Outcome};

use crate::error::TablebaseError;
use crate::file::TableFile;
use crate::tables::TablebaseValue;

/// Draws before a table is taken to have no such position.
const ATTEMPTS: u64 = 1 << 20;

/// The position of the `number`-th draw among those with `outcome` for the side to move, every slot equally likely;
/// White is to move in even draws. None if there is none, or too few to be found by lot.
pub fn sample(
    table: &TableFile,
    outcome: Outcome,
    seed: Seed,
    number: u64,
) -> Result<Option<Position>, TablebaseError> {
    let mut rng = seed.derive("sample", number).rng();
    let colour = if number.is_multiple_of(2) { Colour::White } else { Colour::Black };
    for _ in 0..ATTEMPTS {
        let slot = rng.random_range(0..table.subspace().slots());
        if TablebaseValue::of(table.plies(slot)?, table.header().mode).outcome == outcome {
            let (own, other) = table.subspace().stones_of(slot);
            return Ok(Some(Position::moving(own, other, colour)));
        }
    }
    Ok(None)
}
