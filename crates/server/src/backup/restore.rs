//! Puts a backup in the place of a server's home: all of it or nothing, also if the machine stops on the way.
//!
//! Everything is first laid out and checked in `.restore`. Then a file `.restore.ready` says that it is complete; from there on
//! the rest, renaming alone, is done by whoever comes next: this command or the start of the server. What was there before is
//! kept in a folder `before-restore-...`, the write-ahead log of the old database with it: it must never meet the new one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use trilith_base::files;

use super::tar::Reader;
use super::{FORMAT, Hashed, LIST, List, fault, is_kept};
use crate::store::{FILE, StoreError, check_file};
use crate::time::now_ms;

const LOCK: &str = "trilith.lock";
const STAGE: &str = ".restore";
const READY: &str = ".restore.ready";
/// SQLite's file and those it keeps beside it.
const DATABASE: [&str; 4] = ["trilith.db", "trilith.db-wal", "trilith.db-shm", "trilith.db-journal"];
/// What is said of a backup that holds nothing else.
const DATABASE_ALONE: &str = "database alone";
/// How a database of SQLite begins: the backups of earlier programs were nothing else.
const SQLITE: &[u8] = b"SQLite format 3\0";
/// No list of a backup is longer.
const LONGEST_LIST: u64 = 64 << 20;

/// What was put in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// Files.
    pub files: usize,
    /// Where that is which was there before, if there was anything.
    pub before: Option<PathBuf>,
}

/// The home of a server, held as long as the file is open: shared by servers, alone by who restores.
pub(crate) fn hold(data: &Path, alone: bool) -> Result<File, StoreError> {
    fs::create_dir_all(data).map_err(|error| fault(data, error))?;
    let path = data.join(LOCK);
    let file =
        OpenOptions::new().create(true).append(true).open(&path).map_err(|error| fault(&path, error))?;
    let held = if alone { file.try_lock() } else { file.try_lock_shared() };
    let words = match alone {
        true => "a server uses this folder: expected it to be stopped first",
        false => "a backup is being put in place here: wait until that is done",
    };
    held.map_err(|_| fault(data, words))?;
    Ok(file)
}

/// Puts the backup `from` in the place of the home `data`.
pub fn restore(from: &Path, data: &Path) -> Result<Restored, StoreError> {
    let _alone = hold(data, true)?;
    finish(data)?;
    let stage = data.join(STAGE);
    let _ = fs::remove_dir_all(&stage);
    let laid_out = lay_out(from, &stage);
    let laid_out = laid_out.and_then(|files| {
        let database = stage.join(FILE);
        if database.exists() { check_file(&database).map(|()| files) } else { Ok(files) }
    });
    let (files, scope) = match laid_out {
        Ok(files) => files,
        Err(error) => {
            let _ = fs::remove_dir_all(&stage);
            return Err(error);
        }
    };
    let before = format!("before-restore-{}\n{scope}", now_ms());
    files::write_whole(&data.join(READY), before.as_bytes()).map_err(|error| fault(data, error))?;
    let before = finish(data)?;
    Ok(Restored { files, before })
}

/// Lays out and checks every file; how many, and what of the home they replace.
fn lay_out(from: &Path, stage: &Path) -> Result<(usize, &'static str), StoreError> {
    let mut file = File::open(from).map_err(|error| fault(from, error))?;
    let mut start = [0; SQLITE.len()];
    let is_database = file.read_exact(&mut start).is_ok() && start == SQLITE;
    let whole = || -> io::Result<usize> {
        fs::create_dir_all(stage)?;
        if is_database {
            return copy(&mut File::open(from)?, &stage.join(FILE)).map(|()| 1);
        }
        unpack(File::open(from)?, stage)
    };
    let files = whole().map_err(|error| fault(from, error))?;
    files::sync_folder(stage).map_err(|error| fault(stage, error))?;
    Ok((files, if is_database { DATABASE_ALONE } else { "" }))
}

