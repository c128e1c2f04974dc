//! Openings: where the players take over.
//!
//! A file has one opening a line: moves from the start, with or without spaces between them, or a position. Text after
//! `#` is not read. `random:K` stands for different beginnings of K random plies, none of which is over after the next;
//! `all:K` for every position of K plies once, in a drawn order: openings that nobody chose.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use trilith_base::Seed;
use trilith_games::{Game, MoveError, MoveList, PositionError, Record, beginnings, playout};

/// One opening, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The usual start if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Played from there on, with spaces between them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub moves: String,
}

/// Where openings come from: `start`, `random:K`, `all:K`, or the path of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// Always the usual start.
    Start,
    /// So many random plies.
    Random(u32),
    /// Every position of so many plies, symmetric ones once, from the first again when they are used up.
    All(u32),
    /// The lines of a file, in their order, from the first again when they are used up.
    File(PathBuf),
}

impl Default for OpeningSource {
    fn default() -> OpeningSource {
        OpeningSource::Random(6)
    }
}

impl FromStr for OpeningSource {
    type Err = OpeningError;

    fn from_str(text: &str) -> Result<OpeningSource, OpeningError> {
        match text.split_once(':') {
            Some(("random", plies)) => match plies.parse() {
                Ok(plies @ 0..=200) => Ok(OpeningSource::Random(plies)),
                _ => Err(OpeningError::Plies { text: text.into() }),
            },
            Some(("all", plies)) => match plies.parse() {
                Ok(plies) => Ok(OpeningSource::All(plies)),
                _ => Err(OpeningError::Plies { text: text.into() }),
            },
            _ if text == "start" => Ok(OpeningSource::Start),
            _ => Ok(OpeningSource::File(text.into())),
        }
    }
}

impl fmt::Display for OpeningSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningSource::Start => f.write_str("start"),
            OpeningSource::Random(plies) => write!(f, "random:{plies}"),
            OpeningSource::All(plies) => write!(f, "all:{plies}"),
            OpeningSource::File(path) => path.display().fmt(f),
        }
    }
}

/// The most positions that `all:K` may stand for.
const MOST: usize = 200_000;

/// Openings that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// Not a number of plies.
    #[error("openings `{text}`: expected `random:K` with K from 0 to 200, `all:K`, `start`, or a file")]
    Plies {
        /// As given.
        text: String,
    },
    /// More positions than anybody plays.
    #[error("openings `all:{plies}`: more than {MOST} positions: expected fewer plies, or `random:{plies}`")]
    Many {
        /// Of so many plies.
        plies: u32,
    },
    /// The file cannot be read.
    #[error("openings `{}`: {source}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line is wrong.
    #[error("openings `{}`, line {line}: {source}", path.display())]
    Line {
        /// Which file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// Why.
        source: Box<OpeningError>,
    },
    /// No line has an opening.
    #[error("openings `{}`: no opening in this file: expected moves or a position on each line", path.display())]
    Empty {
        /// Which file.
        path: PathBuf,
    },
    /// A move is wrong.
    #[error("column {column}: {source}")]
    Move {
        /// From 1.
        column: usize,
        /// Why.
        source: MoveError,
    },
    /// A position is wrong.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// There is nothing to play from here.
    #[error("the game has already ended ({reason}): expected an opening that can be played on")]
    Ended {
        /// How.
        reason: Cow<'static, str>,
    },
}

impl OpeningError {
    pub(super) fn mv(column: usize, source: MoveError) -> OpeningError {
        OpeningError::Move { column, source }
    }
}

/// Openings without an end.
pub type Openings = Box<dyn Iterator<Item = Opening> + Send>;

/// The openings of `source`, from the first again when they are used up; random ones differ from each other as far as
/// the game has so many, also when seen through a symmetry.
pub fn openings<G: Game>(game: &G, source: &OpeningSource, seed: Seed) -> Result<Openings, OpeningError> {
    Ok(match source {
        OpeningSource::Start => Box::new(std::iter::repeat(Opening::default())),
        OpeningSource::Random(plies) => random(game.clone(), *plies as usize, seed),
        OpeningSource::All(plies) => Box::new(all(game, *plies, seed)?.into_iter().cycle()),
        OpeningSource::File(path) => Box::new(read(game, path)?.into_iter().cycle()),
    })
}

/// The game that an opening begins.
pub(super) fn record<G: Game>(game: G, opening: &Opening) -> Result<Record<G>, OpeningError> {
    let mut record = match &opening.position {
        None => Record::new(game),
        Some(text) => {
            let start = game.parse_position(text)?;
            Record::from_position(game, start)?
        }
    };
    for text in opening.moves.split_whitespace() {
        record.push_text(text).map_err(|source| OpeningError::mv(1, source))?;
    }
    Ok(record)
}

/// All moves of a game with spaces between them.
pub(super) fn moves_text<G: Game>(record: &Record<G>) -> String {
    let mut text = String::with_capacity(record.len() * 4);
    for mv in record.moves() {
        if !text.is_empty() {
            text.push(' ');
        }
        text += &record.game().move_text(mv);
    }
    text
}

