//! SQLite, compiled in: one file, durable after every commit.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, params_from_iter};

use super::StoreError;
use super::sql::{Database, SqlRow, SqlValue};

/// The write-ahead log lets readers go on while one writes; `FULL` makes every commit survive a loss of power.
const SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
    PRAGMA busy_timeout = 10000;";

/// Makes the file for its owner alone, where there is none, and refuses one that is damaged.
pub(super) fn prepare(path: &Path) -> Result<(), StoreError> {
    let fault =
        |path: &Path, error: io::Error| StoreError::Folder { path: path.into(), reason: error.to_string() };
    if let Some(folder) = path.parent() {
        make_folder(folder).map_err(|error| fault(folder, error))?;
    }
    own(path).map_err(|error| fault(path, error))?;
    check(path)
}

#[cfg(unix)]
fn make_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// Tokens are hashed, but games and accounts are nobody else's. SQLite gives its other files the same rights.
fn own(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        options.mode(0o600);
        let file = options.open(path)?;
        if file.metadata()?.permissions().mode() & 0o077 != 0 {
            fs::set_permissions(path, PermissionsExt::from_mode(0o600))?;
        }
        Ok(())
    }
    #[cfg(not(unix))]
    options.open(path).map(drop)
}

/// Looks through the whole file. Damage is said before anything is written, also by closing.
pub(super) fn check(path: &Path) -> Result<(), StoreError> {
    let connection = Connection::open(path)?;
    connection.execute_batch("PRAGMA busy_timeout = 10000;")?;
    // A write-ahead log that does not belong to the file must not reach it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    let said: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    match said.as_str() {
        "ok" => Ok(()),
        _ => Err(StoreError::Damaged(format!(
            "{}: {said}; `trilith restore FILE` puts a backup in its place",
            path.display()
        ))),
    }
}

/// Which file was opened: what stands under its name later may be another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    path: PathBuf,
    file: (u64, u64),
}

impl Identity {
    pub(super) fn of(path: &Path) -> Option<Identity> {
        Some(Identity { path: path.into(), file: numbers(path)? })
    }

    /// Whether it is still there.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        let is_there = numbers(&self.path) == Some(self.file);
        is_there.then_some(()).ok_or_else(|| StoreError::Gone { path: self.path.clone() })
    }
}

#[cfg(unix)]
fn numbers(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn numbers(path: &Path) -> Option<(u64, u64)> {
    path.exists().then_some((0, 0))
}

pub(crate) struct Sqlite(Connection);

impl Sqlite {
    /// Opens the file, which is made if it is not there.
    pub(crate) fn open(path: &Path) -> Result<Sqlite, StoreError> {
        Sqlite::begin(Connection::open(path)?)
    }

    /// A database that is gone with the program.
    pub(crate) fn in_memory() -> Result<Sqlite, StoreError> {
        Sqlite::begin(Connection::open_in_memory()?)
    }

    fn begin(connection: Connection) -> Result<Sqlite, StoreError> {
        connection.execute_batch(SETTINGS)?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(Sqlite(connection))
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        let text = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::Full(text),
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Damaged(text),
            _ => StoreError::Database(text),
        }
    }
}

impl ToSql for SqlValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            SqlValue::Null => ValueRef::Null,
            SqlValue::Integer(number) => ValueRef::Integer(*number),
            SqlValue::Real(number) => ValueRef::Real(*number),
            SqlValue::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

fn value(column: ValueRef<'_>) -> SqlValue {
    match column {
        ValueRef::Null => SqlValue::Null,
        ValueRef::Integer(number) => SqlValue::Integer(number),
        ValueRef::Real(number) => SqlValue::Real(number),
        ValueRef::Text(text) | ValueRef::Blob(text) => {
            SqlValue::Text(String::from_utf8_lossy(text).into_owned())
        }
    }
}

impl Database for Sqlite {
    fn execute(&mut self, sql: &'static str, values: &[SqlValue]) -> Result<u64, StoreError> {
        Ok(self.0.prepare_cached(sql)?.execute(params_from_iter(values))? as u64)
    }

    fn query(&mut self, sql: &'static str, values: &[SqlValue]) -> Result<Vec<SqlRow>, StoreError> {
        let mut statement = self.0.prepare_cached(sql)?;
        let columns = statement.column_count();
        let row = |row: &rusqlite::Row<'_>| {
            (0..columns).map(|column| row.get_ref(column).map(value)).collect::<Result<_, _>>().map(SqlRow)
        };
        Ok(statement.query_map(params_from_iter(values), row)?.collect::<Result<_, _>>()?)
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        Ok(self.0.execute_batch(sql)?)
    }
}
