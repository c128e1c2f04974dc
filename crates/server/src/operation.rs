//! For who runs the server: whether it is well, numbers about it, and a line in the log for each request.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::fault::Fault;

/// `GET /health`: `ok` if the database reads and writes.
pub(crate) async fn health(State(app): State<Arc<App>>) -> Result<&'static str, Fault> {
    app.store.check().await?;
    Ok("ok")
}

/// `GET /metrics`: for Prometheus.
pub(crate) async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    let (waiting, running) = app.pool.load();
    let now = [
        ("tables", "tables in memory", app.tables.len() as u64),
        ("engines_running", "engines that think", running as u64),
        ("engines_waiting", "engines that wait for a thread", waiting as u64),
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
