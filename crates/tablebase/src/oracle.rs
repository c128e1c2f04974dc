//! Tables at the leaves of a search.

use trilith_eval::Oracle;
use trilith_games::Outcome;
use trilith_games::morris::{Morris, Position};

use crate::motion::Motion;
use crate::tables::Tables;

/// Plies that a win or loss is given where only the outcome is known: more than a search sees, so that a win it sees
/// itself is preferred.
const FAR: u32 = 500;

/// Knows the positions of its tables, if the game is played by their rules. A value leaves repetition and quiet plies
/// out of account: it says what is lost or won where the players do not run into a draw rule.
impl Oracle<Morris> for Tables {
    #[inline]
    fn probe(&self, game: &Morris, position: &Position) -> Option<(Outcome, u32)> {
        use trilith_games::Game;
        if Motion::of(game.rules()) != self.motion() {
            return None;
        }
        let value = self.probe(position)?;
        let plies = if value.outcome == Outcome::Draw { 0 } else { value.plies.unwrap_or(FAR) };
        Some((value.outcome, plies))
    }
}
