//! The journal of a tournament: one line a game ([`trilith_base::journal`]). A game whose line a crash has cut short is
//! played again.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use trilith_base::journal::{self, JournalFault};

use crate::contest::GameResult;

/// An open journal; only one program at a time has it.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    lines: journal::Journal,
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

impl JournalError {
    fn new(path: &Path, plan: &str, fault: JournalFault) -> JournalError {
        let path = path.to_owned();
        match fault {
            JournalFault::File(source) => JournalError::File { path, source },
            JournalFault::Busy => JournalError::Busy { path },
            JournalFault::Foreign(found) => JournalError::Foreign { path, expected: plan.into(), found },
            JournalFault::Line(line, fault) => JournalError::Line { path, line, fault },
        }
    }
}

impl Journal {
    /// Opens or begins the journal of the plan with this fingerprint; the results in it, each number once.
    pub fn open(path: &Path, plan: &str) -> Result<(Journal, Vec<GameResult>), JournalError> {
        let opened = journal::Journal::open(path, "trilith_journal", plan);
        let (lines, mut results): (_, Vec<GameResult>) =
            opened.map_err(|fault| JournalError::new(path, plan, fault))?;
        let mut seen = HashSet::new();
        results.retain(|result| seen.insert(result.number));
        Ok((Journal { path: path.into(), lines }, results))
    }

    /// Writes a result; when this returns, it is on the disk.
    pub fn append(&mut self, result: &GameResult) -> Result<(), JournalError> {
        self.lines.add(result).map_err(|source| JournalError::File { path: self.path.clone(), source })
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
