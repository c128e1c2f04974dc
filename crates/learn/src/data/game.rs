//! Games to learn from, and how they stand in files.
//!
//! A block has six columns ([`crate::data::blocks`]). Two are lines of text: the rules, and the words (texts of moves),
//! each once. The others are two-byte numbers: rules, random plies, plies and values of each game; the words of all plies;
//! the values, each as the difference from what the value before foretold; and results and margins. Files of version 2,
//! which had five columns of text, are still read.

use serde::{Deserialize, Serialize};
use trilith_games::{Colour, Game, Record};

use super::blocks::BlockLayout;
use super::columns::{Dictionary, join_planes, lines, split_planes};
use crate::training::Training;

/// A game with what was thought of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// The rules it was played by.
    pub rules: String,
    /// So many of its first plies were random, or say nothing for another reason.
    pub random: usize,
    /// All plies in the game's notation, with spaces between them.
    pub moves: String,
    /// The mover's expected score at each ply after the random ones, in thousandths; none in games that are not judged
    /// while they are played.
    pub values: Vec<u16>,
    /// Black's score in thousandths.
    pub result: u16,
    /// The game's own count for Black at the end: discs, stones, ejected marbles. Files of version 2 do not have it.
    pub margin: Option<i16>,
}

/// A position of a game, with how that game ended for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended<P> {
    /// The position.
    pub position: P,
    /// The score in thousandths.
    pub result: u16,
    /// The game's own count at the end.
    pub margin: Option<i16>,
}

/// The rules of a game, and its positions that teach.
pub type TaughtPositions<G> = (G, Vec<Ended<<G as Game>::Position>>);

impl PlayedGame {
    /// The plies as texts.
    pub fn plies(&self) -> impl Iterator<Item = &str> + Clone {
        self.moves.split_ascii_whitespace()
    }

    /// The game by its rules. Fails with what is wrong with them.
    pub fn game<G: Game>(&self) -> Result<G, PlayedGameError> {
        self.rules.parse().map(G::new).map_err(PlayedGameError::new)
    }

    /// The whole game. Fails with what is wrong with it.
    pub fn record<G: Game>(&self) -> Result<Record<G>, PlayedGameError> {
        let mut record = Record::new(self.game()?);
        self.plies().try_for_each(|text| record.push_text(text)).map_err(PlayedGameError::new)?;
        Ok(record)
    }

    /// `position`, which stood in this game, with how the game ended.
    pub fn ended<G: Game>(&self, game: &G, position: G::Position) -> Ended<G::Position> {
        let is_black = game.to_move(&position) == Colour::Black;
        let (result, margin) = match is_black {
            true => (self.result, self.margin),
            false => (1000 - self.result, self.margin.map(|margin| -margin)),
        };
        Ended { position, result, margin }
    }

    /// The positions that teach: from the last random ply on, none twice because of a pass.
    pub fn taught<G: Game, C: Training<G>>(&self) -> Result<TaughtPositions<G>, PlayedGameError> {
        let game: G = self.game()?;
        let mut position = game.start();
        let mut taught = vec![self.ended(&game, position)];
        for (ply, text) in (1..).zip(self.plies()) {
            let mv = game.parse_move(&position, text).map_err(PlayedGameError::new)?;
            position = game.play(&position, mv);
            if !C::is_pass(mv) {
                if ply <= self.random {
                    taught.clear();
                }
                taught.push(self.ended(&game, position));
            }
        }
        taught.pop_if(|last| game.outcome(&last.position).is_some());
        Ok((game, taught))
    }

    /// Whether the numbers go together.
    fn is_sound(&self) -> bool {
        let plies = self.plies().count();
        let counts = self.values.is_empty() || self.random + self.values.len() == plies;
        let most = self.values.iter().copied().fold(self.result, u16::max);
        counts && self.random <= plies && plies <= u16::MAX.into() && most <= 1000
    }
}

/// What is wrong with a game in a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PlayedGameError(String);

