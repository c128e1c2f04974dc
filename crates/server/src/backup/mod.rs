//! Backups of a server's home while it goes on: database, books, runs, heuristics, tournaments, in one file with checksums.
//!
//! The file is a tar. Its last member but one lists all others with their checksums, the last one is the checksum of all bytes
//! before it. Tables of endgames are left out: they are large, and `trilith tablebase build` makes them again.

mod restore;
mod tar;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use serde::{Deserialize, Serialize};
use trilith_base::files;

use crate::store::{FILE, StoreError};
use crate::time::now_ms;
pub use restore::{Restored, restore};
pub(crate) use restore::{finish, hold};
use tar::Writer;

/// What the list of all members is called.
const LIST: &str = "trilith-backup.json";
/// What the checksum of all that stands before it is called.
const SEAL: &str = "trilith-backup.blake3";
/// The version of backups written now. Those of the first have no seal.
const FORMAT: u32 = 2;
/// What of a home belongs into backups besides the database, by name.
const KEPT: [&str; 7] =
    ["admin.key.hash", "artifacts", "books", "heuristics", "runs", "studies", "tournaments"];

/// What a backup holds.
#[derive(Debug, Serialize, Deserialize)]
struct List {
    format: u32,
    /// Milliseconds since 1970.
    made: u64,
    program: String,
    /// BLAKE3 of each file, by name.
    files: BTreeMap<String, String>,
}

/// What was copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackedUp {
    /// Bytes of the copy.
    pub bytes: u64,
    /// Files in it.
    pub files: usize,
    /// Whether a database is among them; one of PostgreSQL is not.
    pub has_database: bool,
}

pub(crate) fn fault(path: &Path, error: impl ToString) -> StoreError {
    StoreError::Folder { path: path.into(), reason: error.to_string() }
}

/// Whether the entry called `name` at the top of a home belongs into backups.
fn is_kept(name: &str) -> bool {
    KEPT.contains(&name)
}

/// Copies the home `data` to `to`, which must not be there yet. Whoever plays meanwhile is not disturbed.
pub fn backup(data: &Path, to: &Path) -> Result<BackedUp, StoreError> {
    if to.exists() {
        return Err(fault(to, "there is a file already: expected a new name"));
    }
    let beside = |ending: &str| {
        let mut path = to.as_os_str().to_owned();
        path.push(ending);
        PathBuf::from(path)
    };
    let (part, copy) = (beside(".part"), beside(".part.db"));
    let done = write(data, &part, &copy);
    let _ = fs::remove_file(&copy);
    let done =
        done.and_then(|done| files::rename_whole(&part, to).map(|()| done).map_err(|error| fault(to, error)));
    if done.is_err() {
        let _ = fs::remove_file(&part);
    }
    done
}

fn write(data: &Path, part: &Path, copy: &Path) -> Result<BackedUp, StoreError> {
    let has_database = data.join(FILE).exists();
    if has_database {
        copy_database(&data.join(FILE), copy)?;
    }
    let database = has_database.then(|| (FILE.to_owned(), copy.to_path_buf()));
    let mut members: Vec<(String, PathBuf)> = database.into_iter().collect();
    walk(data, "", &mut members).map_err(|error| fault(data, error))?;
    if members.is_empty() {
        return Err(fault(data, "there is nothing to back up: expected the data folder of a server"));
    }
    let file = File::create(part).map_err(|error| fault(part, error))?;
    let mut writer = Writer(Hashed { inner: BufWriter::new(file), hasher: blake3::Hasher::new() });
    let mut list = List {
        format: FORMAT,
        made: now_ms(),
        program: env!("CARGO_PKG_VERSION").into(),
        files: BTreeMap::new(),
    };
    for (name, path) in members {
        match add(&mut writer, &name, &path) {
            Ok(hash) => drop(list.files.insert(name, hash)),
            // A run or a part of one may have gone since the folder was read.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(fault(&path, error)),
        }
    }
    let text = serde_json::to_vec_pretty(&list).expect("a list is plain data");
    let ended = writer.add(LIST, text.len() as u64, &mut &text[..]).and_then(|()| {
        let seal = writer.0.sum();
        writer.add(SEAL, seal.len() as u64, &mut seal.as_bytes())?;
        writer.finish()
    });
    let file = ended.and_then(|hashed| hashed.inner.into_inner().map_err(io::IntoInnerError::into_error));
    let bytes = file.and_then(|file| file.sync_all().and_then(|()| file.metadata())).map(|file| file.len());
    let bytes = bytes.map_err(|error| fault(part, error))?;
    Ok(BackedUp { bytes, files: list.files.len(), has_database })
}

fn copy_database(from: &Path, to: &Path) -> Result<(), StoreError> {
    let connection = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    let _ = fs::remove_file(to);
    connection.execute("VACUUM INTO ?1", [to.to_string_lossy()])?;
    Ok(())
}

/// All plain files under `folder`, with their names as seen from the home. Links are not followed.
fn walk(folder: &Path, before: &str, into: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
        let is_wanted = if before.is_empty() { is_kept(&name) } else { !name.ends_with(".part") };
        if !is_wanted {
            continue;
        }
        let (kind, path) = (entry.file_type()?, format!("{before}{name}"));
        if kind.is_dir() {
            walk(&entry.path(), &format!("{path}/"), into)?;
        } else if kind.is_file() {
            into.push((path, entry.path()));
        }
    }
    Ok(())
}

/// Adds one file and gives its checksum. A book that is being written is waited for.
fn add(writer: &mut Writer<impl io::Write>, name: &str, path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    if name.ends_with(".book") {
        file.lock_shared()?;
    }
    let mut content = Hashed { inner: &file, hasher: blake3::Hasher::new() };
    writer.add(name, file.metadata()?.len(), &mut content)?;
    Ok(content.sum())
}

/// Bytes on their way, with their checksum.
struct Hashed<T> {
    inner: T,
    hasher: blake3::Hasher,
}

impl<T> Hashed<T> {
    /// The checksum of what has passed, in hexadecimal.
    fn sum(&self) -> String {
        self.hasher.finalize().to_hex().to_string()
    }
}

impl<W: io::Write> io::Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        self.hasher.update(&into[..count]);
        Ok(count)
    }
}
