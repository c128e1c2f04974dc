//! Game texts for every game, after the Portable Game Notation of chess: tags in brackets, numbered moves, a result.
//!
//! ```text
//! [Game "morris"]
//! [Rules "thesis"]
//! [Result "1-0"]
//! [Termination "two stones left"]
//!
//! 1. d6 f4 2. d2 b4 ... 1-0
//! ```
//!
//! `1-0` says that the side which begins the game has won, whatever its colour. `Game`, `Rules`, `Position` (where the
//! game does not begin at the usual start), `Result` and `Termination` have a meaning here; other tags are kept as
//! they are. Comments in braces are kept with their move; annotation glyphs and variations are skipped.

mod read;
mod tokens;
mod write;

pub use read::{game_name, parse};
pub use write::{write, write_with};

use crate::game::{Colour, Game};
use crate::record::Record;

/// A game with what was written about it.
#[derive(Clone, Debug)]
pub struct GameText<G: Game> {
    /// Rules, start and moves.
    pub record: Record<G>,
    /// All tags but `Game`, `Rules` and `Position`, and but `Result` and `Termination` where the record itself has
    /// ended: what [`write()`] needs beside the record to give the same text.
    pub tags: Vec<(String, String)>,
    /// How the game ended: by the rules, or as stated, such as after a resignation.
    pub result: PgnResult,
    /// What stands in braces: the ply, from 0, of the move before it (0 also before the first), and the text. One a ply.
    pub comments: Vec<(usize, String)>,
}

impl<G: Game> GameText<G> {
    /// The comment on the move of a ply, from 0.
    pub fn comment(&self, ply: usize) -> Option<&str> {
        self.comments.iter().find(|(at, _)| *at == ply).map(|(_, text)| text.as_str())
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PgnResult {
    /// Not yet, or nobody has said.
    Open,
    /// Nobody has won.
    Draw,
    /// This colour has won.
    Won(Colour),
}

impl PgnResult {
    /// What the record's own end says.
    pub fn of<G: Game>(record: &Record<G>) -> PgnResult {
        match record.end() {
            None => PgnResult::Open,
            Some(end) => end.winner.map_or(PgnResult::Draw, PgnResult::Won),
        }
    }

    /// `1-0`, `0-1`, `1/2-1/2` or `*`, given the colour that begins the game.
    pub fn text(self, first: Colour) -> &'static str {
        match self {
            PgnResult::Open => "*",
            PgnResult::Draw => "1/2-1/2",
            PgnResult::Won(colour) if colour == first => "1-0",
            PgnResult::Won(_) => "0-1",
        }
    }

    /// Reads what [`PgnResult::text`] writes.
    pub fn read(text: &str, first: Colour) -> Option<PgnResult> {
        let all = [PgnResult::Open, PgnResult::Draw, PgnResult::Won(first), PgnResult::Won(!first)];
        all.into_iter().find(|result| result.text(first) == text)
    }
}

/// The colour that begins the game from its usual start.
fn first_colour<G: Game>(game: &G) -> Colour {
    game.to_move(&game.start())
}

const GAME: &str = "Game";
const RULES: &str = "Rules";
const POSITION: &str = "Position";
const RESULT: &str = "Result";
const TERMINATION: &str = "Termination";
