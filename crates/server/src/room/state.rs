//! The state of a room: decides what a command means, and what each event changes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use trilith_arena::TableError;
use trilith_arena::table::{self, Table, View};
use trilith_games::{Colour, End};

use super::clock::{Clock, ClockSetup};
use super::event::Event;
use super::seat::{COLOURS, Kind, Seat, Sides};
use super::snapshot::{Presence, Snapshot};
use crate::engine::Situation;
use crate::fault::Fault;
use crate::token::Asker;

/// A table as it was opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Setup {
    pub(crate) game: String,
    pub(crate) rules: String,
    /// The position before the first move.
    pub(crate) start: String,
    /// Moves that were there when it was opened.
    pub(crate) moves: Vec<String>,
    pub(crate) seats: Sides<Seat>,
    pub(crate) clock: Option<ClockSetup>,
    pub(crate) rated: bool,
    pub(crate) public: bool,
    /// The hash of the token of who has opened it.
    pub(crate) owner: Option<String>,
    /// How the game had ended before it was loaded, if not by the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) over: Option<End>,
}

/// What one side asked for and the other did not grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Declined {
    what: Asked,
    by: Colour,
}

/// What can be asked of the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Asked {
    Draw,
    Takeback,
}

/// One table with everything around it. Changes only by [`Room::apply`].
pub(crate) struct Room {
    pub(crate) id: String,
    pub(crate) setup: Setup,
    pub(crate) created: u64,
    /// The number of the last event.
    pub(crate) seq: u64,
    pub(super) table: Box<dyn Table>,
    /// What `table` shows, kept because it is asked for many times between two moves.
    view: Arc<View>,
    pub(super) seats: Sides<Seat>,
    pub(super) clock: Option<Clock>,
    pub(super) offer: Option<Colour>,
    /// Who asks for a move back.
    pub(super) takeback: Option<Colour>,
    /// What was last turned down, until somebody moves.
    pub(super) declined: Option<Declined>,
    /// Who wants to play again.
    pub(super) rematch: Sides<bool>,
    /// The game after this one.
    pub(super) next: Option<String>,
    /// An end that the rules do not know.
    pub(super) over: Option<End>,
    pub(super) paused: bool,
}

impl Room {
    /// The room as it was opened, at `created`.
    pub(crate) fn new(id: String, setup: Setup, created: u64) -> Result<Room, TableError> {
        let mut table = table::open(&setup.game, &setup.rules, Some(&setup.start))?;
        for (number, mv) in setup.moves.iter().enumerate() {
            table.play(mv).map_err(|source| TableError::Move { ply: number + 1, source })?;
        }
        let view = Arc::new(table.view());
        let (seats, clock) = (setup.seats.clone(), setup.clock.map(Clock::new));
        let over = setup.over.clone();
        let mut room = Room {
            id,
            setup,
            created,
            seq: 0,
            table,
            view,
            seats,
            clock,
            offer: None,
            takeback: None,
            declined: None,
            rematch: Sides::default(),
            next: None,
            over,
            paused: false,
        };
        room.run_clock(created);
        Ok(room)
    }

    /// What a person sees on the board.
    pub(crate) fn view(&self) -> &Arc<View> {
        &self.view
    }

    /// The table itself, to be read.
    pub(crate) fn table(&self) -> &dyn Table {
        &*self.table
    }

    /// Who sits where.
    pub(crate) fn seats(&self) -> &Sides<Seat> {
        &self.seats
    }

    /// The sides that `asker` may move for.
    pub(crate) fn sides_of(&self, asker: &Asker) -> Vec<Colour> {
        COLOURS.into_iter().filter(|&side| self.seats[side].holder.is(asker)).collect()
    }

    /// How the game has ended, if it has.
    pub(crate) fn result(&self) -> Option<End> {
        self.over.clone().or_else(|| self.view.end.as_ref().map(|score| score.end.clone()))
    }

    /// Whether somebody is to move: both sit, nothing has ended, nothing is paused.
    pub(crate) fn is_running(&self) -> bool {
        !self.paused
            && COLOURS.iter().all(|&side| self.seats[side].kind != Kind::Open)
            && self.result().is_none()
    }

    /// The engine's side, if an engine is to move.
    pub(crate) fn engine_to_move(&self) -> Option<Colour> {
        let side = self.view().to_move;
        (self.seats[side].is_engine() && self.is_running()).then_some(side)
    }

    /// Whether one of the server's engines plays here and the game goes on.
    pub(crate) fn has_engine(&self) -> bool {
        COLOURS.iter().any(|&side| self.seats[side].is_engine()) && self.is_running()
    }

    /// The clock, if there is one.
    pub(crate) fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// Time before `since`, when nobody could be served, is nobody's.
    pub(crate) fn forgive(&mut self, since: u64) {
        if let Some(clock) = &mut self.clock {
            clock.forgive(since);
        }
    }

