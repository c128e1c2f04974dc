//! What does not stay for ever: games that nobody plays on, ended games that no list shows, challenges that nobody takes.

use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::app::App;
use crate::arena::challenge;
use crate::engine::Client;
use crate::room::actor::Message;
use crate::store::{StoreError, Write, reads};
use crate::tables;
use crate::time::now_ms;

/// How often the house is put in order, and how much is done each time.
const PAUSE: Duration = Duration::from_secs(600);
const PORTION: u64 = 200;

/// Puts the house in order as long as the server runs.
pub(crate) async fn keep_house(app: Weak<App>) {
    loop {
        let Some(server) = app.upgrade() else { return };
        if let Err(error) = tidy(&server, now_ms()).await {
            tracing::warn!(%error, "the house is not in order");
        }
        drop(server);
        tokio::time::sleep(PAUSE).await;
    }
}

/// Ends, removes and withdraws what is too old at `now`.
pub(crate) async fn tidy(app: &Arc<App>, now: u64) -> Result<(), StoreError> {
    let before = now.saturating_sub(app.config.retention.as_millis() as u64);
    for table in app.store.read(move |db| reads::outdated(db, before, PORTION)).await? {
        app.store.write(vec![Write::Discard { table: table.clone() }]).await?;
        app.tables.tell(&table, Message::Renew);
    }
    // After that, so that what ends now stays for its time.
    for id in app.store.read(move |db| reads::abandoned(db, before, PORTION)).await? {
        if tables::wake(app, &id, &Client::server()).await.is_ok() {
            app.tables.tell(&id, Message::Abandon);
        }
    }
    for id in challenge::expired(app, now).await? {
        // Somebody may just have taken it.
        drop(app.store.write(vec![Write::Unchallenge { id }]).await);
    }
    Ok(())
}
