//! The little of SQL that is needed, the same for every database: texts with `$1`, `$2`, ... and plain values.
//!
//! Parameters must first occur in order, because SQLite numbers them as it meets them.

use super::StoreError;

/// A value in a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SqlValue {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
}

impl From<i64> for SqlValue {
    fn from(value: i64) -> SqlValue {
        SqlValue::Integer(value)
    }
}

impl From<u64> for SqlValue {
    fn from(value: u64) -> SqlValue {
        SqlValue::Integer(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<bool> for SqlValue {
    fn from(value: bool) -> SqlValue {
        SqlValue::Integer(i64::from(value))
    }
}

impl From<f64> for SqlValue {
    fn from(value: f64) -> SqlValue {
        SqlValue::Real(value)
    }
}

impl From<&str> for SqlValue {
    fn from(value: &str) -> SqlValue {
        SqlValue::Text(value.into())
    }
}

impl From<String> for SqlValue {
    fn from(value: String) -> SqlValue {
        SqlValue::Text(value)
    }
}

impl<T: Into<SqlValue>> From<Option<T>> for SqlValue {
    fn from(value: Option<T>) -> SqlValue {
        value.map_or(SqlValue::Null, Into::into)
    }
}

/// One row of an answer. Reading another type than the column has is a fault of the program, said as one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SqlRow(pub(crate) Vec<SqlValue>);

impl SqlRow {
    /// The text in `column`, from 0.
    pub(crate) fn text(&self, column: usize) -> Result<String, StoreError> {
        self.maybe_text(column)?.ok_or_else(|| self.wrong(column, "a text"))
    }

    /// The text in `column`, or nothing.
    pub(crate) fn maybe_text(&self, column: usize) -> Result<Option<String>, StoreError> {
        match self.0.get(column) {
            Some(SqlValue::Text(text)) => Ok(Some(text.clone())),
            Some(SqlValue::Null) => Ok(None),
            _ => Err(self.wrong(column, "a text")),
        }
    }

    /// The whole number in `column`.
    pub(crate) fn integer(&self, column: usize) -> Result<i64, StoreError> {
        match self.0.get(column) {
            Some(SqlValue::Integer(number)) => Ok(*number),
            _ => Err(self.wrong(column, "a whole number")),
        }
    }

    /// The whole number in `column`, or nothing.
    pub(crate) fn maybe_integer(&self, column: usize) -> Result<Option<i64>, StoreError> {
        match self.0.get(column) {
            Some(SqlValue::Null) => Ok(None),
            _ => self.integer(column).map(Some),
        }
    }

    /// The number in `column`.
    pub(crate) fn real(&self, column: usize) -> Result<f64, StoreError> {
        match self.0.get(column) {
            Some(SqlValue::Real(number)) => Ok(*number),
            _ => Err(self.wrong(column, "a number")),
        }
    }

    fn wrong(&self, column: usize, expected: &str) -> StoreError {
        StoreError::Database(format!("column {column} of {self:?}: expected {expected}"))
    }
}

/// An open database of one thread.
pub(crate) trait Database: Send {
    /// Changes rows and says how many.
    fn execute(&mut self, sql: &'static str, values: &[SqlValue]) -> Result<u64, StoreError>;

    /// Reads rows.
    fn query(&mut self, sql: &'static str, values: &[SqlValue]) -> Result<Vec<SqlRow>, StoreError>;

    /// Runs statements without values.
    fn script(&mut self, sql: &str) -> Result<(), StoreError>;

    /// Whether it must be opened again before it is of any use.
    fn is_lost(&self) -> bool {
        false
    }
}