    /// The game so far, for an engine.
    pub(crate) fn situation(&self) -> Situation {
        let Setup { game, rules, start, .. } = &self.setup;
        Situation {
            game: game.clone(),
            rules: rules.clone(),
            start: Some(start.clone()),
            moves: self.view.moves.clone(),
        }
    }

    /// Whether each side has made a move of its own at this table.
    pub(crate) fn both_have_moved(&self) -> bool {
        self.view.moves.len() >= self.setup.moves.len() + 2
    }

    /// Whether everybody wants to play again: engines and seats that nobody took always do.
    pub(crate) fn wants_rematch(&self) -> bool {
        let agrees = |side: Colour| self.rematch[side] || self.seats[side].kind != Kind::Human;
        self.next.is_none() && self.result().is_some() && COLOURS.into_iter().all(agrees)
    }

    /// The game as text: who played, when, and how it ended.
    pub(crate) fn text(&self) -> String {
        let named = |side: Colour, tag: &str| {
            let Seat { name, holder, .. } = &self.seats[side];
            let name = if name.is_empty() { holder.account.as_deref().unwrap_or("") } else { name };
            (!name.is_empty()).then(|| (tag.to_owned(), name.to_owned()))
        };
        let date = ("Date".to_owned(), crate::time::date(self.created));
        let tags: Vec<_> = [named(Colour::Black, "Black"), named(Colour::White, "White"), Some(date)]
            .into_iter()
            .flatten()
            .collect();
        self.table.text_with(self.over.as_ref(), &tags)
    }

    /// Whether two different people sit here: then nothing is taken back and nobody gets hints.
    pub(crate) fn has_two_people(&self) -> bool {
        let [black, white] = COLOURS.map(|side| &self.seats[side]);
        !black.is_engine() && !white.is_engine() && black.holder != white.holder
    }

    /// Everything clients see.
    pub(crate) fn snapshot(&self, now: u64, presence: &Presence, thinking: bool) -> Snapshot {
        Snapshot::new(self, now, presence, thinking)
    }

    /// Makes `event` true at `at`. A move may be refused, and then nothing has changed.
    pub(crate) fn apply(&mut self, event: &Event, at: u64) -> Result<(), Fault> {
        match event {
            Event::Move { mv, left_ms } => self.play(mv, *left_ms)?,
            Event::Undo { plies } => {
                for _ in 0..*plies {
                    self.table.undo();
                }
                self.view = Arc::new(self.table.view());
                (self.takeback, self.declined) = (None, None);
            }
            Event::Redo { plies } => {
                for _ in 0..*plies {
                    self.table.redo();
                }
                self.view = Arc::new(self.table.view());
            }
            Event::Offer { by } => (self.offer, self.declined) = (Some(*by), None),
            Event::Takeback { by } => (self.takeback, self.declined) = (Some(*by), None),
            Event::Decline => {
                let draw = self.offer.take().map(|by| Declined { what: Asked::Draw, by });
                let takeback = self.takeback.take().map(|by| Declined { what: Asked::Takeback, by });
                self.declined = draw.or(takeback);
            }
            Event::Rematch { by } => self.rematch[*by] = true,
            Event::Next { table } => self.next = Some(table.clone()),
            Event::Agree => self.end(None, "agreement"),
            Event::Resign { by } => self.end(Some(!*by), "resignation"),
            Event::Time { by } => self.end(Some(!*by), "time"),
            Event::Forfeit { by, reason } => self.end(Some(!*by), reason),
            Event::Abort { .. } => self.end(None, "aborted"),
            Event::Abandon => self.end(None, "abandoned"),
            Event::Join { seat, name, holder } => {
                let (name, holder) = (name.clone(), holder.clone());
                self.seats[*seat] = Seat { kind: Kind::Human, name, spec: None, holder };
            }
            Event::Pause => self.paused = true,
            Event::Continue => self.paused = false,
        }
        self.seq += 1;
        self.run_clock(at);
        Ok(())
    }

    fn play(&mut self, mv: &str, left_ms: Option<u64>) -> Result<(), Fault> {
        let side = self.view().to_move;
        self.table.play(mv)?;
        self.view = Arc::new(self.table.view());
        // Who moves has heard an offer and does not want it.
        self.offer = self.offer.filter(|&by| by == side);
        (self.takeback, self.declined) = (None, None);
        if let (Some(clock), Some(left)) = (&mut self.clock, left_ms) {
            clock.run(None, 0);
            clock.set(side, left);
        }
        Ok(())
    }

    fn end(&mut self, winner: Option<Colour>, reason: &str) {
        (self.offer, self.takeback, self.declined) = (None, None, None);
        self.over = Some(End::new(winner, reason.to_owned()));
    }

    /// Clocks start with the first move made at this table: until then nobody loses time, and both may go.
    fn run_clock(&mut self, at: u64) {
        let has_begun = self.view.moves.len() > self.setup.moves.len();
        let side = (has_begun && self.is_running()).then(|| self.view().to_move);
        if let Some(clock) = &mut self.clock {
            clock.run(side, at);
        }
    }
}
