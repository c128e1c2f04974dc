//! What all parts of the server share.

use std::fs::File;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use axum::http::StatusCode;

use crate::Config;
use crate::accounts::Accounts;
use crate::admin::Admin;
use crate::alarms::Alarms;
use crate::analyse::{AnalysisDesk, RatedGames};
use crate::arena::lobby::Lobby;
use crate::backup;
use crate::caller::Caller;
use crate::engine::shelf::Shelf;
use crate::engine::{Mind, Pool};
use crate::fault::Fault;
use crate::learn::{self, School};
use crate::limit::ServerLimits;
use crate::metrics::Metrics;
use crate::operation::Health;
use crate::origin::Origins;
use crate::room::wish::WishedWeights;
use crate::store::{Store, StoreError, reads};
use crate::tables::{TableRegistry, lock};
use crate::time::now_ms;

/// Games of one account that may go on at the same time.
const UNFINISHED: u64 = 500;

/// The server's parts; made once and shared by every request, table and connection.
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) store: Store,
    pub(crate) pool: Pool,
    /// Engines of seats between two moves.
    pub(crate) minds: Shelf<Box<dyn Mind>>,
    pub(crate) tables: TableRegistry,
    pub(crate) accounts: Accounts,
    pub(crate) limits: ServerLimits,
    pub(crate) metrics: Metrics,
    pub(crate) lobby: Lobby,
    pub(crate) desk: AnalysisDesk,
    /// Rated games that go on: closed to analysis by those who play them.
    pub(crate) rated: RatedGames,
    pub(crate) school: School,
    pub(crate) origins: Origins,
    pub(crate) admin: Admin,
    pub(crate) alarms: Arc<Alarms>,
    pub(crate) health: Health,
    numbers: AtomicU64,
    /// Since when tables are served without a break, in milliseconds since 1970.
    served_since: AtomicU64,
    /// Whether something could not be written and nothing has been read since.
    has_outage: AtomicBool,
    is_stopping: AtomicBool,
    /// Holds the home, so that no backup is put in its place meanwhile.
    home: Mutex<Option<File>>,
}

impl App {
    /// Opens the database. Call it outside of asynchronous code.
    pub(crate) fn open(config: Config) -> Result<Arc<App>, StoreError> {
        let home = match &config.data {
            Some(data) => {
                let home = backup::hold(data, false)?;
                backup::finish(data)?;
                Some(home)
            }
            None => None,
        };
        let store = Store::open(&config.place())?;
        Ok(App::with_store(config, store, home))
    }

    /// The server's parts around a store.
    pub(crate) fn with_store(config: Config, store: Store, home: Option<File>) -> Arc<App> {
        let resting = 4 * config.max_engines.max(2);
        Arc::new(App {
            store,
            pool: Pool::new(config.max_engines, config.rates.engine_day),
            minds: Shelf::new(resting, resting / 2),
            tables: TableRegistry::new(config.tables),
            accounts: Accounts::default(),
            limits: ServerLimits::new(&config.rates),
            metrics: Metrics::default(),
            lobby: Lobby::default(),
            desk: AnalysisDesk::new(resting),
            rated: RatedGames::default(),
            school: School::default(),
            origins: Origins::new(&config.trusted_proxies),
            admin: Admin::new(config.data.as_deref()),
            alarms: Arc::default(),
            health: Health::default(),
            numbers: AtomicU64::new(1),
            served_since: AtomicU64::new(now_ms()),
            has_outage: AtomicBool::new(false),
            is_stopping: AtomicBool::new(false),
            home: Mutex::new(home),
            config,
        })
    }

    /// Refuses another game to an account that has many which nobody ends.
    pub(crate) async fn quota(&self, caller: &Caller) -> Result<(), Fault> {
        let Some(account) = caller.asker.account.clone() else { return Ok(()) };
        let count = self.store.read(move |db| reads::unfinished(db, &account)).await?;
        if count < UNFINISHED {
            return Ok(());
        }
        let error = format!("{count} of your games go on: end some of them first");
        Err(Fault::new(StatusCode::CONFLICT, error))
    }

    /// Whether only the machine's own people can reach it, as far as it was told.
    pub(crate) fn is_at_home(&self) -> bool {
        let Config { address, hosts, trusted_proxies, .. } = &self.config;
        address.ip().is_loopback() && hosts.is_empty() && trusted_proxies.is_empty()
    }

    /// Since when tables are served without a break; clocks do not count what was before.
    pub(crate) fn served_since(&self) -> u64 {
        self.served_since.load(Relaxed)
    }

    /// Something could not be written: until the database answers again, nobody's clock runs.
    pub(crate) fn note_outage(&self) {
        self.has_outage.store(true, Relaxed);
    }

    /// Something was read.
    pub(crate) fn note_reading(&self) {
        if self.has_outage.swap(false, Relaxed) {
            self.served_since.store(now_ms(), Relaxed);
        }
    }

    /// Whether it has been told to stop.
    pub(crate) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Relaxed)
    }

    /// Takes nothing new any more; training makes its checkpoint.
    pub(crate) fn stop(&self) {
        self.is_stopping.store(true, Relaxed);
        self.school.stop();
        self.desk.builder.stop();
    }

    /// Waits for training, then closes the database. Call it outside of asynchronous code, when nothing is asked any more.
    pub(crate) fn close(&self) {
        self.school.wait();
        self.desk.builder.wait();
        self.store.close();
        drop(lock(&self.home).take());
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
    pub(crate) fn resolve_file(&self, name: &str) -> Option<WishedWeights> {
        learn::weights(self.config.data.as_ref()?, name)
    }
}
