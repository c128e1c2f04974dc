//! Oracles: what a position *is*, where that is known by proof.

use trilith_games::{Game, Outcome};

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Under best play, for the side to move.
    pub outcome: Outcome,
    /// To the end, if the winner hurries and the loser delays; none for draws and where only the outcome is known.
    pub plies: Option<u32>,
}

/// The depth of a question about the root of a search: worth milliseconds.
pub const AT_ROOT: u32 = u32::MAX;

/// Knows the outcome of some positions.
pub trait Oracle<G: Game>: Send + Sync {
    /// What is known of a position. `depth` is how many plies the search would still look ahead from it, or
    /// [`AT_ROOT`]: an answer that costs more than that search is better not given. The same question must have the
    /// same answer throughout a search.
    fn probe(&self, game: &G, position: &G::Position, depth: u32) -> Option<Known>;
}

/// Knows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unknowing;

impl<G: Game> Oracle<G> for Unknowing {
    #[inline]
    fn probe(&self, _: &G, _: &G::Position, _: u32) -> Option<Known> {
        None
    }
}
