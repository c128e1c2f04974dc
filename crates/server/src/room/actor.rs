//! A table that is being served: one task that hears messages one after another, so nothing at a table happens twice.
//!
//! Whatever changes is first tried in memory, then written, and only then shown or acknowledged. If writing fails, the
//! task ends and takes what it knew with it: the next one begins with what the disk knows.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::{Instant, sleep_until};
use trilith_games::Colour;

use super::command::Command;
use super::event::Event;
use super::next;
use super::seat::{COLOURS, Holder, Kind, Sides};
use super::snapshot::{Presence, Snapshot};
use super::state::Room;
use super::thinking::{self, Thinking};
use super::words::{self, Words};
use crate::app::App;
use crate::engine::{Client, Thought};
use crate::fault::Fault;
use crate::opening;
use crate::store::Write;
use crate::time::now_ms;
use crate::token::{self, Asker};

/// What those who watch a table hear.
#[derive(Clone)]
pub(crate) enum Update {
    Table(Arc<Snapshot>),
    /// JSON of what an engine thinks.
    Thinking(Arc<str>),
    /// JSON of what a player says.
    Chat(Arc<str>),
}

/// What a table is asked.
pub(crate) enum Message {
    /// To look at the room.
    Look(Box<dyn FnOnce(&Actor) + Send>),
    Do {
        asker: Asker,
        command: Command,
        reply: Reply<Arc<Snapshot>>,
    },
    Join {
        asker: Asker,
        seat: Option<Colour>,
        name: Option<String>,
        reply: Reply<Joined>,
    },
    /// A connection is opened, or says who it is.
    Enter {
        socket: u64,
        asker: Asker,
        reply: Reply<(broadcast::Receiver<Update>, Arc<Snapshot>)>,
    },
    Leave {
        socket: u64,
    },
    /// A player says something to those at the table.
    Say {
        asker: Asker,
        words: Words,
        reply: Reply<()>,
    },
    /// An engine has decided.
    Chosen {
        number: u64,
        result: Result<String, String>,
    },
    /// Others need the room; go if nobody is there.
    Rest,
    /// The disk knows better: begin anew with what is there.
    Renew,
    /// Nobody has played on for a long time.
    Abandon,
}

type Reply<T> = oneshot::Sender<Result<T, Fault>>;

/// A seat taken, with its token.
pub(crate) struct Joined {
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) seat: Colour,
    pub(crate) token: String,
}

/// How long a table stays in memory when nobody uses it.
const IDLE: Duration = Duration::from_secs(60);
/// Connections at one table.
const MOST_WATCHERS: usize = 2000;
/// How long those who watch wait to hear who has come or gone.
const PRESENCE: Duration = Duration::from_millis(300);
/// Updates that a slow watcher may be behind before it only gets the newest.
const BACKLOG: usize = 64;

/// One served table.
pub(crate) struct Actor {
    pub(crate) room: Room,
    pub(super) app: Arc<App>,
    /// On whose behalf its engines think.
    pub(super) client: Client,
    pub(super) mailbox: mpsc::UnboundedSender<Message>,
    pub(super) updates: broadcast::Sender<Update>,
    pub(super) thinking: Option<Thinking>,
    sockets: HashMap<u64, Asker>,
    pub(super) presence: Presence,
    /// When those who watch hear who is there.
    shows_at: Option<Instant>,
    /// When each side last said something.
    said_at: Sides<Option<Instant>>,
    /// Whether memory may know more than the disk: nothing is served from it any more.
    pub(super) is_spoilt: bool,
}

impl Actor {
    /// Serves `room` from now on and gives its mailbox.
    pub(crate) fn start(app: Arc<App>, mut room: Room, client: Client) -> mpsc::UnboundedSender<Message> {
        let (mailbox, messages) = mpsc::unbounded_channel();
        room.forgive(app.served_since());
        app.rated.note(&room);
        let chat = app.config.chat;
        let actor = Actor {
            room,
            app,
            client,
            mailbox: mailbox.clone(),
            updates: broadcast::channel(BACKLOG).0,
            thinking: None,
            sockets: HashMap::new(),
            presence: Presence { chat, ..Presence::default() },
            shows_at: None,
            said_at: Sides::default(),
            is_spoilt: false,
        };
        tokio::spawn(actor.run(messages));
        mailbox
    }

