//! Games to learn from, 64 bytes each: moves, where random play ended, the final margin.
//!
//! A file is a header line, the games, and a checksum over both. All positions of a game come back from its moves, so
//! that fifty labelled positions take 64 bytes. In version 2 lines with the settings that the games come from follow the
//! header line, ended by an empty one.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use trilith_base::files;
use trilith_games::Game;
use trilith_games::othello::{Move, Othello, Position};

use crate::blocks::BlockError;

/// A game with the margin that best play from its last random move on (as far as known) leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Played {
    /// Squares in order; passes are implied.
    pub squares: Vec<u8>,
    /// How many of them were random: positions before the last of these say nothing about the margin.
    pub random: u8,
    /// Final margin for Black, empty squares to the winner.
    pub margin: i8,
}

/// Why a file is refused.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be read.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// It is something else.
    #[error("{path}: something else: it should begin with `{expected}`")]
    Foreign {
        /// Which file.
        path: String,
        /// The first line of such files.
        expected: String,
    },
    /// It has been cut or damaged.
    #[error("{path}: cut or damaged: {fault}")]
    Damaged {
        /// Which file.
        path: String,
        /// What is wrong.
        fault: String,
    },
    /// It cannot be gone on with in this way.
    #[error(transparent)]
    Begun(BlockError),
}

impl From<BlockError> for StoreError {
    fn from(error: BlockError) -> StoreError {
        match error {
            BlockError::File { path, source } => StoreError::File { path, source },
            BlockError::Foreign { path, expected, .. } => StoreError::Foreign { path, expected },
            BlockError::Damaged { path, block, fault } => {
                StoreError::Damaged { path, fault: format!("block {block}: {fault}") }
            }
            BlockError::Begun { .. } => StoreError::Begun(error),
        }
    }
}

const MAGIC: &str = "trilith othello games 1\n";
const WITH_SETTINGS: &str = "trilith othello games 2\n";
const RECORD: usize = 64;
const MOVES: usize = 61;
const NONE: u8 = 255;
const CHECKSUM: usize = 32;

/// The bytes of a file of games.
pub fn write(games: &[Played]) -> Vec<u8> {
    write_with(games, &[])
}

/// The same with settings that the games come from, each one line and not empty.
fn write_with(games: &[Played], settings: &[String]) -> Vec<u8> {
    let head = match settings {
        [] => MAGIC.into(),
        _ => format!("{WITH_SETTINGS}{}\n\n", settings.join("\n")),
    };
    let mut bytes = head.into_bytes();
    for game in games {
        let mut record = [NONE; RECORD];
        record[..game.squares.len()].copy_from_slice(&game.squares);
        record[MOVES] = game.random;
        record[MOVES + 1] = game.margin as u8;
        bytes.extend_from_slice(&record);
    }
    let checksum = blake3::hash(&bytes);
    bytes.extend_from_slice(checksum.as_bytes());
    bytes
}

/// Writes a file of games, whole or not at all.
pub fn save(path: &Path, games: &[Played]) -> io::Result<()> {
    files::write_whole(path, &write(games))
}

/// The same with settings that the games come from, each one line and not empty.
pub fn save_with(path: &Path, games: &[Played], settings: &[String]) -> io::Result<()> {
    files::write_whole(path, &write_with(games, settings))
}

/// Reads and checks a file of games.
pub fn load(path: &Path) -> Result<Vec<Played>, StoreError> {
    Ok(load_with(path)?.0)
}

/// The same with the settings that the games come from; none in a file that does not say.
pub fn load_with(path: &Path) -> Result<(Vec<Played>, Vec<String>), StoreError> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|source| StoreError::File { path: name.clone(), source })?;
    parse_with(&bytes, &name)
}

/// Reads and checks the bytes of a file; `path` is for messages.
pub fn parse(bytes: &[u8], path: &str) -> Result<Vec<Played>, StoreError> {
    Ok(parse_with(bytes, path)?.0)
}

fn parse_with(bytes: &[u8], path: &str) -> Result<(Vec<Played>, Vec<String>), StoreError> {
    let damaged = |fault: String| StoreError::Damaged { path: path.into(), fault };
    if ![MAGIC, WITH_SETTINGS].iter().any(|line| bytes.starts_with(line.as_bytes())) {
        return Err(StoreError::Foreign { path: path.into(), expected: MAGIC.trim_end().into() });
    }
    let Some((content, checksum)) = bytes.split_last_chunk::<CHECKSUM>() else {
        return Err(damaged("no checksum at its end".into()));
    };
    if blake3::hash(content).as_bytes() != checksum {
        return Err(damaged("content and checksum disagree".into()));
    }
    let (settings, records) = split(content).ok_or_else(|| damaged("no end of its settings".into()))?;
    let games = records
        .chunks_exact(RECORD)
        .enumerate()
        .map(|(number, record)| read(record).map_err(|f| damaged(format!("game {number}: {f}"))));
    Ok((games.collect::<Result<_, _>>()?, settings))
}

