//! What every server has on its desk: the game so far, a player that thinks on a thread of its own, the way out.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use trilith_base::Seed;
use trilith_games::{Game, Record};
use trilith_search::{Analysis, Control, Limits};

use super::lines::InputLine;
use crate::player::{Decision, KINDS, Player, PlayerError, PlayerFault, Turn};
use crate::spec::PlayerSpec;

/// What a server hears.
pub(crate) enum DeskEvent<G: Game> {
    /// From the driver.
    Line(InputLine),
    /// The driver says no more.
    End,
    /// From the player, on its way to a decision.
    Thought(Analysis<G::Move>),
    /// From the player: the value of a record for its side to move, by number.
    Value(usize, f64),
    /// The player has come to its end; a decision if it was asked for one.
    Done(Result<Option<Decision<G::Move>>, PlayerFault>),
}

/// What a player is to do.
enum Job<G: Game> {
    /// Take this player from now on.
    Seat(Box<dyn Player<G>>),
    Choose(Record<G>, Limits, Arc<Leash>),
    /// The value of each record, the last one first.
    Values(Vec<Record<G>>, Limits, Arc<Leash>),
}

/// Stops a player that may be at its first or at a later search: each has a control, and so a time, of its own.
#[derive(Default)]
struct Leash {
    stopped: AtomicBool,
    control: Mutex<Arc<Control>>,
}

impl Leash {
    fn control(&self) -> Arc<Control> {
        self.control.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn stop(&self) {
        self.stopped.store(true, SeqCst);
        self.control().stop();
    }

    /// The control of the next search; stopped if all are to stop.
    fn renew(&self) -> Arc<Control> {
        let control = Arc::<Control>::default();
        *self.control.lock().unwrap_or_else(PoisonError::into_inner) = control.clone();
        if self.stopped.load(SeqCst) {
            control.stop();
        }
        control
    }
}

/// Makes a player.
pub(crate) type Maker<G> = fn(&PlayerSpec, Seed) -> Result<Box<dyn Player<G>>, PlayerError>;

/// The game, the player, the way out.
pub(crate) struct Desk<G: Game> {
    /// The game so far.
    pub(crate) record: Record<G>,
    spec: PlayerSpec,
    /// What the seated player was made from: `spec`, or that with more lines.
    seated: PlayerSpec,
    seed: Seed,
    maker: Maker<G>,
    jobs: Option<Sender<Job<G>>>,
    worker: Option<JoinHandle<()>>,
    leash: Arc<Leash>,
    thinking: bool,
    output: Box<dyn Write + Send>,
    deaf: bool,
}

impl<G: Game> Desk<G> {
    /// A desk, and where its player will be heard.
    pub(crate) fn open(
        record: Record<G>,
        spec: PlayerSpec,
        seed: Seed,
        maker: Maker<G>,
        output: Box<dyn Write + Send>,
    ) -> Result<(Desk<G>, Channel<G>), PlayerError> {
        let player = maker(&spec, seed)?;
        let (events, heard) = channel();
        let (jobs, orders) = channel();
        let voice = events.clone();
        let worker = thread::spawn(move || work(player, &orders, &voice));
        let desk = Desk {
            record,
            seated: spec.clone(),
            spec,
            seed,
            maker,
            jobs: Some(jobs),
            worker: Some(worker),
            leash: Arc::default(),
            thinking: false,
            output,
            deaf: false,
        };
        Ok((desk, Channel { events, heard }))
    }

    /// Says a line. If nobody listens any more the session ends.
    pub(crate) fn say(&mut self, line: &str) {
        let said = writeln!(self.output, "{line}").and_then(|()| self.output.flush());
        if said.is_err() {
            self.deaf = true;
            self.leash.stop();
        }
    }

    /// Whether nobody listens any more.
    pub(crate) fn is_deaf(&self) -> bool {
        self.deaf
    }

    /// Whether the player is at work.
    pub(crate) fn is_thinking(&self) -> bool {
        self.thinking
    }

    /// Has the player decide; a thinking player must have come to its end before.
    pub(crate) fn think(&mut self, limits: Limits) {
        let leash = self.begin();
        self.order(Job::Choose(self.record.clone(), limits, leash));
    }

    /// Has the player say what each record is worth; none of them has ended.
    pub(crate) fn value(&mut self, records: Vec<Record<G>>, limits: Limits) {
        let leash = self.begin();
        self.order(Job::Values(records, limits, leash));
    }

    fn begin(&mut self) -> Arc<Leash> {
        self.thinking = true;
        self.leash = Arc::default();
        self.leash.clone()
    }

    fn order(&self, job: Job<G>) {
        // Fails only if the worker is gone, which it is not before the desk.
        let _ = self.jobs.as_ref().map(|jobs| jobs.send(job));
    }

