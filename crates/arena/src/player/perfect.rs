//! `tablebase` and `tricky`: players that never err, in games that have them.

use trilith_base::Seed;
use trilith_games::Game;

use super::{Player, PlayerError, PlayerKind};
use crate::kit::GameKit;
use crate::registry::{GAMES, Visitor, with_game};
use crate::spec::{PlayerSpec, SpecError};

pub(super) const ANY: PlayerKind = PlayerKind {
    name: "tablebase",
    options: OPTIONS,
    about: "any move that keeps the value, by lot, as far as tables reach, else the engine (depth=, nodes=, time=MS); \
            folder=, stones=N builds tables with up to N stones first; for games with tables",
};

pub(crate) const TRICKY: PlayerKind = PlayerKind {
    name: "tricky",
    options: OPTIONS,
    about: "of the moves that keep the value the one that leaves the fewest safe replies; options as tablebase",
};

const OPTIONS: &[&str] = &["folder", "stones", "depth", "nodes", "time"];

pub(super) fn make<G: Game, C: GameKit<G>>(
    spec: &PlayerSpec,
    seed: Seed,
) -> Result<Box<dyn Player<G>>, PlayerError> {
    C::perfect(spec, seed).unwrap_or_else(|| {
        let can = |game: &&&str| with_game(game, HasPerfect(spec)) == Ok(true);
        let expected = GAMES.iter().filter(can).copied().collect::<Vec<_>>().join(", ");
        Err(SpecError::Game { player: spec.name.clone(), game: G::NAME, expected }.into())
    })
}

/// Whether a game has such a player.
struct HasPerfect<'a>(&'a PlayerSpec);

impl Visitor for HasPerfect<'_> {
    type Output = bool;

    fn visit<G: Game, C: GameKit<G>>(self) -> bool {
        C::perfect(self.0, Seed(0)).is_some()
    }
}
