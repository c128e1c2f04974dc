//! The web app: a page with the boards, tables that it plays at, and a place where people and programs meet.
//!
//! The page is embedded, so the program works alone and offline. No rules live in the browser: each answer carries
//! the stones and the legal moves of a [`View`](trilith_arena::table::View).
//!
//! | request | answer |
//! | --- | --- |
//! | `GET /`, `GET /assets/FILE` | the page |
//! | `GET /api/tables/ID/at/PLY` | the view after so many moves |
//! | `GET /health`, `GET /metrics` | `ok` if the database answers; numbers for Prometheus |
//! | `GET /api/games` | every game: board, usual rules, evaluations, levels, what can be chosen |
//! | `POST /api/tables` `{game, rules?, position?}` or `{text}`, `{players?, clock?, rated?, public?}` | a new table, with tokens |
//! | `GET /api/tables/ID` | the table: board, view, players, clock, result |
//! | `POST /api/tables/ID/moves` `{move, ply}` | the table after the move is on disk |
//! | `POST /api/tables/ID/undo`, `/redo`, `/takeback`, `/draw`, `/decline`, `/resign`, `/abort`, `/rematch`, ... | the table after it |
//! | `POST /api/tables/ID/say` `{phrase}` or `{text}` | nothing; those at the table hear it |
//! | `POST /api/tables/ID/join` `{seat?, name?}`, `/hint` `{ply, time_ms?}` | a seat and its token; a move |
//! | `GET /api/tables/ID/live` | a WebSocket: every change, what engines think, commands |
//! | `GET /api/tables/ID/game.txt`, `/board.svg` | the game as text that opens a table again; a picture |
//! | `POST /api/accounts`, `GET /api/accounts/NAME`, `/api/me`, `/api/ratings?game=` | who plays, and how well |
//! | `GET /api/lobby`, `/api/lobby/live`, `POST /api/challenges`, `/api/challenges/ID/accept`, ... | who wants to play |
//! | `GET /api/archive`, `/api/archive/ID` | games that have ended, with every position |
//!
//! `ply` is how many moves the client has seen played; the answer is 409 if the table has gone on since, so a double
//! click or a second tab cannot play twice. Who moves says who he is: `authorization: Bearer TOKEN`. Faults are
//! answered as `{"error": "..."}`.
//!
//! Serve the app on any free port:
//!
//! ```no_run
//! # #[tokio::main]
//! # async fn main() -> std::io::Result<()> {
//! use trilith_server::{Config, Server};
//!
//! let config = Config { address: ([127, 0, 0, 1], 0).into(), ..Config::default() };
//! let server = Server::bind(config).await?;
//! println!("http://{}/", server.address());
//! server.run(std::future::pending()).await
//! # }
//! ```
//!
//! From the outside in: [`guard`] and [`caller`] (who asks, how often), [`api`], [`live`] and [`arena`] (what is asked),
//! [`tables`] and [`room`] (one task a table, state from events), [`engine`] (pool and minds), [`store`] (databases).

mod accounts;
mod admin;
mod administration;
mod alarms;
mod analyse;
mod api;
mod app;
mod arena;
mod assets;
mod at;
mod backup;
mod caller;
mod choices;
mod connections;
mod engine;
mod fault;
#[cfg(test)]
mod faults;
mod guard;
mod id;
mod learn;
mod limit;
mod live;
mod metrics;
mod names;
mod opening;
mod operation;
mod origin;
mod retention;
mod room;
mod socket;
mod store;
mod tables;
mod teach;
mod time;
mod token;

use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::watch;

pub use admin::new_key;
pub use administration::{AccountLine, Administration, Examined, TableLine};
use app::App;
pub use backup::{BackedUp, Restored, backup, restore};
pub use connections::ConnectionBounds;
pub use learn::TrainingProgram;
pub use limit::{Rate, Rates};
use origin::Origins;
pub use origin::{AddressRange, NetworkError};
pub use store::{StoreError, StorePlace};

/// Where, how large and how much for whom.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen; port 0 takes any free one. Only loopback unless a person asks for more.
    pub address: SocketAddr,
    /// Names under which it may be asked for, besides addresses and `localhost`.
    pub hosts: Vec<String>,
    /// The folder for database, books and runs; without one nothing outlives the program.
    pub data: Option<PathBuf>,
    /// A PostgreSQL to use instead of SQLite in the folder.
    pub database_url: Option<String>,
    /// How many engines think at the same time.
    pub max_engines: usize,
    /// The most time an engine gets for one move.
    pub engine_time: Duration,
    /// About how many tables are kept in memory; the others wait on disk.
    pub tables: usize,
    /// How much one client may ask for.
    pub rates: Rates,
    /// Who is believed when it says for whom it asks (`X-Forwarded-For`).
    pub trusted_proxies: Vec<AddressRange>,
    /// How many connections there may be.
    pub connections: ConnectionBounds,
    /// After how long a request is given up.
    pub request_time: Duration,
    /// How long games are kept that go on without a move, and those that no list shows.
    pub retention: Duration,
    /// Whether players may write freely to each other; else they have phrases.
    pub chat: bool,
    /// Where the numbers for Prometheus are, if not at `/metrics` of the same address.
    pub metrics_address: Option<SocketAddr>,
    /// Who trains what is begun on the page; without one the server does it itself, and may fall with it.
    pub trainer: Option<TrainingProgram>,
}

