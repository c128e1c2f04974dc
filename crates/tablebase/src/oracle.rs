//! Tables at the leaves and at the root of a search.

use trilith_eval::{Known, Oracle};
use trilith_games::morris::{Morris, Position, Rules};
use trilith_games::{Game, Outcome};

use crate::motion::Motion;
use crate::tables::{TablebaseValue, Tables};

/// Plies that a search must still have before it to make a table worth asking that has to be unpacked: ten to twenty
/// microseconds, as long as searching some dozen positions.
const WORTH_UNPACKING: u32 = 2;

impl From<TablebaseValue> for Known {
    fn from(value: TablebaseValue) -> Known {
        Known { outcome: value.outcome, plies: value.plies }
    }
}

/// Whether a value stands although the game is drawn after some plies without a capture once a side has three stones:
/// a short limit that many wins do not keep to. Draws stand, and so does what is over within the limit.
pub(crate) fn is_in_time(rules: &Rules, position: &Position, value: TablebaseValue) -> bool {
    if rules.endgame_plies == 0 || value.outcome == Outcome::Draw {
        return true;
    }
    let has_three = position.own().count_ones().min(position.other().count_ones()) <= 3;
    let gone = if has_three { u32::from(position.quiet()) } else { 0 };
    value.plies.is_some_and(|plies| gone + plies <= rules.endgame_plies)
}

/// Knows the positions of its tables, if the game is played by their rules. A value leaves repetition and quiet plies
/// out of account: it says what is lost or won where the players do not run into a draw rule. Only what the limit of
/// [`Rules::endgame_plies`] could change is not told.
impl Oracle<Morris> for Tables {
    #[inline]
    fn probe(&self, game: &Morris, position: &Position, depth: u32) -> Option<Known> {
        // First what most positions of most searches fail.
        if position.in_hand() > 0 || !self.may_know(position) {
            return None;
        }
        if Motion::of(game.rules()) != self.motion() {
            return None;
        }
        let value = self.probe_if(position, |table| depth >= WORTH_UNPACKING || table.is_in_memory())?;
        is_in_time(game.rules(), position, value).then(|| Known::from(value))
    }
}
