//! What clients see of a table: the same in every answer and every event.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use trilith_arena::table::View;
use trilith_games::{Board, Colour, End};

use super::clock::ClockView;
use super::seat::{COLOURS, Holder, Kind, Sides};
use super::state::{Declined, Room};
use crate::arena::glicko::GlickoRating;
use crate::token::Asker;

/// Who is there, as far as open connections tell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Presence {
    pub(crate) connected: Sides<bool>,
    pub(crate) spectators: usize,
    /// What accounts at the table are rated.
    pub(crate) ratings: Sides<Option<GlickoRating>>,
    /// How much the game that has just ended changed that.
    pub(crate) changes: Sides<Option<f64>>,
    /// Whether players may write to each other, not only say phrases.
    pub(crate) chat: bool,
}

/// A seat without what proves who holds it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct SeatView {
    kind: Kind,
    name: String,
    spec: Option<String>,
    account: Option<String>,
    rating: Option<GlickoRating>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating_change: Option<f64>,
    connected: bool,
}

/// A table as everybody may see it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Snapshot {
    id: String,
    #[serde(serialize_with = "inner")]
    view: Arc<View>,
    players: Sides<SeatView>,
    clock: Option<ClockView>,
    offer: Option<Colour>,
    takeback: Option<Colour>,
    declined: Option<Declined>,
    rematch: Sides<bool>,
    next: Option<String>,
    chat: bool,
    /// The position before the first move.
    start: String,
    result: Option<End>,
    thinking: bool,
    paused: bool,
    rated: bool,
    public: bool,
    spectators: usize,
    share: Sides<Option<String>>,
    created: u64,
    event: u64,
    #[serde(skip)]
    holders: Sides<Holder>,
}

/// A snapshot with what the one who asks may do.
#[derive(Debug, Serialize)]
pub(crate) struct AskerView<'a> {
    #[serde(flatten)]
    snapshot: &'a Snapshot,
    seats: Vec<Colour>,
}

/// What HTTP requests are answered with: the geometry too, and tokens where seats were given.
#[derive(Debug, Serialize)]
pub(crate) struct BoardAnswer {
    pub(crate) board: Board,
    #[serde(flatten, serialize_with = "inner")]
    snapshot: Arc<Snapshot>,
    seats: Vec<Colour>,
    /// The seat just taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seat: Option<Colour>,
    /// The token of who has opened or joined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<String>,
    /// The seats it is good for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tokens: Option<Sides<Option<String>>>,
}

fn inner<T: Serialize, S: Serializer>(shared: &Arc<T>, serializer: S) -> Result<S::Ok, S::Error> {
    (**shared).serialize(serializer)
}

impl BoardAnswer {
    /// As `asker` sees it.
    pub(crate) fn new(board: Board, snapshot: Arc<Snapshot>, asker: &Asker) -> BoardAnswer {
        let seats = snapshot.sides_of(asker);
        BoardAnswer { board, snapshot, seats, seat: None, token: None, tokens: None }
    }
}

impl Snapshot {
    pub(super) fn new(room: &Room, now: u64, presence: &Presence, thinking: bool) -> Snapshot {
        let seats = room.seats();
        let seat = |side: Colour| SeatView {
            kind: seats[side].kind,
            name: seats[side].name.clone(),
            spec: seats[side].spec.clone(),
            account: seats[side].holder.account.clone(),
            rating: presence.ratings[side],
            rating_change: presence.changes[side],
            connected: seats[side].is_engine() || presence.connected[side],
        };
        Snapshot {
            id: room.id.clone(),
            view: Arc::clone(room.view()),
            players: Sides::from_fn(seat),
            clock: room.clock().map(|clock| clock.view(now)),
            offer: room.offer,
            takeback: room.takeback,
            declined: room.declined,
            rematch: room.rematch.clone(),
            next: room.next.clone(),
            chat: presence.chat,
            start: room.setup.start.clone(),
            result: room.result(),
            thinking,
            paused: room.paused,
            rated: room.setup.rated,
            public: room.setup.public,
            spectators: presence.spectators,
            share: Sides::from_fn(|side| (seats[side].kind == Kind::Open).then(|| room.id.clone())),
            created: room.created,
            event: room.seq,
            holders: Sides::from_fn(|side| seats[side].holder.clone()),
        }
    }

    /// As `asker` sees it.
    pub(crate) fn seen_by(&self, asker: &Asker) -> AskerView<'_> {
        AskerView { snapshot: self, seats: self.sides_of(asker) }
    }

    fn sides_of(&self, asker: &Asker) -> Vec<Colour> {
        COLOURS.into_iter().filter(|&side| self.holders[side].is(asker)).collect()
    }
}
