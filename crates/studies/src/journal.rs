//! The journal of a study: one line a finished cell ([`trilith_base::journal`]).
//!
//! A cell whose line a crash has cut short is done again. Each line has the session it was done in and the seconds since that session began, so that
//! the time spent is known whatever has happened in between.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use trilith_base::journal::{self, JournalFault};

use crate::error::StudyError;
use crate::report::RunningTime;

/// The file's name in the study's folder.
pub const NAME: &str = "journal.jsonl";
/// In the first line, beside study, scale, seed and parameters.
const KIND: &str = "trilith_study";

/// A finished cell.
#[derive(Serialize, Deserialize)]
struct CellLine {
    cell: String,
    output: Value,
    /// What it took, summed over the threads that worked on it.
    seconds: f64,
    session: u32,
    /// Threads of the session.
    threads: usize,
    /// Seconds since the session began.
    at: f64,
}

/// An open journal with all it holds.
pub struct StudyJournal {
    path: PathBuf,
    /// None where it is only read.
    lines: Option<journal::Journal>,
    outputs: HashMap<String, (Value, f64)>,
    /// By session: seconds and threads.
    sessions: BTreeMap<u32, (f64, usize)>,
    session: u32,
    threads: usize,
    began: Instant,
}

impl StudyJournal {
    /// Opens or begins the journal of `plan` in `folder`; only one program at a time has it.
    pub fn open(folder: &Path, plan: &str, threads: usize) -> Result<StudyJournal, StudyError> {
        let path = folder.join(NAME);
        fs::create_dir_all(folder).map_err(|source| StudyError::file(&path, source))?;
        let opened = journal::Journal::open(&path, KIND, plan);
        let (lines, done) = opened.map_err(|fault| refused(&path, plan, fault))?;
        let journal = StudyJournal::new(path, done);
        let session = journal.sessions.keys().last().map_or(0, |last| last + 1);
        Ok(StudyJournal { lines: Some(lines), session, threads, ..journal })
    }

    /// The journal in `folder` as it is; nothing can be added.
    pub fn read(folder: &Path, plan: &str) -> Result<StudyJournal, StudyError> {
        let path = folder.join(NAME);
        let done = journal::Journal::read(&path, KIND, plan).map_err(|fault| refused(&path, plan, fault))?;
        Ok(StudyJournal::new(path, done))
    }

    fn new(path: PathBuf, done: Vec<CellLine>) -> StudyJournal {
        let (mut outputs, mut sessions) = (HashMap::new(), BTreeMap::new());
        for line in done {
            let session = sessions.entry(line.session).or_insert((0.0_f64, line.threads));
            session.0 = session.0.max(line.at);
            outputs.entry(line.cell).or_insert((line.output, line.seconds));
        }
        StudyJournal { path, lines: None, outputs, sessions, session: 0, threads: 0, began: Instant::now() }
    }

    /// What came of a cell, and the seconds it took.
    pub fn get(&self, cell: &str) -> Option<&(Value, f64)> {
        self.outputs.get(cell)
    }

    /// Writes what came of a cell; when this returns it is on the disk.
    pub fn add(&mut self, cell: &str, output: Value, seconds: f64) -> Result<(), StudyError> {
        let at = self.began.elapsed().as_secs_f64();
        // What a later reader will see, to the last bit: numbers may change a little on their way through text.
        let output = serde_json::from_str(&output.to_string()).expect("it was written just now");
        let (session, threads) = (self.session, self.threads);
        let line = CellLine { cell: cell.into(), output, seconds, session, threads, at };
        let Some(lines) = &mut self.lines else {
            return Err(StudyError::Procedure("the journal is only read".into()));
        };
        lines.add(&line).map_err(|source| StudyError::file(&self.path, source))?;
        self.sessions.insert(session, (at, threads));
        self.outputs.insert(line.cell, (line.output, seconds));
        Ok(())
    }

    /// What everything in it took.
    pub fn effort(&self, published: &str) -> RunningTime {
        RunningTime {
            seconds: self.sessions.values().map(|session| session.0).sum(),
            thread_seconds: self.outputs.values().map(|output| output.1).sum(),
            threads: self.sessions.values().map(|session| session.1).max().unwrap_or(0),
            cells: self.outputs.len(),
            published: published.into(),
        }
    }
}

fn refused(path: &Path, plan: &str, fault: JournalFault) -> StudyError {
    match fault {
        JournalFault::File(source) => StudyError::file(path, source),
        JournalFault::Busy => StudyError::Busy { path: path.into() },
        JournalFault::Foreign(found) => {
            StudyError::Foreign { path: path.into(), expected: plan.into(), found }
        }
        JournalFault::Line(line, fault) => StudyError::Line { path: path.into(), line, fault },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("trilith-study-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn what_was_done_is_there_again_and_half_a_line_is_cut_off() {
        let folder = folder("half");
        let mut journal = StudyJournal::open(&folder, "plan", 2).unwrap();
        journal.add("a", json!(1), 0.5).unwrap();
        journal.add("b", json!([1.5, 0.25]), 0.25).unwrap();
        drop(journal);
        let path = folder.join(NAME);
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend_from_slice(b"{\"cell\":\"c\",\"outp");
        fs::write(&path, &bytes).unwrap();
        let mut journal = StudyJournal::open(&folder, "plan", 3).unwrap();
        assert_eq!(journal.get("b").unwrap().0, json!([1.5, 0.25]));
        assert!(journal.get("c").is_none());
        journal.add("c", json!(null), 1.0).unwrap();
        drop(journal);
        let effort = StudyJournal::read(&folder, "plan").unwrap().effort("18 days");
        assert_eq!((effort.cells, effort.threads, effort.thread_seconds), (3, 3, 1.75));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_journal_is_refused_to_others() {
        let folder = folder("other");
        let journal = StudyJournal::open(&folder, "plan", 1).unwrap();
        assert!(matches!(StudyJournal::open(&folder, "plan", 1), Err(StudyError::Busy { .. })));
        drop(journal);
        let error = StudyJournal::open(&folder, "another", 1).err().unwrap().to_string();
        assert!(error.contains("expected another, found plan"), "{error}");
        fs::remove_dir_all(folder).unwrap();
    }
}
