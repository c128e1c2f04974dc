//! The files of `web/`, embedded when the program is built. No path from a client reaches the file system.
//!
//! Contributors edit plain modules and style sheets; what is served is a few files made of them ([`bundle`]), compressed, under an
//! address with a hash of all files in it, so that a browser may keep it for ever. `/assets/PATH` gives every single file too.

mod bundle;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, LazyLock, Mutex};

use axum::body::Bytes;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::RustEmbed;

use crate::fault;
use crate::tables::lock;

#[derive(RustEmbed)]
#[folder = "../../web"]
struct Web;

/// A file of `web/` as it is.
fn source(path: &str) -> Option<Cow<'static, [u8]>> {
    Web::get(path).map(|file| file.data)
}

/// `GET /`.
pub(crate) async fn page(headers: HeaderMap) -> Response {
    answer("index.html", &headers).await
}

/// `GET /sw.js`: the worker that keeps the page readable while the server is away; it rules only what lies below it.
pub(crate) async fn worker(headers: HeaderMap) -> Response {
    answer("sw.js", &headers).await
}

/// `GET /assets/PATH` and `GET /assets/v-VERSION/PATH`.
pub(crate) async fn asset(path: Result<Path<String>, PathRejection>, headers: HeaderMap) -> Response {
    answer(path.as_ref().map_or("", |path| path), &headers).await
}

async fn answer(path: &str, headers: &HeaderMap) -> Response {
    let (version, path) = match path.strip_prefix("v-").and_then(|rest| rest.split_once('/')) {
        Some((version, path)) => (Some(version), path),
        None => (None, path),
    };
    let Some(served) = Served::find(path) else { return fault::not_found().await.into_response() };
    // The page of another version still gets its files, but does not keep them.
    let is_current = version.is_some_and(|version| version == served.version);
    served.send(is_current, headers)
}

/// A file as it is sent.
struct Served {
    /// Of all files together.
    version: String,
    kind: &'static str,
    tag: String,
    plain: Bytes,
    /// None where it would be no shorter.
    zipped: Option<Bytes>,
}

/// What was made of the files, by path; made anew when a file is another one.
static MADE: LazyLock<Mutex<HashMap<String, Arc<Served>>>> = LazyLock::new(Mutex::default);

impl Served {
    fn find(path: &str) -> Option<Arc<Served>> {
        let version = version();
        if let Some(served) = lock(&MADE).get(path).filter(|served| served.version == version) {
            return Some(Arc::clone(served));
        }
        let made = Arc::new(Served::make(path, version)?);
        lock(&MADE).insert(path.to_owned(), Arc::clone(&made));
        Some(made)
    }

    fn make(path: &str, version: String) -> Option<Served> {
        let plain = match path {
            "index.html" | "sw.js" => {
                let text = String::from_utf8_lossy(&source(path)?).into_owned();
                let text = if path == "index.html" { bundle::page(&text) } else { text };
                text.replace("/assets/", &format!("/assets/v-{version}/")).into_bytes().into()
            }
            bundle::STYLE => bundle::style(&source)?.into_bytes().into(),
            bundle::SCRIPT => bundle::script(&source)?.into_bytes().into(),
            bundle::MORE => bundle::more(&source)?.into_bytes().into(),
            bundle::FIRST => bundle::first(&source)?.into_bytes().into(),
            _ => Bytes::from(source(path)?.into_owned()),
        };
        let kind = content_type(path);
        let is_text = !kind.starts_with("image/png");
        let zipped = is_text.then(|| zip(&plain)).filter(|zipped| zipped.len() < plain.len());
        let tag = format!("\"{}\"", &blake3::hash(&plain).to_hex()[..32]);
        Some(Served { version, kind, tag, plain, zipped })
    }

