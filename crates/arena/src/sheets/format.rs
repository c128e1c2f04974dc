//! Formats of game files: our own game texts, which every game has, and those that only one game has.
//!
//! A game names its formats in its kit ([`GameKit::FORMATS`]); files, pasted texts and books are all read through them.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use trilith_games::pgn::GameText;
use trilith_games::{FormatError, Game};

use super::{GameSheet, SheetError, Written};
use crate::kit::GameKit;
use crate::registry::{GAMES, Visitor, with_game};

/// How much of a file is looked at to see what it is.
const BEGINNING: usize = 4096;

/// Where games are read from.
#[derive(Clone, Copy)]
pub struct Content<'a> {
    /// All of it.
    pub bytes: &'a [u8],
    /// None for a pasted text.
    pub path: Option<&'a Path>,
}

impl Content<'_> {
    /// As text, whatever is no text replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(self.bytes).into_owned()
    }

    fn beginning(&self) -> String {
        String::from_utf8_lossy(&self.bytes[..self.bytes.len().min(BEGINNING)]).trim_start().to_owned()
    }

    fn ending(&self) -> Option<String> {
        Some(self.path?.extension()?.to_str()?.to_ascii_lowercase())
    }
}

/// Reads all games, their tags under the names of our own game texts.
pub type ReadGames<G> = fn(&G, Content<'_>) -> Result<Vec<GameText<G>>, FormatError>;

/// A format of game files that only one game has.
pub struct GameFormat<G: Game> {
    /// As in options.
    pub name: &'static str,
    /// As people call it.
    pub title: &'static str,
    /// How names of such files end, in lower case.
    pub ending: Option<&'static str>,
    /// Whether a file of this game that looks like nothing else is one: bare moves.
    pub is_plain: bool,
    /// Whether a text that begins like this, without spaces before, is one.
    pub is_like: fn(&str) -> bool,
    /// Reads games of this game.
    pub read: ReadGames<G>,
    /// Writes games of this game.
    pub write: fn(&[GameSheet]) -> Result<Written, SheetError>,
}

impl<G: Game> Clone for GameFormat<G> {
    fn clone(&self) -> GameFormat<G> {
        *self
    }
}

impl<G: Game> Copy for GameFormat<G> {}

/// The format of the game's own that a file or text has, by the ending of its name, else by how it begins.
pub(crate) fn detect<G: Game, C: GameKit<G>>(content: Content<'_>) -> Option<GameFormat<G>> {
    let (ending, beginning) = (content.ending(), content.beginning());
    let by_name = C::FORMATS.iter().find(|format| ending.is_some() && format.ending == ending.as_deref());
    let found = by_name.or_else(|| {
        let is_ours = beginning.starts_with('[');
        C::FORMATS.iter().find(|format| !is_ours && (format.is_like)(&beginning))
    });
    found.copied()
}

/// A format of game files, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format(&'static str);

impl Format {
    /// Our own game texts, for every game.
    pub const TEXT: Format = Format("text");

    /// All of them: our own, and those of single games.
    pub fn all() -> Vec<Format> {
        let own = GAMES.iter().filter_map(|game| with_game(game, Own).ok());
        std::iter::once(Format::TEXT).chain(own.flatten().map(|(format, _)| format)).collect()
    }

    /// As in options.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// The game that alone has it; none for [`Format::TEXT`].
    pub fn only_game(self) -> Option<&'static str> {
        let has = |own: Vec<(Format, _)>| own.iter().any(|(format, _)| *format == self);
        GAMES.iter().copied().find(|game| with_game(game, Own).is_ok_and(has))
    }

    /// The format that the ending of a file's name stands for.
    pub fn of_path(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        let own = GAMES.iter().filter_map(|game| with_game(game, Own).ok()).flatten();
        let mut all = own.chain([(Format::TEXT, Some("pgn"))]);
        all.find(|(_, known)| *known == Some(ending.as_str())).map(|(format, _)| format)
    }

    /// The format of a file by its name, else by how it begins.
    pub(super) fn of_content(content: Content<'_>) -> Format {
        let mut found = GAMES.iter().filter_map(|game| with_game(game, Detect(content)).ok().flatten());
        found.next().unwrap_or(Format::TEXT)
    }
}

/// The formats that only one game has, with the endings of their names.
struct Own;

impl Visitor for Own {
    type Output = Vec<(Format, Option<&'static str>)>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        C::FORMATS.iter().map(|format| (Format(format.name), format.ending)).collect()
    }
}

struct Detect<'a>(Content<'a>);

impl Visitor for Detect<'_> {
    type Output = Option<Format>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        detect::<G, C>(self.0).map(|format| Format(format.name))
    }
}

/// Reads games in a format that only the visited game has.
pub(super) struct Read<'a> {
    pub(super) format: Format,
    pub(super) content: Content<'a>,
}

impl Visitor for Read<'_> {
    type Output = Result<Vec<GameSheet>, FormatError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let format = own::<G, C>(self.format);
        let games = (format.read)(&G::new(G::Rules::default()), self.content)?.into_iter();
        Ok(games.map(|game| GameSheet::of(&game.record, game.tags, game.comments)).collect())
    }
}

/// Writes games in a format that only the visited game has.
pub(super) struct Write<'a> {
    pub(super) format: Format,
    pub(super) sheets: &'a [GameSheet],
}

impl Visitor for Write<'_> {
    type Output = Result<Written, SheetError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let mut numbered = (1..).zip(self.sheets);
        if let Some((number, sheet)) = numbered.find(|(_, sheet)| sheet.game != G::NAME) {
            let fault =
                format!("{} is a format of {}, this is a game of {}", self.format, G::NAME, sheet.game);
            return Err(SheetError::Unfit { number, fault });
        }
        (own::<G, C>(self.format).write)(self.sheets)
    }
}

fn own<G: Game, C: GameKit<G>>(format: Format) -> &'static GameFormat<G> {
    let mut own = C::FORMATS.iter();
    own.find(|own| own.name == format.0).expect("`Format::only_game` has found it in this game")
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Format, String> {
        let all = Format::all();
        all.iter().copied().find(|format| format.name() == text).ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|format| format.name()).collect();
            format!("unknown format `{text}`: expected {}", names.join(", "))
        })
    }
}
