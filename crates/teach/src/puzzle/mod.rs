//! Puzzles: a position, what is to be reached, and the only right move, with its proof, its theme and its rating.
//!
//! A file has a puzzle a line, its fields apart by tabs. Lines that begin with `#` say what is in it and how it was made.

pub mod make;
mod rate;
pub mod verify;

use serde::Serialize;
use trilith_arena::UnknownGame;
use trilith_games::Game;

use crate::kit::{Goal, TeachKit, TeachVisitor, with_teacher};

pub use make::{MakeOrder, Making};
pub use rate::{RatedLevel, TRIALS};
pub use verify::{Doubt, verify};

/// The format of a file, in its first line.
const FORMAT: &str = "# trilith puzzles 1";
/// The names of the fields, in their order.
const FIELDS: &str = "# position\tgoal\ttheme\tplies\tright\tnext\trating\tlevel\tline";

/// One puzzle. The side to move is to find the first move of the line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Puzzle {
    /// As the game writes it; usual rules.
    pub position: String,
    /// What is to be reached.
    pub goal: Goal,
    /// What it is about, one word.
    pub theme: String,
    /// Plies that the proof covers; 0 where a draw has no end.
    pub plies: u32,
    /// What the right move is worth.
    pub right: String,
    /// What the next best move is worth.
    pub next: String,
    /// Elo in the list of the game's levels: a level of this rating finds the first move every other time.
    pub rating: i32,
    /// The weakest level that mostly finds it, as all stronger ones do; none if no level below the strongest does.
    pub level: Option<u8>,
    /// The right move, then replies and right moves; every right move is the only one.
    pub line: Vec<String>,
    /// The command that proves it.
    pub command: String,
}

/// A file of puzzles that cannot be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PuzzleError {
    /// No such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// Another format, or none.
    #[error("line 1: expected `{FORMAT} GAME`, found `{found}`")]
    Format {
        /// The beginning of the line.
        found: String,
    },
    /// A field is wrong.
    #[error("line {line}: {what} `{found}`: expected {expected}")]
    Field {
        /// From 1.
        line: usize,
        /// Which field.
        what: &'static str,
        /// What stands there.
        found: String,
        /// What would be right.
        expected: &'static str,
    },
}

/// The puzzles of `game` that come with the program, by rising rating; none if it has none.
pub fn shipped(game: &str) -> Result<Vec<Puzzle>, PuzzleError> {
    let text = with_teacher(game, Shipped)?;
    if text.is_empty() { Ok(Vec::new()) } else { Ok(parse(text)?.1) }
}

struct Shipped;

impl TeachVisitor for Shipped {
    type Output = &'static str;

    fn visit<G: Game, C: TeachKit<G>>(self) -> &'static str {
        C::PUZZLES
    }
}

struct Command<'a>(&'a str, u32);

impl TeachVisitor for Command<'_> {
    type Output = String;

    fn visit<G: Game, C: TeachKit<G>>(self) -> String {
        C::command(self.0, self.1)
    }
}

/// The file of some puzzles of `game`, made by the command `made_by`.
pub fn write(game: &str, made_by: &str, puzzles: &[Puzzle]) -> String {
    let mut text = format!("{FORMAT} {game}\n# made by: {made_by}\n{FIELDS}\n");
    for puzzle in puzzles {
        text += &write_line(puzzle);
        text += "\n";
    }
    text
}

fn write_line(puzzle: &Puzzle) -> String {
    let Puzzle { position, goal, theme, plies, right, next, rating, level, line, .. } = puzzle;
    let level = level.map_or_else(|| "-".into(), |level| level.to_string());
    let line = line.join(" ");
    format!("{position}\t{goal}\t{theme}\t{plies}\t{right}\t{next}\t{rating}\t{level}\t{line}")
}

