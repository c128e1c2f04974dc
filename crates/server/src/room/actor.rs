//! A table that is being served: one task that hears messages one after another, so nothing at a table happens twice.
//!
//! Whatever changes is first tried in memory, then written, and only then shown or acknowledged. If writing fails,
//! the table is read again: memory never knows more than the disk.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::{Instant, sleep_until};
use trilith_games::Colour;

use super::command::Command;
use super::event::Event;
use super::seat::{COLOURS, Holder, Kind, Sides};
use super::snapshot::{Presence, Snapshot};
use super::state::Room;
use super::thinking::{self, Thinking};
use crate::app::App;
use crate::engine::{Client, Thought};
use crate::fault::Fault;
use crate::store::{Write, reads};
use crate::time::now_ms;
use crate::token::{self, Asker};

/// What those who watch a table hear.
#[derive(Clone)]
pub(crate) enum Update {
    Table(Arc<Snapshot>),
    /// JSON of what an engine thinks.
    Thinking(Arc<str>),
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
        reply: oneshot::Sender<(broadcast::Receiver<Update>, Arc<Snapshot>)>,
    },
    Leave {
        socket: u64,
    },
    /// An engine has decided.
    Chosen {
        number: u64,
        result: Result<String, String>,
    },
    /// Others need the room; go if nobody is there.
    Rest,
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
    presence: Presence,
}

impl Actor {
    /// Serves `room` from now on and gives its mailbox.
    pub(crate) fn start(app: Arc<App>, mut room: Room, client: Client) -> mpsc::UnboundedSender<Message> {
        let (mailbox, messages) = mpsc::unbounded_channel();
        room.forgive(now_ms());
        let actor = Actor {
            room,
            app,
            client,
            mailbox: mailbox.clone(),
            updates: broadcast::channel(BACKLOG).0,
            thinking: None,
            sockets: HashMap::new(),
            presence: Presence::default(),
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
            let wait = flag.map_or(IDLE, |(_, at)| Duration::from_millis(at.saturating_sub(now_ms())));
            let until = if flag.is_some() { Instant::now() + wait } else { idle_from + IDLE };
            tokio::select! {
                message = messages.recv() => {
                    let Some(message) = message else { return };
                    let must_rest = matches!(message, Message::Rest);
                    if !must_rest {
                        idle_from = Instant::now();
                    }
                    self.hear(message).await;
                    if must_rest && self.may_rest() && self.app.tables.let_go(&self.room.id, &messages) {
                        return;
                    }
                }
                () = sleep_until(until) => match flag {
                    Some((by, at)) if now_ms() >= at => self.flag(by).await,
                    Some(_) => {}
                    None => {
                        idle_from = Instant::now();
                        if self.may_rest() && self.app.tables.let_go(&self.room.id, &messages) {
                            return;
                        }
                    }
                },
            }
        }
    }

