//! A database that breaks at one chosen call: not made, made and not confirmed, or with the connection lost.
//!
//! Running the same scene once for every call that it makes tries every place where a disk or a network can fail.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use super::sql::{Database, SqlRow, SqlValue};
use super::{Opener, StoreError};

/// How a call breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Break {
    /// It is refused, as by a full disk; the connection stays.
    Refuse,
    /// The connection is lost before the call is made.
    Lose,
    /// The call is made, and the connection is lost before it is confirmed.
    Swallow,
}

pub(crate) const BREAKS: [Break; 3] = [Break::Refuse, Break::Lose, Break::Swallow];

/// Which calls break: the one numbered `first`, and those that follow for as long as the outage lasts.
#[derive(Debug)]
pub(crate) struct Outage {
    pub(crate) how: Break,
    first: AtomicU64,
    length: u64,
    calls: AtomicU64,
}

impl Outage {
    /// Breaks the call numbered `first`, from 1, and `length - 1` after it.
    pub(crate) fn new(how: Break, first: u64, length: u64) -> Arc<Outage> {
        Arc::new(Outage { how, first: AtomicU64::new(first), length, calls: AtomicU64::new(0) })
    }

    /// Nothing breaks from now on; whether anything has.
    pub(crate) fn end(&self) -> bool {
        let first = self.first.swap(u64::MAX, SeqCst);
        self.calls.load(SeqCst) >= first
    }

    fn breaks(&self) -> bool {
        let call = self.calls.fetch_add(1, SeqCst) + 1;
        let first = self.first.load(SeqCst);
        call >= first && call - first < self.length
    }
}

/// Connects to what `inner` connects to, with the outage in between.
pub(crate) fn opener(inner: Opener, outage: &Arc<Outage>) -> Opener {
    let outage = Arc::clone(outage);
    Arc::new(move || {
        if outage.breaks() {
            return Err(broken("no connection"));
        }
        Ok(Box::new(Faulty { inner: Some(inner()?), outage: Arc::clone(&outage) }))
    })
}

fn broken(what: &str) -> StoreError {
    StoreError::Database(format!("outage: {what}"))
}

struct Faulty {
    /// None once the connection is lost: what was begun on it is rolled back.
    inner: Option<Box<dyn Database>>,
    outage: Arc<Outage>,
}

impl Faulty {
    fn call<T>(
        &mut self,
        what: &str,
        call: impl FnOnce(&mut dyn Database) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let Some(inner) = &mut self.inner else { return Err(broken("the connection is lost")) };
        if !self.outage.breaks() {
            return call(&mut **inner);
        }
        match self.outage.how {
            Break::Refuse => {}
            Break::Lose => self.inner = None,
            Break::Swallow => {
                drop(call(&mut **inner));
                self.inner = None;
            }
        }
        Err(broken(what))
    }
}

impl Database for Faulty {
    fn execute(&mut self, sql: &'static str, values: &[SqlValue]) -> Result<u64, StoreError> {
        self.call(sql, |inner| inner.execute(sql, values))
    }

    fn query(&mut self, sql: &'static str, values: &[SqlValue]) -> Result<Vec<SqlRow>, StoreError> {
        self.call(sql, |inner| inner.query(sql, values))
    }

    fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        self.call(sql, |inner| inner.script(sql))
    }

    fn is_lost(&self) -> bool {
        self.inner.is_none()
    }
}
