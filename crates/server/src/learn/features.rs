//! What heuristics can weigh: the feature sets of each game with the names of their numbers.

use axum::Json;
use serde::Serialize;
use trilith_arena::{GAMES, GameKit, Visitor, with_game};
use trilith_games::Game;

/// Sets with more numbers are for learners, not for sliders.
const MOST: usize = 64;

#[derive(Serialize)]
pub(crate) struct Features {
    game: &'static str,
    sets: Vec<Set>,
}

#[derive(Serialize)]
pub(super) struct Set {
    name: String,
    pub(super) terms: Vec<String>,
}

/// `GET /api/learn/features`.
pub(crate) async fn features() -> Json<Vec<Features>> {
    Json(GAMES.iter().filter_map(|game| with_game(game, Describe).ok()).collect())
}

struct Describe;

impl Visitor for Describe {
    type Output = Features;

    fn visit<G: Game, C: GameKit<G>>(self) -> Features {
        let mut sets: Vec<_> = C::feature_sets().into_iter().filter(|set| set.count() <= MOST).collect();
        // Bare cells say least to people.
        sets.sort_by_key(|set| set.name().starts_with("board"));
        let set =
            |set: Box<dyn trilith_eval::FeatureSet<G>>| Set { name: set.name().into(), terms: set.names() };
        Features { game: G::NAME, sets: sets.into_iter().map(set).collect() }
    }
}

/// The set called `name` of `game`, if people can weigh it.
pub(super) fn find(game: &str, name: &str) -> Option<Set> {
    with_game(game, Describe).ok()?.sets.into_iter().find(|set| set.name == name)
}
