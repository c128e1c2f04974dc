//! Positions of random games for tests.

use trilith_base::Seed;
use trilith_games::othello::{Othello, Position};
use trilith_games::{Game, playout};

/// So many positions that go on, from all parts of random games.
pub fn positions(seed: Seed, count: usize) -> Vec<Position> {
    let game = Othello::default();
    let mut rng = seed.rng();
    let mut positions = Vec::with_capacity(count);
    let mut position = game.start();
    while positions.len() < count {
        positions.push(position);
        position = match playout::random_move(&game, &position, &mut rng) {
            Some(mv) => game.play(&position, mv),
            None => game.start(),
        };
        if game.outcome(&position).is_some() {
            position = game.start();
        }
    }
    positions
}
