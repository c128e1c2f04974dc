//! Reads games and positions from any text or file the program knows: for the page, and for the command line.
//!
//! A pasted text does not say what it is: it is tried as each kind of each game, and whatever came furthest says what is
//! wrong. A file of games is for a known game. Formats of one game alone are asked of that game ([`GameKit::FORMATS`]).

use std::collections::BTreeMap;

use serde::Serialize;
use trilith_games::pgn::{self, GameText};
use trilith_games::{Action, FormatError, Game, MoveList, Record};

use crate::kit::GameKit;
use crate::registry::{GAMES, Visitor, with_game};
use crate::sheets::{Content, detect};

/// What was read from a pasted text: its first game, as texts.
#[derive(Debug, PartialEq, Serialize)]
pub struct Imported {
    /// The game's name.
    pub game: &'static str,
    /// Its switches.
    pub rules: String,
    /// None if it begins as usual.
    pub start: Option<String>,
    /// In the program's own notation.
    pub moves: Vec<String>,
    /// After each ply, the start first.
    pub positions: Vec<String>,
    /// What else the text says.
    pub tags: BTreeMap<String, String>,
    /// What it was read as.
    pub format: &'static str,
    /// How many games the text holds; this is the first.
    pub games: usize,
}

/// Why a file of games cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It is written in no known way.
    #[error("no format is known by its beginning: expected tags such as [Game \"{game}\"]")]
    Unknown {
        /// The game asked for.
        game: &'static str,
    },
    /// It is of another game.
    #[error("it holds games of {found}: expected games of {expected}")]
    Game {
        /// The game of the file.
        found: String,
        /// The game asked for.
        expected: &'static str,
    },
    /// It is played by other rules.
    #[error("a game has the rules `{found}`: expected `{expected}`")]
    Rules {
        /// The rules of the file.
        found: String,
        /// The rules asked for.
        expected: String,
    },
    /// The text is wrong.
    #[error(transparent)]
    Format(#[from] FormatError),
}

/// The games of a file.
pub fn games<G: Game, C: GameKit<G>>(
    game: &G,
    content: Content<'_>,
) -> Result<Vec<GameText<G>>, ImportError> {
    if let Ok(text) = str::from_utf8(content.bytes)
        && text.trim_start().starts_with('[')
    {
        return tagged(game, text);
    }
    if let Some(format) = detect::<G, C>(content) {
        return Ok((format.read)(game, content)?);
    }
    let others = GAMES.iter().filter(|name| **name != G::NAME);
    if let Some(found) = others.copied().find(|name| with_game(name, IsForeign(content)) == Ok(true)) {
        return Err(ImportError::Game { found: found.into(), expected: G::NAME });
    }
    match C::FORMATS.iter().find(|format| format.is_plain) {
        Some(format) => Ok((format.read)(game, content)?),
        None => Err(ImportError::Unknown { game: G::NAME }),
    }
}

fn tagged<G: Game>(game: &G, text: &str) -> Result<Vec<GameText<G>>, ImportError> {
    let found = pgn::game_name(text)?.unwrap_or_default();
    if found != G::NAME {
        return Err(ImportError::Game { found, expected: G::NAME });
    }
    let games = pgn::parse::<G>(text)?;
    match games.iter().map(|text| text.record.game().rules()).find(|rules| *rules != game.rules()) {
        Some(other) => {
            Err(ImportError::Rules { found: other.to_string(), expected: game.rules().to_string() })
        }
        None => Ok(games),
    }
}

/// Whether a file is in a format of the game's own.
struct IsForeign<'a>(Content<'a>);

impl Visitor for IsForeign<'_> {
    type Output = bool;

    fn visit<G: Game, C: GameKit<G>>(self) -> bool {
        let IsForeign(content) = self;
        detect::<G, C>(content)
            .is_some_and(|format| (format.read)(&G::new(G::Rules::default()), content).is_ok())
    }
}

/// The first game or position of a pasted text; `game` and `rules` help where it could be several.
pub fn read(text: &str, game: Option<&str>, rules: Option<&str>) -> Result<Imported, String> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err("there is nothing to read: expected a position or a game".into());
    }
    if let Some(game) = game.filter(|game| !GAMES.contains(game)) {
        return Err(format!("unknown game `{game}`: expected {}", GAMES.join(", ")));
    }
    if text.starts_with('[')
        && let Some(name) = pgn::game_name(text).map_err(|error| error.to_string())?
    {
        return with_game(&name, Tagged { text }).map_err(|error| error.to_string())?;
    }
    if text.starts_with('(') {
        return sheets(text);
    }
    let body: String = text.lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>().join("\n");
    plain(body.trim(), game, rules)
}

