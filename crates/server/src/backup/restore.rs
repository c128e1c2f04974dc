//! Puts a backup in the place of a server's home: all of it or nothing, also if the machine stops on the way.
//!
//! Everything is first laid out and checked in `.restore`. Then a file `.restore.ready` says that it is complete; from there on
//! the rest, renaming alone, is done by whoever comes next: this command or the start of the server. What was there before is
//! kept in a folder `before-restore-...`, the write-ahead log of the old database with it: it must never meet the new one.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use trilith_base::files;

use super::tar::Reader;
use super::{FORMAT, Hashed, LIST, List, SEAL, fault, is_kept};
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

type Archive = Reader<Hashed<io::BufReader<File>>>;

fn wrong(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

/// Unpacks an archive and checks all of it; how many files it has.
fn unpack(file: File, stage: &Path) -> io::Result<usize> {
    let mut reader = Reader::new(Hashed { inner: io::BufReader::new(file), hasher: blake3::Hasher::new() });
    let mut found = BTreeMap::new();
    while let Some((name, size)) = reader.next()? {
        if name == LIST {
            let list: List = serde_json::from_slice(&text(&mut reader, size)?)?;
            if !(1..=FORMAT).contains(&list.format) {
                return Err(wrong(format!("format {}: this program reads up to {FORMAT}", list.format)));
            }
            let differs = |name: &&String| list.files.get(*name) != found.get(*name);
            if let Some(name) = list.files.keys().chain(found.keys()).find(differs) {
                return Err(wrong(format!("`{name}` is missing or damaged")));
            }
            return check_seal(&mut reader, list.format).map(|()| found.len());
        }
        let sum = unpack_one(&mut reader, stage, &name, size)?;
        found.insert(name, sum);
    }
    Err(wrong("it ends before its list: the copy is not complete"))
}

/// A short member as it is.
fn text(reader: &mut Archive, size: u64) -> io::Result<Vec<u8>> {
    if size > LONGEST_LIST {
        return Err(wrong("its list is too long"));
    }
    let mut text = Vec::new();
    reader.content(size).read_to_end(&mut text)?;
    Ok(text)
}

/// The checksum of everything up to here must follow, and then nothing. Backups of the first format have none.
fn check_seal(reader: &mut Archive, format: u32) -> io::Result<()> {
    let sum = reader.skip()?.sum();
    match reader.next()? {
        Some((name, size)) if name == SEAL => {
            if text(reader, size)? != sum.as_bytes() {
                return Err(wrong("its checksum differs: it is damaged"));
            }
            if reader.next()?.is_some() {
                return Err(wrong("there is more after its checksum"));
            }
            Ok(())
        }
        None if format == 1 => Ok(()),
        _ => Err(wrong("its checksum is missing: the copy is not complete")),
    }
}

/// Lays out one file; its checksum.
fn unpack_one(reader: &mut Archive, stage: &Path, name: &str, size: u64) -> io::Result<String> {
    let path = Path::new(name);
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
    Ok(content.sum())
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

#[cfg(test)]
mod tests {
    use super::super::{backup, tar::Writer};
    use super::*;

    /// Books alone: small enough to damage everywhere.
    fn home(name: &str) -> PathBuf {
        let home = std::env::temp_dir().join(format!("trilith-seal-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&home);
        fs::create_dir_all(home.join("books")).unwrap();
        fs::write(home.join("books/a.book"), "a book").unwrap();
        home
    }

    #[test]
    fn damage_is_noticed_wherever_it_is() {
        let home = home("damage");
        let (copy, stage) = (home.join("copy.tar"), home.join("stage"));
        backup(&home, &copy).unwrap();
        let whole = fs::read(&copy).unwrap();
        let refused = |bytes: &[u8]| {
            let _ = fs::remove_dir_all(&stage);
            fs::create_dir_all(&stage).unwrap();
            fs::write(&copy, bytes).unwrap();
            unpack(File::open(&copy).unwrap(), &stage).is_err()
        };
        assert!(!refused(&whole));
        for place in (0..whole.len()).step_by(11) {
            for bit in [1, 0xff] {
                let mut damaged = whole.clone();
                damaged[place] ^= bit;
                assert!(refused(&damaged), "byte {place}");
            }
            assert!(refused(&whole[..place]), "cut at {place}");
        }
        fs::remove_dir_all(&home).unwrap();
    }

    #[test]
    fn backups_of_the_first_format_are_restored() {
        let home = home("first");
        let copy = home.join("copy.tar");
        let mut writer = Writer(Vec::new());
        let book = "a book of before";
        writer.add("books/b.book", book.len() as u64, &mut book.as_bytes()).unwrap();
        let sum = blake3::hash(book.as_bytes()).to_hex();
        let list = format!(r#"{{"format":1,"made":1,"program":"0.1.0","files":{{"books/b.book":"{sum}"}}}}"#);
        writer.add(LIST, list.len() as u64, &mut list.as_bytes()).unwrap();
        fs::write(&copy, writer.finish().unwrap()).unwrap();
        assert_eq!(restore(&copy, &home).unwrap().files, 1);
        assert_eq!(fs::read_to_string(home.join("books/b.book")).unwrap(), book);
        assert!(!home.join("books/a.book").exists());
        fs::remove_dir_all(&home).unwrap();
    }
}
