//! What a game brings to data and fitting, asked in one place. A game that brings nothing is generated and judged all the
//! same: every default does without.

use std::path::Path;

use rand::{Rng, RngExt};
use trilith_arena::GameKit;
use trilith_base::Artifact;
use trilith_eval::{Evaluator, Margin, Oracle};
use trilith_games::board::Stone;
use trilith_games::{Game, MoveList};
use trilith_search::EngineOptions;

use crate::data::{
    DataError, LabelSettings, LabelledPosition, OldGames, PlayedGame, PlayedGameError, Prover, text,
};
use crate::fit::{FitError, FitMethod, FitRequest, Fitted, Reports};

/// The evaluations of a game with what making data and fitting ask beside them.
pub trait Training<G: Game>: GameKit<G> {
    /// What the first games are played with, before anything has been learned.
    type Bootstrap: Evaluator<G> + Clone + 'static;

    /// The evaluation of the first games.
    fn bootstrap() -> Self::Bootstrap;

    // Self-play

    /// Games in one job: enough to hide the way to a worker and back.
    const GAMES_PER_JOB: u64 = 4;
    /// Whether every game ends soon by its rules, so that none has to be cut.
    const ENDS_BY_ITSELF: bool = false;
    /// Whether games keep the search's value at every ply; else they teach by how they ended.
    const KEEPS_VALUES: bool = true;
    /// Whether [`Training::exact_play`] can be had.
    const HAS_EXACT_PLAY: bool = false;

    /// Which of `count` rules a game is played by.
    fn draw_rules(count: usize, rng: &mut impl Rng) -> usize {
        rng.random_range(0..count)
    }

    /// Whether a move changes nothing but the side to move.
    fn is_pass(_mv: G::Move) -> bool {
        false
    }

    /// The position without what does not matter to the side to move.
    fn for_mover(position: G::Position) -> G::Position {
        position
    }

    /// How games are searched. The transposition table has to be small: there are many engines.
    fn self_play_options<E: Evaluator<G>>(_evaluator: &E) -> EngineOptions {
        EngineOptions { table_mebibytes: 4, ..EngineOptions::default() }
    }

    /// Perfect play from `empties` empty cells on.
    fn exact_play(_empties: u32) -> Option<Box<dyn ExactPlay<G>>> {
        None
    }

    // Files

    /// The games of a file of a kind that is not written any more; none if it is no such file. `path` is for messages.
    fn parse_old_games(_bytes: &[u8], _path: &str) -> Option<Result<OldGames, DataError>> {
        None
    }

    /// The positions of rows as one column.
    fn pack(rows: &[LabelledPosition<G>]) -> Vec<u8> {
        text::pack(rows)
    }

    /// The positions of a column made by [`Training::pack`] that has `count`, or what is wrong with them.
    fn unpack(column: &[u8], count: usize) -> Result<Vec<(G, G::Position)>, String> {
        text::unpack(column, count)
    }

    // Other programs

    /// Whether [`Boards::hand`] says something.
    const HAS_HAND: bool = false;

    /// The position as other programs get it.
    fn boards(game: &G, position: &G::Position) -> Boards {
        let own = Stone::from(game.to_move(position));
        let stones = game.stones(position);
        let bits = |wanted: &dyn Fn(Stone) -> bool| {
            let cells = stones.iter().enumerate().take(64);
            let cells = cells.filter(|(_, stone)| stone.is_some_and(wanted));
            cells.fold(0_u64, |bits, (cell, _)| bits | 1 << cell)
        };
        let other = |stone: Stone| stone != own && stone != Stone::Neutral;
        Boards { own: bits(&|stone| stone == own), other: bits(&other), hand: [0; 2] }
    }

    /// How a game ended for the side to move, in one byte: -100 (lost) to 100 (won), or the game's own count.
    fn ending(result: Option<u16>, _margin: Option<i16>) -> Option<i8> {
        result.map(|result| ((i32::from(result) - 500) / 5) as i8)
    }

    /// The nearest value, in hundredths of the evaluation's unit, that a position can have.
    fn in_range(value: i16) -> i16 {
        value.clamp(-32_000, 32_000)
    }

    /// Result and margin that a byte of [`Training::ending`] stands for.
    fn read_ending(ending: i8) -> (u16, Option<i16>) {
        ((500 + 5 * i32::from(ending.clamp(-100, 100))) as u16, None)
    }

    // Labels

    /// The same games with better results, where games that share a beginning correct each other.
    fn relabel(games: Vec<PlayedGame>) -> Result<Vec<PlayedGame>, PlayedGameError> {
        Ok(games)
    }

