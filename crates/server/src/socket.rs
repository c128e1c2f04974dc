//! What all WebSockets have in common: who may open one, how long it may be silent, how it says things.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Serialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::caller::Caller;
use crate::fault::Fault;
use crate::limit::Counted;
use crate::token::Asker;

/// What a handler gets: an upgrade, or why it is none.
pub(crate) type Upgrade = Result<WebSocketUpgrade, WebSocketUpgradeRejection>;

/// How often a silent client is asked whether it is still there.
const PING: Duration = Duration::from_secs(20);
/// How long it may be silent.
const SILENCE: Duration = Duration::from_secs(50);
/// How long a message may take to leave.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes that every connection keeps for reading: most say nothing most of the time.
const READING: usize = 4 << 10;
/// Bytes that may wait for a slow client.
const WAITING: usize = 4 << 20;
/// Messages in a row that are refused for their number before the connection is cut.
const PATIENT: u32 = 100;

/// Begins a connection that `serve` then serves. Pages of other sites are refused: browsers let them connect.
pub(crate) fn begin<F>(
    app: Arc<App>,
    upgrade: Upgrade,
    headers: &HeaderMap,
    caller: &Caller,
    serve: impl FnOnce(Socket) -> F + Send + 'static,
) -> Result<Response, Fault>
where
    F: Future<Output = ()> + Send + 'static,
{
    let upgrade = upgrade.map_err(|rejection| {
        let status = match rejection.status() {
            StatusCode::METHOD_NOT_ALLOWED => StatusCode::METHOD_NOT_ALLOWED,
            _ => StatusCode::UPGRADE_REQUIRED,
        };
        Fault::new(status, "expected a WebSocket")
    })?;
    if !is_same_site(headers) {
        return Err(Fault::new(StatusCode::FORBIDDEN, "pages of other sites may not connect"));
    }
    let counted = app.limits.connected(&caller.address)?;
    app.metrics.sockets.fetch_add(1, Relaxed);
    let (key, account) = (caller.key(), caller.asker.account.clone());
    let place = CountedSocket { app, key, address: caller.address.clone(), account, _counted: counted };
    let upgrade = upgrade.max_message_size(crate::BODY_LIMIT).max_frame_size(crate::BODY_LIMIT);
    // What a client does not read is kept for it only so far.
    let upgrade = upgrade.read_buffer_size(READING).write_buffer_size(0).max_write_buffer_size(WAITING);
    Ok(upgrade.on_upgrade(move |socket| serve(Socket::new(socket, place))))
}

/// Counts the connection for as long as it is open, also if it never comes to be.
struct CountedSocket {
    app: Arc<App>,
    /// What its messages are counted by.
    key: String,
    address: String,
    account: Option<String>,
    _counted: Counted,
}

impl Drop for CountedSocket {
    fn drop(&mut self) {
        self.app.metrics.sockets.fetch_sub(1, Relaxed);
    }
}

/// Programs send no `Origin`; a browser's must be this server.
fn is_same_site(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://")).map(|(_, host)| host);
    origin.is_some() && origin == host
}

/// An open connection.
pub(crate) struct Socket {
    inner: WebSocket,
    heard: tokio::time::Instant,
    ping: tokio::time::Interval,
    /// Messages in a row that were too many.
    refused: u32,
    place: CountedSocket,
}

/// What comes from a client.
pub(crate) enum Incoming {
    Text(String),
    /// Too much, too often or not text: what to answer.
    Wrong(String),
    /// It is gone.
    Gone,
}

impl Socket {
    fn new(inner: WebSocket, place: CountedSocket) -> Socket {
        let start = tokio::time::Instant::now() + PING;
        let ping = tokio::time::interval_at(start, PING);
        let heard = tokio::time::Instant::now();
        Socket { inner, heard, ping, refused: 0, place }
    }

    /// Counts what is heard from now on as said by `asker`, whatever other connections say for the same.
    pub(crate) fn speak_for(&mut self, asker: &Asker) {
        self.place.key = asker.key().unwrap_or_else(|| self.place.address.clone());
        self.place.account = asker.account.clone();
    }

    /// The next message. May be dropped and called again without losing anything.
    pub(crate) async fn hear(&mut self) -> Incoming {
        loop {
            tokio::select! {
                message = self.inner.recv() => {
                    self.heard = tokio::time::Instant::now();
                    match message {
                        Some(Ok(Message::Text(text))) => return self.count(text.to_string()),
                        Some(Ok(Message::Binary(_))) => return self.count_wrong(),
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return Incoming::Gone,
                    }
                }
                _ = self.ping.tick() => {
                    if self.heard.elapsed() > SILENCE || !self.send(Message::Ping(Vec::new().into())).await {
                        return Incoming::Gone;
                    }
                }
            }
        }
    }

    fn count(&mut self, text: String) -> Incoming {
        let CountedSocket { app, key, address, account, .. } = &self.place;
        let is_shut = account.as_deref().is_some_and(|account| app.accounts.is_shut(account));
        let counted = app.limits.command(key).and_then(|()| app.limits.request(address));
        self.refused = if counted.is_ok() { 0 } else { self.refused + 1 };
        match counted {
            _ if is_shut || self.refused > PATIENT => Incoming::Gone,
            Ok(()) => Incoming::Text(text),
            Err(_) => Incoming::Wrong("too many messages: wait a moment".into()),
        }
    }

    fn count_wrong(&mut self) -> Incoming {
        match self.count(String::new()) {
            Incoming::Text(_) => Incoming::Wrong("expected text".into()),
            wrong => wrong,
        }
    }

    async fn send(&mut self, message: Message) -> bool {
        matches!(tokio::time::timeout(PATIENCE, self.inner.send(message)).await, Ok(Ok(())))
    }

    /// Says something; false if nobody hears it any more.
    pub(crate) async fn say(&mut self, event: &impl Serialize) -> bool {
        let text = serde_json::to_string(event).expect("events are plain data");
        self.send(Message::Text(text.into())).await
    }

    /// Says something that is JSON already.
    pub(crate) async fn say_text(&mut self, text: &str) -> bool {
        self.send(Message::Text(text.into())).await
    }

    /// Says what was wrong with the message numbered `nr`.
    pub(crate) async fn refuse(&mut self, error: &str, nr: Option<Value>) -> bool {
        self.say(&json!({ "event": "error", "error": error, "for": nr })).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_programs_and_the_own_page_may_connect() {
        let allows = |origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, "localhost:4680".parse().unwrap());
            origin.map(|origin| headers.insert(ORIGIN, origin.parse().unwrap()));
            is_same_site(&headers)
        };
        assert!(allows(None) && allows(Some("http://localhost:4680")));
        assert!(
            !allows(Some("http://evil.example"))
                && !allows(Some("http://localhost:4681"))
                && !allows(Some("null"))
        );
    }
}
