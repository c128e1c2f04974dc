//! A file of game texts to which a match adds each game once, however often it is begun again.
//!
//! [`Host::text`](super::Host::text) writes [`GameJob::key`](super::GameJob::key) as the tag `Key`. Games whose key the file has are not added
//! again, and a last game that a crash has cut short is cut off. Games of other matches in the file stay.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use trilith_games::{Colour, pgn::PgnResult};

use crate::registry::GAMES;

/// The tag of the key.
pub const KEY: &str = "Key";

/// Saved games, open for more.
pub struct SavedGames {
    file: File,
    keys: HashSet<String>,
    /// Games that were in the file already and were told again.
    pub known: u64,
}

/// What a file holds.
#[derive(Default)]
struct Content {
    keys: HashSet<String>,
    /// Bytes up to the end of the last whole game.
    whole: u64,
    /// The file ends in the middle of a game.
    is_torn: bool,
    /// What must follow so that another game can: an empty line stands between two.
    gap: &'static str,
}

impl SavedGames {
    /// Opens or begins a file. Other files than game texts are refused.
    pub fn open(path: &Path) -> io::Result<SavedGames> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let content = read(&mut BufReader::new(&file))?;
        if content.is_torn {
            file.set_len(content.whole)?;
        }
        file.write_all(content.gap.as_bytes())?;
        Ok(SavedGames { file, keys: content.keys, known: 0 })
    }

    /// Adds the text of a game unless the file has one with its key. The text should have the key as its tag `Key`.
    pub fn add(&mut self, key: &str, text: &str) -> io::Result<()> {
        if !self.keys.insert(key.to_owned()) {
            self.known += 1;
            return Ok(());
        }
        // Whole games in one piece, each with an empty line behind it.
        self.file.write_all(format!("{text}\n").as_bytes())
    }
}

fn read(lines: &mut impl BufRead) -> io::Result<Content> {
    let mut content = Content::default();
    let (mut at, mut key, mut is_game_text) = (0, None, false);
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = lines.read_until(b'\n', &mut line)?;
        if length == 0 {
            break;
        }
        at += length as u64;
        let text = String::from_utf8_lossy(&line);
        let (bare, ends) = (text.trim(), text.ends_with('\n'));
        is_game_text |= bare.starts_with("[Game ");
        if let Some(value) = bare.strip_prefix("[Key \"").and_then(|rest| rest.strip_suffix("\"]")) {
            key = Some(value.to_owned());
        }
        // Every game text ends with its result.
        let result =
            bare.split_whitespace().next_back().and_then(|word| PgnResult::read(word, Colour::Black));
        if bare.is_empty() && content.whole + length as u64 == at {
            (content.whole, content.gap) = (at, "");
        } else if result.is_some() && !bare.starts_with('[') {
            (content.whole, content.gap) = (at, if ends { "\n" } else { "\n\n" });
            content.keys.extend(key.take());
        }
    }
    if at > 0 && !is_game_text {
        let tag = format!("[Game \"{}\"]", GAMES[0]);
        return Err(io::Error::other(format!(
            "expected game texts with tags such as {tag}, or no such file"
        )));
    }
    content.is_torn = content.whole < at;
    Ok(content)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use super::*;
    use crate::contest::{Adjudication, Duel, GameJob, Host};

    /// Some short games with their texts.
    fn played() -> Vec<(GameJob, String)> {
        let duel = Duel {
            adjudication: Adjudication { plies: Some(12), ..Adjudication::default() },
            ..Duel::new("othello", "random", "random", 4)
        };
        let mut host = Host::default();
        let games = duel.play(&Arc::default(), |_| ()).unwrap().1;
        let text = |(job, result): (GameJob, _)| (job.clone(), host.text(&job, &result).unwrap());
        games.into_iter().map(text).collect()
    }

    #[test]
    fn a_file_cut_anywhere_ends_with_every_game_once() {
        let path = std::env::temp_dir().join(format!("trilith-saved-{}.txt", std::process::id()));
        let games = played();
        let add_all = || {
            let mut saved = SavedGames::open(&path).unwrap();
            games.iter().for_each(|(job, text)| saved.add(&job.key(), text).unwrap());
            saved.known
        };
        fs::write(&path, "[Game \"othello\"]\n[Event \"another\"]\n\n1. f5 *").unwrap();
        assert_eq!(add_all(), 0);
        let whole = fs::read_to_string(&path).unwrap();
        assert_eq!((whole.matches("[Game ").count(), whole.contains("1. f5 *\n\n[Game")), (5, true));
        assert_eq!(add_all(), 4);
        assert_eq!(fs::read_to_string(&path).unwrap(), whole);
        let second = whole.find("\n\n[Game").unwrap();
        for cut in second..whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            add_all();
            assert_eq!(fs::read_to_string(&path).unwrap(), whole, "cut after {cut} bytes");
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn other_files_are_refused_and_stay() {
        let path = std::env::temp_dir().join(format!("trilith-saved-other-{}.txt", std::process::id()));
        fs::write(&path, "f5d6c3\n").unwrap();
        let fault = SavedGames::open(&path).err().unwrap().to_string();
        assert!(fault.contains("expected game texts"), "{fault}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "f5d6c3\n");
        fs::remove_file(&path).unwrap();
    }
}
