//! Accounts by their tokens, remembered so that the database is not asked for every move.

use std::collections::HashMap;
use std::sync::Mutex;

use crate::store::reads::{self, Account};
use crate::store::{Store, StoreError};
use crate::tables::lock;

/// Accounts that have been seen lately, by the hash of their token.
#[derive(Default)]
pub(crate) struct Accounts(Mutex<HashMap<String, Account>>);

/// How many are remembered before all are asked for again.
const KEPT: usize = 10_000;

impl Accounts {
    /// The account whose token has this hash.
    pub(crate) async fn find(&self, store: &Store, hash: &str) -> Result<Option<Account>, StoreError> {
        if let Some(known) = lock(&self.0).get(hash) {
            return Ok(Some(known.clone()));
        }
        let key = hash.to_owned();
        let found = store.read(move |db| reads::account_by_token(db, &key)).await?;
        if let Some(account) = &found {
            let mut known = lock(&self.0);
            if known.len() >= KEPT {
                known.clear();
            }
            known.insert(hash.into(), account.clone());
        }
        Ok(found)
    }
}
