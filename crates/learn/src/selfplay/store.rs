//! Files of games to learn from: columns of text in blocks, compressed, so that they can be read as a stream.
//!
//! After a first line that names format and game come blocks of games. A block is five columns, each a zstd frame of
//! its own whose text is a first line, such as `moves 512`, and one line a game: `rules`, `random` (how many moves were
//! random), `moves`, `values` (the search's estimate of the mover's score at each move that was not random, in
//! thousandths) and `result` (Black's score in thousandths). Frames follow each other without gaps, so any zstd tool
//! unpacks the whole file to text. A block that a crash cut off is noticed and left out.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

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

/// Why a file is refused.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// It is something else.
    #[error("{path}: not a file of {game} games: its text should begin with `{expected}`")]
    Foreign {
        /// Which file.
        path: String,
        /// The game that was asked for.
        game: String,
        /// The first line.
        expected: String,
    },
    /// A block cannot be read.
    #[error("{path}: block {block}: {fault}")]
    Damaged {
        /// Which file.
        path: String,
        /// From 1.
        block: usize,
        /// What is wrong.
        fault: String,
    },
}

const COLUMNS: [&str; 5] = ["rules", "random", "moves", "values", "result"];
const LEVEL: i32 = 9;

fn first_line(game: &str) -> String {
    format!("trilith games 2 {game}\n")
}

/// A file that is read block by block.
pub struct Reader {
    path: PathBuf,
    input: BufReader<File>,
    /// Where the last whole block ends.
    end: u64,
    block: usize,
}

impl Reader {
    /// Opens a file of games of `game`.
    pub fn open(path: &Path, game: &str) -> Result<Reader, StoreError> {
        let file = File::open(path).map_err(|source| file_error(path, source))?;
        let mut reader = Reader { path: path.to_owned(), input: BufReader::new(file), end: 0, block: 0 };
        match reader.frame() {
            Ok(Some(text)) if text == first_line(game) => {
                reader.end = reader.place()?;
                Ok(reader)
            }
            _ => Err(StoreError::Foreign {
                path: path.display().to_string(),
                game: game.into(),
                expected: first_line(game).trim().into(),
            }),
        }
    }

    /// The games of the next block; none at the end, or where the rest of the file is cut off.
    pub fn next_block(&mut self) -> Result<Option<Vec<Played>>, StoreError> {
        self.block += 1;
        let mut columns = Vec::with_capacity(COLUMNS.len());
        for _ in COLUMNS {
            match self.frame() {
                Ok(Some(text)) => columns.push(text),
                Ok(None) => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
                Err(error) => return Err(self.damaged(error.to_string())),
            }
        }
        let games = parse_block(&columns).map_err(|fault| self.damaged(fault))?;
        self.end = self.place()?;
        Ok(Some(games))
    }

    fn frame(&mut self) -> io::Result<Option<String>> {
        use io::BufRead;
        if self.input.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let mut text = String::new();
        zstd::Decoder::with_buffer(&mut self.input)?.single_frame().read_to_string(&mut text)?;
        Ok(Some(text))
    }

    fn place(&mut self) -> Result<u64, StoreError> {
        self.input.stream_position().map_err(|source| file_error(&self.path, source))
    }

    fn damaged(&self, fault: String) -> StoreError {
        StoreError::Damaged { path: self.path.display().to_string(), block: self.block, fault }
    }
}

fn parse_block(columns: &[String]) -> Result<Vec<Played>, String> {
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

/// A file that grows by blocks.
pub struct Writer {
    path: PathBuf,
    file: File,
}

impl Writer {
    /// Makes a file, or opens one to go on with after its last whole block; also says how many games are in it.
    pub fn open(path: &Path, game: &str) -> Result<(Writer, u64), StoreError> {
        let (mut end, mut games) = (0, 0);
        if path.exists() {
            let mut reader = Reader::open(path, game)?;
            while let Some(block) = reader.next_block()? {
                games += block.len() as u64;
            }
            end = reader.end;
        }
        let open = || {
            let mut file = OpenOptions::new().create(true).write(true).truncate(false).open(path)?;
            file.set_len(end)?;
            file.seek(SeekFrom::End(0))?;
            if end == 0 {
                file.write_all(&frame(&first_line(game))?)?;
            }
            Ok(file)
        };
        let file = open().map_err(|source| file_error(path, source))?;
        Ok((Writer { path: path.to_owned(), file }, games))
    }

    /// Adds a block; it is on disk when this returns.
    pub fn push(&mut self, games: &[Played]) -> Result<(), StoreError> {
        let mut bytes = Vec::new();
        let mut write = || {
            for (at, name) in COLUMNS.iter().enumerate() {
                let mut text = format!("{name} {}\n", games.len());
                for game in games {
                    text += &field(game, at);
                    text.push('\n');
                }
                bytes.extend(frame(&text)?);
            }
            self.file.write_all(&bytes)?;
            self.file.sync_data()
        };
        write().map_err(|source| file_error(&self.path, source))
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

fn frame(text: &str) -> io::Result<Vec<u8>> {
    zstd::encode_all(text.as_bytes(), LEVEL)
}

fn file_error(path: &Path, source: io::Error) -> StoreError {
    StoreError::File { path: path.display().to_string(), source }
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

    fn all(path: &Path) -> Vec<Played> {
        let mut reader = Reader::open(path, "morris").unwrap();
        let mut all = Vec::new();
        while let Some(block) = reader.next_block().unwrap() {
            all.extend(block);
        }
        all
    }

    #[test]
    fn files_grow_by_blocks_and_a_cut_block_is_written_again() {
        let path = std::env::temp_dir().join(format!("trilith-store-{}.games", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let (mut writer, there) = Writer::open(&path, "morris").unwrap();
        assert_eq!(there, 0);
        writer.push(&games(0)).unwrap();
        let whole = std::fs::metadata(&path).unwrap().len();
        writer.push(&games(20)).unwrap();
        drop(writer);
        assert_eq!(all(&path), [games(0), games(20)].concat());
        let bytes = std::fs::read(&path).unwrap();
        for cut in whole..bytes.len() as u64 {
            std::fs::write(&path, &bytes[..cut as usize]).unwrap();
            assert_eq!(all(&path), games(0), "cut at {cut}");
            let (mut writer, there) = Writer::open(&path, "morris").unwrap();
            assert_eq!(there, 20);
            writer.push(&games(20)).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
        assert!(
            Reader::open(&path, "abalone").err().unwrap().to_string().contains("not a file of abalone games")
        );
        assert!(zstd::decode_all(&bytes[..]).unwrap().starts_with(b"trilith games 2 morris\nrules 20\n"));
        std::fs::remove_file(&path).unwrap();
    }
}