    async fn run(mut self, mut messages: mpsc::UnboundedReceiver<Message>) {
        self.read_ratings().await;
        thinking::consider(&mut self);
        let mut idle_from = Instant::now();
        loop {
            let flag = self.room.clock().and_then(|clock| clock.deadline());
            let idle_until = idle_from + IDLE;
            let wait =
                flag.map(|(_, at)| Instant::now() + Duration::from_millis(at.saturating_sub(now_ms())));
            let mut may_rest = false;
            tokio::select! {
                message = messages.recv() => {
                    let Some(message) = message else { return };
                    may_rest = matches!(message, Message::Rest);
                    if !may_rest {
                        idle_from = Instant::now();
                    }
                    self.hear(message).await;
                }
                () = sleep_until(self.shows_at.unwrap_or(idle_until)), if self.shows_at.is_some() => self.show(),
                () = sleep_until(wait.map_or(idle_until, |wait| wait.min(idle_until))) => match flag {
                    Some((by, at)) if now_ms() >= at => self.flag(by).await,
                    _ => {
                        may_rest = Instant::now() >= idle_until;
                        idle_from = if may_rest { Instant::now() } else { idle_from };
                    }
                },
            }
            if self.is_spoilt {
                return self.give_up();
            }
            if may_rest && self.rest(&messages) {
                return;
            }
        }
    }

    /// Leaves the memory, if nobody needs it there. A clock that runs is watched by the alarms meanwhile.
    fn rest(&self, messages: &mpsc::UnboundedReceiver<Message>) -> bool {
        if !self.sockets.is_empty() || self.thinking.is_some() {
            return false;
        }
        let ends = self.room.clock().and_then(|clock| clock.deadline()).map(|(_, at)| at);
        let soon = now_ms() + 2 * IDLE.as_millis() as u64;
        if ends.is_some_and(|at| at < soon) || !self.app.tables.let_go(&self.room.id, messages) {
            return false;
        }
        if let Some(at) = ends {
            self.app.alarms.set(at, &self.room.id);
        }
        true
    }

    /// Ends. Whoever waits for this table finds a new one; where time or an engine goes on, it is served again.
    fn give_up(&self) {
        self.app.tables.forget(&self.room.id, &self.mailbox);
        let ends = self.room.clock().is_some_and(|clock| clock.deadline().is_some());
        if ends || self.room.has_engine() || !self.sockets.is_empty() {
            crate::tables::revive(&self.app, self.room.id.clone(), self.client.clone());
        }
    }

    async fn hear(&mut self, message: Message) {
        // Whoever asked may have gone; the answer is then for nobody.
        match message {
            Message::Look(look) => look(self),
            Message::Do { asker, command, reply } => {
                let done = self.obey(&asker, &command).await;
                drop(reply.send(done));
            }
            Message::Join { asker, seat, name, reply } => {
                let joined = self.join(asker, seat, name).await;
                drop(reply.send(joined));
            }
            Message::Enter { socket, asker, reply } => {
                if self.sockets.len() >= MOST_WATCHERS && !self.sockets.contains_key(&socket) {
                    return drop(reply.send(Err(Fault::new(
                        StatusCode::SERVICE_UNAVAILABLE,
                        format!("{MOST_WATCHERS} connections are at this table already"),
                    ))));
                }
                self.sockets.insert(socket, asker);
                self.count_presence();
                drop(reply.send(Ok((self.updates.subscribe(), self.snapshot()))));
                self.show_soon();
            }
            Message::Say { asker, words, reply } => drop(reply.send(self.say(&asker, &words))),
            Message::Leave { socket } => {
                self.sockets.remove(&socket);
                self.count_presence();
                self.show_soon();
            }
            Message::Chosen { number, result } => self.chosen(number, result).await,
            Message::Rest => {}
            Message::Renew => self.is_spoilt = true,
            Message::Abandon => self.abandon().await,
        }
    }

