//! From a name to a type: the only list of games in the program.

use trilith_base::words;
use trilith_games::{Colour, Game};

use crate::kit::GameKit;

/// Something to do with a game whose type is only known by name.
pub trait Visitor {
    /// What comes of it.
    type Output;
    /// Does it for the game `G` with what it has of its own, `C`.
    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output;
}

/// There is no game of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown game `{name}`: expected {expected}")]
pub struct UnknownGame {
    name: String,
    expected: String,
}

impl UnknownGame {
    /// Says which known name is nearest.
    pub fn new(name: &str) -> UnknownGame {
        UnknownGame { name: name.into(), expected: words::expected(name, GAMES.iter().copied()) }
    }
}

macro_rules! register {
    ($($(#[$only:meta])? $game:ty => $kit:ty),+ $(,)?) => {
        /// The names of all games.
        pub const GAMES: &[&str] = &[$($(#[$only])? <$game as Game>::NAME),+];

        /// Calls `visitor` with the game called `name`.
        pub fn with_game<V: Visitor>(name: &str, visitor: V) -> Result<V::Output, UnknownGame> {
            match name {
                $($(#[$only])? <$game as Game>::NAME => Ok(visitor.visit::<$game, $kit>()),)+
                _ => Err(UnknownGame::new(name)),
            }
        }
    };
}

/// Hands the list of games to the macro `$with`, for crates that ask more of a game than [`GameKit`].
#[macro_export]
macro_rules! games {
    ($with:ident) => {
        $with! {
            trilith_games::othello::Othello => trilith_eval::othello::Evaluations,
            trilith_games::morris::Morris => trilith_eval::morris::Evaluations,
            trilith_games::abalone::Abalone => trilith_eval::abalone::Evaluations,
            #[cfg(feature = "tictactoe")]
            $crate::tictactoe::TicTacToe => trilith_eval::Margin,
        }
    };
}

games!(register);

/// Who begins the game called `name` by its usual rules.
pub fn first_colour(name: &str) -> Result<Colour, UnknownGame> {
    struct Begins;

    impl Visitor for Begins {
        type Output = Colour;

        fn visit<G: Game, C: GameKit<G>>(self) -> Colour {
            let game = G::new(G::Rules::default());
            game.to_move(&game.start())
        }
    }

    with_game(name, Begins)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;
    use trilith_games::contract;

    struct Contract;

    impl Visitor for Contract {
        type Output = ();

        fn visit<G: Game, C: GameKit<G>>(self) {
            contract::check(&G::new(G::Rules::default()), Seed(1), 3, 150);
        }
    }

    #[test]
    fn every_registered_game_keeps_the_contract() {
        for name in GAMES {
            with_game(name, Contract).unwrap();
        }
    }

    #[test]
    fn a_misspelt_game_is_answered_with_the_right_one() {
        let error = with_game("otello", Contract).unwrap_err();
        let expected = "unknown game `otello`: expected `othello`? Known: othello, morris, abalone";
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}
