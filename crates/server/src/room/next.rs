//! The game after a game: the same rules, start and clock, with the colours changed.

use trilith_arena::TableError;
use trilith_arena::table::{self, Table};

use super::seat::Sides;
use super::state::Room;
use crate::opening::NewTable;

/// The next table of the same players. Who holds a seat here holds the other seat there: their tokens stay good.
pub(super) fn table(room: &Room) -> Result<(Box<dyn Table>, NewTable), TableError> {
    let setup = &room.setup;
    let seats = room.seats();
    let board = table::open(&setup.game, &setup.rules, Some(&setup.start))?;
    let plan = NewTable {
        seats: Sides { black: seats.white.clone(), white: seats.black.clone() },
        clock: setup.clock,
        rated: setup.rated,
        public: setup.public,
        owner: setup.owner.clone(),
        over: None,
    };
    Ok((board, plan))
}