impl PlayedGameError {
    /// What an error says.
    pub fn new(error: impl ToString) -> PlayedGameError {
        PlayedGameError(error.to_string())
    }
}

/// The columns of files of games.
#[derive(Clone, Copy, Debug)]
pub struct GameColumns;

const NO_MARGIN: i16 = i16::MIN;
const UNSOUND: &str = "numbers of moves and values disagree, or a score is above 1000";

impl BlockLayout for GameColumns {
    type Row = PlayedGame;
    const CONTENT: &'static str = "games";
    const VERSION: u32 = 3;
    const LEVEL: i32 = 9;

    fn columns(version: u32) -> Option<usize> {
        match version {
            2 => Some(TEXT_COLUMNS.len()),
            3 => Some(6),
            _ => None,
        }
    }

    fn split(rows: &[PlayedGame]) -> Vec<Vec<u8>> {
        let (mut rules, mut words) = (Dictionary::default(), Dictionary::default());
        let (mut plies, mut values) = (Vec::new(), Vec::new());
        for game in rows {
            rules.push(&game.rules);
            let before = words.occurrences.len();
            game.plies().for_each(|word| words.push(word));
            plies.push((words.occurrences.len() - before) as u16);
            values.extend(surprises(&game.values));
        }
        let numbers = rules.occurrences.iter().copied();
        let numbers = numbers.chain(rows.iter().map(|game| game.random as u16)).chain(plies);
        let numbers = numbers.chain(rows.iter().map(|game| game.values.len() as u16));
        let ends = rows.iter().map(|game| game.result);
        let ends = ends.chain(rows.iter().map(|game| game.margin.unwrap_or(NO_MARGIN) as u16));
        vec![
            rules.lines(),
            split_planes(numbers.collect::<Vec<_>>().into_iter()),
            words.lines(),
            split_planes(words.occurrences.iter().copied()),
            split_planes(values.into_iter()),
            split_planes(ends),
        ]
    }

    fn join(version: u32, columns: &[Vec<u8>]) -> Result<Vec<PlayedGame>, String> {
        match version {
            2 => join_text(columns),
            _ => join_numbers(columns).ok_or("columns that do not go together")?,
        }
    }
}

/// Each value as the difference from what the one before foretold: the opponent's score is what is left of mine. Small
/// numbers of both signs become small ones without sign.
fn surprises(values: &[u16]) -> impl Iterator<Item = u16> + '_ {
    let foretold = std::iter::once(500).chain(values.iter().map(|&value| 1000_u16.saturating_sub(value)));
    values.iter().zip(foretold).map(|(&value, foretold)| {
        let surprise = value as i16 - foretold as i16;
        ((surprise << 1) ^ (surprise >> 15)) as u16
    })
}

/// What [`surprises`] was made of; none if a score is out of range.
fn foretell(surprises: &[u16]) -> Option<Vec<u16>> {
    let mut foretold = 500;
    let value = |&number: &u16| {
        let surprise = i32::from(number >> 1) ^ -i32::from(number & 1);
        let value = u16::try_from(foretold + surprise).ok().filter(|&value| value <= 1000)?;
        foretold = 1000 - i32::from(value);
        Some(value)
    };
    surprises.iter().map(value).collect()
}

/// The games of the columns of version 3; none if the columns do not fit each other.
fn join_numbers(columns: &[Vec<u8>]) -> Option<Result<Vec<PlayedGame>, String>> {
    let [rules, numbers, words, moves, values, ends] = columns else { return None };
    let (rules, words) = (lines(rules).ok()?, lines(words).ok()?);
    let [numbers, moves, values, ends] = [numbers, moves, values, ends].map(|column| join_planes(column));
    let (numbers, moves, values, ends) = (numbers?, moves?, values?, ends?);
    let count = ends.len() / 2;
    if ends.len() != 2 * count || numbers.len() != 4 * count {
        return None;
    }
    let (mut moves, mut values) = (&moves[..], &values[..]);
    let mut games = Vec::with_capacity(count);
    for at in 0..count {
        let number = |column: usize| usize::from(numbers[column * count + at]);
        let plies = moves.split_off(..number(2))?;
        let surprises = values.split_off(..number(3))?;
        let words: Option<Vec<&str>> =
            plies.iter().map(|&word| words.get(usize::from(word)).copied()).collect();
        let margin = ends[count + at] as i16;
        let game = PlayedGame {
            rules: (*rules.get(number(0))?).to_owned(),
            random: number(1),
            moves: words?.join(" "),
            values: foretell(surprises)?,
            result: ends[at],
            margin: (margin != NO_MARGIN).then_some(margin),
        };
        match game.is_sound() {
            true => games.push(game),
            false => return Some(Err(UNSOUND.into())),
        }
    }
    (moves.is_empty() && values.is_empty()).then_some(Ok(games))
}

