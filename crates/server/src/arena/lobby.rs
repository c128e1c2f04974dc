//! The lobby: who is there, who wants to play, which games go on; and word for single accounts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::{broadcast, watch};

use super::challenge::{self, Challenge};
use super::listed::Entry;
use crate::app::App;
use crate::caller::{self, Caller};
use crate::fault::Fault;
use crate::room::ClientMessage;
use crate::socket::{self, Incoming, Socket, Upgrade};
use crate::store::reads;
use crate::tables::lock;
use crate::token::Asker;

/// What those in the lobby hear.
pub(crate) struct Lobby {
    /// Counts changes of what everybody sees.
    changes: watch::Sender<u64>,
    /// The newest of it, section by section.
    shown: watch::Sender<Arc<Sections>>,
    /// For one account alone.
    words: broadcast::Sender<(Arc<str>, Arc<str>)>,
    /// Accounts that are here, with their names and how often.
    online: Mutex<BTreeMap<String, (String, usize)>>,
}

impl Default for Lobby {
    fn default() -> Lobby {
        Lobby {
            changes: watch::channel(0).0,
            shown: watch::channel(Arc::default()).0,
            words: broadcast::channel(256).0,
            online: Mutex::default(),
        }
    }
}

impl Lobby {
    /// Something that everybody sees has changed.
    pub(crate) fn changed(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// Wakes everybody here, if there is anything new to see.
    fn show(&self, sections: Sections) {
        self.shown.send_if_modified(|shown| {
            let is_new = **shown != sections;
            if is_new {
                *shown = Arc::new(sections);
            }
            is_new
        });
    }

    /// Says something to all connections of one account.
    pub(crate) fn tell(&self, account: &str, event: Value) {
        // Nobody may be there.
        let _ = self.words.send((account.into(), event.to_string().into()));
    }
}

/// What the lobby shows.
#[derive(Serialize)]
pub(crate) struct Shown {
    challenges: Vec<Challenge>,
    tables: Vec<Entry>,
    online: Vec<String>,
    /// How many there are, listed or not.
    online_count: usize,
}

/// Games, challenges and accounts that are listed: what is sent must not grow with the number of those who play.
const MOST: u64 = 50;
const MOST_CHALLENGES: usize = 50;
const MOST_ONLINE: usize = 100;

async fn shown(app: &App) -> Result<Shown, Fault> {
    let mut challenges = challenge::all(app).await?;
    // The newest: the older ones had their time. Who is meant by a challenge hears of it anyway.
    challenges.drain(..challenges.len().saturating_sub(MOST_CHALLENGES));
    let tables = app.store.read(|db| reads::running(db, MOST)).await?;
    let online = lock(&app.lobby.online);
    let names = online.values().take(MOST_ONLINE).map(|(name, _)| name.clone()).collect();
    let count = online.len();
    drop(online);
    let tables = tables.into_iter().map(Entry::from).collect();
    Ok(Shown { challenges, tables, online: names, online_count: count })
}

/// What the lobby shows, as JSON of each section by its name.
#[derive(Default, PartialEq)]
struct Sections(BTreeMap<&'static str, Arc<str>>);

impl Sections {
    fn of(shown: &Shown) -> Sections {
        let text = |json: serde_json::Result<String>| json.expect("the lobby is plain data").into();
        Sections(BTreeMap::from([
            ("challenges", text(serde_json::to_string(&shown.challenges))),
            ("online", text(serde_json::to_string(&shown.online))),
            ("online_count", text(serde_json::to_string(&shown.online_count))),
            ("tables", text(serde_json::to_string(&shown.tables))),
        ]))
    }

    /// The event with the sections that are not as in `known`; nothing if all are.
    fn news(&self, known: &Sections) -> Option<String> {
        let differs = |(name, text): &(&&'static str, &Arc<str>)| known.0.get(**name) != Some(*text);
        let changed: Vec<String> =
            self.0.iter().filter(differs).map(|(name, text)| format!(",\"{name}\":{text}")).collect();
        (!changed.is_empty()).then(|| format!("{{\"event\":\"lobby\"{}}}", changed.concat()))
    }
}

/// `GET /api/lobby`.
pub(crate) async fn look(State(app): State<Arc<App>>) -> Result<Json<Shown>, Fault> {
    shown(&app).await.map(Json)
}

/// Many changes at once are shown once.
const PAUSE: Duration = Duration::from_millis(250);

/// Brings what everybody sees up to date, as long as the server runs.
pub(crate) async fn keep_shown(app: std::sync::Weak<App>) {
    let Some(mut changes) = app.upgrade().map(|app| app.lobby.changes.subscribe()) else { return };
    loop {
        let Some(app) = app.upgrade() else { return };
        match shown(&app).await {
            Ok(shown) => app.lobby.show(Sections::of(&shown)),
            Err(fault) => tracing::warn!(error = fault.message(), "the lobby cannot be shown"),
        }
        drop(app);
        tokio::time::sleep(PAUSE).await;
        if changes.changed().await.is_err() {
            return;
        }
    }
}

/// `GET /api/lobby/live`.
pub(crate) async fn live(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    upgrade: Upgrade,
) -> Result<Response, Fault> {
    let place = Arc::clone(&app);
    let asker = caller.asker.clone();
    socket::begin(app, upgrade, &headers, &caller, move |socket| {
        let guest = Guest { app: place, asker: Asker::default() };
        guest.serve(socket, asker)
    })
}

/// One connection in the lobby; gone from the list when dropped.
struct Guest {
    app: Arc<App>,
    asker: Asker,
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.leave();
    }
}

impl Guest {
    fn leave(&mut self) {
        let Some(account) = self.asker.account.take().filter(|_| !self.asker.muted) else { return };
        let mut online = lock(&self.app.lobby.online);
        if let Some((_, count)) = online.get_mut(&account) {
            *count -= 1;
            if *count == 0 {
                online.remove(&account);
            }
        }
        drop(online);
        self.app.lobby.changed();
    }

    fn enter(&mut self, asker: Asker) {
        self.leave();
        self.asker = asker;
        let Some(account) = self.asker.account.as_ref().filter(|_| !self.asker.muted) else { return };
        let name = self.asker.shown.clone().unwrap_or_default();
        lock(&self.app.lobby.online).entry(account.clone()).or_insert((name, 0)).1 += 1;
        self.app.lobby.changed();
    }

    async fn serve(mut self, mut socket: Socket, asker: Asker) {
        let mut shown = self.app.lobby.shown.subscribe();
        let mut words = self.app.lobby.words.subscribe();
        self.enter(asker);
        self.catch_up(&mut socket).await;
        shown.mark_changed();
        let mut known = Arc::new(Sections::default());
        loop {
            let goes_on = tokio::select! {
                changed = shown.changed() => {
                    let now = Arc::clone(&shown.borrow_and_update());
                    let news = now.news(&known);
                    known = now;
                    let said = match news {
                        Some(text) => socket.say_text(&text).await,
                        None => true,
                    };
                    changed.is_ok() && said
                }
                word = words.recv() => match word {
                    Ok((account, text)) if self.asker.account.as_deref() == Some(&*account) => {
                        socket.say_text(&text).await
                    }
                    Ok(_) => true,
                    // Word was missed: games that wait for this account are told again.
                    Err(broadcast::error::RecvError::Lagged(_)) => self.catch_up(&mut socket).await,
                    Err(broadcast::error::RecvError::Closed) => false,
                },
                heard = socket.hear() => match heard {
                    Incoming::Gone => false,
                    Incoming::Wrong(error) => socket.refuse(&error, None).await,
                    Incoming::Text(text) => self.hear(&mut socket, &text).await,
                },
            };
            if !goes_on {
                return;
            }
        }
    }

    async fn hear(&mut self, socket: &mut Socket, text: &str) -> bool {
        match ClientMessage::parse(text) {
            (nr, Ok(ClientMessage::Ping)) => socket.say(&json!({ "event": "ok", "for": nr })).await,
            (nr, Ok(ClientMessage::Token(token))) => match caller::asker(&self.app, Some(&token)).await {
                Ok(asker) => {
                    socket.speak_for(&asker);
                    self.enter(asker);
                    socket.say(&json!({ "event": "ok", "for": nr })).await && self.catch_up(socket).await
                }
                Err(fault) => socket.refuse(fault.message(), nr).await,
            },
            (nr, Ok(ClientMessage::Do(_))) => socket.refuse("nothing is played in the lobby", nr).await,
            (nr, Err(error)) => socket.refuse(&error, nr).await,
        }
    }

    /// Tells an account that comes (back) what waits for it: its games, where its own token is good for its seat, and
    /// challenges to it.
    async fn catch_up(&self, socket: &mut Socket) -> bool {
        let Some(account) = self.asker.account.clone() else { return true };
        let name = account.clone();
        let running = self.app.store.read(move |db| reads::running_of(db, &name)).await.unwrap_or_default();
        for (table, seat) in running.into_iter().take(MOST as usize) {
            if !socket.say(&json!({ "event": "start", "table": table, "seat": seat, "token": null })).await {
                return false;
            }
        }
        let challenges = challenge::all(&self.app).await.unwrap_or_default();
        for challenge in challenges.iter().filter(|challenge| challenge.to.as_ref() == Some(&account)) {
            if !socket.say(&json!({ "event": "challenge", "challenge": challenge })).await {
                return false;
            }
        }
        true
    }
}