    fn may_rest(&self) -> bool {
        let runs = self.room.clock().is_some_and(|clock| clock.deadline().is_some());
        self.sockets.is_empty() && self.thinking.is_none() && !runs
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
                self.sockets.insert(socket, asker);
                self.count_presence();
                drop(reply.send((self.updates.subscribe(), self.snapshot())));
                self.show();
            }
            Message::Leave { socket } => {
                self.sockets.remove(&socket);
                self.count_presence();
                self.show();
            }
            Message::Chosen { number, result } => self.chosen(number, result).await,
            Message::Rest => {}
        }
    }

    /// Everything a client sees, now.
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        Arc::new(self.room.snapshot(now_ms(), &self.presence, self.thinking.is_some()))
    }

    fn show(&self) {
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
        Ok(self.snapshot())
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
        let name = name.or(asker.shown).map(|name| super::wish::clean_name(&name)).unwrap_or_default();
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
            tracing::error!(table = self.room.id, error = fault.message(), "an engine's move is lost");
            // The disk may be back in a moment; the engine then thinks again.
            tokio::time::sleep(Duration::from_secs(1)).await;
            thinking::consider(self);
        }
    }

    async fn flag(&mut self, by: Colour) {
        if let Err(fault) = self.commit(vec![Event::Time { by }], Vec::new()).await {
            tracing::error!(
                table = self.room.id,
                error = fault.message(),
                "the end of a clock is not written"
            );
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    /// Makes `events` true, together with `more`: in memory, on disk, and for everybody who watches.
    async fn commit(&mut self, events: Vec<Event>, more: Vec<Write>) -> Result<(), Fault> {
        let at = now_ms();
        let was_over = self.room.result().is_some();
        let mut writes = more;
        for event in &events {
            self.room.apply(event, at)?;
            writes.push(self.write(event, at));
        }
        let finish = self.room.finish(at);
        match (was_over, &finish) {
            (false, Some(finish)) => writes.extend(self.finish_writes(finish.clone())),
            (true, None) => writes.push(Write::Reopen { table: self.room.id.clone() }),
            _ => {}
        }
        let started = std::time::Instant::now();
        if let Err(error) = self.app.store.write(writes).await {
            tracing::error!(table = self.room.id, %error, "not written");
            self.reload().await;
            return Err(Fault::from(error));
        }
        self.app.metrics.committed(started.elapsed());
        if !was_over && let Some(finish) = finish {
            self.finished(finish.winner).await;
        }
        thinking::consider(self);
        self.show();
        Ok(())
    }

    fn write(&self, event: &Event, at: u64) -> Write {
        let moves = &self.room.view().moves;
        let plies = moves.len() as u64;
        // A move is kept as the rules write it, whatever the client wrote.
        let kept = match (event, moves.last().cloned()) {
            (&Event::Move { left_ms, .. }, Some(mv)) => serde_json::to_string(&Event::Move { mv, left_ms }),
            _ => serde_json::to_string(event),
        };
        let body = kept.expect("events are plain data");
        Write::Event { table: self.room.id.clone(), seq: self.room.seq, at, body, plies }
    }

    fn finish_writes(&self, finish: crate::store::Finish) -> Vec<Write> {
        let winner = finish.winner;
        let mut writes = vec![Write::Finish { table: self.room.id.clone(), finish }];
        let [black, white] = COLOURS.map(|side| self.room.seats()[side].holder.account.clone());
        if let (true, Some(black), Some(white)) = (self.room.setup.rated, black, white) {
            let game = self.room.setup.game.clone();
            writes.push(Write::Rate { game, accounts: [black, white], winner });
        }
        writes
    }

    async fn finished(&mut self, winner: Option<Colour>) {
        self.app.metrics.finished();
        thinking::learn(self, winner);
        if self.room.setup.rated {
            self.read_ratings().await;
        }
        self.app.lobby_changed();
    }

    async fn read_ratings(&mut self) {
        let game = self.room.setup.game.clone();
        let accounts = COLOURS.map(|side| self.room.seats()[side].holder.account.clone());
        if accounts == [None, None] {
            return;
        }
        let read = self.app.store.read(move |db| {
            let [black, white] = accounts.map(|account| match account {
                Some(account) => {
                    reads::rating(db, &account, &game).map(|rating| Some(rating.unwrap_or_default()))
                }
                None => Ok(None),
            });
            Ok(Sides { black: black?, white: white? })
        });
        if let Ok(ratings) = read.await {
            self.presence.ratings = ratings;
        }
    }

    /// Forgets what was not written.
    async fn reload(&mut self) {
        match crate::tables::load(&self.app.store, self.room.id.clone()).await {
            Ok(Some(room)) => {
                self.room = room;
                self.room.forgive(now_ms());
            }
            Ok(None) => tracing::error!(table = self.room.id, "a table has vanished from the database"),
            Err(error) => {
                tracing::error!(table = self.room.id, %error, "a table cannot be read again");
                self.app.tables.forget(&self.room.id);
            }
        }
        thinking::consider(self);
    }

    /// Tells those who watch what an engine thinks; called from the engine's thread.
    pub(super) fn thinking_text(side: Colour, thought: &Thought) -> Arc<str> {
        #[derive(serde::Serialize)]
        struct Heard<'a> {
            event: &'static str,
            side: Colour,
            #[serde(flatten)]
            thought: &'a Thought,
        }
        let heard = Heard { event: "thinking", side, thought };
        serde_json::to_string(&heard).expect("thoughts are plain data").into()
    }
}
