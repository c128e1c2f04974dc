//! Games of files that anybody wrote: sheets of other programs, and games of self-play.

use std::path::Path;

use trilith_arena::sheets::{self, Content, Format, GameSheet, SheetError};
use trilith_arena::{GameKit, import};
use trilith_games::pgn::{GameText, PgnResult};
use trilith_games::{Colour, Game};

use super::error::DataError;
use super::files::Notes;
use super::game::{PlayedGame, PlayedGameError};
use super::show;

/// Why the games of a file cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    /// It cannot be read, or is a damaged file of self-play.
    #[error(transparent)]
    Data(#[from] DataError),
    /// It is in no form that is known.
    #[error(transparent)]
    Import(#[from] import::ImportError),
    /// It cannot be read as a sheet.
    #[error(transparent)]
    Sheet(#[from] SheetError),
    /// A game of self-play breaks the rules.
    #[error(transparent)]
    Game(#[from] PlayedGameError),
    /// Self-play of another game.
    #[error("it holds games of {found}: expected {expected}")]
    OtherGame {
        /// The file's.
        found: String,
        /// The one asked for.
        expected: &'static str,
    },
}

/// The games of a file in any form that the program reads, self-play among them.
pub fn read_games<G: Game, C: GameKit<G>>(
    game: &G,
    path: &Path,
    notes: Notes,
) -> Result<Vec<GameText<G>>, GameFileError> {
    if show::game_of(path).is_err() {
        let bytes = std::fs::read(path).map_err(|source| DataError::file(path, source))?;
        return Ok(import::games::<G, C>(game, Content { bytes: &bytes, path: Some(path) })?);
    }
    let (found, played) = show::load_any(path, notes)?;
    if found != G::NAME {
        return Err(GameFileError::OtherGame { found, expected: G::NAME });
    }
    played.iter().map(self_played).collect()
}

/// The games of a file as texts; `game` and `format` are for files of others, as [`sheets::read`] has them.
pub fn read_sheets(
    path: &Path,
    game: Option<&str>,
    format: Option<Format>,
    notes: Notes,
) -> Result<Vec<GameSheet>, GameFileError> {
    if format.is_some() || !show::is_games(path).unwrap_or(false) {
        return Ok(sheets::read(path, game, format)?);
    }
    let (game, played) = show::load_any(path, notes)?;
    let sheet = |played: &PlayedGame| GameSheet {
        game: game.clone(),
        rules: played.rules.clone(),
        moves: played.plies().map(str::to_owned).collect(),
        ..GameSheet::default()
    };
    Ok(played.iter().map(sheet).collect())
}

/// A game of self-play; one that was cut has no result.
fn self_played<G: Game>(played: &PlayedGame) -> Result<GameText<G>, GameFileError> {
    let result = match played.result {
        1000 => PgnResult::Won(Colour::Black),
        500 => PgnResult::Draw,
        0 => PgnResult::Won(Colour::White),
        _ => PgnResult::Open,
    };
    Ok(GameText { record: played.record()?, tags: Vec::new(), result, comments: Vec::new() })
}
