//! Tables at the leaves and at the root of a search.

use trilith_eval::{Known, Oracle};
use trilith_games::Game;
use trilith_games::morris::{Morris, Position};

use crate::motion::Motion;
use crate::tables::{Tables, Value};

/// Plies that a search must still have before it to make a table worth asking that has to be unpacked: ten to twenty
/// microseconds, as long as searching some dozen positions.
const WORTH_UNPACKING: u32 = 2;

impl From<Value> for Known {
    fn from(value: Value) -> Known {
        Known { outcome: value.outcome, plies: value.plies }
    }
}

/// Knows the positions of its tables, if the game is played by their rules. A value leaves repetition and quiet plies
/// out of account: it says what is lost or won where the players do not run into a draw rule.
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
        self.probe_if(position, |table| depth >= WORTH_UNPACKING || table.is_in_memory()).map(Known::from)
    }
}
