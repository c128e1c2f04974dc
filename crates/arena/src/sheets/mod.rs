//! Game files of every format, read and written as texts: games with players, results, clocks and comments.
//!
//! The formats name things differently. Here they have the names of our own game texts: `Black`, `White`, `Event`, `Site`,
//! `Date`, `BlackElo`, `WhiteElo`, `TimeControl`, `Score` (the result as the other format writes it); whatever has no such
//! name keeps its own. What a format has no place for is named when it is written, never dropped in silence.

mod othello;
mod text;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use trilith_games::{FormatError, Game, MoveError, PositionError, Record, RulesError};

use crate::registry::{GAMES, UnknownGame, Visitor, with_game};

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

/// A format of game files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Our own game texts, for every game.
    Text,
    /// Othello: squares without spaces, a game a line.
    Transcript,
    /// Othello: the Generic Game Server's.
    Ggf,
    /// Othello: the Smart Game Format.
    Sgf,
    /// Othello: positions of test suites.
    Obf,
    /// Othello: the data base of the French federation, `.wtb` with its `.jou` and `.trn`.
    Wthor,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 6] =
        [Format::Text, Format::Transcript, Format::Ggf, Format::Sgf, Format::Obf, Format::Wthor];

    /// As in options.
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Transcript => "transcript",
            Format::Ggf => "ggf",
            Format::Sgf => "sgf",
            Format::Obf => "obf",
            Format::Wthor => "wthor",
        }
    }

    /// The format that the ending of a file's name stands for.
    pub fn of_path(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "ggf" => Some(Format::Ggf),
            "sgf" => Some(Format::Sgf),
            "obf" => Some(Format::Obf),
            "wtb" => Some(Format::Wthor),
            "pgn" => Some(Format::Text),
            _ => None,
        }
    }

    /// The format of a file by its name, else by how it begins.
    fn of_content(path: &Path, bytes: &[u8]) -> Format {
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
        let first = start.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
        match first {
            _ if Format::of_path(path).is_some_and(|format| format != Format::Text) => {
                Format::of_path(path).unwrap_or(Format::Text)
            }
            _ if first.starts_with('[') => Format::Text,
            _ if start.contains("GM[Othello]") || start.contains("GM[othello]") => Format::Ggf,
            _ if first.starts_with("(;") => Format::Sgf,
            _ if first.contains(';') && first.split(';').next().is_some_and(|board| board.len() >= 64) => {
                Format::Obf
            }
            _ if first.len() >= 2 && first.chars().all(|letter| letter.is_ascii_alphanumeric()) => {
                Format::Transcript
            }
            _ => Format::Text,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Format, String> {
        let found = Format::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| {
            format!("unknown format `{text}`: expected {}", Format::ALL.map(Format::name).join(", "))
        })
    }
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
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The rule text is wrong.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The start is wrong.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move is wrong.
    #[error("ply {ply}: {source}")]
    Move {
        /// From 1.
        ply: usize,
        /// Why.
        source: MoveError,
    },
    /// The format is not for this.
    #[error("game {number}: {fault}")]
    Unfit {
        /// From 1.
        number: usize,
        /// Why.
        fault: String,
    },
    /// Nothing says which game it is.
    #[error("`{}`: nothing says which game this is: expected a tag such as `[Game \"morris\"]`, or name it", path.display())]
    Unnamed {
        /// Which file.
        path: PathBuf,
    },
}

impl GameSheet {
    /// The game itself.
    pub fn record<G: Game>(&self) -> Result<Record<G>, SheetError> {
        let game = G::new(self.rules.parse()?);
        let mut record = match &self.start {
            None => Record::new(game),
            Some(text) => {
                let start = game.parse_position(text)?;
                Record::from_position(game, start)?
            }
        };
        for (at, mv) in self.moves.iter().enumerate() {
            record.push_text(mv).map_err(|source| SheetError::Move { ply: at + 1, source })?;
        }
        Ok(record)
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
    let format = format.unwrap_or_else(|| Format::of_content(path, &bytes));
    if format == Format::Wthor {
        return othello::read_wthor(path, &bytes);
    }
    let text = String::from_utf8_lossy(&bytes);
    if format != Format::Text {
        return othello::read(format, &text).map_err(content);
    }
    let named = trilith_games::pgn::game_name(&text).map_err(content)?;
    let name = named.as_deref().or(game).ok_or_else(|| SheetError::Unnamed { path: path.into() })?;
    let name = GAMES.iter().find(|known| known.eq_ignore_ascii_case(name)).copied().unwrap_or(name);
    with_game(name, ReadText { text: &text })?.map_err(content)
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
    if format != Format::Text {
        return othello::write(format, sheets);
    }
    let mut texts = Vec::new();
    for sheet in sheets {
        texts.push(with_game(&sheet.game, WriteText { sheet })??);
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
