//! Players decide on one ply at a time.

use trilith_base::{Seed, words};
use trilith_games::{Game, Record, playout};

/// Decides on one ply.
pub trait Player<G: Game>: Send {
    /// A legal move of a game that has not ended.
    fn choose(&mut self, record: &Record<G>) -> G::Move;
}

/// A text that names no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown player `{spec}`: expected {expected}")]
pub struct PlayerError {
    spec: String,
    expected: String,
}

/// The names that [`player`] knows.
pub const PLAYERS: &[&str] = &["random"];

/// The player that `spec` names; all its draws come from `seed`.
pub fn player<G: Game>(spec: &str, seed: Seed) -> Result<Box<dyn Player<G>>, PlayerError> {
    match spec {
        "random" => Ok(Box::new(Random { seed })),
        _ => Err(PlayerError { spec: spec.into(), expected: words::expected(spec, PLAYERS.iter().copied()) }),
    }
}

/// Every legal move is equally likely. The draw depends on seed and ply alone, so an undone move comes again.
struct Random {
    seed: Seed,
}

impl<G: Game> Player<G> for Random {
    fn choose(&mut self, record: &Record<G>) -> G::Move {
        let mut rng = self.seed.derive("ply", record.len() as u64).rng();
        playout::random_move(record.game(), record.position(), &mut rng)
            .expect("only asked while the game goes on")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_games::morris::Morris;

    #[test]
    fn random_plays_the_same_game_from_the_same_seed() {
        let game = || {
            let mut record = Record::new(Morris::new(Default::default()));
            let mut player = player("random", Seed(5)).unwrap();
            while record.end().is_none() {
                let mv = player.choose(&record);
                record.push(mv).unwrap();
            }
            record.moves().collect::<Vec<_>>()
        };
        assert_eq!(game(), game());
    }
}