/// The settings, and the games after them. Trusts that one of the two header lines is there.
fn split(content: &[u8]) -> Option<(Vec<String>, &[u8])> {
    let Some(rest) = content.strip_prefix(WITH_SETTINGS.as_bytes()) else {
        return Some((Vec::new(), &content[MAGIC.len()..]));
    };
    let end = rest.windows(2).position(|two| two == b"\n\n")?;
    let settings = str::from_utf8(&rest[..end]).ok()?;
    Some((settings.lines().map(str::to_owned).collect(), &rest[end + 2..]))
}

fn read(record: &[u8]) -> Result<Played, String> {
    let squares: Vec<u8> = record[..MOVES].iter().copied().take_while(|&square| square != NONE).collect();
    let game = Played { squares, random: record[MOVES], margin: record[MOVES + 1] as i8 };
    let rules = Othello::default();
    let mut position = rules.start();
    for (ply, &square) in game.squares.iter().enumerate() {
        position = step(&rules, &position, square).ok_or(format!("move {} is not legal", ply + 1))?;
    }
    match usize::from(game.random) <= game.squares.len() && (-64..=64).contains(&game.margin) {
        true => Ok(game),
        false => Err("random moves or margin out of range".into()),
    }
}

/// The position after a disc on `square`, passing first where that is forced; none if that is not legal.
pub fn step(rules: &Othello, position: &Position, square: u8) -> Option<Position> {
    let mut position = *position;
    if position.mobility() == 0 {
        position = position.after_pass();
    }
    (square < 64 && position.mobility() >> square & 1 == 1).then(|| rules.play(&position, Move::on(square)))
}

impl Played {
    /// The positions that say something: from the last random move on, with the margin for the side to move.
    pub fn labelled(&self, mut visit: impl FnMut(&Position, i8)) {
        let rules = Othello::default();
        let mut position = rules.start();
        for (ply, &square) in self.squares.iter().enumerate() {
            position = step(&rules, &position, square).expect("checked when it was read");
            if ply + 1 >= usize::from(self.random) && !position.has_ended() {
                let black = position.to_move == trilith_games::Colour::Black;
                visit(&position, if black { self.margin } else { -self.margin });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_come_back_and_damage_is_noticed() {
        let games = vec![Played { squares: vec![37, 43, 18], random: 2, margin: -12 }; 3];
        let bytes = write(&games);
        assert_eq!(parse(&bytes, "x").unwrap(), games);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            assert!(parse(&damaged, "x").is_err(), "byte {at}");
            assert!(parse(&bytes[..at], "x").is_err(), "cut at {at}");
        }
        let mut seen = Vec::new();
        games[0].labelled(|position, margin| seen.push((64 - position.empties().count_ones(), margin)));
        assert_eq!(seen, [(6, -12), (7, 12)]);
    }

    #[test]
    fn settings_come_back_and_files_without_them_are_as_before() {
        let games = vec![Played { squares: vec![37, 43, 18], random: 2, margin: -12 }; 3];
        let settings = ["generate", "--seed 1"].map(str::to_owned);
        let bytes = write_with(&games, &settings);
        assert!(bytes.starts_with(b"trilith othello games 2\ngenerate\n--seed 1\n\n"));
        assert_eq!(parse_with(&bytes, "x").unwrap(), (games.clone(), settings.to_vec()));
        for at in 0..bytes.len() {
            assert!(parse(&bytes[..at], "x").is_err(), "cut at {at}");
        }
        let plain = write(&games);
        assert!(plain.starts_with(b"trilith othello games 1\n"));
        assert_eq!(plain.len(), "trilith othello games 1\n".len() + 3 * 64 + 32);
        assert_eq!(parse_with(&plain, "x").unwrap(), (games, Vec::new()));
        let endless = [WITH_SETTINGS.as_bytes(), b"generate\n"].concat();
        let endless = [&endless[..], blake3::hash(&endless).as_bytes()].concat();
        assert!(parse(&endless, "x").unwrap_err().to_string().contains("no end of its settings"));
    }

    #[test]
    fn illegal_moves_are_refused() {
        let bytes = write(&[Played { squares: vec![0], random: 0, margin: 0 }]);
        assert!(parse(&bytes, "x").unwrap_err().to_string().contains("game 0: move 1 is not legal"));
    }
}