    /// Has the player come to its end as soon as it can.
    pub(crate) fn stop(&self) {
        self.leash.stop();
    }

    /// Has the player come to its end in `time`.
    pub(crate) fn stop_after(&self, time: Duration) {
        self.leash.control().stop_after(time);
    }

    /// The player has come to its end.
    pub(crate) fn rest(&mut self) {
        self.thinking = false;
    }

    /// Who plays.
    pub(crate) fn player(&self) -> &PlayerSpec {
        &self.spec
    }

    /// Whether the player has an option of that name.
    pub(crate) fn has_option(&self, key: &str) -> bool {
        KINDS.iter().any(|kind| kind.name == self.spec.name && kind.options.contains(&key))
    }

    /// Another player from now on; none is thinking.
    pub(crate) fn set_player(&mut self, spec: PlayerSpec) -> Result<(), PlayerError> {
        self.seat(spec.clone())?;
        self.spec = spec;
        Ok(())
    }

    /// The same player with another value of an option.
    pub(crate) fn set_option(&mut self, key: &str, value: &str) -> Result<(), PlayerError> {
        self.set_player(with(&self.spec, key, value))
    }

    /// A player that remembers nothing of the game before.
    pub(crate) fn forget(&mut self) {
        // It was made once from the same spec. If its file is gone by now the old one stays.
        let _ = self.seat(self.spec.clone());
    }

    /// Has the player find so many lines, if it can.
    pub(crate) fn set_lines(&mut self, lines: usize) {
        let wanted = match lines > 1 && self.has_option("lines") {
            true => with(&self.spec, "lines", &lines.min(512).to_string()),
            false => self.spec.clone(),
        };
        if wanted != self.seated {
            let _ = self.seat(wanted);
        }
    }

    fn seat(&mut self, spec: PlayerSpec) -> Result<(), PlayerError> {
        self.order(Job::Seat((self.maker)(&spec, self.seed)?));
        self.seated = spec;
        Ok(())
    }
}

impl<G: Game> Drop for Desk<G> {
    /// Waits for the player, so that it can clear up: it may have a program of its own to end.
    fn drop(&mut self) {
        self.leash.stop();
        self.jobs = None;
        let _ = self.worker.take().map(JoinHandle::join);
    }
}

/// Where a server hears its driver and its player.
pub(crate) struct Channel<G: Game> {
    pub(crate) events: Sender<DeskEvent<G>>,
    pub(crate) heard: Receiver<DeskEvent<G>>,
}

fn with(spec: &PlayerSpec, key: &str, value: &str) -> PlayerSpec {
    let mut spec = spec.clone();
    spec.options.retain(|(name, _)| name != key);
    spec.options.push((key.into(), value.into()));
    spec
}

fn work<G: Game>(mut player: Box<dyn Player<G>>, orders: &Receiver<Job<G>>, voice: &Sender<DeskEvent<G>>) {
    // Nobody hears after the desk is gone; then the orders end too.
    let say = |event| drop(voice.send(event));
    for job in orders {
        let result = catch_unwind(AssertUnwindSafe(|| match job {
            Job::Seat(next) => {
                player = next;
                None
            }
            Job::Choose(record, limits, leash) => {
                let turn = Turn { control: &leash.control(), limits };
                let decision =
                    player.choose(&record, turn, &mut |thought| say(DeskEvent::Thought(thought.clone())));
                Some(decision.map(Some))
            }
            Job::Values(records, limits, leash) => {
                Some(values(player.as_mut(), &records, limits, &leash, &say).map(|()| None))
            }
        }));
        let broken =
            || Some(Err(PlayerFault::Start { program: "player".into(), reason: "it broke down".into() }));
        if let Some(result) = result.unwrap_or_else(|_| broken()) {
            say(DeskEvent::Done(result));
        }
    }
}

fn values<G: Game>(
    player: &mut dyn Player<G>,
    records: &[Record<G>],
    limits: Limits,
    leash: &Leash,
    say: &impl Fn(DeskEvent<G>),
) -> Result<(), PlayerFault> {
    for (number, record) in records.iter().enumerate().rev() {
        let control = leash.renew();
        if control.is_stopped() {
            break;
        }
        let decision = player.choose(record, Turn { control: &control, limits }, &mut |_| ())?;
        say(DeskEvent::Value(number, decision.analysis.map_or(0.0, |analysis| units(&analysis))));
    }
    Ok(())
}

/// The value of the best line in whole units.
pub(crate) fn units<M: Copy>(analysis: &Analysis<M>) -> f64 {
    f64::from(analysis.value()) / f64::from(analysis.unit.one)
}
