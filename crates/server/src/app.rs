//! What all parts of the server share.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::Config;
use crate::accounts::Accounts;
use crate::analyse::Desk;
use crate::arena::lobby::Lobby;
use crate::engine::{Pool, minds::Minds};
use crate::learn::{self, School};
use crate::limit::Limits;
use crate::metrics::Metrics;
use crate::room::wish::Weights;
use crate::store::{Store, StoreError};
use crate::tables::Tables;

/// The server's parts; made once and shared by every request, table and connection.
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) store: Store,
    pub(crate) pool: Pool,
    pub(crate) minds: Minds,
    pub(crate) tables: Tables,
    pub(crate) accounts: Accounts,
    pub(crate) limits: Limits,
    pub(crate) metrics: Metrics,
    pub(crate) lobby: Lobby,
    pub(crate) desk: Desk,
    pub(crate) school: School,
    numbers: AtomicU64,
}

impl App {
    /// Opens the database. Call it outside of asynchronous code.
    pub(crate) fn open(config: Config) -> Result<Arc<App>, StoreError> {
        let store = Store::open(&config.place())?;
        Ok(Arc::new(App {
            store,
            pool: Pool::new(config.max_engines),
            minds: Minds::new(4 * config.max_engines.max(2)),
            tables: Tables::new(config.tables),
            accounts: Accounts::default(),
            limits: Limits::new(&config.rates),
            metrics: Metrics::default(),
            lobby: Lobby::default(),
            desk: Desk::default(),
            school: School::default(),
            numbers: AtomicU64::new(1),
            config,
        }))
    }

    /// A number that was never given before.
    pub(crate) fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Relaxed)
    }

    /// Tells those who watch the lobby that it is not what it was.
    pub(crate) fn lobby_changed(&self) {
        self.lobby.changed();
    }

    /// What a client calls `run:NAME` or `heuristic:NAME`, if there is such a thing.
    pub(crate) fn resolve_file(&self, name: &str) -> Option<Weights> {
        learn::weights(self.config.data.as_ref()?, name)
    }
}
