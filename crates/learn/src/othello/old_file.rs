//! Files of Othello games as they were before all games had the same: a header line, 64 bytes a game (moves, where random
//! play ended, the final margin), and a checksum over both. In version 2 lines with settings follow the header line, ended
//! by an empty one. Read, not written; the bytes still name games in provenance.

use super::game::OthelloGame;
use crate::data::{DataError, OldGames};

const MAGIC: &str = "trilith othello games 1\n";
const WITH_SETTINGS: &str = "trilith othello games 2\n";
const RECORD: usize = 64;
const MOVES: usize = 61;
const NONE: u8 = 255;
const CHECKSUM: usize = 32;

/// What names games in provenance: a hash of the bytes that a file of version 1 had before its checksum and with it.
pub fn content_hash(games: &[OthelloGame]) -> String {
    blake3::hash(&write(games, &[])).to_hex().to_string()
}

fn write(games: &[OthelloGame], settings: &[String]) -> Vec<u8> {
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

/// Reads and checks the bytes of a file, with the settings that the games come from; none if it is something else. `path`
/// is for messages.
pub fn parse(bytes: &[u8], path: &str) -> Option<Result<OldGames, DataError>> {
    let is_one = [MAGIC, WITH_SETTINGS].iter().any(|line| bytes.starts_with(line.as_bytes()));
    is_one.then(|| parse_content(bytes).map_err(|fault| DataError::Damaged { path: path.into(), fault }))
}

fn parse_content(bytes: &[u8]) -> Result<OldGames, String> {
    let (content, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or("no checksum at its end")?;
    if blake3::hash(content).as_bytes() != checksum {
        return Err("content and checksum disagree".into());
    }
    let (settings, records) = split(content).ok_or("no end of its settings")?;
    let games = records.chunks_exact(RECORD).enumerate().map(|(number, record)| {
        let game = read(record);
        game.check().map_err(|fault| format!("game {number}: {fault}"))?;
        Ok(game.to_played())
    });
    Ok((games.collect::<Result<_, String>>()?, settings))
}

/// The settings, and the games after them. Trusts that one of the two header lines is there.
fn split(content: &[u8]) -> Option<(Vec<String>, &[u8])> {
    let Some(rest) = content.strip_prefix(WITH_SETTINGS.as_bytes()) else {
        return Some((Vec::new(), content.get(MAGIC.len()..)?));
    };
    let end = rest.windows(2).position(|two| two == b"\n\n")?;
    let settings = str::from_utf8(&rest[..end]).ok()?;
    Some((settings.lines().map(str::to_owned).collect(), &rest[end + 2..]))
}

fn read(record: &[u8]) -> OthelloGame {
    let squares = record[..MOVES].iter().copied().take_while(|&square| square != NONE).collect();
    OthelloGame { squares, random: record[MOVES], margin: record[MOVES + 1] as i8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games() -> Vec<OthelloGame> {
        vec![OthelloGame { squares: vec![37, 43, 18], random: 2, margin: -12 }; 3]
    }

    fn back(bytes: &[u8]) -> Result<(Vec<OthelloGame>, Vec<String>), String> {
        let (played, settings) =
            parse(bytes, "x").ok_or("something else")?.map_err(|error| error.to_string())?;
        Ok((played.iter().map(|played| OthelloGame::of(played).unwrap()).collect(), settings))
    }

    #[test]
    fn games_come_back_and_damage_is_noticed() {
        let settings = ["generate", "--seed 1"].map(str::to_owned).to_vec();
        for settings in [Vec::new(), settings] {
            let bytes = write(&games(), &settings);
            assert_eq!(back(&bytes).unwrap(), (games(), settings));
            for at in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] ^= 4;
                assert!(back(&damaged).is_err(), "byte {at}");
                assert!(back(&bytes[..at]).is_err(), "cut at {at}");
            }
        }
        let endless = [WITH_SETTINGS.as_bytes(), b"generate\n"].concat();
        let endless = [&endless[..], blake3::hash(&endless).as_bytes()].concat();
        assert!(back(&endless).unwrap_err().contains("no end of its settings"));
    }

    #[test]
    fn illegal_moves_are_refused() {
        let bytes = write(&[OthelloGame { squares: vec![0], random: 0, margin: 0 }], &[]);
        assert!(back(&bytes).unwrap_err().contains("game 0: move 1 is not legal"));
    }
}
