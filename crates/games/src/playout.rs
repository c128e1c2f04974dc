//! Random games: every legal move equally likely.

use rand::{Rng, RngExt};

use crate::game::{Game, MoveList};
use crate::record::Record;

/// A legal move by lot; none if the position has ended.
pub fn random_move<G: Game>(game: &G, position: &G::Position, rng: &mut impl Rng) -> Option<G::Move> {
    let mut moves = MoveList::new();
    game.moves(position, &mut moves);
    (!moves.is_empty()).then(|| moves[rng.random_range(0..moves.len())])
}

/// Plays `record` on at random until the game ends or `plies` more have been played.
pub fn play_on<G: Game>(record: &mut Record<G>, plies: usize, rng: &mut impl Rng) {
    for _ in 0..plies {
        if record.end().is_some() {
            return;
        }
        match random_move(record.game(), record.position(), rng) {
            Some(mv) => record.push_legal(mv),
            None => return,
        }
    }
}
