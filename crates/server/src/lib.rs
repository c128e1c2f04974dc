//! The web app: a page with the boards, and tables that it plays at over HTTP and JSON.
//!
//! The page is embedded, so the program works alone and offline. No rules live in the browser: each answer carries
//! the stones and the legal moves of a [`View`](trilith_arena::table::View).
//!
//! | request | answer |
//! | --- | --- |
//! | `GET /`, `GET /assets/FILE` | the page |
//! | `GET /health` | `ok` |
//! | `GET /api/games` | every game: board, usual rules, what can be chosen |
//! | `POST /api/tables` `{game, rules?, position?}` or `{text}` | a new table |
//! | `GET /api/tables/ID` | the table: id, board, view |
//! | `POST /api/tables/ID/moves` `{move, ply}` | the table after the move |
//! | `POST /api/tables/ID/undo`, `/redo` `{ply}` | the table after it |
//! | `GET /api/tables/ID/game.txt` | the game as text that opens a table again |
//! | `GET /api/tables/ID/board.svg` | the board as a picture |
//!
//! `ply` is how many moves the client has seen played; the answer is 409 if the table has gone on since, so a double
//! click or a second tab cannot play twice. Faults are answered as `{"error": "..."}`.

mod api;
mod assets;
mod fault;
mod guard;
mod id;
mod tables;

use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::get;
use tokio::net::TcpListener;

use tables::Tables;

/// Where and how large.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen; port 0 takes any free one. Only loopback unless a person asks for more.
    pub address: SocketAddr,
    /// How many tables are kept; the one that nobody has touched for longest makes room for a new one.
    pub tables: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config { address: (Ipv4Addr::LOCALHOST, 4680).into(), tables: 1000 }
    }
}

/// The most bytes a request may bring.
pub const BODY_LIMIT: usize = 64 * 1024;

/// A server that has its port and does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: Router,
}

impl Server {
    /// Takes the port, so that [`Server::address`] is known before the first answer.
    pub async fn bind(config: Config) -> io::Result<Server> {
        let listener = TcpListener::bind(config.address).await?;
        let address = listener.local_addr()?;
        Ok(Server { listener, address, app: app(Config { address, ..config }) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `shutdown` is ready; requests under way are finished.
    pub async fn run(self, shutdown: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        axum::serve(self.listener, self.app).with_graceful_shutdown(shutdown).await
    }
}

/// Binds and answers until `shutdown` is ready.
pub async fn serve(config: Config, shutdown: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
    Server::bind(config).await?.run(shutdown).await
}

/// All routes behind all checks, without a socket.
pub fn app(config: Config) -> Router {
    let tables = Arc::new(Tables::new(config.tables));
    Router::new()
        .route("/", get(assets::page))
        .route("/assets/{*path}", get(assets::asset))
        .route("/health", get(|| async { "ok" }))
        .nest("/api", api::routes(tables))
        .fallback(fault::not_found)
        .method_not_allowed_fallback(fault::method_not_allowed)
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(middleware::from_fn_with_state(config.address.ip(), guard::check_host))
        .layer(middleware::map_response(guard::protect))
}