impl Default for Config {
    fn default() -> Config {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Config {
            address: (Ipv4Addr::LOCALHOST, 4680).into(),
            hosts: Vec::new(),
            data: None,
            database_url: None,
            max_engines: cores.max(2),
            engine_time: Duration::from_secs(60),
            tables: 1000,
            rates: Rates::default(),
            trusted_proxies: Vec::new(),
            connections: ConnectionBounds::default(),
            request_time: Duration::from_secs(90),
            retention: Duration::from_secs(90 * 24 * 3600),
            chat: false,
            metrics_address: None,
            trainer: None,
        }
    }
}

impl Config {
    /// Where everything is kept that must not be forgotten.
    pub fn place(&self) -> StorePlace {
        match (&self.database_url, &self.data) {
            (Some(url), _) => StorePlace::Url(url.clone()),
            (None, Some(data)) => StorePlace::File(data.join(store::FILE)),
            (None, None) => StorePlace::Memory,
        }
    }
}

/// How long open connections may go on when the server stops: everything acknowledged is on disk anyway.
const GRACE: Duration = Duration::from_secs(2);

/// The most bytes a request may bring.
pub const BODY_LIMIT: usize = 64 * 1024;

/// A server that has its port and does not answer yet.
pub struct Server {
    listener: TcpListener,
    metrics: Option<TcpListener>,
    address: SocketAddr,
    app: Arc<App>,
}

impl Server {
    /// Takes the port, so that [`Server::address`] is known before the first answer, and opens the database.
    pub async fn bind(config: Config) -> io::Result<Server> {
        let listener = TcpListener::bind(config.address).await?;
        let metrics = match config.metrics_address {
            Some(address) => Some(TcpListener::bind(address).await?),
            None => None,
        };
        let address = listener.local_addr()?;
        Ok(Server { listener, metrics, address, app: open(Config { address, ..config }).await? })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it tells its numbers, if that is another place.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().and_then(|listener| listener.local_addr().ok())
    }

    /// Answers until `shutdown` is ready; requests under way are finished, open connections get a moment, and the database
    /// is closed.
    pub async fn run(self, shutdown: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let Server { listener, metrics, app, .. } = self;
        let (stop, stopped) = watch::channel(false);
        let router = router(&app);
        let (bounds, origins) = (app.config.connections, app.origins.clone());
        let numbers = metrics.map(|listener| {
            let routes =
                Router::new().route("/metrics", get(operation::metrics)).with_state(Arc::clone(&app));
            let origins = Origins::default();
            tokio::spawn(connections::accept(
                listener,
                routes,
                bounds,
                origins,
                stopped.clone(),
                Duration::ZERO,
            ))
        });
        let served = tokio::spawn(connections::accept(listener, router, bounds, origins, stopped, GRACE));
        shutdown.await;
        app.stop();
        let _ = stop.send(true);
        let ended = served.await.map_err(io::Error::other);
        if let Some(numbers) = numbers {
            drop(numbers.await);
        }
        tokio::task::spawn_blocking(move || app.close()).await.map_err(io::Error::other)?;
        ended
    }
}

/// Binds and answers until `shutdown` is ready.
pub async fn serve(config: Config, shutdown: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
    Server::bind(config).await?.run(shutdown).await
}

/// All routes behind all checks, without a socket.
pub async fn app(config: Config) -> io::Result<Router> {
    Ok(router(&open(config).await?))
}

/// Opens the database and starts what goes on beside the requests.
async fn open(config: Config) -> io::Result<Arc<App>> {
    let opened = tokio::task::spawn_blocking(move || App::open(config)).await.map_err(io::Error::other)?;
    let app = opened.map_err(io::Error::other)?;
    begin(&app);
    Ok(app)
}

fn begin(app: &Arc<App>) {
    tokio::spawn(tables::wake_clocks(Arc::clone(app)));
    tokio::spawn(tables::note_rated(Arc::clone(app)));
    tokio::spawn(alarms::ring(Arc::downgrade(app)));
    tokio::spawn(arena::lobby::keep_shown(Arc::downgrade(app)));
    tokio::spawn(operation::sweep(Arc::downgrade(app)));
    tokio::spawn(retention::keep_house(Arc::downgrade(app)));
}

fn router(app: &Arc<App>) -> Router {
    let (address, hosts) = (app.config.address.ip(), app.config.hosts.clone());
    let api = api::routes().merge(arena::routes()).merge(analyse::routes()).merge(learn::routes());
    let api = api.merge(teach::routes());
    let mut routes = Router::new()
        .route("/", get(assets::page))
        .route("/sw.js", get(assets::worker))
        .route("/assets/{*path}", get(assets::asset))
        .route("/reports/{name}", get(learn::report))
        .route("/reports/{name}/{*table}", get(learn::report_table))
        .route("/health", get(operation::health))
        .route("/ready", get(operation::ready));
    if app.config.metrics_address.is_none() {
        routes = routes.route("/metrics", get(operation::metrics));
    }
    routes
        .nest("/api", api)
        .fallback(fault::not_found)
        .method_not_allowed_fallback(fault::method_not_allowed)
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(middleware::from_fn_with_state(Arc::clone(app), guard::limit))
        .layer(middleware::from_fn_with_state((address, hosts), guard::check_host))
        .layer(middleware::map_response(guard::protect))
        .layer(middleware::from_fn_with_state(Arc::clone(app), operation::log))
        .with_state(Arc::clone(app))
}