    /// Everything a client sees, now.
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        Arc::new(self.room.snapshot(now_ms(), &self.presence, self.thinking.is_some()))
    }

    /// Who comes and goes is shown to the others now and then, however often it happens.
    fn show_soon(&mut self) {
        self.shows_at.get_or_insert(Instant::now() + PRESENCE);
    }

    pub(super) fn show(&mut self) {
        self.shows_at = None;
        if self.updates.receiver_count() > 0 {
            drop(self.updates.send(Update::Table(self.snapshot())));
        }
    }

    fn count_presence(&mut self) {
        let sits = |side: Colour| {
            let holder = &self.room.seats()[side].holder;
            self.sockets.values().any(|asker| holder.is(asker))
        };
        self.presence.connected = Sides::from_fn(sits);
        let watches = |asker: &&Asker| self.room.sides_of(asker).is_empty();
        self.presence.spectators = self.sockets.values().filter(watches).count();
    }

    async fn obey(&mut self, asker: &Asker, command: &Command) -> Result<Arc<Snapshot>, Fault> {
        let events = self.room.decide(asker, command, now_ms())?;
        self.commit(events, Vec::new()).await?;
        if self.room.wants_rematch() {
            let (board, plan) = next::table(&self.room)?;
            let (app, client) = (Arc::clone(&self.app), self.client.clone());
            let table = opening::place(&app, board, plan, client, Vec::new()).await.map_err(Fault::from)?;
            self.commit(vec![Event::Next { table }], Vec::new()).await?;
        }
        Ok(self.snapshot())
    }

    /// Passes on what a player says: one of the phrases, or anything where the server's owner allows it.
    fn say(&mut self, asker: &Asker, words: &Words) -> Result<(), Fault> {
        let side = self.room.sides_of(asker).first().copied();
        let side =
            side.ok_or_else(|| Fault::new(StatusCode::FORBIDDEN, "this token has no seat at this table"))?;
        words.check(self.app.config.chat)?;
        if self.said_at[side].is_some_and(|at| at.elapsed() < words::PAUSE) {
            return Err(Fault::new(StatusCode::TOO_MANY_REQUESTS, "too many requests: wait a moment"));
        }
        self.said_at[side] = Some(Instant::now());
        drop(self.updates.send(Update::Chat(words.event(side))));
        Ok(())
    }

    async fn join(
        &mut self,
        asker: Asker,
        wanted: Option<Colour>,
        name: Option<String>,
    ) -> Result<Joined, Fault> {
        let seats = self.room.seats();
        let is_open =
            |side: &Colour| seats[*side].kind == Kind::Open && wanted.is_none_or(|seat| seat == *side);
        let seat = COLOURS.into_iter().find(is_open);
        let seat = seat.ok_or_else(|| Fault::new(StatusCode::CONFLICT, "no such seat is open"))?;
        if self.room.setup.rated && asker.account.is_none() {
            return Err(Fault::new(StatusCode::UNAUTHORIZED, "rated games need an account"));
        }
        if self.room.setup.rated && !self.room.sides_of(&asker).is_empty() {
            return Err(Fault::new(StatusCode::CONFLICT, "nobody plays a rated game against himself"));
        }
        let token = token::for_seat().map_err(Fault::random)?;
        let holder = Holder { token: Some(token::hash(&token)), account: asker.account.clone() };
        let name =
            name.or(asker.shown).map(|name| crate::names::parse(&name)).transpose()?.unwrap_or_default();
        let sat = Write::Seat {
            table: self.room.id.clone(),
            colour: seat,
            account: asker.account,
            name: name.clone(),
        };
        self.commit(vec![Event::Join { seat, name, holder }], vec![sat]).await?;
        self.read_ratings().await;
        self.count_presence();
        self.show();
        Ok(Joined { snapshot: self.snapshot(), seat, token })
    }

    async fn chosen(&mut self, number: u64, result: Result<String, String>) {
        let Some(thinking) = self.thinking.take_if(|thinking| thinking.number == number) else { return };
        let event = match result {
            Ok(mv) => self.room.move_event(mv, now_ms()),
            Err(reason) => {
                tracing::warn!(table = self.room.id, reason, "an engine could not move");
                Event::Forfeit { by: thinking.side, reason }
            }
        };
        if let Err(fault) = self.commit(vec![event], Vec::new()).await {
            tracing::error!(table = self.room.id, error = fault.message(), "an engine's move is not written");
        }
    }

    async fn abandon(&mut self) {
        if self.room.result().is_none()
            && let Err(fault) = self.commit(vec![Event::Abandon], Vec::new()).await
        {
            tracing::error!(table = self.room.id, error = fault.message(), "an abandoned game is not ended");
        }
    }

    async fn flag(&mut self, by: Colour) {
        if let Err(fault) = self.commit(vec![Event::Time { by }], Vec::new()).await {
            let error = fault.message();
            tracing::error!(table = self.room.id, error, "the end of a clock is not written");
        }
    }

    /// Tells those who watch what an engine thinks; called from the engine's thread.
    pub(super) fn thinking_text(side: Colour, thought: &Thought) -> Arc<str> {
        #[derive(serde::Serialize)]
        struct ThinkingEvent<'a> {
            event: &'static str,
            side: Colour,
            #[serde(flatten)]
            thought: &'a Thought,
        }
        let heard = ThinkingEvent { event: "thinking", side, thought };
        serde_json::to_string(&heard).expect("thoughts are plain data").into()
    }
}
