//! Perft: how many ways there are to play on for so many plies. The test of every move generator.

use crate::game::{Game, MoveList};

/// Positions reached after exactly `depth` plies, counted by way; the last ply is counted, not played.
///
/// A game that has ended has no further plies; [`Game::PERFT_KEEPS_ENDED`] says whether deeper counts include it.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    let ended = u64::from(G::PERFT_KEEPS_ENDED);
    match depth {
        0 => 1,
        1 => (game.count_moves(position) as u64).max(ended),
        _ => {
            let mut moves = MoveList::new();
            game.moves(position, &mut moves);
            if moves.is_empty() {
                return ended;
            }
            moves.iter().map(|&mv| perft(game, &game.play(position, mv), depth - 1)).sum()
        }
    }
}

/// The perft number below each move, in the order of [`Game::moves`].
pub fn divide<G: Game>(game: &G, position: &G::Position, depth: u32) -> Vec<(G::Move, u64)> {
    let mut moves = MoveList::new();
    game.moves(position, &mut moves);
    let below = depth.saturating_sub(1);
    moves.iter().map(|&mv| (mv, game.perft(&game.play(position, mv), below))).collect()
}
