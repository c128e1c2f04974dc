//! SQLite, compiled in: one file, durable after every commit.

use std::path::Path;

use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, params_from_iter};

use super::StoreError;
use super::sql::{Database, Row, Value};

/// The write-ahead log lets readers go on while one writes; `FULL` makes every commit survive a loss of power.
const SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
    PRAGMA busy_timeout = 10000;";

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
        StoreError::Database(error.to_string())
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Integer(number) => ValueRef::Integer(*number),
            Value::Real(number) => ValueRef::Real(*number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

fn value(column: ValueRef<'_>) -> Value {
    match column {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(text) | ValueRef::Blob(text) => {
            Value::Text(String::from_utf8_lossy(text).into_owned())
        }
    }
}

impl Database for Sqlite {
    fn execute(&mut self, sql: &'static str, values: &[Value]) -> Result<u64, StoreError> {
        Ok(self.0.prepare_cached(sql)?.execute(params_from_iter(values))? as u64)
    }

    fn query(&mut self, sql: &'static str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let mut statement = self.0.prepare_cached(sql)?;
        let columns = statement.column_count();
        let row = |row: &rusqlite::Row<'_>| {
            (0..columns).map(|column| row.get_ref(column).map(value)).collect::<Result<_, _>>().map(Row)
        };
        Ok(statement.query_map(params_from_iter(values), row)?.collect::<Result<_, _>>()?)
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        Ok(self.0.execute_batch(sql)?)
    }
}
