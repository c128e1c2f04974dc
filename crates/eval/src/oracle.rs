//! Oracles: what a position *is*, where that is known by proof.

use trilith_games::{Game, Outcome};

/// Knows the outcome of some positions.
pub trait Oracle<G: Game>: Send + Sync {
    /// The outcome under best play for the side to move and the plies to the end, if known.
    fn probe(&self, game: &G, position: &G::Position) -> Option<(Outcome, u32)>;
}

/// Knows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unknowing;

impl<G: Game> Oracle<G> for Unknowing {
    #[inline]
    fn probe(&self, _: &G, _: &G::Position) -> Option<(Outcome, u32)> {
        None
    }
}
