//! Reports of the studies, as pages that come with the program.

use axum::Json;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;
use serde_json::Value;

use crate::api::Named;
use crate::fault;

#[derive(RustEmbed)]
#[folder = "../../studies/reports"]
#[allow_missing = true]
struct Reports;

/// Reports bring their own styles and pictures, but no script.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// `GET /api/studies`: the index of the reports; an empty list if there are none.
pub(crate) async fn studies() -> Json<Value> {
    let index = Reports::get("index.json").and_then(|file| serde_json::from_slice(&file.data).ok());
    Json(index.unwrap_or_else(|| Value::Array(Vec::new())))
}

/// `GET /reports/NAME.html`.
pub(crate) async fn report(name: Named) -> Response {
    let name = name.map_or(String::new(), |name| name.0);
    match Reports::get(&name).filter(|_| name.ends_with(".html")) {
        Some(file) => {
            let headers = [(CONTENT_SECURITY_POLICY, POLICY), (CONTENT_TYPE, "text/html; charset=utf-8")];
            (headers, file.data).into_response()
        }
        None => fault::not_found().await.into_response(),
    }
}
