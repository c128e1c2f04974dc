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

/// What is known at the root of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownRoot<M> {
    /// What the side to move gets at least.
    pub outcome: Outcome,
    /// The moves that are known to keep it; at least one.
    pub moves: Vec<M>,
}

/// Knows the outcome of some positions.
pub trait Oracle<G: Game>: Send + Sync {
    /// What is known of a position. `depth` is how many plies the search would still look ahead from it: an answer that
    /// costs more than that search is better not given.
    fn probe(&self, game: &G, position: &G::Position, depth: u32) -> Option<Known>;

    /// What is known of the position of a search that begins, and by which moves; may take milliseconds.
    fn root(&self, _game: &G, _position: &G::Position) -> Option<KnownRoot<G::Move>> {
        None
    }
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