fn imported<G: Game>(record: &Record<G>, format: &'static str) -> Imported {
    let game = record.game();
    let start = (*record.start() != game.start()).then(|| game.position_text(record.start()));
    let after = |plies: usize| record.position_after(plies).map(|position| game.position_text(position));
    Imported {
        game: G::NAME,
        rules: game.rules().to_string(),
        start,
        moves: record.moves().map(|mv| game.move_text(mv)).collect(),
        positions: (0..=record.len()).filter_map(after).collect(),
        tags: BTreeMap::new(),
        format,
        games: 1,
    }
}

fn first<G: Game>(games: &[GameText<G>], format: &'static str) -> Result<Imported, String> {
    let first = games.first().ok_or("no game found in the text")?;
    let tags = first.tags.iter().cloned().collect();
    Ok(Imported { tags, games: games.len(), ..imported(&first.record, format) })
}

struct Tagged<'a> {
    text: &'a str,
}

impl Visitor for Tagged<'_> {
    type Output = Result<Imported, String>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        first(&pgn::parse::<G>(self.text).map_err(|error| error.to_string())?, "game text")
    }
}

/// GGF, SGF and the like: the first game that knows such a format reads it.
fn sheets(text: &str) -> Result<Imported, String> {
    let mut read = GAMES.iter().filter_map(|name| with_game(name, Sheets { text }).ok().flatten());
    read.next().unwrap_or_else(|| Err("no game is written like this".into()))
}

struct Sheets<'a> {
    text: &'a str,
}

impl Visitor for Sheets<'_> {
    type Output = Option<Result<Imported, String>>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let content = Content { bytes: self.text.as_bytes(), path: None };
        let format = detect::<G, C>(content)?;
        let games = (format.read)(&G::new(G::Rules::default()), content).map_err(|error| error.to_string());
        Some(games.and_then(|games| first(&games, format.title)))
    }
}

/// A text without tags: a position, a position with moves, or moves alone. The wished game is tried first, then all.
fn plain(text: &str, game: Option<&str>, rules: Option<&str>) -> Result<Imported, String> {
    let names: Vec<&str> = match game {
        Some(game) => {
            std::iter::once(game).chain(GAMES.iter().copied().filter(|name| *name != game)).collect()
        }
        None => GAMES.to_vec(),
    };
    let mut furthest: Option<(usize, String)> = None;
    for name in names {
        let is_wished = game == Some(name);
        let rules = rules.filter(|_| is_wished);
        match with_game(name, Plain { text, rules }).map_err(|error| error.to_string())? {
            Ok(imported) => return Ok(imported),
            Err((reached, why)) => {
                // In doubt the wished game knows best what is wrong.
                let reached = 2 * reached + usize::from(is_wished);
                if furthest.as_ref().is_none_or(|(best, _)| reached > *best) {
                    furthest = Some((reached, format!("{name}: {why}")));
                }
            }
        }
    }
    let why = furthest.map_or(String::new(), |(_, why)| why);
    Err(format!("this is no position or game that can be read here; as {why}"))
}

struct Plain<'a> {
    text: &'a str,
    rules: Option<&'a str>,
}

impl Visitor for Plain<'_> {
    /// What was read; or how many plies could be, and what is wrong then.
    type Output = Result<Imported, (usize, String)>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let mut worst: Option<(usize, String)> = None;
        for rules in self.choices::<G>() {
            match read_plain::<G, C>(self.text, &rules) {
                Ok(imported) => return Ok(imported),
                Err(fault) if worst.as_ref().is_none_or(|worst| fault.0 > worst.0) => worst = Some(fault),
                Err(_) => {}
            }
        }
        Err(worst.unwrap_or_default())
    }
}

impl Plain<'_> {
    /// The rules to try: those given, or the usual ones and then each layout.
    fn choices<G: Game>(&self) -> Vec<String> {
        match self.rules {
            Some(rules) => vec![rules.into()],
            None => {
                let layouts = G::CHOICES.iter().flat_map(|group| group.iter());
                let layouts = layouts.filter(|word| word.starts_with("layout=")).map(|&word| word.to_owned());
                std::iter::once(String::new()).chain(layouts).collect()
            }
        }
    }
}

fn read_plain<G: Game, C: GameKit<G>>(text: &str, rules: &str) -> Result<Imported, (usize, String)> {
    let parsed = rules.parse::<G::Rules>().map_err(|error| (0, error.to_string()))?;
    let game = G::new(parsed);
    let content = Content { bytes: text.as_bytes(), path: None };
    if let Some(format) = detect::<G, C>(content).filter(|format| !format.is_plain)
        && let Ok(games) = (format.read)(&game, content)
        && let Ok(imported) = first(&games, format.title)
    {
        return Ok(imported);
    }
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let position = match game.parse_position(first.trim()) {
        Ok(position) => Some(position),
        Err(_) => game.parse_position(text).ok(),
    };
    let Some(position) = position else {
        let mut record = Record::new(game);
        play(&mut record, text)?;
        if record.is_empty() {
            return Err((0, "there is no move in it".into()));
        }
        return Ok(imported(&record, "moves"));
    };
    let mut record = Record::from_position(game, position).map_err(|error| (1, error.to_string()))?;
    if record.game().parse_position(text).is_err() {
        play(&mut record, rest).map_err(|(reached, why)| (reached + 1, why))?;
    }
    let format = if record.is_empty() { "position" } else { "position and moves" };
    Ok(imported(&record, format))
}