    /// What carries its version in its address is kept; everything else is asked for again each time.
    fn send(&self, is_current: bool, headers: &HeaderMap) -> Response {
        let keep = if is_current { "public, max-age=31536000, immutable" } else { "no-cache" };
        let common = [(ETAG, self.tag.as_str()), (CACHE_CONTROL, keep), (VARY, "accept-encoding")];
        if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == self.tag.as_bytes()) {
            return (StatusCode::NOT_MODIFIED, common).into_response();
        }
        match &self.zipped {
            Some(zipped) if takes_gzip(headers) => {
                (common, [(CONTENT_TYPE, self.kind), (CONTENT_ENCODING, "gzip")], zipped.clone())
                    .into_response()
            }
            _ => (common, [(CONTENT_TYPE, self.kind)], self.plain.clone()).into_response(),
        }
    }
}

/// A short hash of all files.
fn version() -> String {
    let mut hasher = blake3::Hasher::new();
    for path in Web::iter() {
        if let Some(file) = Web::get(&path) {
            hasher.update(path.as_bytes()).update(&file.metadata.sha256_hash());
        }
    }
    hasher.finalize().to_hex()[..12].to_owned()
}

/// Whether a client says that it reads gzip, and not that it would rather not.
pub(crate) fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
    accepted.split(',').any(|coding| {
        let (name, weight) = coding.trim().split_once(';').unwrap_or((coding.trim(), ""));
        name.trim().eq_ignore_ascii_case("gzip") && !matches!(weight.trim(), "q=0" | "q=0.0")
    })
}

/// The same bytes in gzip.
pub(crate) fn zip(bytes: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder
        .write_all(bytes)
        .and_then(|()| encoder.finish())
        .expect("memory takes what is written to it")
        .into()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "txt" => "text/plain; charset=utf-8",
        "webmanifest" => "application/manifest+json",
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

    #[test]
    fn the_page_is_served_as_one_script_and_one_style_sheet() {
        let page = Served::make("index.html", "1".into()).unwrap();
        let text = String::from_utf8(page.plain.to_vec()).unwrap();
        assert_eq!(text.matches("rel=\"stylesheet\"").count(), 1, "{text}");
        assert!(text.contains("/assets/v-1/app.js") && text.contains("/assets/v-1/app.css"), "{text}");
        assert!(!text.contains("/assets/main.js") && !text.contains("\"/assets/style.css"), "{text}");
    }

    #[test]
    fn every_module_goes_into_one_of_the_bundles() {
        let [script, more] = [bundle::script(&source).unwrap(), bundle::more(&source).unwrap()];
        for path in
            Web::iter().filter(|path| path.ends_with(".js") && !["sw.js", bundle::FIRST].contains(&&**path))
        {
            let name = format!("'{path}': () => {{");
            assert!(script.contains(&name) != more.contains(&name), "{path} is not in one bundle");
        }
        for bundle in [&script, &more, &bundle::first(&source).unwrap()] {
            assert!(
                !bundle.contains("\nexport default") && !bundle.contains("\nexport function"),
                "unread exports"
            );
            assert!(bundle.matches("\nimport ").count() == 0, "unread imports");
        }
        assert!(script.contains("'play/table.js'") && more.contains("'analyse/tree.js'"));
        assert!(bundle::first(&source).unwrap().contains("'theme.js': () => {"));
    }

    #[test]
    fn gzip_is_sent_to_those_who_read_it() {
        let headers = |value: &'static str| HeaderMap::from_iter([(ACCEPT_ENCODING, value.parse().unwrap())]);
        assert!(takes_gzip(&headers("gzip, deflate, br")) && takes_gzip(&headers("br;q=1, GZIP;q=0.5")));
        assert!(
            !takes_gzip(&headers("br"))
                && !takes_gzip(&headers("gzip;q=0"))
                && !takes_gzip(&HeaderMap::new())
        );
        let served = Served::make(bundle::SCRIPT, "1".into()).unwrap();
        assert!(served.zipped.unwrap().len() * 3 < served.plain.len());
    }
}