/// The game and the puzzles of a file. Positions and moves are looked at by [`verify`], not here.
pub fn parse(text: &str) -> Result<(String, Vec<Puzzle>), PuzzleError> {
    let first = text.lines().next().unwrap_or_default();
    let shorten = |text: &str| text.chars().take(60).collect::<String>();
    let game = first.strip_prefix(FORMAT).map(str::trim).filter(|game| !game.is_empty());
    let game = game.ok_or_else(|| PuzzleError::Format { found: shorten(first) })?;
    with_teacher(game, Shipped)?;
    let mut puzzles = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if !line.starts_with('#') && !line.is_empty() {
            puzzles.push(parse_line(game, number, line)?);
        }
    }
    Ok((game.into(), puzzles))
}

fn parse_line(game: &str, number: usize, text: &str) -> Result<Puzzle, PuzzleError> {
    let fields: Vec<&str> = text.split('\t').collect();
    let field = |what, found: &str, expected| PuzzleError::Field {
        line: number,
        what,
        found: found.chars().take(60).collect(),
        expected,
    };
    let [position, goal, theme, plies, right, next, rating, level, line] = fields[..] else {
        return Err(field("fields", &fields.len().to_string(), "9 of them, apart by tabs"));
    };
    let goals = Goal::ALL.into_iter().find(|one| one.name() == goal);
    let plies = plies.parse().map_err(|_| field("plies", plies, "a number"))?;
    let level = match level {
        "-" => None,
        text => Some(text.parse().map_err(|_| field("level", text, "1 to 10 or `-`"))?),
    };
    let line: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    if line.len().is_multiple_of(2) {
        return Err(field("line", &line.join(" "), "an odd number of moves"));
    }
    Ok(Puzzle {
        position: position.into(),
        goal: goals.ok_or_else(|| field("goal", goal, "`win`, `draw` or `gain`"))?,
        theme: theme.into(),
        plies,
        right: right.into(),
        next: next.into(),
        rating: rating.parse().map_err(|_| field("rating", rating, "a number"))?,
        level,
        line,
        command: with_teacher(game, Command(position, plies))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "www/bbb/3/6/3/3/3 w 0 0\twin\tmill\t9\twin in 9\tdraw\t812\t4\ta7-a4 c5-c4 a4-a7";

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let text = format!("{FORMAT} morris\n{FIELDS}\n{LINE}\n");
        let (game, puzzles) = parse(&text).unwrap();
        assert_eq!((game.as_str(), puzzles.len(), puzzles[0].level), ("morris", 1, Some(4)));
        assert!(puzzles[0].command.contains("'www/bbb/3/6/3/3/3 w 0 0'"));
        let again = write("morris", "trilith puzzles make morris", &puzzles);
        assert_eq!(parse(&again).unwrap().1, puzzles);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let fault = |line: &str| parse(&format!("{FORMAT} morris\n{line}\n")).unwrap_err().to_string();
        assert_eq!(fault("a\tb"), "line 2: fields `2`: expected 9 of them, apart by tabs");
        assert!(fault(&LINE.replace("win\tmill", "lose\tmill")).contains("line 2: goal `lose`"));
        assert!(fault(&LINE.replace(" a4-a7", "")).contains("an odd number"));
        assert!(parse("hello").unwrap_err().to_string().contains("found `hello`"));
        assert!(parse(&format!("{FORMAT} go\n")).unwrap_err().to_string().contains("unknown game `go`"));
    }

    #[test]
    fn shipped_puzzles_are_many_small_and_by_rising_rating() {
        let mut bytes = 0;
        for game in trilith_arena::GAMES {
            let puzzles = shipped(game).unwrap();
            bytes += with_teacher(game, Shipped).unwrap().len();
            // A game that only tests have brings none.
            if puzzles.is_empty() && *game == "tictactoe" {
                continue;
            }
            assert_eq!(puzzles.len(), 1000, "{game}");
            assert!(puzzles.is_sorted_by_key(|puzzle| puzzle.rating), "{game}");
            let mut positions: Vec<_> = puzzles.iter().map(|puzzle| &puzzle.position).collect();
            positions.sort_unstable();
            positions.dedup();
            assert_eq!(positions.len(), puzzles.len(), "{game}");
        }
        assert!(bytes <= 1_000_000, "{bytes} bytes");
    }
}