/// No move of any game is written longer.
const LONGEST_MOVE: usize = 12;

/// Plays moves with or without numbers, spaces and results.
fn play<G: Game>(record: &mut Record<G>, text: &str) -> Result<(), (usize, String)> {
    let text = without_comments(text);
    for word in text.split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | ';')) {
        let word = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let word = if word.starts_with('.') { word.trim_start_matches('.') } else { word };
        let is_result = |word: &str| matches!(word, "" | "*" | "-0" | "-1" | "/2-1/2" | "\u{bd}-\u{bd}");
        if !is_result(word) {
            play_word(record, word)
                .map_err(|why| (record.len(), format!("ply {}: {why}", record.len() + 1)))?;
        }
    }
    Ok(())
}

/// Plays one move, or several without spaces as in transcripts, the longest legal beginning first. Passes may be left
/// out.
pub fn play_word<G: Game>(record: &mut Record<G>, mut word: &str) -> Result<(), String> {
    while !word.is_empty() {
        let longest = word.len().min(LONGEST_MOVE);
        let cuts = (1..=longest).rev().filter(|&cut| word.is_char_boundary(cut));
        if let Some(cut) = cuts.into_iter().find(|&cut| record.push_text(&word[..cut]).is_ok()) {
            word = &word[cut..];
        } else if !pass(record) {
            let shown: String = word.chars().take(LONGEST_MOVE).collect();
            return Err(record
                .push_text(&shown)
                .expect_err("no beginning of it could be played")
                .to_string());
        }
    }
    Ok(())
}

/// Plays a pass if nothing else can be.
fn pass<G: Game>(record: &mut Record<G>) -> bool {
    let mut moves = MoveList::new();
    if record.end().is_none() {
        record.game().moves(record.position(), &mut moves);
    }
    let is_pass = moves.len() == 1 && record.game().action(record.position(), moves[0]) == Action::default();
    if is_pass {
        record.push_legal(moves[0]);
    }
    is_pass
}

/// What stands in braces is left out.
fn without_comments(text: &str) -> String {
    let mut depth = 0usize;
    let keep = |letter: &char| {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        false
    };
    text.chars().filter(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Imported, String> {
        read(text, None, None)
    }

    #[test]
    fn texts_say_themselves_what_they_are() {
        for (text, game, format, plies) in [
            ("f5d6c3d3c4", "othello", "moves", 5),
            ("1. F5 d6 2. c3", "othello", "moves", 3),
            ("---------------------------OX------XO--------------------------- X", "othello", "position", 0),
            (
                "---------------------------OX------XO--------------------------- X; d3:+0",
                "othello",
                "OBF",
                0,
            ),
            (
                "---------------------------OX------XO--------------------------- X\nf5 d6",
                "othello",
                "position and moves",
                2,
            ),
            ("[Game \"morris\"]\n\n1. d6 f4 2. d2 *", "morris", "game text", 3),
            ("d6 f4 d2 b4", "morris", "moves", 4),
            ("3/3/3/6/3/3/3 w 9 9", "morris", "position", 0),
            ("a1b2 i9h8", "abalone", "moves", 2),
            ("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0", "abalone", "position", 0),
            ("[Event \"without a game\"]\n1. f5 { best } d6 1-0", "othello", "moves", 2),
            ("(;GM[2]FF[4];B[f5];W[d6])", "othello", "SGF", 2),
        ] {
            let found = of(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((found.game, found.format, found.moves.len()), (game, format, plies), "{text}");
            assert_eq!(found.positions.len(), plies + 1);
        }
    }

    #[test]
    fn passes_may_be_left_out_and_layouts_are_found() {
        let found = of("d3c3e6d2d1e1b2c1a3a1b4b3d6b5f4e3").unwrap();
        let passes = found.moves.iter().filter(|mv| *mv == "pass").count();
        assert_eq!((passes, found.moves.len()), (1, 16 + 1), "{:?}", found.moves);
        let daisy = of("c2d3").unwrap_or_else(|error| panic!("{error}"));
        assert!(daisy.game == "abalone" && daisy.rules.contains("belgian-daisy"), "{daisy:?}");
    }

    #[test]
    fn what_is_wrong_is_said_by_who_came_furthest() {
        let error = of("f5d6c3z9").unwrap_err();
        assert!(error.contains("as othello: ply 4: "), "{error}");
        assert!(of("   ").is_err() && of("hello world").is_err() && of("(;nonsense").is_err());
        let error = read("q", Some("chess"), None).unwrap_err();
        assert!(error.starts_with("unknown game `chess`"), "{error}");
        // Long nonsense is refused in no time.
        let long = "f5".repeat(30_000);
        assert!(of(&long).is_err());
    }
}
