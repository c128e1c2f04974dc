//! `random`: every legal move is equally likely.

use trilith_base::Seed;
use trilith_games::{Game, Record, playout};
use trilith_search::Analysis;

use super::{Decision, Player, PlayerFault, PlayerKind, Turn};

pub(super) const KIND: PlayerKind =
    PlayerKind { name: "random", options: &[], about: "plays every legal move with equal chance" };

pub(super) fn make<G: Game>(seed: Seed) -> Box<dyn Player<G>> {
    Box::new(Random { seed })
}

/// The draw depends on seed and ply alone, so an undone move comes again.
struct Random {
    seed: Seed,
}

impl<G: Game> Player<G> for Random {
    fn choose(
        &mut self,
        record: &Record<G>,
        _: Turn<'_>,
        _: &mut dyn FnMut(&Analysis<G::Move>),
    ) -> Result<Decision<G::Move>, PlayerFault> {
        let mut rng = self.seed.derive("ply", record.len() as u64).rng();
        let mv = playout::random_move(record.game(), record.position(), &mut rng);
        Ok(Decision { mv: mv.expect("only asked while the game goes on"), analysis: None })
    }

    fn renew(&mut self, seed: Seed) -> bool {
        self.seed = seed;
        true
    }
}
