//! The files of `web/`, embedded when the program is built. No path from a client reaches the file system.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::fault;

#[derive(RustEmbed)]
#[folder = "../../web"]
struct Web;

/// `GET /`.
pub(crate) async fn page(headers: HeaderMap) -> Response {
    answer("index.html", &headers).await
}

/// `GET /assets/PATH`.
pub(crate) async fn asset(path: Result<Path<String>, PathRejection>, headers: HeaderMap) -> Response {
    answer(path.as_ref().map_or("", |path| path), &headers).await
}

async fn answer(path: &str, headers: &HeaderMap) -> Response {
    match Web::get(path) {
        Some(file) => send(path, file, headers),
        None => fault::not_found().await.into_response(),
    }
}

/// Browsers keep a copy but ask each time whether it is still the same, so a new version shows at once.
fn send(path: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let tag = tag(&file);
    let common = [(ETAG, tag.clone()), (CACHE_CONTROL, "no-cache".into())];
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    (common, [(CONTENT_TYPE, content_type(path))], file.data).into_response()
}

fn tag(file: &EmbeddedFile) -> String {
    let hash = file.metadata.sha256_hash();
    let hex: String = hash[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("\"{hex}\"")
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_type_and_the_page_needs_nothing_inline() {
        let files: Vec<_> = Web::iter().collect();
        assert!(files.iter().any(|path| path == "index.html"));
        assert!(files.iter().all(|path| content_type(path) != "application/octet-stream"), "{files:?}");
        let page = Web::get("index.html").unwrap();
        let page = std::str::from_utf8(&page.data).unwrap();
        assert!(!page.contains(" style=") && !page.contains("<style") && !page.contains(" onclick"));
    }
}
