//! Game files of every format, read and written as texts: games with players, results, clocks and comments.
//!
//! The formats name things differently. Here they have the names of our own game texts: `Black`, `White`, `Event`, `Site`,
//! `Date`, `BlackElo`, `WhiteElo`, `TimeControl`, `Score` (the result as the other format writes it); whatever has no such
//! name keeps its own. What a format has no place for is named when it is written, never dropped in silence.

mod format;
mod text;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use trilith_games::{FormatError, Game, Record};

use crate::registry::{GAMES, Visitor, with_game};
use crate::table::{self, TableError};

pub(crate) use format::detect;
pub use format::{Content, Format, GameFormat};

/// A game as texts, whatever its rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameSheet {
    /// The game's name.
    pub game: String,
    /// Rule switches.
    pub rules: String,
    /// Where it begins, if not at the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// All moves, passes among them.
    pub moves: Vec<String>,
    /// What is known about it, by name.
    pub tags: Vec<(String, String)>,
    /// What is said about moves: the ply, from 0, and the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<(usize, String)>,
}

/// A game file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    /// The file cannot be read.
    #[error("`{}`: {source}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Its content is wrong.
    #[error("`{}`: {source}", path.display())]
    Content {
        /// Which file.
        path: PathBuf,
        /// Where and why.
        source: FormatError,
    },
    /// It names no game, or the game cannot be played as it says.
    #[error(transparent)]
    Game(#[from] TableError),
    /// The format is not for this.
    #[error("game {number}: {fault}")]
    Unfit {
        /// From 1.
        number: usize,
        /// Why.
        fault: String,
    },
    /// Nothing says which game it is.
    #[error("`{}`: nothing says which game this is: expected a tag such as `[Game \"{}\"]`, or name it", path.display(), GAMES[0])]
    Unnamed {
        /// Which file.
        path: PathBuf,
    },
}

impl GameSheet {
    /// The game itself.
    pub fn record<G: Game>(&self) -> Result<Record<G>, TableError> {
        table::record(&self.rules, self.start.as_deref(), &self.moves)
    }

    /// The texts of a game.
    pub fn of<G: Game>(
        record: &Record<G>,
        tags: Vec<(String, String)>,
        comments: Vec<(usize, String)>,
    ) -> GameSheet {
        let game = record.game();
        GameSheet {
            game: G::NAME.into(),
            rules: game.rules().to_string(),
            start: (*record.start() != game.start()).then(|| game.position_text(record.start())),
            moves: record.moves().map(|mv| game.move_text(mv)).collect(),
            tags,
            comments,
        }
    }

    /// The value of the first tag called `name`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The comment on the move of a ply, from 0.
    pub fn comment(&self, ply: usize) -> Option<&str> {
        self.comments.iter().find(|(at, _)| *at == ply).map(|(_, text)| text.as_str())
    }
}

/// Reads all games of a file. `game` is needed only where neither the format nor a tag says which one it is; `format` only
/// where neither name nor content do.
pub fn read(path: &Path, game: Option<&str>, format: Option<Format>) -> Result<Vec<GameSheet>, SheetError> {
    let bytes = std::fs::read(path).map_err(|source| SheetError::File { path: path.into(), source })?;
    let content = |source: FormatError| SheetError::Content { path: path.into(), source };
    let file = Content { bytes: &bytes, path: Some(path) };
    let format = format.unwrap_or_else(|| Format::of_content(file));
    if let Some(only) = format.only_game() {
        let read = with_game(only, format::Read { format, content: file }).map_err(TableError::from)?;
        return read.map_err(content);
    }
    let text = file.text();
    let named = trilith_games::pgn::game_name(&text).map_err(content)?;
    let name = named.as_deref().or(game).ok_or_else(|| SheetError::Unnamed { path: path.into() })?;
    let name = GAMES.iter().find(|known| known.eq_ignore_ascii_case(name)).copied().unwrap_or(name);
    with_game(name, ReadText { text: &text }).map_err(TableError::from)?.map_err(content)
}

struct ReadText<'a> {
    text: &'a str,
}

impl Visitor for ReadText<'_> {
    type Output = Result<Vec<GameSheet>, FormatError>;

    fn visit<G: Game, C: crate::kit::GameKit<G>>(self) -> Self::Output {
        text::read::<G>(self.text)
    }
}

/// Games in a format, and what of them it has no place for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Endings of file names and contents: one, or with WTHOR three.
    pub files: Vec<(&'static str, Vec<u8>)>,
    /// In words, a line each.
    pub lost: Vec<String>,
}

/// Writes games in a format.
pub fn write(format: Format, sheets: &[GameSheet]) -> Result<Written, SheetError> {
    if let Some(only) = format.only_game() {
        return with_game(only, format::Write { format, sheets }).map_err(TableError::from)?;
    }
    let mut texts = Vec::new();
    for sheet in sheets {
        texts.push(with_game(&sheet.game, WriteText { sheet }).map_err(TableError::from)??);
    }
    Ok(Written { files: vec![("txt", texts.join("\n").into_bytes())], lost: Vec::new() })
}

struct WriteText<'a> {
    sheet: &'a GameSheet,
}

impl Visitor for WriteText<'_> {
    type Output = Result<String, SheetError>;

    fn visit<G: Game, C: crate::kit::GameKit<G>>(self) -> Self::Output {
        text::write::<G>(self.sheet)
    }
}

#[cfg(test)]
mod tests;
