//! The journal of a match or tournament: one line a game ([`trilith_base::journal`]), known by what decides it.
//!
//! A game whose line a crash has cut short is played again. Games are found by [`GameJob::key`], not by their number, so
//! that a journal stays good when a match is prolonged or a tournament gets another player.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use trilith_base::journal::{Journal, JournalFault};

use super::job::{GameJob, GameReport};

/// An open journal with the games that were in it; only one program at a time has it. The default one has no file.
#[derive(Debug, Default)]
pub struct Journaled {
    file: Option<(PathBuf, Journal)>,
    games: HashMap<String, GameReport>,
}

/// A journal that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("journal `{}`: {source}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another program has it open.
    #[error("journal `{}`: another program is playing these games", path.display())]
    Busy {
        /// Which one.
        path: PathBuf,
    },
    /// It belongs to another game.
    #[error("journal `{}` has games of {found}, not of {expected}: move it away to begin anew", path.display())]
    Foreign {
        /// Which one.
        path: PathBuf,
        /// The game to be played.
        expected: String,
        /// The journal's.
        found: String,
    },
    /// A whole line is damaged.
    #[error("journal `{}`, line {line}: {fault}; move it away to begin anew", path.display())]
    Line {
        /// Which one.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        fault: String,
    },
}

impl JournalError {
    fn new(path: &Path, game: &str, fault: JournalFault) -> JournalError {
        let path = path.to_owned();
        match fault {
            JournalFault::File(source) => JournalError::File { path, source },
            JournalFault::Busy => JournalError::Busy { path },
            JournalFault::Foreign(found) => JournalError::Foreign { path, expected: game.into(), found },
            JournalFault::Line(line, fault) => JournalError::Line { path, line, fault },
        }
    }
}

#[derive(Serialize, Deserialize)]
struct JournalLine {
    key: String,
    #[serde(flatten)]
    result: GameReport,
}

impl Journaled {
    /// Opens or begins the journal of games of `game`.
    pub fn open(path: &Path, game: &str) -> Result<Journaled, JournalError> {
        let opened = Journal::open::<JournalLine>(path, "trilith_games", game);
        let (lines, games) = opened.map_err(|fault| JournalError::new(path, game, fault))?;
        let games = games.into_iter().map(|line| (line.key, line.result)).collect();
        Ok(Journaled { file: Some((path.into(), lines)), games })
    }

    /// How the game went, if the journal has it; it is given away but once.
    pub fn take(&mut self, job: &GameJob) -> Option<GameReport> {
        self.games.remove(&job.key()).map(|result| GameReport { number: job.number, ..result })
    }

    /// Whether no game is left that [`Journaled::take`] could find.
    pub fn is_used_up(&self) -> bool {
        self.games.is_empty()
    }

    /// Writes a result; when this returns, it is on the disk.
    pub fn add(&mut self, job: &GameJob, result: &GameReport) -> Result<(), JournalError> {
        let Some((path, lines)) = &mut self.file else { return Ok(()) };
        let line = JournalLine { key: job.key(), result: result.clone() };
        lines.add(&line).map_err(|source| JournalError::File { path: path.clone(), source })
    }
}

#[cfg(test)]
mod tests {
    use trilith_games::{Colour, End};

    use super::*;
    use crate::contest::{Adjudication, GameSeat, MoveNote, Opening, Pace};

    fn job(number: u64, seed: u64) -> GameJob {
        let seat = GameSeat { player: "random".into(), pace: Pace::default() };
        GameJob {
            number,
            game: "othello".into(),
            rules: String::new(),
            opening: Opening::default(),
            black: seat.clone(),
            white: seat,
            adjudication: Adjudication::default(),
            seed,
        }
    }

    fn result(number: u64) -> GameReport {
        GameReport {
            number,
            end: End::new(Some(Colour::White), "board full"),
            cut_short: false,
            moves: "f5 d6".into(),
            fault: None,
            seconds: [0.25, 0.5],
            notes: vec![MoveNote { seconds: 0.25, value: Some(1.5), depth: Some(3), nodes: None }],
        }
    }

    fn journal_at(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("trilith-journal-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        path
    }

    #[test]
    fn results_come_back_by_their_game_and_half_a_line_is_cut_off() {
        let path = journal_at("half");
        let mut journal = Journaled::open(&path, "othello").unwrap();
        assert!(journal.is_used_up());
        journal.add(&job(4, 1), &result(4)).unwrap();
        journal.add(&job(2, 2), &result(2)).unwrap();
        journal.add(&job(2, 2), &result(2)).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        for cut in 1..40 {
            let mut broken = whole.clone();
            broken.extend_from_slice(&serde_json::to_vec(&result(7)).unwrap()[..cut]);
            std::fs::write(&path, &broken).unwrap();
            let mut journal = Journaled::open(&path, "othello").unwrap();
            assert_eq!(journal.take(&job(8, 1)), Some(result(8)), "the number is the job's");
            assert_eq!((journal.take(&job(8, 1)), journal.take(&job(2, 3))), (None, None));
            journal.add(&job(9, 9), &result(9)).unwrap();
            drop(journal);
            let mut journal = Journaled::open(&path, "othello").unwrap();
            assert_eq!(journal.take(&job(9, 9)), Some(result(9)));
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_journal_is_refused_to_others() {
        let path = journal_at("other");
        let journal = Journaled::open(&path, "othello").unwrap();
        assert!(matches!(Journaled::open(&path, "othello"), Err(JournalError::Busy { .. })));
        drop(journal);
        let error = Journaled::open(&path, "morris").unwrap_err().to_string();
        assert!(error.contains("games of othello, not of morris"), "{error}");
        let mut text = std::fs::read_to_string(&path).unwrap();
        text += "nonsense\n";
        std::fs::write(&path, text).unwrap();
        let error = Journaled::open(&path, "othello").unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
        std::fs::write(&path, "{\"trilith_journal\":1,\"plan\":\"0123\"}\n").unwrap();
        let error = Journaled::open(&path, "othello").unwrap_err().to_string();
        assert!(error.contains("line 1: expected `trilith_games`"), "{error}");
        std::fs::remove_file(path).unwrap();
    }
}