/// Every position of so many plies, in the order that `seed` draws, so that the first ones are a fair sample.
fn all<G: Game>(game: &G, plies: u32, seed: Seed) -> Result<Vec<Opening>, OpeningError> {
    let mut ways = beginnings::at_most(game, plies, MOST).ok_or(OpeningError::Many { plies })?;
    ways.shuffle(&mut seed.derive("openings", 0).rng());
    let opening = |way: Vec<G::Move>| {
        let mut record = Record::new(game.clone());
        way.into_iter().for_each(|mv| record.push_legal(mv));
        Opening { position: None, moves: moves_text(&record) }
    };
    Ok(ways.into_iter().map(opening).collect())
}

/// How often another draw is tried before a beginning may come twice.
const TRIES: u64 = 20;

fn random<G: Game>(game: G, plies: usize, seed: Seed) -> Openings {
    let mut seen = HashSet::new();
    Box::new((0..).map(move |number| {
        let seed = seed.derive("opening", number);
        let attempts = (0..TRIES).map(|attempt| beginning(&game, plies, seed.derive("attempt", attempt)));
        let mut last = None;
        for record in attempts {
            let key = game.key(&game.canonical(record.position()).0);
            let is_fit = record.end().is_none() && !ends_at_once(&record) && seen.insert(key);
            last = Some(record);
            if is_fit {
                break;
            }
        }
        let record = last.expect("there was at least one attempt");
        Opening { position: None, moves: moves_text(&record) }
    }))
}

/// Whether a move ends the game: that is no beginning for anybody.
fn ends_at_once<G: Game>(record: &Record<G>) -> bool {
    let (game, position) = (record.game(), record.position());
    let mut moves = MoveList::new();
    game.moves(position, &mut moves);
    moves.iter().any(|&mv| game.outcome(&game.play(position, mv)).is_some())
}

/// A game of so many random plies.
pub(super) fn beginning<G: Game>(game: &G, plies: usize, seed: Seed) -> Record<G> {
    let mut record = Record::new(game.clone());
    playout::play_on(&mut record, plies, &mut seed.rng());
    record
}

fn read<G: Game>(game: &G, path: &Path) -> Result<Vec<Opening>, OpeningError> {
    let text =
        std::fs::read_to_string(path).map_err(|source| OpeningError::File { path: path.into(), source })?;
    let mut openings = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        if line.trim().is_empty() {
            continue;
        }
        let opening = parse(game, line).map_err(|source| OpeningError::Line {
            path: path.into(),
            line: number + 1,
            source: Box::new(source),
        })?;
        openings.push(opening);
    }
    if openings.is_empty() {
        return Err(OpeningError::Empty { path: path.into() });
    }
    Ok(openings)
}

/// The opening of one line.
fn parse<G: Game>(game: &G, line: &str) -> Result<Opening, OpeningError> {
    let record = read_line(game, line)?;
    match record.is_empty() {
        false => Ok(Opening { position: None, moves: moves_text(&record) }),
        true => Ok(Opening { position: Some(game.position_text(record.start())), moves: String::new() }),
    }
}

/// A game that goes on, from one line: moves if it begins with one, else a position.
pub fn read_line<G: Game>(game: &G, line: &str) -> Result<Record<G>, OpeningError> {
    let mut record = Record::new(game.clone());
    if let Err(fault) = push_moves(&mut record, line) {
        match game.parse_position(line.trim()) {
            Ok(position) => record = Record::from_position(game.clone(), position)?,
            // Digits and letters alone, or a legal move, are moves meant, whatever else a position would need.
            Err(_)
                if !record.is_empty()
                    || line.split_whitespace().next().is_some_and(|word| word.len() <= 8) =>
            {
                return Err(fault);
            }
            Err(fault) => return Err(fault.into()),
        }
    }
    match record.end() {
        Some(end) => Err(OpeningError::Ended { reason: end.reason }),
        None => Ok(record),
    }
}

