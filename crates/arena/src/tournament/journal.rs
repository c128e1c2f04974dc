//! The journal of a tournament: one line a game, on the disk before the game counts.
//!
//! The first line says whose journal it is. A line that a crash has cut short is cut off when the journal is opened
//! again, and its game is played again; whole lines are never changed.

use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::contest::GameResult;

/// An open journal; only one program at a time has it.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
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
    #[error("journal `{}`: another program is playing this tournament", path.display())]
    Busy {
        /// Which one.
        path: PathBuf,
    },
    /// It belongs to another plan.
    #[error(
        "journal `{}` is of another tournament, or of this one before its plan was changed: expected {expected}, \
         found {found}; move it away to begin anew",
        path.display()
    )]
    Foreign {
        /// Which one.
        path: PathBuf,
        /// This plan's fingerprint.
        expected: String,
        /// The journal's.
        found: String,
    },
    /// A whole line is damaged.
    #[error("journal `{}`, line {line}: {fault}", path.display())]
    Line {
        /// Which one.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        fault: String,
    },
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Head {
    trilith_journal: u32,
    plan: String,
}

const VERSION: u32 = 1;

impl Journal {
    /// Opens or begins the journal of the plan with this fingerprint; the results in it, each number once.
    pub fn open(path: &Path, plan: &str) -> Result<(Journal, Vec<GameResult>), JournalError> {
        let failed = |source| JournalError::File { path: path.into(), source };
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.map_err(failed)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::Busy { path: path.into() },
            TryLockError::Error(source) => failed(source),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let results = read(path, &bytes[..whole], plan)?;
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(failed)?;
        let mut journal = Journal { path: path.into(), file };
        if whole == 0 {
            journal.line(&Head { trilith_journal: VERSION, plan: plan.into() })?;
            sync_folder(path).map_err(failed)?;
        }
        Ok((journal, results))
    }

    /// Writes a result; when this returns, it is on the disk.
    pub fn append(&mut self, result: &GameResult) -> Result<(), JournalError> {
        self.line(result)
    }

    fn line(&mut self, content: &impl Serialize) -> Result<(), JournalError> {
        let write = |file: &mut File| {
            let mut line = serde_json::to_vec(content)?;
            line.push(b'\n');
            file.write_all(&line)?;
            file.sync_data()
        };
        write(&mut self.file).map_err(|source| JournalError::File { path: self.path.clone(), source })
    }
}

fn read(path: &Path, bytes: &[u8], plan: &str) -> Result<Vec<GameResult>, JournalError> {
    let damaged = |line: usize, error: serde_json::Error| JournalError::Line {
        path: path.into(),
        line,
        fault: error.to_string(),
    };
    let mut lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).zip(1..);
    let Some((head, _)) = lines.next() else { return Ok(Vec::new()) };
    let head: Head = serde_json::from_slice(head).map_err(|error| damaged(1, error))?;
    if head.plan != plan || head.trilith_journal != VERSION {
        return Err(JournalError::Foreign { path: path.into(), expected: plan.into(), found: head.plan });
    }
    let (mut results, mut seen) = (Vec::new(), HashSet::new());
    for (line, number) in lines {
        let result: GameResult = serde_json::from_slice(line).map_err(|error| damaged(number, error))?;
        if seen.insert(result.number) {
            results.push(result);
        }
    }
    Ok(results)
}

/// Makes a new file's name durable.
fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => File::open(folder)?.sync_all(),
        None => File::open(".")?.sync_all(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(number: u64) -> GameResult {
        GameResult {
            number,
            winner: Some(trilith_games::Colour::White),
            reason: "board full".into(),
            cut_short: false,
            moves: "f5 d6".into(),
            fault: None,
            seconds: [0.25, 0.5],
        }
    }

    fn journal_at(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("trilith-journal-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        path
    }

    #[test]
    fn results_come_back_and_half_a_line_is_cut_off() {
        let path = journal_at("half");
        let (mut journal, none) = Journal::open(&path, "plan").unwrap();
        assert!(none.is_empty());
        journal.append(&result(4)).unwrap();
        journal.append(&result(2)).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        for cut in 1..40 {
            let mut broken = whole.clone();
            broken.extend_from_slice(&serde_json::to_vec(&result(7)).unwrap()[..cut]);
            std::fs::write(&path, &broken).unwrap();
            let (mut journal, results) = Journal::open(&path, "plan").unwrap();
            assert_eq!(results, [result(4), result(2)]);
            journal.append(&result(9)).unwrap();
            drop(journal);
            assert_eq!(Journal::open(&path, "plan").unwrap().1, [result(4), result(2), result(9)]);
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_result_that_came_twice_counts_once() {
        let path = journal_at("twice");
        let (mut journal, _) = Journal::open(&path, "plan").unwrap();
        [1, 1, 2, 1].into_iter().for_each(|number| journal.append(&result(number)).unwrap());
        drop(journal);
        assert_eq!(Journal::open(&path, "plan").unwrap().1, [result(1), result(2)]);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_journal_is_refused_to_others() {
        let path = journal_at("other");
        let (journal, _) = Journal::open(&path, "plan").unwrap();
        assert!(matches!(Journal::open(&path, "plan"), Err(JournalError::Busy { .. })));
        drop(journal);
        let error = Journal::open(&path, "another").unwrap_err().to_string();
        assert!(error.contains("expected another, found plan"), "{error}");
        let mut text = std::fs::read_to_string(&path).unwrap();
        text += "nonsense\n";
        std::fs::write(&path, text).unwrap();
        let error = Journal::open(&path, "plan").unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
        std::fs::remove_file(path).unwrap();
    }
}
