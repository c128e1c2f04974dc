//! The loop around every server: lines come in, thoughts come in, and lines that must wait do.

use std::collections::VecDeque;
use std::io::Read;
use std::thread;

use trilith_games::Game;
use trilith_search::Analysis;

use super::desk::{Channel, Desk, DeskEvent};
use super::lines::{InputLine, InputLines};
use crate::player::{Decision, PlayerFault};

/// What is to be done with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// It was answered.
    Done,
    /// It ends the session.
    Quit,
    /// It must wait until the player has come to its end.
    Wait,
    /// As `Wait`, and the player is stopped.
    Stop,
}

/// A protocol: what to say to lines and thoughts.
pub(crate) trait ProtocolServer<G: Game>: Send {
    /// Answers a line without spaces at its ends.
    fn line(&mut self, desk: &mut Desk<G>, line: &str) -> Flow;
    /// Answers a line that was too long.
    fn too_long(&mut self, desk: &mut Desk<G>);
    /// Hears what the player thinks.
    fn thought(&mut self, desk: &mut Desk<G>, analysis: &Analysis<G::Move>);
    /// Hears what a record is worth.
    fn value(&mut self, _desk: &mut Desk<G>, _number: usize, _value: f64) {}
    /// Hears that the player has come to its end.
    fn done(&mut self, desk: &mut Desk<G>, result: Result<Option<Decision<G::Move>>, PlayerFault>);
    /// Hears that no more lines will come: thinking without a limit has to stop.
    fn end(&mut self, desk: &mut Desk<G>);
}

/// A session, whatever the game and the protocol.
pub(crate) trait Served {
    /// Hears lines from `input` from now on.
    fn listen(&mut self, input: Box<dyn Read + Send>);
    /// Answers until the session ends.
    fn run(&mut self);
    /// Answers one line to the end; false when it ended the session.
    #[cfg(test)]
    fn hear(&mut self, line: &str) -> bool;
}

/// A server at its desk.
pub(crate) struct ServerSession<G: Game, S> {
    desk: Desk<G>,
    channel: Channel<G>,
    server: S,
    waiting: VecDeque<String>,
    ended: bool,
}

impl<G: Game, S: ProtocolServer<G>> ServerSession<G, S> {
    pub(crate) fn new(desk: Desk<G>, channel: Channel<G>, server: S) -> ServerSession<G, S> {
        ServerSession { desk, channel, server, waiting: VecDeque::new(), ended: false }
    }

    /// The same, whatever the game and the protocol.
    pub(crate) fn boxed(desk: Desk<G>, channel: Channel<G>, server: S) -> Box<dyn Served>
    where
        S: 'static,
    {
        Box::new(ServerSession::new(desk, channel, server))
    }

    /// Answers a line, or puts it off; false when it ends the session.
    fn line(&mut self, line: &str) -> bool {
        let flow = self.server.line(&mut self.desk, line.trim());
        match flow {
            Flow::Done => {}
            Flow::Quit => return false,
            Flow::Wait | Flow::Stop => self.waiting.push_front(line.to_owned()),
        }
        if flow == Flow::Stop {
            self.desk.stop();
        }
        true
    }

    fn event(&mut self, event: DeskEvent<G>) -> bool {
        match event {
            DeskEvent::Line(InputLine::Text(line)) if self.waiting.is_empty() => return self.line(&line),
            DeskEvent::Line(InputLine::Text(line)) => self.waiting.push_back(line),
            DeskEvent::Line(InputLine::TooLong) => self.server.too_long(&mut self.desk),
            DeskEvent::End => {
                self.ended = true;
                self.server.end(&mut self.desk);
            }
            DeskEvent::Thought(analysis) => self.server.thought(&mut self.desk, &analysis),
            DeskEvent::Value(number, value) => self.server.value(&mut self.desk, number, value),
            DeskEvent::Done(result) => {
                self.desk.rest();
                self.server.done(&mut self.desk, result);
            }
        }
        true
    }

    /// One step; false at the end of the session.
    fn step(&mut self) -> bool {
        if self.desk.is_deaf() {
            return false;
        }
        if !self.desk.is_thinking() {
            match self.waiting.pop_front() {
                Some(line) => return self.line(&line),
                None if self.ended => return false,
                None => {}
            }
        }
        match self.channel.heard.recv() {
            Ok(event) => self.event(event),
            Err(_) => false,
        }
    }
}

impl<G: Game, S: ProtocolServer<G>> Served for ServerSession<G, S> {
    fn listen(&mut self, input: Box<dyn Read + Send>) {
        let events = self.channel.events.clone();
        thread::spawn(move || {
            let heard = InputLines::new(input).map(DeskEvent::Line).all(|event| events.send(event).is_ok());
            if heard {
                let _ = events.send(DeskEvent::End);
            }
        });
    }

    fn run(&mut self) {
        while self.step() {}
    }

    #[cfg(test)]
    fn hear(&mut self, line: &str) -> bool {
        let mut going = self.event(DeskEvent::Line(InputLine::Text(line.into())));
        while going && (self.desk.is_thinking() || !self.waiting.is_empty()) {
            going = self.step();
        }
        going
    }
}
