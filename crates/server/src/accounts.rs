//! Accounts by their tokens, remembered for a moment so that the database is not asked for every move.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::store::reads::{self, Account};
use crate::store::{Store, StoreError};
use crate::tables::lock;

/// Accounts that have been seen lately, by the hash of their token.
#[derive(Default)]
pub(crate) struct Accounts {
    seen: Mutex<HashMap<String, (Instant, Account)>>,
    /// Accounts that were deleted, or whose token was changed, since the program began.
    shut: Mutex<HashSet<String>>,
}

/// How many are remembered before all are asked for again.
const KEPT: usize = 10_000;
/// How long one is remembered: administrators change accounts behind the server's back.
const FRESH: Duration = Duration::from_secs(5);

impl Accounts {
    /// Forgets what is known of an account: its token has changed, or it is gone.
    pub(crate) fn forget(&self, account: &str, is_gone: bool) {
        lock(&self.seen).retain(|_, (_, known)| known.name != account);
        if is_gone {
            lock(&self.shut).insert(account.into());
        }
    }

    /// Whether an account was deleted; its connections then end.
    pub(crate) fn is_shut(&self, account: &str) -> bool {
        lock(&self.shut).contains(account)
    }

    /// The account whose token has this hash.
    pub(crate) async fn find(&self, store: &Store, hash: &str) -> Result<Option<Account>, StoreError> {
        if let Some((since, known)) = lock(&self.seen).get(hash)
            && since.elapsed() < FRESH
        {
            return Ok(Some(known.clone()));
        }
        let key = hash.to_owned();
        let found = store.read(move |db| reads::account_by_token(db, &key)).await?;
        let mut seen = lock(&self.seen);
        if seen.len() >= KEPT {
            seen.clear();
        }
        match &found {
            Some(account) => drop(seen.insert(hash.into(), (Instant::now(), account.clone()))),
            None => drop(seen.remove(hash)),
        }
        Ok(found)
    }
}
