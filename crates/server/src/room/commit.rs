//! What a table does to make something true: in memory, on disk, and then for everybody.

use trilith_games::{Colour, End};

use super::actor::Actor;
use super::event::Event;
use super::seat::{COLOURS, Seat, Sides};
use super::thinking;
use crate::fault::Fault;
use crate::store::{Write, reads};
use crate::time::now_ms;

impl Actor {
    /// Makes `events` true, together with `more`: in memory, on disk, and for everybody who watches.
    pub(super) async fn commit(&mut self, events: Vec<Event>, more: Vec<Write>) -> Result<(), Fault> {
        let at = now_ms();
        let was_over = self.room.result().is_some();
        let mut writes = more;
        for (number, event) in events.iter().enumerate() {
            if let Err(fault) = self.room.apply(event, at) {
                self.is_spoilt = number > 0;
                return Err(fault);
            }
            writes.push(self.write(event, at));
        }
        let end = self.room.result();
        match (was_over, &end) {
            (false, Some(end)) => writes.extend(self.finish_writes(end.clone(), at)),
            (true, None) => writes.push(Write::Reopen { table: self.room.id.clone() }),
            _ => {}
        }
        let started = std::time::Instant::now();
        if let Err(error) = self.app.store.write(writes).await {
            tracing::error!(table = self.room.id, %error, "not written");
            self.is_spoilt = true;
            self.app.note_outage();
            return Err(Fault::from(error));
        }
        self.app.metrics.committed(started.elapsed());
        self.app.rated.note(&self.room);
        if matches!(events.last(), Some(Event::Move { .. })) {
            self.call_to_move();
        }
        if !was_over && let Some(end) = end {
            self.finished(end.winner).await;
        }
        thinking::consider(self);
        self.show();
        Ok(())
    }

    /// Tells an account that is somewhere else that it is its turn here.
    fn call_to_move(&self) {
        let side = self.room.view().to_move;
        let Seat { holder, .. } = &self.room.seats()[side];
        let is_away = !self.presence.connected[side] && self.room.has_two_people();
        if let (Some(account), true, true) = (&holder.account, is_away, self.room.is_running()) {
            let event =
                serde_json::json!({ "event": "turn", "table": self.room.id, "game": self.room.setup.game });
            self.app.lobby.tell(account, event);
        }
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

    fn finish_writes(&self, end: End, at: u64) -> Vec<Write> {
        let winner = end.winner;
        let mut writes = vec![Write::Finish { table: self.room.id.clone(), at, end }];
        let [black, white] = COLOURS.map(|side| self.room.seats()[side].holder.account.clone());
        if let (true, Some(black), Some(white)) = (self.is_counted(), black, white) {
            let game = self.room.setup.game.clone();
            writes.push(Write::Rate { game, accounts: [black, white], winner, at });
        }
        writes
    }

    /// Whether ratings change: who has not come, or has just looked in, has not played.
    fn is_counted(&self) -> bool {
        self.room.setup.rated && self.room.both_have_moved()
    }

    async fn finished(&mut self, winner: Option<Colour>) {
        self.app.metrics.finished();
        thinking::learn(self, winner);
        if self.is_counted() {
            let before = self.presence.ratings.clone();
            self.read_ratings().await;
            let change = |side: Colour| Some(self.presence.ratings[side]?.rating - before[side]?.rating);
            self.presence.changes = Sides::from_fn(change);
        }
        self.app.lobby_changed();
    }

    pub(super) async fn read_ratings(&mut self) {
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
}
