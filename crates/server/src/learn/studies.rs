//! Reports of the studies: kept as JSON in the program, rendered as pages when they are asked for.

use std::sync::LazyLock;

use axum::Json;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;
use trilith_studies::{IndexEntry, Report, index_page, render, sort_index};

use crate::api::Named;
use crate::fault;

#[derive(RustEmbed)]
#[folder = "../../studies/reports"]
#[allow_missing = true]
struct Reports;

/// Reports bring their own styles and pictures, but no script.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The report in `STEM.json`.
fn load(stem: &str) -> Option<Report> {
    serde_json::from_slice(&Reports::get(&format!("{stem}.json"))?.data).ok()
}

/// All reports, read once.
static INDEX: LazyLock<Vec<IndexEntry>> = LazyLock::new(|| {
    let names: Vec<_> = Reports::iter().collect();
    let stems = names.iter().filter_map(|name| name.strip_suffix(".json"));
    let mut entries: Vec<IndexEntry> =
        stems.filter_map(|stem| Some(IndexEntry::new(stem, load(stem)?))).collect();
    sort_index(&mut entries);
    entries
});

/// `GET /api/studies`: the index of the reports; an empty list if there are none.
pub(crate) async fn studies() -> Json<&'static [IndexEntry]> {
    Json(INDEX.as_slice())
}

/// `GET /reports/NAME.html`, or `index.html` for all conclusions at a glance; `NAME.json` has the numbers.
pub(crate) async fn report(name: Named) -> Response {
    let name = name.map_or(String::new(), |name| name.0);
    if let Some(stem) = name.strip_suffix(".json")
        && let Some(report) = load(stem)
    {
        return Json(report).into_response();
    }
    let page = match name.strip_suffix(".html") {
        Some("index") => Some(index_page(&INDEX)),
        Some(stem) => load(stem).map(|report| render::page(&report, stem)),
        None => None,
    };
    match page {
        Some(page) => {
            let headers = [(CONTENT_SECURITY_POLICY, POLICY), (CONTENT_TYPE, "text/html; charset=utf-8")];
            (headers, page).into_response()
        }
        None => fault::not_found().await.into_response(),
    }
}

/// `GET /reports/NAME/TABLE.csv`: a table or chart of a report as comma-separated values.
pub(crate) async fn report_table(place: Result<Path<(String, String)>, PathRejection>) -> Response {
    let (stem, rest) = place.map_or_else(|_| Default::default(), |place| place.0);
    let name = rest.strip_prefix("times/").unwrap_or(&rest);
    let wanted = name.strip_suffix(".csv").and_then(|name| {
        let files = render::csv_files(&load(&stem)?);
        files.into_iter().find(|(known, ..)| known == name).map(|(.., text)| text)
    });
    match wanted {
        Some(text) => ([(CONTENT_TYPE, "text/csv; charset=utf-8")], text).into_response(),
        None => fault::not_found().await.into_response(),
    }
}
