//! The tables that are being served, by their unguessable names. All others wait on disk until somebody asks.
//!
//! The lock on all tables is held only to find one; everything else happens in the table's own task.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::sync::oneshot;

use crate::app::App;
use crate::engine::Client;
use crate::fault::Fault;
use crate::room::Room;
use crate::room::actor::{Actor, Message};
use crate::store::{Store, StoreError, reads};

/// A served table: where to send it messages.
pub(crate) type Mailbox = UnboundedSender<Message>;

/// The served tables; beyond `most`, those that nobody has touched for longest are asked to rest.
pub(crate) struct TableRegistry {
    most: usize,
    kept: Mutex<ServedTables>,
}

#[derive(Default)]
struct ServedTables {
    /// Counts every touch: a clock that never stands still or goes back.
    touches: u64,
    by_id: HashMap<String, Entry>,
}

struct Entry {
    touched: u64,
    mailbox: Mailbox,
}

impl TableRegistry {
    /// Room for about `most` tables in memory, at least one.
    pub(crate) fn new(most: usize) -> TableRegistry {
        TableRegistry { most: most.max(1), kept: Mutex::default() }
    }

    /// How many are in memory.
    pub(crate) fn len(&self) -> usize {
        lock(&self.kept).by_id.len()
    }

    /// Serves a room that has just been opened.
    pub(crate) fn insert(&self, app: &Arc<App>, room: Room, client: Client) -> Mailbox {
        let mut kept = lock(&self.kept);
        if kept.by_id.len() >= self.most {
            kept.rest_oldest();
        }
        kept.touches += 1;
        let touched = kept.touches;
        let id = room.id.clone();
        let start = || Entry { touched, mailbox: Actor::start(Arc::clone(app), room, client) };
        kept.by_id.entry(id).or_insert_with(start).mailbox.clone()
    }

    /// Tells a table something, if it is in memory: one that rests need not know.
    pub(crate) fn tell(&self, id: &str, message: Message) {
        if let Some(mailbox) = self.served(id) {
            drop(mailbox.send(message));
        }
    }

    fn served(&self, id: &str) -> Option<Mailbox> {
        let mut kept = lock(&self.kept);
        kept.touches += 1;
        let now = kept.touches;
        let entry = kept.by_id.get_mut(id)?;
        entry.touched = now;
        Some(entry.mailbox.clone())
    }

    /// Takes a resting table out of the list, unless somebody has just sent it something.
    pub(crate) fn let_go(&self, id: &str, messages: &UnboundedReceiver<Message>) -> bool {
        let mut kept = lock(&self.kept);
        let may = messages.is_empty();
        if may {
            kept.by_id.remove(id);
        }
        may
    }

    /// Takes a table out of the list that cannot be served any more, unless another serves it already.
    pub(crate) fn forget(&self, id: &str, mailbox: &Mailbox) {
        let mut kept = lock(&self.kept);
        if kept.by_id.get(id).is_some_and(|entry| entry.mailbox.same_channel(mailbox)) {
            kept.by_id.remove(id);
        }
    }
}

impl ServedTables {
    /// Looks at every table: fine for thousands, and only when one is added.
    fn rest_oldest(&mut self) {
        if let Some(entry) = self.by_id.values().min_by_key(|entry| entry.touched) {
            drop(entry.mailbox.send(Message::Rest));
        }
    }
}

/// The room called `id`, as the disk knows it.
pub(crate) async fn load(store: &Store, id: String) -> Result<Option<Room>, StoreError> {
    let key = id.clone();
    let Some(kept) = store.read(move |db| reads::table(db, &key)).await? else { return Ok(None) };
    rebuild(id, &kept).map(Some).map_err(StoreError::Damaged)
}

/// The room that a table's events make.
pub(crate) fn rebuild(id: String, kept: &reads::StoredTable) -> Result<Room, String> {
    let setup = serde_json::from_str(&kept.setup).map_err(|error| format!("setup of {id}: {error}"))?;
    let mut room = Room::new(id, setup, kept.created).map_err(|error| error.to_string())?;
    for (seq, at, body) in &kept.events {
        let event = serde_json::from_str(body).map_err(|error| format!("event {seq}: {error}"))?;
        room.apply(&event, *at).map_err(|fault| format!("event {seq}: {}", fault.message()))?;
        if room.seq != *seq {
            return Err(format!("event {} is missing", room.seq));
        }
    }
    Ok(room)
}