    /// What proves positions of games by `rules`. Refused in a game that has nothing of the kind.
    fn label_prover(_rules: &str, _settings: &LabelSettings) -> Result<Box<dyn Prover<G>>, DataError> {
        Err(DataError::NoProver { game: G::NAME })
    }

    /// Endgame tables that teach, from `folder` or from the usual place; none in a game without tables, and in words
    /// why they cannot be read.
    fn endgame_tables(_game: &G, _folder: Option<&Path>) -> Option<Result<EndgameTables<G>, String>> {
        None
    }

    // Fitting

    /// Weights before anything was learned, to begin a fit with; none in a game without weights to fit.
    fn by_hand() -> Option<Artifact> {
        None
    }

    /// How weights are fitted; none in a game without weights to fit.
    const FIT_METHOD: Option<FitMethod> = None;

    /// Fits weights. Refused in a game without weights to fit.
    fn fit(_request: &FitRequest, _reports: Reports) -> Result<Fitted, FitError> {
        Err(FitError::NoWeights { game: G::NAME })
    }

    // Matches

    /// Options of the players that decide which weights are better, beside their weights.
    const TRIAL_OPTIONS: &'static [(&'static str, &'static str)] = &[];
}

/// What a game without evaluations of its own brings.
impl<G: Game> Training<G> for Margin {
    type Bootstrap = Margin;

    fn bootstrap() -> Margin {
        Margin
    }
}

/// Tables that know how positions end.
pub struct EndgameTables<G: Game> {
    /// What they say.
    pub oracle: Box<dyn Oracle<G>>,
    /// Which positions they know: what is learned depends on it.
    pub subspaces: String,
}

/// Perfect play where it can be had.
pub trait ExactPlay<G: Game> {
    /// The fewest plies from `position` to one that is covered: 0 where perfect play begins.
    fn plies_before(&self, position: &G::Position) -> u32;

    /// Whether it begins in `position`.
    fn covers(&self, position: &G::Position) -> bool {
        self.plies_before(position) == 0
    }

    /// Forgets all that was searched.
    fn forget(&mut self);

    /// The best move and what it leads to, in hundredths of the game's own count for the side to move. Trusts that
    /// `position` is covered and has not ended.
    fn best(&mut self, position: &G::Position) -> (G::Move, i16);
}

/// A position as plain numbers; cells are numbered as in the game's board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Boards {
    /// Stones of the side to move.
    pub own: u64,
    /// Stones of its opponent.
    pub other: u64,
    /// Stones of both that are not on the board yet.
    pub hand: [u8; 2],
}

/// Whether the side to move has more to do than pass.
pub fn has_choice<G: Game, C: Training<G>>(game: &G, position: &G::Position) -> bool {
    let mut moves = MoveList::new();
    game.moves(position, &mut moves);
    moves.first().is_some_and(|&mv| !C::is_pass(mv))
}

/// Something to do with a game whose type is only known by name.
pub trait TrainingVisitor {
    /// What comes of it.
    type Output;
    /// Does it for the game `G` with what `C` brings.
    fn visit<G: Game, C: Training<G>>(self) -> Self::Output;
}

macro_rules! dispatch {
    ($($(#[$only:meta])? $game:ty => $catalogue:ty),+ $(,)?) => {
        /// All games, and whether they have weights to fit.
        const FITTED: &[(&str, bool)] = &[
            $($(#[$only])? (<$game as Game>::NAME, <$catalogue as Training<$game>>::FIT_METHOD.is_some()),)+
        ];

        /// Calls `visitor` with the game called `name`.
        pub fn with_training<V: TrainingVisitor>(
            name: &str,
            visitor: V,
        ) -> Result<V::Output, trilith_arena::UnknownGame> {
            match name {
                $($(#[$only])? <$game as Game>::NAME => Ok(visitor.visit::<$game, $catalogue>()),)+
                _ => Err(trilith_arena::UnknownGame::new(name)),
            }
        }
    };
}

trilith_arena::games!(dispatch);

const FITTED_COUNT: usize = {
    let (mut count, mut at) = (0, 0);
    while at < FITTED.len() {
        count += FITTED[at].1 as usize;
        at += 1;
    }
    count
};

/// The games that have weights to fit.
pub const FITTED_GAMES: &[&str] = &{
    let (mut games, mut count, mut at) = ([""; FITTED_COUNT], 0, 0);
    while at < FITTED.len() {
        if FITTED[at].1 {
            games[count] = FITTED[at].0;
            count += 1;
        }
        at += 1;
    }
    games
};
