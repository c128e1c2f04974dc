//! Thinking on the opponent's time (S5): the engine goes on with the reply it expects, on a thread of its own.
//!
//! If the reply comes, the search that already runs gets the time of a move ([`Pondering::hit`]). If another comes, it
//! is stopped ([`Pondering::stop`]); what it learned stays in the table either way.

use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use trilith_eval::{Evaluator, Oracle};
use trilith_games::{Game, Record};

use super::Engine;
use crate::analysis::Analysis;
use crate::limits::{Control, Limits};

/// How often a waiting thread looks whether it should stop.
const GLANCE: Duration = Duration::from_micros(200);

/// An engine at work while its opponent thinks.
pub struct Pondering<G: Game, E, O> {
    record: Record<G>,
    control: Arc<Control>,
    thread: Option<JoinHandle<Thought<G, E, O>>>,
}

/// What a thread comes back with: the engine and what it has found.
type Thought<G, E, O> = (Engine<G, E, O>, Analysis<<G as Game>::Move>);

impl<G: Game, E: Evaluator<G> + 'static, O: Oracle<G> + 'static> Engine<G, E, O> {
    /// Thinks about `record`, a game that goes on after the reply that is expected, until told otherwise.
    pub fn ponder(mut self, record: Record<G>) -> Pondering<G, E, O> {
        let control = Arc::new(Control::default());
        let (expected, leash) = (record.clone(), Arc::clone(&control));
        let thread = thread::spawn(move || {
            let analysis = self.analyse(&expected, &Limits::default(), &leash, &mut |_| ());
            (self, analysis)
        });
        Pondering { record, control, thread: Some(thread) }
    }
}

impl<G: Game, E: Evaluator<G>, O: Oracle<G>> Pondering<G, E, O> {
    /// Whether `record` is the game that is being thought about.
    pub fn expects(&self, record: &Record<G>) -> bool {
        self.record.start() == record.start() && self.record.moves().eq(record.moves())
    }

    /// Ends the thinking, within milliseconds.
    pub fn stop(mut self) -> Engine<G, E, O> {
        self.control.stop();
        self.join().0
    }

    /// The expected reply came: thinks on for the time of a move, or until `control` is stopped, and answers. Limits
    /// without a time do not fit a search that already runs: they begin a new one.
    pub fn hit(mut self, limits: &Limits, control: &Control) -> (Engine<G, E, O>, Analysis<G::Move>) {
        let Some(time) = limits.soft().filter(|_| limits.depth.is_none() && limits.nodes.is_none()) else {
            let record = self.record.clone();
            let mut engine = self.stop();
            let analysis = engine.analyse(&record, limits, control, &mut |_| ());
            return (engine, analysis);
        };
        self.control.stop_after(time);
        while !self.thread.as_ref().is_none_or(JoinHandle::is_finished) {
            control.look_at_clock();
            if control.is_stopped() {
                self.control.stop();
            }
            thread::sleep(GLANCE);
        }
        self.join()
    }

    fn join(&mut self) -> Thought<G, E, O> {
        let thread = self.thread.take().expect("only taken by what consumes the pondering");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl<G: Game, E, O> Drop for Pondering<G, E, O> {
    /// Has the thread end by itself.
    fn drop(&mut self) {
        self.control.stop();
    }
}