/// Plays all moves of a text. Moves may follow each other without spaces, as in Othello transcripts: the longest legal
/// beginning of a word is its first move.
pub fn push_moves<G: Game>(record: &mut Record<G>, text: &str) -> Result<(), OpeningError> {
    let mut at = 0;
    while let Some(skip) = text[at..].find(|letter: char| !letter.is_whitespace()) {
        at += skip;
        let word = text[at..].split_whitespace().next().unwrap_or_default();
        let cuts = (1..=word.len()).rev().filter(|&cut| word.is_char_boundary(cut));
        match cuts.into_iter().find(|&cut| record.push_text(&word[..cut]).is_ok()) {
            Some(cut) => at += cut,
            None => {
                let source = record.push_text(word).expect_err("no beginning of it could be played");
                return Err(OpeningError::mv(text[..at].chars().count() + 1, source));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_games::morris::Morris;
    use trilith_games::othello::Othello;

    fn othello() -> Othello {
        Othello::new(Default::default())
    }

    fn from_file<G: Game>(game: &G, text: &str) -> Result<Vec<Opening>, OpeningError> {
        let number = Seed(text.len() as u64).derive(text, 0);
        let path = std::env::temp_dir().join(format!("trilith-openings-{}-{number}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let lines = text.lines().count();
        let openings = openings(game, &OpeningSource::File(path.clone()), Seed(1));
        std::fs::remove_file(path).unwrap();
        openings.map(|openings| openings.take(lines).collect())
    }

    #[test]
    fn files_have_moves_and_positions() {
        let position = othello().position_text(&othello().start());
        let text = format!("# a comment\nf5d6c3\n\n f5 f6 # parallel\n{position}\n");
        let openings = from_file(&othello(), &text).unwrap();
        assert_eq!(openings[0].moves, "f5 d6 c3");
        assert_eq!(openings[1].moves, "f5 f6");
        assert_eq!(openings[2], Opening { position: Some(position), moves: String::new() });
        assert_eq!(record(othello(), &openings[0]).unwrap().len(), 3);
    }

    /// Here the first row of the position, `b2`, is a legal move.
    #[test]
    fn a_position_may_begin_like_a_move() {
        let game = Morris::new(Default::default());
        let text = "b2/bb1/3/1wbww1/3/w2/bw1 w 0 0 0 standard";
        let openings = from_file(&game, text).unwrap();
        assert_eq!(openings[0], Opening { position: Some(text.into()), moves: String::new() });
        assert!(from_file(&game, "b2 b2").unwrap_err().to_string().contains("column 4"));
    }

    #[test]
    fn faults_name_file_line_and_column() {
        let fault = |text: &str| from_file(&othello(), text).unwrap_err().to_string();
        let illegal = fault("f5d6\nf5 a1 d6\n");
        assert!(illegal.contains("line 2: column 4: `a1` is not legal here"), "{illegal}");
        let first = fault("a1\n");
        assert!(first.contains("line 1: column 1: `a1` is not legal here"), "{first}");
        let position = fault(&format!("{}Y", "-".repeat(30)));
        assert!(position.contains("line 1: position, column 31: found `Y`"), "{position}");
        assert!(fault("# nothing\n").contains("no opening in this file"));
        assert!(openings(&othello(), &OpeningSource::File("/no/such/file".into()), Seed(1)).is_err());
        assert!(Morris::new(Default::default()).parse_position("x").is_err());
    }

    #[test]
    fn random_beginnings_differ_while_they_can() {
        let game = othello();
        let keys = |plies, count| -> HashSet<u64> {
            let all: Vec<_> =
                openings(&game, &OpeningSource::Random(plies), Seed(3)).unwrap().take(count).collect();
            let key =
                |opening| game.key(&game.canonical(record(game.clone(), opening).unwrap().position()).0);
            all.iter().map(key).collect()
        };
        assert_eq!(keys(6, 100).len(), 100);
        assert_eq!(keys(1, 10).len(), 1, "the four first moves are the same through symmetry");
    }

    /// One in a few hundred would be, by taking the last disc.
    #[test]
    fn no_random_beginning_is_over_after_a_move() {
        let game = othello();
        let drawn = (0..2000).map(|number| beginning(&game, 8, Seed(number)));
        assert!(drawn.filter(ends_at_once).count() > 0, "without the rule there would be some");
        let all = openings(&game, &OpeningSource::Random(8), Seed(3)).unwrap().take(2000);
        assert!(
            !all.map(|opening| record(game.clone(), &opening).unwrap()).any(|record| ends_at_once(&record))
        );
    }

    #[test]
    fn sources_round_trip() {
        for text in ["start", "random:8", "all:5", "some/file.txt"] {
            assert_eq!(text.parse::<OpeningSource>().unwrap().to_string(), text);
        }
        assert!("random:x".parse::<OpeningSource>().is_err());
        assert!("all:x".parse::<OpeningSource>().is_err());
    }

    #[test]
    fn all_positions_of_five_plies_come_once_before_any_comes_again() {
        let game = othello();
        let taken = |seed, count| -> Vec<Opening> {
            openings(&game, &OpeningSource::All(5), seed).unwrap().take(count).collect()
        };
        let (first, other) = (taken(Seed(1), 323), taken(Seed(2), 322));
        let keys = |openings: &[Opening]| -> HashSet<u64> {
            let position = |opening| record(game.clone(), opening).unwrap();
            openings.iter().map(|opening| game.key(&game.canonical(position(opening).position()).0)).collect()
        };
        assert_eq!((keys(&first[..322]).len(), &first[0]), (322, &first[322]));
        assert_eq!(keys(&first), keys(&other));
        assert_ne!(first[..322], other[..], "another order");
        let refused = openings(&game, &OpeningSource::All(40), Seed(1)).err().expect("too many");
        assert!(refused.to_string().contains("more than 200000 positions"), "{refused}");
    }
}
