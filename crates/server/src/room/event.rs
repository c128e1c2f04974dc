//! What has happened at a table. Events are only ever added; the state is what replaying them gives.

use serde::{Deserialize, Serialize};
use trilith_games::Colour;

use super::seat::Holder;

/// One entry of a table's log, kept as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub(crate) enum Event {
    /// A move, and what its side has left on the clock after it.
    Move {
        #[serde(rename = "move")]
        mv: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left_ms: Option<u64>,
    },
    /// So many moves are taken back.
    Undo { plies: usize },
    /// So many are played again.
    Redo { plies: usize },
    /// A draw is offered.
    Offer { by: Colour },
    /// An offer, or the wish for a move back, is turned down.
    Decline,
    /// An offer is accepted.
    Agree,
    /// A side gives up.
    Resign { by: Colour },
    /// A side's time is over.
    Time { by: Colour },
    /// A player of the server could not move.
    Forfeit { by: Colour, reason: String },
    /// A game that has hardly begun ends without a winner.
    Abort { by: Colour },
    /// Nobody has played on for a long time.
    Abandon,
    /// Somebody takes an open seat.
    Join { seat: Colour, name: String, holder: Holder },
    /// Engines and clocks stand still.
    Pause,
    /// They go on.
    Continue,
    /// A side asks to have its last move back.
    Takeback { by: Colour },
    /// A side wants to play again.
    Rematch { by: Colour },
    /// The game after this one, with the colours changed.
    Next { table: String },
}
