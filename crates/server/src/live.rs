//! A table over a WebSocket: every change as it happens, and commands.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use crate::api::Found;
use crate::app::App;
use crate::caller;
use crate::engine::Client;
use crate::fault::Fault;
use crate::room::actor::{Message, Update};
use crate::room::{AskerView, ClientMessage, Command, Snapshot};
use crate::socket::{self, Incoming, Socket, Upgrade};
use crate::tables;
use crate::token::Asker;

/// `GET /api/tables/ID/live`.
pub(crate) async fn table(
    State(app): State<Arc<App>>,
    found: Found,
    headers: HeaderMap,
    upgrade: Upgrade,
) -> Result<Response, Fault> {
    // A table that is not there is said before the connection is made.
    tables::look(&app, &found.id, &found.caller.client(), |_| ()).await?;
    let number = app.number();
    let (id, client, asker) = (found.id, found.caller.client(), found.caller.asker.clone());
    let place = Arc::clone(&app);
    socket::begin(app, upgrade, &headers, &found.caller, move |socket| {
        Watcher { app: place, id, client, number, asker }.serve(socket)
    })
}

#[derive(Serialize)]
struct TableEvent<'a> {
    event: &'static str,
    table: AskerView<'a>,
}

/// One connection at one table.
struct Watcher {
    app: Arc<App>,
    id: String,
    client: Client,
    number: u64,
    asker: Asker,
}

impl Watcher {
    async fn serve(mut self, mut socket: Socket) {
        let served = self.watch(&mut socket).await;
        if let Err(fault) = served {
            socket.refuse(fault.message(), None).await;
        }
        self.app.tables.tell(&self.id, Message::Leave { socket: self.number });
    }

    /// Until the client goes.
    async fn watch(&mut self, socket: &mut Socket) -> Result<(), Fault> {
        let mut updates = self.enter(socket).await?;
        loop {
            let goes_on = tokio::select! {
                update = updates.recv() => match update {
                    Ok(Update::Table(snapshot)) => self.show(socket, &snapshot).await,
                    Ok(Update::Thinking(text) | Update::Chat(text)) => socket.say_text(&text).await,
                    // Too slow for every update: the newest says all.
                    Err(RecvError::Lagged(_)) => {
                        let snapshot = tables::look(&self.app, &self.id, &self.client, |actor| actor.snapshot());
                        let snapshot = snapshot.await?;
                        self.show(socket, &snapshot).await
                    }
                    Err(RecvError::Closed) => {
                        updates = self.enter(socket).await?;
                        true
                    }
                },
                heard = socket.hear() => match heard {
                    Incoming::Gone => false,
                    Incoming::Wrong(error) => socket.refuse(&error, None).await,
                    Incoming::Text(text) => match ClientMessage::parse(&text) {
                        (nr, Err(error)) => socket.refuse(&error, nr).await,
                        (nr, Ok(ClientMessage::Ping)) => socket.say(&ok(nr)).await,
                        (nr, Ok(ClientMessage::Token(token))) => {
                            match self.identify(&token).await {
                                Ok(()) => {
                                    socket.speak_for(&self.asker);
                                    updates = self.enter(socket).await?;
                                }
                                Err(fault) => drop(socket.refuse(fault.message(), nr).await),
                            }
                            true
                        }
                        (nr, Ok(ClientMessage::Do(command))) => self.obey(socket, command, nr).await,
                    },
                },
            };
            if !goes_on {
                return Ok(());
            }
        }
    }

    async fn enter(&self, socket: &mut Socket) -> Result<broadcast::Receiver<Update>, Fault> {
        let entered = tables::ask(&self.app, &self.id, &self.client, |reply| Message::Enter {
            socket: self.number,
            asker: self.asker.clone(),
            reply,
        });
        let (updates, snapshot) = entered.await??;
        self.app.rated.present(&self.id, &self.asker, self.client.address());
        self.show(socket, &snapshot).await;
        Ok(updates)
    }

    async fn identify(&mut self, token: &str) -> Result<(), Fault> {
        self.asker = caller::asker(&self.app, Some(token)).await?;
        Ok(())
    }

    async fn show(&self, socket: &mut Socket, snapshot: &Snapshot) -> bool {
        socket.say(&TableEvent { event: "table", table: snapshot.seen_by(&self.asker) }).await
    }

    async fn obey(&self, socket: &mut Socket, command: Command, nr: Option<Value>) -> bool {
        let done = tables::ask(&self.app, &self.id, &self.client, |reply| Message::Do {
            asker: self.asker.clone(),
            command: command.clone(),
            reply,
        });
        match done.await.and_then(|done| done) {
            Ok(_) => socket.say(&ok(nr)).await,
            Err(fault) => socket.refuse(fault.message(), nr).await,
        }
    }
}

fn ok(nr: Option<Value>) -> Value {
    json!({ "event": "ok", "for": nr })
}
