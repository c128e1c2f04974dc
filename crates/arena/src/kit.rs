//! What a game has of its own beside its rules: everything is asked of one place, and the defaults do nothing.
//!
//! Evaluations are in `Catalogue`, searches in `SearchKit`, the rest here. The registry hands all of it out.

use std::sync::Arc;

use serde::Serialize;
use trilith_base::Seed;
use trilith_book::{EndgameProver, Judge};
use trilith_eval::{EvaluationError, Margin, Oracle, Unknowing};
use trilith_games::Game;
use trilith_search::SearchKit;

use crate::book::examination::{self, Examination};
use crate::known::{Enquiry, Knowledge};
use crate::player::endgames::{EndgameSource, Endgames};
use crate::player::levels::{self, Level};
use crate::player::{self, Player, PlayerError, PlayerFault};
use crate::protocol::GameProtocol;
use crate::sheets::GameFormat;
use crate::spec::PlayerSpec;
use crate::tablebase::Tablebase;

/// Levels, players and protocols made for one game, beside those for all games.
pub trait GameKit<G: Game>: SearchKit<G> + Sized {
    /// What its engine knows by proof.
    type Endgames: Endgames<G>;

    /// The levels that people choose from, weakest first.
    const LEVELS: [Level; levels::COUNT] = levels::UNRATED;

    /// The protocols that only programs of this game speak.
    const PROTOCOLS: &'static [GameProtocol<G>] = &[];

    /// The formats of game files that only this game has.
    const FORMATS: &'static [GameFormat<G>] = &[];

    /// Rules and the depth of a perft that takes about half a second, for benchmarks.
    const PERFT_WORKLOADS: &'static [(&'static str, u32)] = &[("", 6)];

    /// Positions for benchmarks: what they are called, and after how many random plies they are met, from and to.
    const STAGES: &'static [(&'static str, usize, usize)] = &[("early", 1, 4)];

    /// Players with a story, which people may choose beside the levels.
    const FACES: &'static [Face] = &[];

    /// Words for people who look at the page, as JSON: for each language (`en`, `de`) `texts` by key (the game's name, names
    /// and stories of [`GameKit::FACES`]), names of rules (`group`, `choice`) and of themes of puzzles.
    const WORDS: &'static str = "{}";

    /// The player that `spec` describes; all its draws come from `seed`. A game that says this itself, if only by calling
    /// [`player::make`], has all its players compiled once, here, and not in every crate that asks for one.
    fn player(spec: &PlayerSpec, seed: Seed) -> Result<Box<dyn Player<G>>, PlayerError> {
        player::make::<G, Self>(spec, seed)
    }

    /// The judge of a book's positions that an examination asks for; compiled once as [`GameKit::player`] is.
    fn judge(examination: &Examination) -> Result<Box<dyn Judge<G> + Send>, EvaluationError> {
        examination::make::<G, Self>(examination)
    }

    /// The phase of the game that a position after so many plies belongs to, if people tell some apart.
    fn phase(_game: &G, _position: &G::Position, _plies: usize) -> Option<&'static str> {
        None
    }

    /// What players call the opening with these moves from the usual start.
    fn opening_name(_moves: &[String]) -> Option<&'static str> {
        None
    }

    /// The player without a mistake that `spec` describes; none if the game has no such player.
    fn perfect(_spec: &PlayerSpec, _seed: Seed) -> Option<Result<Box<dyn Player<G>>, PlayerError>> {
        None
    }

    /// What tables and solvers know of a position of a game that goes on.
    fn known(_enquiry: &Enquiry<'_>, _game: &G, _position: &G::Position) -> Knowledge {
        Knowledge::default()
    }

    /// The endgame tables of these rules that can be built where the program runs.
    fn tablebase(_rules: &G::Rules) -> Option<Box<dyn Tablebase>> {
        None
    }

    /// What a tree search takes as proved in games by these rules: what the engine knows, if nothing else is said.
    fn leaf_oracle(tables: EndgameSource, game: &G) -> Result<Arc<dyn Oracle<G>>, PlayerFault> {
        let mut endgames = Self::Endgames::new(tables, EndgameSource::Off);
        endgames.get_ready(game)?;
        Ok(Arc::new(endgames))
    }

    /// What proves endings with at most so many plies for a book.
    fn prover(_plies: u32) -> Option<Box<dyn EndgameProver<G>>> {
        None
    }
}

/// A player with a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Face {
    /// What the page's words call it by.
    pub name: &'static str,
    /// How it is made.
    pub spec: &'static str,
    /// Where it stands among the others: `perfect` never errs as far as it knows, `published` is of a published work.
    pub shelf: &'static str,
}

impl Face {
    /// One that never gives away what it has, as far as it knows.
    pub const fn perfect(name: &'static str, spec: &'static str) -> Face {
        Face { name, spec, shelf: "perfect" }
    }

    /// One of a work that docs/references.md names.
    pub const fn published(name: &'static str, spec: &'static str) -> Face {
        Face { name, spec, shelf: "published" }
    }
}

/// A game that is played with nothing but its rules.
impl<G: Game> GameKit<G> for Margin {
    type Endgames = Unknowing;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GAMES, Visitor, with_game};
    use trilith_search::probcut::ProbCutParameters;
    use trilith_search::pruning::PruningParameters;

    /// Reads what is shipped for the search of a game.
    struct Shipped;

    impl Visitor for Shipped {
        type Output = ();

        fn visit<G: Game, C: GameKit<G>>(self) {
            if let Some(text) = C::PRUNING {
                let parameters = PruningParameters::parse(text)
                    .unwrap_or_else(|error| panic!("pruning parameters of {}: {error}", G::NAME));
                assert_ne!(parameters, PruningParameters::default(), "{} uses none of them", G::NAME);
            }
            for text in C::PROBCUT {
                ProbCutParameters::parse(text)
                    .unwrap_or_else(|error| panic!("ProbCut parameters of {}: {error}", G::NAME));
            }
        }
    }

    #[test]
    fn the_shipped_parameters_of_every_game_are_read() {
        GAMES.iter().for_each(|game| with_game(game, Shipped).unwrap());
    }
}