/// Serves the table called `id`, if it can be.
pub(crate) async fn wake(app: &Arc<App>, id: &str, client: &Client) -> Result<(), Fault> {
    mailbox(app, id, client).await.map(drop)
}

/// The table called `id`, woken if it rests.
async fn mailbox(app: &Arc<App>, id: &str, client: &Client) -> Result<Mailbox, Fault> {
    if let Some(mailbox) = app.tables.served(id) {
        return Ok(mailbox);
    }
    match load(&app.store, id.to_owned()).await? {
        Some(room) => {
            app.note_reading();
            Ok(app.tables.insert(app, room, client.clone()))
        }
        None => Err(Fault::new(StatusCode::NOT_FOUND, "no such table")),
    }
}

/// Asks the table called `id`; once more if it has just gone to rest.
pub(crate) async fn ask<T>(
    app: &Arc<App>,
    id: &str,
    client: &Client,
    message: impl Fn(oneshot::Sender<T>) -> Message,
) -> Result<T, Fault> {
    for _ in 0..2 {
        let mailbox = mailbox(app, id, client).await?;
        let (reply, answer) = oneshot::channel();
        if mailbox.send(message(reply)).is_ok()
            && let Ok(answer) = answer.await
        {
            return Ok(answer);
        }
        if mailbox.is_closed() {
            app.tables.forget(id, &mailbox);
        }
    }
    Err(Fault::new(StatusCode::SERVICE_UNAVAILABLE, "the table does not answer"))
}

/// Looks at the table called `id`.
pub(crate) async fn look<T: Send + 'static>(
    app: &Arc<App>,
    id: &str,
    client: &Client,
    look: impl Fn(&Actor) -> T + Clone + Send + 'static,
) -> Result<T, Fault> {
    ask(app, id, client, |reply| {
        let look = look.clone();
        Message::Look(Box::new(move |actor| drop(reply.send(look(actor)))))
    })
    .await
}

/// How long to wait before a table is tried again, at first and at most.
const PAUSES: [Duration; 2] = [Duration::from_millis(20), Duration::from_secs(5)];

/// Serves a table again that could not be written, as soon as the database answers.
pub(crate) fn revive(app: &Arc<App>, id: String, client: Client) {
    let app = Arc::downgrade(app);
    tokio::spawn(async move {
        let [mut pause, most] = PAUSES;
        loop {
            tokio::time::sleep(pause).await;
            pause = (2 * pause).min(most);
            let Some(app) = app.upgrade() else { return };
            match mailbox(&app, &id, &client).await {
                Ok(_) => return,
                Err(fault) if fault.is_missing() => return,
                Err(fault) => tracing::warn!(table = id, error = fault.message(), "not served yet"),
            }
        }
    });
}

/// Serves all tables whose clocks end soon or whose engines are to move, and sets alarms for the others, so that time ends
/// also where nobody looks.
pub(crate) async fn wake_clocks(app: Arc<App>) {
    let client: Client = Client::server();
    let waiting = match app.store.read(reads::clocks).await {
        Ok(waiting) => waiting,
        Err(error) => return tracing::error!(%error, "nobody knows whose clocks run"),
    };
    for id in waiting {
        match load(&app.store, id.clone()).await {
            Ok(Some(mut room)) => {
                room.forgive(app.served_since());
                match room.clock().and_then(|clock| clock.deadline()) {
                    Some((_, at)) if !room.has_engine() => app.alarms.set(at, &id),
                    None => {}
                    Some(_) => drop(app.tables.insert(&app, room, client.clone())),
                }
            }
            Ok(None) => {}
            Err(error) => tracing::warn!(table = id, %error, "a table with a clock cannot be served"),
        }
    }
}

/// Takes note of all rated games that go on, so that analysis is closed to their players from the start.
pub(crate) async fn note_rated(app: Arc<App>) {
    let waiting = match app.store.read(reads::rated).await {
        Ok(waiting) => waiting,
        Err(error) => return tracing::error!(%error, "nobody knows which rated games go on"),
    };
    for id in waiting {
        match load(&app.store, id.clone()).await {
            Ok(Some(room)) if app.tables.served(&id).is_none() => app.rated.note(&room),
            Ok(_) => {}
            Err(error) => tracing::warn!(table = id, %error, "a rated game cannot be read"),
        }
    }
}

/// Locks even if another holder panicked: what is behind these locks is changed in one step, so it is whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
