//! What every request must pass and every answer carries.
//!
//! A page of another site can make a browser send requests here. Those that change something need the content type
//! `application/json`, which no browser sends across sites without asking first, and we never agree. A site that
//! re-points its own name to this address (DNS rebinding) counts as the same site, but betrays itself by its `Host`.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::Response;

use crate::app::App;
use crate::caller;
use crate::fault::Fault;

/// Lets a request through if its `Host` is an address of this server and not a name that somebody else controls.
pub(crate) async fn check_host(
    State((bound, names)): State<(IpAddr, Vec<String>)>,
    request: Request,
    next: Next,
) -> Result<Response, Fault> {
    match host(request.headers()) {
        Some(host) if is_ours(host, bound) || names.iter().any(|name| host.eq_ignore_ascii_case(name)) => {
            Ok(next.run(request).await)
        }
        _ => Err(Fault::new(StatusCode::FORBIDDEN, "host not served here: ask for localhost or the address")),
    }
}

/// Lets an address have so many requests and no more, a second and at the same time, and gives up what takes too long.
pub(crate) async fn limit(
    State(app): State<Arc<App>>,
    request: Request,
    next: Next,
) -> Result<Response, Fault> {
    let address = caller::address(&app, request.extensions(), request.headers());
    app.limits.request(&address)?;
    let _place = app.limits.begin(&address)?;
    let late = || Fault::new(StatusCode::REQUEST_TIMEOUT, "the request took too long and was given up");
    tokio::time::timeout(app.config.request_time, next.run(request)).await.map_err(|_| late())
}

/// The only `Host` header, without its port.
fn host(headers: &HeaderMap) -> Option<&str> {
    let mut all = headers.get_all(header::HOST).iter();
    let host = all.next()?.to_str().ok()?;
    if all.next().is_some() {
        return None;
    }
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, port),
        _ => (host, ""),
    };
    port.bytes().all(|byte| byte.is_ascii_digit()).then_some(name)
}

/// Names can be pointed anywhere, addresses cannot; so of names only `localhost` is trusted.
fn is_ours(host: &str, bound: IpAddr) -> bool {
    let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    match literal.parse::<IpAddr>() {
        Ok(ip) => ip.is_loopback() || ip == bound || bound.is_unspecified(),
        Err(_) => host.eq_ignore_ascii_case("localhost"),
    }
}

const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PROTECTION: [(HeaderName, &str); 4] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Adds the headers that keep foreign script, frames and sniffing away; what is not cached on purpose is not stored.
pub(crate) async fn protect(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in PROTECTION {
        // Reports bring a policy of their own.
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(hosts: &[&str], bound: &str) -> bool {
        let mut headers = HeaderMap::new();
        for value in hosts {
            headers.append(header::HOST, value.parse().unwrap());
        }
        host(&headers).is_some_and(|host| is_ours(host, bound.parse().unwrap()))
    }

    #[test]
    fn loopback_and_own_address_pass() {
        for host in ["localhost", "LocalHost:4680", "127.0.0.1:4680", "127.0.0.1", "[::1]", "[::1]:4680"] {
            assert!(passes(&[host], "127.0.0.1"), "{host}");
        }
        assert!(passes(&["192.168.1.7:4680"], "192.168.1.7"));
        assert!(passes(&["192.168.1.7:4680"], "0.0.0.0"));
    }

    #[test]
    fn names_of_others_and_odd_forms_do_not() {
        for host in
            ["evil.example", "localhost.evil.example:4680", "127.0.0.1.evil.example", "", "localhost:x"]
        {
            assert!(!passes(&[host], "0.0.0.0"), "{host}");
        }
        assert!(!passes(&["192.168.1.7"], "127.0.0.1"));
        assert!(!passes(&["localhost", "evil.example"], "127.0.0.1"));
        assert!(!passes(&[], "127.0.0.1"));
    }
}
