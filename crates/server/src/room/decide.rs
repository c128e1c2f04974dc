//! What a command means at a table: the events that follow, or why there are none.

use axum::http::StatusCode;
use trilith_arena::table::Table;
use trilith_games::{Colour, End};

use super::command::Command;
use super::event::Event;
use super::state::Room;
use crate::fault::Fault;
use crate::token::Asker;

impl Room {
    /// What happens if `asker` gives `command` at `now`. A move is checked only when it is applied.
    pub(crate) fn decide(&mut self, asker: &Asker, command: &Command, now: u64) -> Result<Vec<Event>, Fault> {
        let sides = self.sides_of(asker);
        // Who opens a table without sitting down decides only where nobody else does: two engines play.
        let is_owner = asker.hash.is_some()
            && asker.hash == self.setup.owner
            && self.seats.black.is_engine()
            && self.seats.white.is_engine();
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
            Command::Decline {} => match self.offer.or(self.takeback) {
                Some(_) => Ok(vec![Event::Decline]),
                None => Err(Fault::bad_request("no draw has been offered")),
            },
            Command::Takeback { .. } => self.decide_takeback(&sides),
            Command::Rematch {} => self.decide_rematch(&sides),
            Command::Resign { side } => self.decide_resign(&sides, *side),
            Command::Abort {} => self.decide_abort(&sides),
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
            Some(End { reason, .. }) => Err(Fault::bad_request(format!("the game has ended: {reason}"))),
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

    /// Between two people one asks and the other grants it.
    fn decide_takeback(&mut self, sides: &[Colour]) -> Result<Vec<Event>, Fault> {
        self.expect_running()?;
        if self.setup.rated {
            return Err(Fault::new(StatusCode::FORBIDDEN, "nothing is taken back in rated games"));
        }
        let own = |side: Colour| sides.contains(&side);
        match self.takeback {
            Some(by) if own(!by) => {
                let plies = self.steps_to_own_turn(&[by], |table| table.undo(), |table| table.redo());
                Ok(vec![Event::Undo { plies }])
            }
            Some(_) => Err(conflict("a move has been asked back already")),
            None if !self.has_two_people() => self.decide_undo(sides),
            None => {
                let &[by] = sides else {
                    return Err(Fault::new(StatusCode::FORBIDDEN, "this token has no seat at this table"));
                };
                let own_move = if self.view().to_move == by { 2 } else { 1 };
                if self.view().moves.len() < self.setup.moves.len() + own_move {
                    return Err(Fault::bad_request("no move has been played"));
                }
                Ok(vec![Event::Takeback { by }])
            }
        }
    }

    fn decide_rematch(&self, sides: &[Colour]) -> Result<Vec<Event>, Fault> {
        if self.result().is_none() {
            return Err(conflict("the game goes on"));
        }
        if self.next.is_some() {
            return Err(conflict("the next game has begun"));
        }
        Ok(sides.iter().map(|&by| Event::Rematch { by }).collect())
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
        if let Some(End { reason, .. }) = self.result() {
            return Err(Fault::bad_request(format!("the game has ended: {reason}")));
        }
        let to_move = self.view().to_move;
        let usual = sides.iter().copied().find(|&side| side == to_move).or(sides.first().copied());
        match wanted.or(usual) {
            Some(side) if sides.contains(&side) => Ok(vec![Event::Resign { by: side }]),
            _ => Err(Fault::new(StatusCode::FORBIDDEN, "nobody resigns for another")),
        }
    }

    fn decide_abort(&self, sides: &[Colour]) -> Result<Vec<Event>, Fault> {
        if let Some(End { reason, .. }) = self.result() {
            return Err(Fault::bad_request(format!("the game has ended: {reason}")));
        }
        if self.both_have_moved() {
            return Err(conflict("both have moved: resign, or offer a draw"));
        }
        let side = sides.first().copied();
        let side =
            side.ok_or_else(|| Fault::new(StatusCode::FORBIDDEN, "this token has no seat at this table"))?;
        Ok(vec![Event::Abort { by: side }])
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
}

fn conflict(error: impl Into<String>) -> Fault {
    Fault::new(StatusCode::CONFLICT, error)
}
