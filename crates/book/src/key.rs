//! By what positions are known to the book.

use trilith_base::seed::mix;
use trilith_games::{Game, Record};

/// The name of a node: the same for symmetric positions.
pub type NodeKey = u64;

/// The name of the node for `position`, `layer` plies after the last move that cannot be undone.
///
/// Where positions can return, the layer keeps the first visit and the return apart, so that the book has no circles: a
/// ply either leads one layer on or to positions that none before it can follow.
pub fn node_key<G: Game>(game: &G, position: &G::Position, layer: usize) -> NodeKey {
    let (canonical, _) = game.canonical(position);
    key_of_canonical(game, &canonical, layer)
}

/// The same for a position that is its own canonical image.
pub(crate) fn key_of_canonical<G: Game>(game: &G, canonical: &G::Position, layer: usize) -> NodeKey {
    let side = game.to_move(canonical) as u64;
    mix(game.key(canonical) ^ mix(2 * layer as u64 + side))
}

/// Plies since the last move that cannot be undone.
pub fn layer<G: Game>(record: &Record<G>) -> usize {
    record.returnable().len()
}

/// The layer after `mv`.
pub(crate) fn next_layer<G: Game>(game: &G, position: &G::Position, mv: G::Move, layer: usize) -> usize {
    if game.is_irreversible(position, mv) { 0 } else { layer + 1 }
}
