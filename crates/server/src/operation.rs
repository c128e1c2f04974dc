//! For who runs the server: whether it is well, numbers about it, and a line in the log for each request.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::engine::shelf::IDLE;
use crate::fault::Fault;
use crate::store::{Store, StoreError};

/// `GET /health`: `ok` if what is written can be read again, else what is wrong.
pub(crate) async fn health(State(app): State<Arc<App>>) -> Result<&'static str, Fault> {
    app.health.check(&app.store).await.map_err(Fault::from)?;
    Ok("ok")
}

/// `GET /ready`: whether new requests should come here.
pub(crate) async fn ready(State(app): State<Arc<App>>) -> Result<&'static str, Fault> {
    if app.is_stopping() {
        return Err(Fault::new(StatusCode::SERVICE_UNAVAILABLE, "the server is stopping"));
    }
    health(State(app)).await?;
    Ok("ready")
}

/// The last check of the database, for a moment: who asks often does not make the disk work for it.
#[derive(Default)]
pub(crate) struct Health(tokio::sync::Mutex<Option<(Instant, Result<(), StoreError>)>>);

/// How long a check counts.
const FRESH: Duration = Duration::from_millis(500);

impl Health {
    async fn check(&self, store: &Store) -> Result<(), StoreError> {
        let mut last = self.0.lock().await;
        if let Some((at, found)) = &*last
            && at.elapsed() < FRESH
        {
            return found.clone();
        }
        let found = store.check().await;
        *last = Some((Instant::now(), found.clone()));
        found
    }
}

/// How often what lies idle is given back.
const SWEEP: Duration = Duration::from_secs(15);

/// Gives engines back that nobody has asked for, as long as the server runs.
pub(crate) async fn sweep(app: Weak<App>) {
    loop {
        tokio::time::sleep(SWEEP).await;
        let Some(app) = app.upgrade() else { return };
        if let Some(before) = Instant::now().checked_sub(IDLE) {
            app.minds.sweep(before);
            app.desk.analysts.sweep(before);
        }
    }
}

/// `GET /metrics`: for Prometheus.
pub(crate) async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    let (waiting, running) = app.pool.load();
    let resting = app.minds.len() + app.desk.analysts.len();
    let now = [
        ("tables", "tables in memory", app.tables.len() as u64),
        ("engines_running", "engines that think", running as u64),
        ("engines_waiting", "engines that wait for a thread", waiting as u64),
        ("engines_resting", "engines kept for the next move or question", resting as u64),
    ];
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics.text(&now))
}

/// Writes what was asked and answered. Paths name tables but never tokens: those are in headers and messages only.
pub(crate) async fn log(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let start = Instant::now();
    let response = next.run(request).await;
    let (status, ms) = (response.status().as_u16(), start.elapsed().as_micros() as f64 / 1000.0);
    app.metrics.answered(status);
    tracing::info!(%method, path, status, ms, "request");
    response
}
