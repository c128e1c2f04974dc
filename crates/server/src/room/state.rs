//! The state of a room: decides what a command means, and what each event changes.

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use trilith_arena::TableError;
use trilith_arena::table::{self, Table, View};
use trilith_games::Colour;

use super::clock::{Clock, ClockSetup};
use super::command::Command;
use super::event::Event;
use super::seat::{COLOURS, Kind, Seat, Sides};
use super::snapshot::{Presence, Snapshot};
use crate::engine::Situation;
use crate::fault::Fault;
use crate::store::Finish;
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
}

/// How a game has ended, by the rules or otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Verdict {
    pub(crate) winner: Option<Colour>,
    pub(crate) reason: String,
}

/// One table with everything around it. Changes only by [`Room::apply`].
pub(crate) struct Room {
    pub(crate) id: String,
    pub(crate) setup: Setup,
    pub(crate) created: u64,
    /// The number of the last event.
    pub(crate) seq: u64,
    table: Box<dyn Table>,
    seats: Sides<Seat>,
    clock: Option<Clock>,
    offer: Option<Colour>,
    /// An end that the rules do not know.
    over: Option<Verdict>,
    paused: bool,
}

impl Room {
    /// The room as it was opened, at `created`.
    pub(crate) fn new(id: String, setup: Setup, created: u64) -> Result<Room, TableError> {
        let mut table = table::open(&setup.game, &setup.rules, Some(&setup.start))?;
        for (number, mv) in setup.moves.iter().enumerate() {
            table.play(mv).map_err(|source| TableError::Move { ply: number + 1, source })?;
        }
        let (seats, clock) = (setup.seats.clone(), setup.clock.map(Clock::new));
        let mut room =
            Room { id, setup, created, seq: 0, table, seats, clock, offer: None, over: None, paused: false };
        room.run_clock(created);
        Ok(room)
    }

