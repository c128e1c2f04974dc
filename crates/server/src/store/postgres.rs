//! PostgreSQL by URL, for a server that many share. Without TLS: it is meant for the same machine or a private network.

use std::collections::HashMap;
use std::error::Error;

use postgres::error::SqlState;
use postgres::types::private::BytesMut;
use postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, NoTls, Statement};

use super::StoreError;
use super::sql::{Database, SqlRow, SqlValue};

pub(crate) struct Postgres {
    client: Client,
    prepared: HashMap<&'static str, Statement>,
}

impl Postgres {
    /// Connects; `url` is as in `postgres://user:password@host/database`.
    pub(crate) fn open(url: &str) -> Result<Postgres, StoreError> {
        Ok(Postgres { client: Client::connect(url, NoTls)?, prepared: HashMap::new() })
    }

    fn prepare(&mut self, sql: &'static str) -> Result<Statement, StoreError> {
        if let Some(known) = self.prepared.get(sql) {
            return Ok(known.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.prepared.insert(sql, statement.clone());
        Ok(statement)
    }
}

impl From<postgres::Error> for StoreError {
    fn from(error: postgres::Error) -> StoreError {
        let cause = error.source().map_or(String::new(), |cause| format!(": {cause}"));
        let text = format!("{error}{cause}");
        let is = |state: SqlState| error.code() == Some(&state);
        if is(SqlState::DISK_FULL) {
            StoreError::Full(text)
        } else if is(SqlState::DATA_CORRUPTED) || is(SqlState::INDEX_CORRUPTED) {
            StoreError::Damaged(text)
        } else {
            StoreError::Database(text)
        }
    }
}

impl ToSql for SqlValue {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            SqlValue::Null => Ok(IsNull::Yes),
            SqlValue::Integer(number) => number.to_sql(kind, out),
            SqlValue::Real(number) => number.to_sql(kind, out),
            SqlValue::Text(text) => text.to_sql(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        [Type::INT8, Type::FLOAT8, Type::TEXT].contains(kind)
    }

    to_sql_checked!();
}

fn value(row: &postgres::Row, column: usize) -> Result<SqlValue, StoreError> {
    Ok(match *row.columns()[column].type_() {
        Type::INT8 => row.try_get::<_, Option<i64>>(column)?.into(),
        Type::INT4 => row.try_get::<_, Option<i32>>(column)?.map(i64::from).into(),
        Type::FLOAT8 => row.try_get::<_, Option<f64>>(column)?.into(),
        _ => row.try_get::<_, Option<String>>(column)?.into(),
    })
}

fn parameters(values: &[SqlValue]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

impl Database for Postgres {
    fn execute(&mut self, sql: &'static str, values: &[SqlValue]) -> Result<u64, StoreError> {
        let statement = self.prepare(sql)?;
        Ok(self.client.execute(&statement, &parameters(values))?)
    }

    fn query(&mut self, sql: &'static str, values: &[SqlValue]) -> Result<Vec<SqlRow>, StoreError> {
        let statement = self.prepare(sql)?;
        let rows = self.client.query(&statement, &parameters(values))?;
        rows.iter()
            .map(|row| (0..row.len()).map(|column| value(row, column)).collect::<Result<_, _>>().map(SqlRow))
            .collect()
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        Ok(self.client.batch_execute(sql)?)
    }

    fn is_lost(&self) -> bool {
        self.client.is_closed()
    }
}
