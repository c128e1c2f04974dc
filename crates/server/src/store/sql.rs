//! The little of SQL that is needed, the same for every database: texts with `$1`, `$2`, ... and plain values.
//!
//! Parameters must first occur in order, because SQLite numbers them as it meets them.

use super::StoreError;

/// A value in a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Integer(value)
    }
}

impl From<u64> for Value {
    fn from(value: u64) -> Value {
        Value::Integer(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Integer(i64::from(value))
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Real(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Value {
        Value::Text(value.into())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Value {
        Value::Text(value)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Null, Into::into)
    }
}

/// One row of an answer. Reading another type than the column has is a fault of the program, said as one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row(pub(crate) Vec<Value>);

impl Row {
    /// The text in `column`, from 0.
    pub(crate) fn text(&self, column: usize) -> Result<String, StoreError> {
        self.maybe_text(column)?.ok_or_else(|| self.wrong(column, "a text"))
    }

    /// The text in `column`, or nothing.
    pub(crate) fn maybe_text(&self, column: usize) -> Result<Option<String>, StoreError> {
        match self.0.get(column) {
            Some(Value::Text(text)) => Ok(Some(text.clone())),
            Some(Value::Null) => Ok(None),
            _ => Err(self.wrong(column, "a text")),
        }
    }

    /// The whole number in `column`.
    pub(crate) fn integer(&self, column: usize) -> Result<i64, StoreError> {
        match self.0.get(column) {
            Some(Value::Integer(number)) => Ok(*number),
            _ => Err(self.wrong(column, "a whole number")),
        }
    }

    /// The whole number in `column`, or nothing.
    pub(crate) fn maybe_integer(&self, column: usize) -> Result<Option<i64>, StoreError> {
        match self.0.get(column) {
            Some(Value::Null) => Ok(None),
            _ => self.integer(column).map(Some),
        }
    }

    /// The number in `column`.
    pub(crate) fn real(&self, column: usize) -> Result<f64, StoreError> {
        match self.0.get(column) {
            Some(Value::Real(number)) => Ok(*number),
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
    fn execute(&mut self, sql: &'static str, values: &[Value]) -> Result<u64, StoreError>;

    /// Reads rows.
    fn query(&mut self, sql: &'static str, values: &[Value]) -> Result<Vec<Row>, StoreError>;

    /// Runs statements without values.
    fn script(&mut self, sql: &str) -> Result<(), StoreError>;

    /// Whether it must be opened again before it is of any use.
    fn is_lost(&self) -> bool {
        false
    }
}