    /// What a person sees on the board.
    pub(crate) fn view(&self) -> View {
        self.table.view()
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
    pub(crate) fn result(&self) -> Option<Verdict> {
        let by_rules =
            || self.view().end.map(|end| Verdict { winner: end.winner, reason: end.reason.into() });
        self.over.clone().or_else(by_rules)
    }

    /// The same for the database.
    pub(crate) fn finish(&self, at: u64) -> Option<Finish> {
        self.result().map(|result| Finish { at, winner: result.winner, reason: result.reason })
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

    /// The clock, if there is one.
    pub(crate) fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// Time when nobody served the table is nobody's.
    pub(crate) fn forgive(&mut self, now: u64) {
        if let Some(clock) = &mut self.clock {
            clock.forgive(now);
        }
    }

    /// The game so far, for an engine.
    pub(crate) fn situation(&self) -> Situation {
        let Setup { game, rules, start, .. } = &self.setup;
        Situation {
            game: game.clone(),
            rules: rules.clone(),
            start: Some(start.clone()),
            moves: self.view().moves,
        }
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

    pub(super) fn offer(&self) -> Option<Colour> {
        self.offer
    }

    pub(super) fn is_paused(&self) -> bool {
        self.paused
    }

    /// What happens if `asker` gives `command` at `now`. A move is checked only when it is applied.
    pub(crate) fn decide(&mut self, asker: &Asker, command: &Command, now: u64) -> Result<Vec<Event>, Fault> {
        let sides = self.sides_of(asker);
        let is_owner = asker.hash.is_some() && asker.hash == self.setup.owner;
        if sides.is_empty() && !is_owner {
            return Err(match asker.hash {
                None => Fault::new(StatusCode::UNAUTHORIZED, "expected the token of a seat"),
                Some(_) => Fault::new(StatusCode::FORBIDDEN, "this token has no seat at this table"),
            });
        }
        self.check_ply(command.ply())?;
        match command {
            Command::Move { mv, .. } => self.decide_move(&sides, mv, now),
            Command::Undo { .. } => self.decide_undo(&sides),
            Command::Redo { .. } => self.decide_redo(&sides),
            Command::Draw { .. } => self.decide_draw(&sides),
            Command::Decline {} => match self.offer {
                Some(_) => Ok(vec![Event::Decline]),
                None => Err(Fault::bad_request("no draw has been offered")),
            },
            Command::Resign { side } => self.decide_resign(&sides, *side),
            Command::Pause {} | Command::Continue {} => self.decide_pause(command == &Command::Pause {}),
        }
    }

    fn check_ply(&self, ply: Option<usize>) -> Result<(), Fault> {
        let now = self.view().moves.len();
        match ply {
            Some(ply) if ply != now => Err(conflict(format!("the table is at ply {now}, not {ply}"))),
            _ => Ok(()),
        }
    }

    fn expect_running(&self) -> Result<(), Fault> {
        match self.result() {
            Some(Verdict { reason, .. }) => Err(Fault::bad_request(format!("the game has ended: {reason}"))),
            None if self.paused => Err(conflict("the game is paused")),
            None if !self.is_running() => Err(conflict("nobody sits at the other seat yet")),
            None => Ok(()),
        }
    }

    fn decide_move(&self, sides: &[Colour], mv: &str, now: u64) -> Result<Vec<Event>, Fault> {
        self.expect_running()?;
        let side = self.view().to_move;
        if !sides.contains(&side) {
            return Err(Fault::new(StatusCode::FORBIDDEN, format!("it is {side}'s turn, and not yours")));
        }
        if self.clock.as_ref().is_some_and(|clock| clock.left(side, now) == 0) {
            return Err(conflict("the time is over"));
        }
        Ok(vec![self.move_event(mv.into(), now)])
    }

    /// A move of the side to move, with what it leaves on the clock.
    pub(crate) fn move_event(&self, mv: String, now: u64) -> Event {
        let side = self.view().to_move;
        Event::Move {
            mv,
            left_ms: self.clock.as_ref().map(|clock| clock.left(side, now) + clock.increment()),
        }
    }

    /// Taking back is for one person alone, or against an engine; nothing that an agreement ended comes back.
    fn expect_revisable(&self) -> Result<(), Fault> {
        if self.setup.rated {
            return Err(Fault::new(StatusCode::FORBIDDEN, "nothing is taken back in rated games"));
        }
        if self.has_two_people() {
            return Err(Fault::new(StatusCode::FORBIDDEN, "nothing is taken back against another person"));
        }
        match &self.over {
            Some(over) => Err(Fault::bad_request(format!("the game has ended: {}", over.reason))),
            None => Ok(()),
        }
    }

    fn decide_undo(&mut self, sides: &[Colour]) -> Result<Vec<Event>, Fault> {
        self.expect_revisable()?;
        if self.view().moves.is_empty() {
            return Err(Fault::bad_request("no move has been played"));
        }
        let plies = self.steps_to_own_turn(sides, |table| table.undo(), |table| table.redo());
        Ok(vec![Event::Undo { plies }])
    }

    fn decide_redo(&mut self, sides: &[Colour]) -> Result<Vec<Event>, Fault> {
        self.expect_revisable()?;
        if self.view().undone == 0 {
            return Err(Fault::bad_request("no move has been taken back"));
        }
        let plies = self.steps_to_own_turn(sides, |table| table.redo(), |table| table.undo());
        Ok(vec![Event::Redo { plies }])
    }

    /// How many steps until one of `sides` is to move, or until there are no more. Tries it out and goes back.
    fn steps_to_own_turn(
        &mut self,
        sides: &[Colour],
        step: fn(&mut dyn Table) -> bool,
        back: fn(&mut dyn Table) -> bool,
    ) -> usize {
        let mut steps = 0;
        while step(&mut *self.table) {
            steps += 1;
            if sides.is_empty() || sides.contains(&self.table.view().to_move) {
                break;
            }
        }
        for _ in 0..steps {
            back(&mut *self.table);
        }
        steps
    }

    fn decide_draw(&self, sides: &[Colour]) -> Result<Vec<Event>, Fault> {
        self.expect_running()?;
        let own = |side: Colour| sides.contains(&side);
        match self.offer {
            Some(by) if own(!by) => Ok(vec![Event::Agree]),
            Some(_) => Err(conflict("a draw has been offered already")),
            None => match sides {
                [] => Err(Fault::new(StatusCode::FORBIDDEN, "this token has no seat at this table")),
                // Who plays both sides agrees with himself.
                [_, _] => Ok(vec![Event::Agree]),
                [side] if self.seats[!*side].is_engine() => {
                    Err(conflict("the engine plays on: it does not take draws"))
                }
                [side, ..] => Ok(vec![Event::Offer { by: *side }]),
            },
        }
    }

    fn decide_resign(&self, sides: &[Colour], wanted: Option<Colour>) -> Result<Vec<Event>, Fault> {
        if let Some(Verdict { reason, .. }) = self.result() {
            return Err(Fault::bad_request(format!("the game has ended: {reason}")));
        }
        let to_move = self.view().to_move;
        let usual = sides.iter().copied().find(|&side| side == to_move).or(sides.first().copied());
        match wanted.or(usual) {
            Some(side) if sides.contains(&side) => Ok(vec![Event::Resign { by: side }]),
            _ => Err(Fault::new(StatusCode::FORBIDDEN, "nobody resigns for another")),
        }
    }

    fn decide_pause(&self, pause: bool) -> Result<Vec<Event>, Fault> {
        if self.setup.rated || self.has_two_people() {
            return Err(Fault::new(StatusCode::FORBIDDEN, "a game between two is not paused"));
        }
        match (pause, self.paused) {
            (true, false) => Ok(vec![Event::Pause]),
            (false, true) => Ok(vec![Event::Continue]),
            (true, true) => Err(conflict("the game is paused already")),
            (false, false) => Err(conflict("the game is not paused")),
        }
    }

    /// Makes `event` true at `at`. A move may be refused, and then nothing has changed.
    pub(crate) fn apply(&mut self, event: &Event, at: u64) -> Result<(), Fault> {
        match event {
            Event::Move { mv, left_ms } => self.play(mv, *left_ms)?,
            Event::Undo { plies } => {
                for _ in 0..*plies {
                    self.table.undo();
                }
            }
            Event::Redo { plies } => {
                for _ in 0..*plies {
                    self.table.redo();
                }
            }
            Event::Offer { by } => self.offer = Some(*by),
            Event::Decline => self.offer = None,
            Event::Agree => self.end(None, "agreement"),
            Event::Resign { by } => self.end(Some(!*by), "resignation"),
            Event::Time { by } => self.end(Some(!*by), "time"),
            Event::Forfeit { by, reason } => self.end(Some(!*by), reason),
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
        // Who moves has heard an offer and does not want it.
        self.offer = self.offer.filter(|&by| by == side);
        if let (Some(clock), Some(left)) = (&mut self.clock, left_ms) {
            clock.run(None, 0);
            clock.set(side, left);
        }
        Ok(())
    }

    fn end(&mut self, winner: Option<Colour>, reason: &str) {
        self.offer = None;
        self.over = Some(Verdict { winner, reason: reason.into() });
    }

    fn run_clock(&mut self, at: u64) {
        let side = self.is_running().then(|| self.view().to_move);
        if let Some(clock) = &mut self.clock {
            clock.run(side, at);
        }
    }
}

fn conflict(error: impl Into<String>) -> Fault {
    Fault::new(StatusCode::CONFLICT, error)
}
