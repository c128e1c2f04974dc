//! The journal of a study: one line a finished cell, on the disk before it counts.
//!
//! The first line says whose journal it is. A line that a crash has cut short is cut off when the journal is opened again,
//! and its cell is done again. Each line has the session it was done in and the seconds since that session began, so that
//! the time spent is known whatever has happened in between.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::StudyError;
use crate::report::Effort;

/// The file's name in the study's folder.
pub const NAME: &str = "journal.jsonl";
const VERSION: u32 = 1;

/// The first line.
#[derive(Serialize, Deserialize)]
struct Head {
    trilith_study: u32,
    /// Study, scale, seed and parameters.
    plan: String,
}

/// A finished cell.
#[derive(Serialize, Deserialize)]
struct Line {
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
pub struct Journal {
    path: PathBuf,
    /// None where it is only read.
    file: Option<File>,
    outputs: HashMap<String, (Value, f64)>,
    /// By session: seconds and threads.
    sessions: BTreeMap<u32, (f64, usize)>,
    session: u32,
    threads: usize,
    began: Instant,
}

impl Journal {
    /// Opens or begins the journal of `plan` in `folder`; only one program at a time has it.
    pub fn open(folder: &Path, plan: &str, threads: usize) -> Result<Journal, StudyError> {
        let path = folder.join(NAME);
        let failed = |source| StudyError::file(&path, source);
        fs::create_dir_all(folder).map_err(failed)?;
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = file.map_err(failed)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => StudyError::Busy { path: path.clone() },
            TryLockError::Error(source) => failed(source),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let mut journal = Journal::parse(&path, &bytes[..whole], plan)?;
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(failed)?;
        journal.file = Some(file);
        journal.session = journal.sessions.keys().last().map_or(0, |last| last + 1);
        journal.threads = threads;
        if whole == 0 {
            journal.write(&Head { trilith_study: VERSION, plan: plan.into() })?;
        }
        Ok(journal)
    }

    /// The journal in `folder` as it is; nothing can be added.
    pub fn read(folder: &Path, plan: &str) -> Result<Journal, StudyError> {
        let path = folder.join(NAME);
        let bytes = fs::read(&path).map_err(|source| StudyError::file(&path, source))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        Journal::parse(&path, &bytes[..whole], plan)
    }

    fn parse(path: &Path, bytes: &[u8], plan: &str) -> Result<Journal, StudyError> {
        let mut journal = Journal {
            path: path.into(),
            file: None,
            outputs: HashMap::new(),
            sessions: BTreeMap::new(),
            session: 0,
            threads: 0,
            began: Instant::now(),
        };
        let damaged = |line, error: serde_json::Error| StudyError::Line {
            path: path.into(),
            line,
            fault: error.to_string(),
        };
        let mut lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).zip(1..);
        let Some((head, _)) = lines.next() else { return Ok(journal) };
        let head: Head = serde_json::from_slice(head).map_err(|error| damaged(1, error))?;
        if head.plan != plan || head.trilith_study != VERSION {
            return Err(StudyError::Foreign { path: path.into(), expected: plan.into(), found: head.plan });
        }
        for (line, number) in lines {
            let line: Line = serde_json::from_slice(line).map_err(|error| damaged(number, error))?;
            let session = journal.sessions.entry(line.session).or_insert((0.0, line.threads));
            session.0 = session.0.max(line.at);
            journal.outputs.entry(line.cell).or_insert((line.output, line.seconds));
        }
        Ok(journal)
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
        let line = Line { cell: cell.into(), output, seconds, session, threads, at };
        self.write(&line)?;
        self.sessions.insert(session, (at, threads));
        self.outputs.insert(line.cell, (line.output, seconds));
        Ok(())
    }

    fn write(&mut self, content: &impl Serialize) -> Result<(), StudyError> {
        let Some(file) = &mut self.file else {
            return Err(StudyError::Procedure("the journal is only read".into()));
        };
        let mut line = serde_json::to_vec(content).expect("lines are plain data");
        line.push(b'\n');
        let written = file.write_all(&line).and_then(|()| file.sync_data());
        written.map_err(|source| StudyError::file(&self.path, source))
    }

    /// What everything in it took.
    pub fn effort(&self, published: &str) -> Effort {
        Effort {
            seconds: self.sessions.values().map(|session| session.0).sum(),
            thread_seconds: self.outputs.values().map(|output| output.1).sum(),
            threads: self.sessions.values().map(|session| session.1).max().unwrap_or(0),
            cells: self.outputs.len(),
            published: published.into(),
        }
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
        let mut journal = Journal::open(&folder, "plan", 2).unwrap();
        journal.add("a", json!(1), 0.5).unwrap();
        journal.add("b", json!([1.5, 0.25]), 0.25).unwrap();
        drop(journal);
        let path = folder.join(NAME);
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend_from_slice(b"{\"cell\":\"c\",\"outp");
        fs::write(&path, &bytes).unwrap();
        let mut journal = Journal::open(&folder, "plan", 3).unwrap();
        assert_eq!(journal.get("b").unwrap().0, json!([1.5, 0.25]));
        assert!(journal.get("c").is_none());
        journal.add("c", json!(null), 1.0).unwrap();
        drop(journal);
        let effort = Journal::read(&folder, "plan").unwrap().effort("18 days");
        assert_eq!((effort.cells, effort.threads, effort.thread_seconds), (3, 3, 1.75));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_journal_is_refused_to_others() {
        let folder = folder("other");
        let journal = Journal::open(&folder, "plan", 1).unwrap();
        assert!(matches!(Journal::open(&folder, "plan", 1), Err(StudyError::Busy { .. })));
        drop(journal);
        let error = Journal::open(&folder, "another", 1).err().unwrap().to_string();
        assert!(error.contains("expected another, found plan"), "{error}");
        fs::remove_dir_all(folder).unwrap();
    }
}
