//! Rated games that go on: their players get no analysis of them until they have ended.
//!
//! Who asks is known by the token of an account or seat, or by the address that a seat's holder was last seen at. What is
//! asked about is compared with the game: its moves so far, what comes before or after them, or the same position set up.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use axum::http::StatusCode;

use super::question;
use crate::caller::Caller;
use crate::engine::Situation;
use crate::fault::Fault;
use crate::room::{Holder, Room};
use crate::tables::lock;
use crate::token::Asker;

/// Fewer moves than this are everybody's: every game of its kind begins so.
const LEAST_PLIES: usize = 2;

/// All rated games that go on, by table.
#[derive(Default)]
pub(crate) struct RatedGames(Mutex<HashMap<String, RatedGame>>);

struct RatedGame {
    situation: Situation,
    position: String,
    holders: [Holder; 2],
    /// Where holders of its seats have been seen.
    addresses: HashSet<String>,
}

impl RatedGame {
    fn is_played_by(&self, asker: &Asker, address: &str) -> bool {
        self.holders.iter().any(|holder| holder.is(asker)) || self.addresses.contains(address)
    }

    fn is_about(&self, asked: &Situation, position: &str) -> bool {
        let (own, other) = (&self.situation.moves, &asked.moves);
        if self.situation.game != asked.game || own.len() < LEAST_PLIES {
            return false;
        }
        let from_usual = asked.start.is_none() || asked.start == self.situation.start;
        let shares = other.len() >= LEAST_PLIES && (own.starts_with(other) || other.starts_with(own));
        position == self.position || (from_usual && shares)
    }
}

impl RatedGames {
    /// Takes note of how a room stands; only rated games that go on are kept.
    pub(crate) fn note(&self, room: &Room) {
        if !room.setup.rated {
            return;
        }
        let mut games = lock(&self.0);
        if room.result().is_some() {
            games.remove(&room.id);
            return;
        }
        let seats = room.seats();
        let game = RatedGame {
            situation: room.situation(),
            position: room.view().position.clone(),
            holders: [seats.black.holder.clone(), seats.white.holder.clone()],
            addresses: games.remove(&room.id).map(|game| game.addresses).unwrap_or_default(),
        };
        games.insert(room.id.clone(), game);
    }

    /// `asker` is at a table, from this address.
    pub(crate) fn present(&self, table: &str, asker: &Asker, address: &str) {
        if let Some(game) = lock(&self.0).get_mut(table)
            && game.holders.iter().any(|holder| holder.is(asker))
        {
            game.addresses.insert(address.to_owned());
        }
    }

    /// Refuses an analysis of a rated game that goes on to those who play it.
    pub(crate) fn check(&self, caller: &Caller, asked: &Situation) -> Result<(), Fault> {
        let is_mine = |game: &&RatedGame| game.is_played_by(&caller.asker, &caller.address);
        if lock(&self.0).values().find(is_mine).is_none() {
            return Ok(());
        }
        let position = question::table(asked)?.view().position;
        let games = lock(&self.0);
        let is_closed = games.values().filter(is_mine).any(|game| game.is_about(asked, &position));
        match is_closed {
            true => Err(Fault::new(
                StatusCode::FORBIDDEN,
                "you play this rated game: analysis opens when it has ended",
            )),
            false => Ok(()),
        }
    }
}
