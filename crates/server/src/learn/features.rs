//! What heuristics can weigh: the feature sets of each game with the names of their numbers.

use axum::Json;
use serde::Serialize;
use trilith_arena::{GAMES, GameKit, Visitor, with_game};
use trilith_base::Seed;
use trilith_games::{Game, Record, playout};
use trilith_learn::run::example;

/// Sets with more numbers are for learners, not for sliders.
const MOST: usize = 64;
/// How many games of random moves say whether such games end.
const GAMES_TRIED: u64 = 9;

#[derive(Serialize)]
pub(crate) struct Features {
    game: &'static str,
    /// Whether something can be learned from how games of random moves end.
    random_games_end: bool,
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
        let sets = sets.into_iter().map(set).collect();
        Features { game: G::NAME, random_games_end: do_random_games_end::<G>(), sets }
    }
}

/// Whether most games of random moves end as soon as the learner `outcomes` needs them to.
fn do_random_games_end<G: Game>() -> bool {
    let ends = |number| {
        let mut record = Record::new(G::new(G::Rules::default()));
        playout::play_on(&mut record, example::PLIES, &mut Seed(number).rng());
        record.end().is_some()
    };
    (0..GAMES_TRIED).filter(|&number| ends(number)).count() as u64 > GAMES_TRIED / 2
}

/// The set called `name` of `game`, if people can weigh it.
pub(super) fn find(game: &str, name: &str) -> Option<Set> {
    with_game(game, Describe).ok()?.sets.into_iter().find(|set| set.name == name)
}
