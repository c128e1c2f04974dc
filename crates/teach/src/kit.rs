//! What a game brings to teaching, asked in one place. The defaults do nothing.

use std::path::Path;

use trilith_arena::GameKit;
use trilith_arena::player::text::TextPlayerError;
use trilith_eval::Margin;
use trilith_games::{Colour, Game};
use trilith_tablebase::TablebaseError;

use crate::why::{Count, Event};

/// Puzzles and lessons of a game.
pub trait TeachKit<G: Game>: GameKit<G> {
    /// The puzzles that come with the program, as [`write`](crate::puzzle::write) writes them; none if empty.
    const PUZZLES: &'static str = "";
    /// Whether the plies of a won puzzle are the shortest way to the end, and not only how far its proof goes.
    const WINS_HAVE_LENGTHS: bool = false;
    /// The lessons that come with the program, as TOML; none if empty.
    const LESSONS: &'static str = "";

    /// What finds puzzles and proves them; none if the game has no puzzles. Tables are built in `tables` where they are
    /// missing, else where players look for them.
    fn puzzler(_tables: Option<&Path>) -> Result<Option<Box<dyn Puzzler<G>>>, PuzzlerError> {
        Ok(None)
    }

    /// The command by which everybody can prove the puzzle that begins in a position, given the plies of its proof.
    fn command(_position: &str, _plies: u32) -> String {
        String::new()
    }

    // Reasons in words

    /// The events of [`TeachKit::events`], the most telling first.
    const EVENTS: &'static [&'static str] = &[];

    /// What happens in a legal move that players have a word for.
    fn events(_game: &G, _position: &G::Position, _mv: G::Move) -> Vec<Event> {
        Vec::new()
    }

    /// What players count in a position, for `side`, always the same in the same order.
    fn counts(_game: &G, _position: &G::Position, _side: Colour) -> Vec<Count> {
        Vec::new()
    }

    /// What players count when a game is over, for `side`, always the same in the same order.
    fn end_counts(_game: &G, _position: &G::Position, _side: Colour) -> Vec<Count> {
        Vec::new()
    }

    /// An event or a count in English and German: `{}` stands for the cell, `{one move|# moves}` for a difference of one or
    /// more, `{best}` for the best move where the sentence is no comparison.
    fn words(_name: &str) -> [&'static str; 2] {
        [""; 2]
    }
}

/// Games that bring nothing.
impl<G: Game> TeachKit<G> for Margin {}

/// Games from which puzzles are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceGames {
    /// Random plies before the players take over.
    pub opening: usize,
    /// Levels of the two players, the lowest and the highest.
    pub levels: [u8; 2],
    /// The longest game.
    pub plies: usize,
    /// Plies between two puzzles of one game.
    pub apart: usize,
    /// No theme has more of all puzzles than this share, in per cent.
    pub most_of_a_theme: usize,
}

/// Finds puzzles and proves them.
pub trait Puzzler<G: Game>: Send {
    /// Where positions come from.
    fn source(&self) -> SourceGames;

    /// The position as a puzzle may begin with it, without counters of the game it comes from; none if it is out of
    /// question. Quick.
    fn candidate(&self, game: &G, position: &G::Position) -> Option<G::Position>;

    /// The puzzle that begins here, proved from nothing but the position; none if not exactly one move is right.
    fn find(
        &mut self,
        game: &G,
        position: &G::Position,
    ) -> Result<Option<FoundPuzzle<G::Move>>, PuzzlerError>;
}

/// A puzzle that was proved.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundPuzzle<M> {
    /// What is to be reached.
    pub goal: Goal,
    /// What it is about, one word.
    pub theme: &'static str,
    /// Plies that the proof covers: to the end of the game, or to the gain.
    pub plies: u32,
    /// What the right move is worth, in words of the proof.
    pub right: String,
    /// What the next best move is worth.
    pub next: String,
    /// The right move, then replies and right moves as long as there is only one; ends with a right move.
    pub line: Vec<M>,
}

/// What a puzzle asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// Every other move does not win.
    Win,
    /// Every other move loses.
    Draw,
    /// Force a gain: eject a marble.
    Gain,
}

impl Goal {
    /// All goals.
    pub const ALL: [Goal; 3] = [Goal::Win, Goal::Draw, Goal::Gain];

    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            Goal::Win => "win",
            Goal::Draw => "draw",
            Goal::Gain => "gain",
        }
    }
}

impl std::fmt::Display for Goal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// Why puzzles cannot be found or proved.
#[derive(Debug, thiserror::Error)]
pub enum PuzzlerError {
    /// The tables cannot be had.
    #[error(transparent)]
    Tables(#[from] TablebaseError),
    /// A player cannot be had or does not answer.
    #[error(transparent)]
    Player(#[from] TextPlayerError),
}

/// Something to do with a game whose type is only known by name.
pub trait TeachVisitor {
    /// What comes of it.
    type Output;
    /// Does it for the game `G` with what `C` brings.
    fn visit<G: Game, C: TeachKit<G>>(self) -> Self::Output;
}

macro_rules! dispatch {
    ($($(#[$only:meta])? $game:ty => $kit:ty),+ $(,)?) => {
        /// Calls `visitor` with the game called `name`.
        pub fn with_teacher<V: TeachVisitor>(
            name: &str,
            visitor: V,
        ) -> Result<V::Output, trilith_arena::UnknownGame> {
            match name {
                $($(#[$only])? <$game as Game>::NAME => Ok(visitor.visit::<$game, $kit>()),)+
                _ => Err(trilith_arena::UnknownGame::new(name)),
            }
        }
    };
}

trilith_arena::games!(dispatch);
