//! Files of games to learn from, in blocks of columns of text ([`crate::blocks`]): unpacked, all of it is text.
//!
//! A column is a first line, such as `moves 512`, and one line a game. There are five: `rules`, `random` (how many moves
//! were random), `moves`, `values` (the search's estimate of the mover's score at each move that was not random, in
//! thousandths) and `result` (Black's score in thousandths).

use serde::{Deserialize, Serialize};

use crate::blocks::{self, BlockError, Row};

/// A game and what was thought of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Played {
    /// The rules it was played by.
    pub rules: String,
    /// So many of its first moves were random.
    pub random: usize,
    /// In the game's notation.
    pub moves: Vec<String>,
    /// The mover's expected score at each move after the random ones, in thousandths.
    pub values: Vec<u16>,
    /// Black's score in thousandths.
    pub result: u16,
}

/// A file that is read block by block.
pub type Reader = blocks::Reader<Played>;
/// A file that grows by blocks.
pub type Writer = blocks::Writer<Played>;

const COLUMNS: [&str; 5] = ["rules", "random", "moves", "values", "result"];

impl Row for Played {
    type Error = BlockError;
    const CONTENT: &'static str = "games";
    const VERSION: u32 = 2;
    const COLUMNS: usize = COLUMNS.len();
    const LEVEL: i32 = 9;

    fn split(rows: &[Played]) -> Vec<Vec<u8>> {
        let column = |(at, name): (usize, &&str)| {
            let mut text = format!("{name} {}\n", rows.len());
            for game in rows {
                text += &field(game, at);
                text.push('\n');
            }
            text.into_bytes()
        };
        COLUMNS.iter().enumerate().map(column).collect()
    }

    fn join(columns: &[Vec<u8>]) -> Result<Vec<Played>, String> {
        let texts: Result<Vec<_>, _> = columns.iter().map(|column| str::from_utf8(column)).collect();
        parse_block(&texts.map_err(|_| "stream did not contain valid UTF-8")?)
    }
}

fn parse_block(columns: &[&str]) -> Result<Vec<Played>, String> {
    let mut lines = Vec::new();
    for (name, text) in COLUMNS.iter().zip(columns) {
        let mut column: Vec<&str> = text.lines().collect();
        let expected = format!("{name} {}", column.len().saturating_sub(1));
        match column.first() {
            Some(&head) if head == expected => drop(column.remove(0)),
            other => return Err(format!("a column begins with {other:?}, expected `{expected}`")),
        }
        lines.push(column);
    }
    if lines.iter().any(|column| column.len() != lines[0].len()) {
        return Err("columns of different lengths".into());
    }
    (0..lines[0].len()).map(|game| parse_game(lines.iter().map(|column| column[game]))).collect()
}

fn parse_game<'a>(mut fields: impl Iterator<Item = &'a str>) -> Result<Played, String> {
    let mut field = || fields.next().unwrap_or_default();
    let (rules, random, moves, values, result) = (field(), field(), field(), field(), field());
    let number = |text: &str| text.parse::<u16>().map_err(|_| format!("`{text}` is not a number from 0 on"));
    let played = Played {
        rules: rules.into(),
        random: number(random)?.into(),
        moves: moves.split_whitespace().map(str::to_owned).collect(),
        values: values.split_whitespace().map(number).collect::<Result<_, _>>()?,
        result: number(result)?,
    };
    let most = played.values.iter().copied().fold(played.result, u16::max);
    match played.random + played.values.len() == played.moves.len() && most <= 1000 {
        true => Ok(played),
        false => Err("numbers of moves and values disagree, or a score is above 1000".into()),
    }
}

fn field(game: &Played, column: usize) -> String {
    match column {
        0 => game.rules.clone(),
        1 => game.random.to_string(),
        2 => game.moves.join(" "),
        3 => game.values.iter().map(u16::to_string).collect::<Vec<_>>().join(" "),
        _ => game.result.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(from: u16) -> Vec<Played> {
        let game = |number| Played {
            rules: "standard".into(),
            random: 1,
            moves: vec!["d6".into(), "f4".into(), format!("a{}", number % 7 + 1)],
            values: vec![500, number],
            result: 1000,
        };
        (from..from + 20).map(game).collect()
    }

    #[test]
    fn files_grow_by_blocks_and_a_cut_block_is_written_again() {
        let path = std::env::temp_dir().join(format!("trilith-store-{}.games", std::process::id()));
        blocks::check_growth(&path, "morris", [&games(0), &games(20)]);
        let bytes = std::fs::read(&path).unwrap();
        assert!(
            Reader::open(&path, "abalone").err().unwrap().to_string().contains("not a file of abalone games")
        );
        assert!(zstd::decode_all(&bytes[..]).unwrap().starts_with(b"trilith games 2 morris\nrules 20\n"));
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_file_is_gone_on_with_only_as_it_was_begun() {
        let path = std::env::temp_dir().join(format!("trilith-begun-{}.games", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let open = |settings: &[&str]| {
            let settings: Vec<_> = settings.iter().map(|&text| text.to_owned()).collect();
            Writer::open_with(&path, "morris", &settings)
        };
        open(&["label", "--hand 8"]).unwrap().push(&games(0)).unwrap();
        let mut writer = open(&["label", "--hand 8"]).unwrap();
        assert_eq!((writer.blocks(), writer.count()), (1, 20));
        writer.push(&games(20)).unwrap();
        assert_eq!(Reader::open(&path, "morris").unwrap().next_block().unwrap().unwrap(), games(0));
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
        assert_eq!(Reader::open(&path, "morris").unwrap().settings(), ["label", "--hand 6"]);
        std::fs::remove_file(&path).unwrap();
        open(&[]).unwrap().push(&games(0)).unwrap();
        let refused = open(&["label"]).err().unwrap().to_string();
        assert!(refused.contains("begun with another command, now with `label`"), "{refused}");
        std::fs::remove_file(&path).unwrap();
    }
}
