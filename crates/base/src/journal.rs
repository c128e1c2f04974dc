//! Journals: files that grow by lines of JSON, each on the disk before it counts.
//!
//! The first line says whose journal it is. A line that a crash has cut short is cut off when the journal is opened
//! again; whole lines are never changed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Why a journal cannot be used; who opened it says of what it is.
#[derive(Debug, thiserror::Error)]
pub enum JournalFault {
    /// It cannot be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// Another program has it open.
    #[error("another program has this journal open")]
    Busy,
    /// It belongs to something else, which is named.
    #[error("this is a journal of `{0}`")]
    Foreign(String),
    /// A whole line, counted from 1, is damaged.
    #[error("line {0}: {1}")]
    Line(usize, String),
}

const VERSION: u32 = 1;

/// A journal that can be added to; only one program at a time has it.
#[derive(Debug)]
pub struct Journal(File);

impl Journal {
    /// Opens or begins the journal of `owner`, and all its lines after the first. `kind` is the first line's key for the
    /// version.
    pub fn open<L: DeserializeOwned>(
        path: &Path,
        kind: &str,
        owner: &str,
    ) -> Result<(Journal, Vec<L>), JournalFault> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => JournalFault::Busy,
            TryLockError::Error(source) => JournalFault::File(source),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let whole = whole(&bytes);
        let lines = parse(whole, kind, owner)?;
        file.set_len(whole.len() as u64)?;
        file.seek(SeekFrom::End(0))?;
        let mut journal = Journal(file);
        if whole.is_empty() {
            journal
                .write(format!("{{\"{kind}\":{VERSION},\"plan\":{}}}", Value::from(owner)).into_bytes())?;
            sync_folder(path)?;
        }
        Ok((journal, lines))
    }

    /// The lines of a journal as it is, whoever has it open.
    pub fn read<L: DeserializeOwned>(path: &Path, kind: &str, owner: &str) -> Result<Vec<L>, JournalFault> {
        parse(whole(&std::fs::read(path)?), kind, owner)
    }

    /// Adds a line; when this returns, it is on the disk.
    pub fn add(&mut self, line: &impl Serialize) -> io::Result<()> {
        self.write(serde_json::to_vec(line)?)
    }

    fn write(&mut self, mut line: Vec<u8>) -> io::Result<()> {
        line.push(b'\n');
        self.0.write_all(&line)?;
        self.0.sync_data()
    }
}

fn whole(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1)]
}

fn parse<L: DeserializeOwned>(bytes: &[u8], kind: &str, owner: &str) -> Result<Vec<L>, JournalFault> {
    let damaged = |line: usize, error: serde_json::Error| JournalFault::Line(line, error.to_string());
    let mut lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).zip(1..);
    let Some((head, _)) = lines.next() else { return Ok(Vec::new()) };
    let head: Map<String, Value> = serde_json::from_slice(head).map_err(|error| damaged(1, error))?;
    let (version, found) = (head.get(kind), head.get("plan").and_then(Value::as_str));
    match (version, found) {
        (Some(version), Some(found)) if *version == VERSION && found == owner => {}
        (Some(_), Some(found)) => return Err(JournalFault::Foreign(found.into())),
        _ => return Err(JournalFault::Line(1, format!("expected `{kind}` and `plan`"))),
    }
    lines.map(|(line, number)| serde_json::from_slice(line).map_err(|error| damaged(number, error))).collect()
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

    #[test]
    fn lines_come_back_half_a_line_is_cut_off_and_others_are_refused() {
        let path = std::env::temp_dir().join(format!("trilith-lines-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let open = |kind: &str, owner: &str| Journal::open::<u32>(&path, kind, owner);
        let (mut journal, none) = open("numbers", "\"me\"").unwrap();
        assert!(none.is_empty() && matches!(open("numbers", "\"me\""), Err(JournalFault::Busy)));
        [7, 8].into_iter().for_each(|number| journal.add(&number).unwrap());
        drop(journal);
        let whole = "{\"numbers\":1,\"plan\":\"\\\"me\\\"\"}\n7\n8\n";
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        std::fs::write(&path, format!("{whole}12")).unwrap();
        assert_eq!(Journal::read::<u32>(&path, "numbers", "\"me\"").unwrap(), [7, 8]);
        let (mut journal, lines) = open("numbers", "\"me\"").unwrap();
        assert_eq!(lines, [7, 8]);
        journal.add(&9).unwrap();
        drop(journal);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{whole}9\n"));
        assert!(matches!(open("numbers", "you"), Err(JournalFault::Foreign(found)) if found == "\"me\""));
        assert!(matches!(open("words", "\"me\""), Err(JournalFault::Line(1, _))));
        std::fs::write(&path, format!("{whole}x\n")).unwrap();
        assert!(matches!(open("numbers", "\"me\""), Err(JournalFault::Line(4, _))));
        std::fs::remove_file(path).unwrap();
    }
}