const TEXT_COLUMNS: [&str; 5] = ["rules", "random", "moves", "values", "result"];

/// The games of the columns of version 2: each a first line, such as `moves 512`, and one line a game.
fn join_text(columns: &[Vec<u8>]) -> Result<Vec<PlayedGame>, String> {
    let mut texts = Vec::new();
    for (name, column) in TEXT_COLUMNS.iter().zip(columns) {
        let column = lines(column)?;
        let expected = format!("{name} {}", column.len().saturating_sub(1));
        match column.split_first() {
            Some((&head, games)) if head == expected => texts.push(games.to_vec()),
            other => {
                let head = other.map(|(head, _)| head);
                return Err(format!("a column begins with {head:?}, expected `{expected}`"));
            }
        }
    }
    if texts.iter().any(|column| column.len() != texts[0].len()) {
        return Err("columns of different lengths".into());
    }
    (0..texts[0].len()).map(|game| parse_game(texts.iter().map(|column| column[game]))).collect()
}

fn parse_game<'a>(mut fields: impl Iterator<Item = &'a str>) -> Result<PlayedGame, String> {
    let mut field = || fields.next().unwrap_or_default();
    let (rules, random, moves, values, result) = (field(), field(), field(), field(), field());
    let number = |text: &str| text.parse::<u16>().map_err(|_| format!("`{text}` is not a number from 0 on"));
    let game = PlayedGame {
        rules: rules.into(),
        random: number(random)?.into(),
        moves: moves.into(),
        values: values.split_whitespace().map(number).collect::<Result<_, _>>()?,
        result: number(result)?,
        margin: None,
    };
    let has_all = game.random + game.values.len() == game.plies().count();
    if has_all && game.is_sound() { Ok(game) } else { Err(UNSOUND.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::blocks::{self, BlockReader, BlockWriter};

    fn games(from: u16) -> Vec<PlayedGame> {
        let game = |number: u16| PlayedGame {
            rules: if number.is_multiple_of(3) { "thesis" } else { "standard" }.into(),
            random: 1,
            moves: format!("d6 f4 a{} b4", number % 7 + 1),
            values: if number.is_multiple_of(5) { Vec::new() } else { vec![500, 1000 - number, number] },
            result: 1000 - number,
            margin: number.is_multiple_of(2).then_some(number as i16 - 10),
        };
        (from..from + 20).map(game).collect()
    }

    fn place(name: &str) -> std::path::PathBuf {
        std::env::temp_dir().join(format!("trilith-{name}-{}.games", std::process::id()))
    }

    #[test]
    fn files_grow_by_blocks_and_a_cut_block_is_written_again() {
        let path = place("store");
        blocks::check_growth::<GameColumns>(&path, "morris", [&games(0), &games(20)]);
        let bytes = std::fs::read(&path).unwrap();
        let other = BlockReader::<GameColumns>::open(&path, "abalone").err().unwrap().to_string();
        assert!(other.contains("not a file of abalone games"), "{other}");
        assert!(
            zstd::decode_all(&bytes[..]).unwrap().starts_with(b"trilith games 3 morris\nthesis\nstandard\n")
        );
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn columns_that_do_not_go_together_are_refused() {
        let columns = GameColumns::split(&games(0));
        assert_eq!(GameColumns::join(3, &columns).unwrap(), games(0));
        for column in 0..columns.len() {
            let mut shorter = columns.clone();
            shorter[column].truncate(columns[column].len() / 4);
            assert!(GameColumns::join(3, &shorter).is_err(), "column {column}");
            let mut longer = columns.clone();
            longer[column].extend([0, 255]);
            // Rules and words that nobody uses do no harm.
            assert!(column == 0 || column == 2 || GameColumns::join(3, &longer).is_err(), "column {column}");
        }
        for (low, high) in [(255, 255), (254, 255), (210, 7)] {
            let mut wild = columns.clone();
            let half = wild[4].len() / 2;
            wild[4][..half].fill(low);
            wild[4][half..].fill(high);
            assert!(GameColumns::join(3, &wild).is_err(), "scores out of range");
        }
    }

    #[test]
    fn a_column_that_would_fill_the_memory_is_refused() {
        use std::io::Read;
        let path = place("bomb");
        let head = zstd::encode_all(&b"trilith games 3 morris\n"[..], 1).unwrap();
        // Two gibibytes in some hundred kilobytes.
        let bomb = zstd::encode_all(std::io::repeat(b'\n').take(2 << 30), 1).unwrap();
        assert!(bomb.len() < 1 << 20);
        std::fs::write(&path, [head, bomb].concat()).unwrap();
        let error = BlockReader::<GameColumns>::open(&path, "morris").unwrap().next_block().unwrap_err();
        assert!(error.to_string().contains("block 1: a column of more than 67108864 bytes"), "{error}");
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_game_longer_than_its_number_of_plies_can_say_is_refused() {
        let words = "a1 ".repeat(1 << 16);
        let columns = [
            "rules 1\n\n",
            "random 1\n0\n",
            &format!("moves 1\n{words}\n"),
            "values 1\n\n",
            "result 1\n500\n",
        ];
        let columns = columns.map(|column| column.as_bytes().to_vec());
        assert!(GameColumns::join(2, &columns).is_err());
    }

    #[test]
    fn a_file_is_gone_on_with_only_as_it_was_begun() {
        let path = place("begun");
        let _ = std::fs::remove_file(&path);
        let open = |settings: &[&str]| {
            let settings: Vec<_> = settings.iter().map(|&text| text.to_owned()).collect();
            BlockWriter::<GameColumns>::open_with(&path, "morris", &settings)
        };
        let first = || BlockReader::<GameColumns>::open(&path, "morris").unwrap();
        open(&["label", "--hand 8"]).unwrap().push(&games(0)).unwrap();
        let mut writer = open(&["label", "--hand 8"]).unwrap();
        assert_eq!((writer.blocks(), writer.count()), (1, 20));
        writer.push(&games(20)).unwrap();
        assert_eq!(first().next_block().unwrap().unwrap(), games(0));
        let bytes = std::fs::read(&path).unwrap();
        for (settings, expected) in [
            (&["label", "--hand 6"][..], "begun with `--hand 8`, now with `--hand 6`: go on with the same"),
            (&["label"], "begun with `--hand 8`, now with another command"),
            (&[], "begun with `label`, now with another command"),
        ] {
            let refused = open(settings).err().unwrap().to_string();
            assert!(refused.contains(expected), "{refused}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes, "it is left as it was");
        }
        std::fs::remove_file(&path).unwrap();
        drop(open(&["label", "--hand 8"]).unwrap());
        open(&["label", "--hand 6"]).unwrap().push(&games(0)).unwrap();
        assert!(open(&["label", "--hand 8"]).is_err(), "settings bind from the first block on");
        assert_eq!(first().settings(), ["label", "--hand 6"]);
        std::fs::remove_file(&path).unwrap();
        open(&[]).unwrap().push(&games(0)).unwrap();
        let refused = open(&["label"]).err().unwrap().to_string();
        assert!(refused.contains("begun with another command, now with `label`"), "{refused}");
        std::fs::remove_file(&path).unwrap();
    }
}