fn unpack(file: File, stage: &Path) -> io::Result<usize> {
    let wrong = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut reader = Reader::new(io::BufReader::new(file));
    let mut found = std::collections::BTreeMap::new();
    while let Some((name, size)) = reader.next()? {
        if name == LIST {
            if size > LONGEST_LIST {
                return Err(wrong("its list is too long".into()));
            }
            let mut text = Vec::new();
            reader.content(size).read_to_end(&mut text)?;
            let list: List = serde_json::from_slice(&text)?;
            if list.format > FORMAT {
                return Err(wrong(format!("format {}: this program reads up to {FORMAT}", list.format)));
            }
            let differs = |name: &&String| list.files.get(*name) != found.get(*name);
            if let Some(name) = list.files.keys().chain(found.keys()).find(differs) {
                return Err(wrong(format!("`{name}` is missing or damaged")));
            }
            return Ok(found.len());
        }
        let path = Path::new(&name);
        let top = path.components().next().and_then(|top| top.as_os_str().to_str()).unwrap_or_default();
        let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_plain || !(is_kept(top) || name == FILE) {
            return Err(wrong(format!("`{}` does not belong into a backup", name.escape_debug())));
        }
        let to = stage.join(path);
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut content = Hashed { inner: reader.content(size), hasher: blake3::Hasher::new() };
        copy(&mut content, &to)?;
        found.insert(name, content.hasher.finalize().to_hex().to_string());
    }
    Err(wrong("it ends before its list: the copy is not complete".into()))
}

/// A new file for its owner alone, durable when this returns.
fn copy(from: &mut dyn Read, to: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(to)?;
    io::copy(from, &mut file)?;
    file.flush()?;
    file.sync_all()
}

/// Ends a restoring that has been made ready, if there is one; where that is which was there before.
pub(crate) fn finish(data: &Path) -> Result<Option<PathBuf>, StoreError> {
    let ready = data.join(READY);
    let Ok(text) = fs::read_to_string(&ready) else { return Ok(None) };
    let (before, scope) = text.split_once('\n').unwrap_or((&text, ""));
    let before = data.join(before);
    let done = || -> io::Result<bool> {
        let stage = data.join(STAGE);
        let entries = |folder: &Path| -> io::Result<Vec<String>> {
            let names = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name().into_string()));
            Ok(names.collect::<io::Result<Vec<_>>>()?.into_iter().flatten().collect())
        };
        let new = if stage.exists() { entries(&stage)? } else { Vec::new() };
        let is_old =
            |name: &String| DATABASE.contains(&name.as_str()) || (scope != DATABASE_ALONE && is_kept(name));
        // What has arrived already is not in the stage any more, and must stay.
        let marker = before.join(".arrived");
        let arrived: Vec<String> =
            fs::read_to_string(&marker).unwrap_or_default().lines().map(Into::into).collect();
        for name in entries(data)?.into_iter().filter(is_old).filter(|name| !arrived.contains(name)) {
            fs::create_dir_all(&before)?;
            fs::rename(data.join(&name), before.join(&name))?;
        }
        let mut arrived = arrived;
        for name in new {
            fs::create_dir_all(&before)?;
            arrived.push(name.clone());
            files::write_whole(&marker, arrived.join("\n").as_bytes())?;
            fs::rename(stage.join(&name), data.join(&name))?;
        }
        files::sync_folder(data)?;
        fs::remove_file(&ready)?;
        let _ = fs::remove_dir_all(&stage);
        let _ = fs::remove_file(&marker);
        let is_empty = before.exists() && fs::read_dir(&before)?.next().is_none();
        if is_empty {
            fs::remove_dir(&before)?;
        }
        files::sync_folder(data)?;
        Ok(before.exists())
    };
    let has_before = done().map_err(|error| fault(data, error))?;
    Ok(has_before.then_some(before))
}
