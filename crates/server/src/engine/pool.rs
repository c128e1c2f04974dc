//! Threads that engines think in: so many at a time, everybody in turn.
//!
//! Whoever was served longest ago is served next, and no client has all threads at once, so nobody can keep the
//! engines from others. Moves of games go before analyses, and analyses leave a thread to the games. All work has
//! a time after which it is told to stop.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;
use trilith_search::Control;

use crate::tables::lock;

/// On whose behalf an engine works: an account or an address.
pub(crate) type Client = Arc<str>;

/// What work is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// A move in a game, or a hint.
    Move,
    /// Everything that can wait.
    Analysis,
}

type Work = Box<dyn FnOnce(&Control) + Send>;

struct Waiting {
    number: u64,
    client: Client,
    class: Class,
    cap: Duration,
    control: Arc<Control>,
    work: Work,
}

#[derive(Default)]
struct State {
    /// Counts submissions and services.
    number: u64,
    waiting: Vec<Waiting>,
    running: HashMap<Client, usize>,
    analyses: usize,
    /// When each client was last served; forgotten when it has nothing any more.
    served: HashMap<Client, u64>,
    stopped: bool,
}

struct Shared {
    engines: usize,
    state: Mutex<State>,
    changed: Condvar,
}

/// The pool; when the last handle goes, its threads end after their work.
#[derive(Clone)]
pub(crate) struct Pool {
    shared: Arc<Shared>,
    _guard: Arc<Guard>,
}

struct Guard(Arc<Shared>);

impl Drop for Guard {
    fn drop(&mut self) {
        lock(&self.0.state).stopped = true;
        self.0.changed.notify_all();
    }
}

/// A place in the pool. Dropping it gives the place up, or stops the work under way.
pub(crate) struct Ticket {
    number: u64,
    control: Arc<Control>,
    shared: Arc<Shared>,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.control.stop();
        let gone = {
            let mut state = lock(&self.shared.state);
            let place = state.waiting.iter().position(|waiting| waiting.number == self.number);
            place.map(|place| state.waiting.swap_remove(place))
        };
        drop(gone);
    }
}

impl Pool {
    /// Starts `engines` threads, at least one.
    pub(crate) fn new(engines: usize) -> Pool {
        let engines = engines.max(1);
        let shared = Arc::new(Shared { engines, state: Mutex::default(), changed: Condvar::new() });
        for _ in 0..engines {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.serve());
        }
        Pool { _guard: Arc::new(Guard(Arc::clone(&shared))), shared }
    }

    /// Puts `work` into the queue; it is told to stop `cap` after it has begun.
    pub(crate) fn submit(
        &self,
        client: &Client,
        class: Class,
        cap: Duration,
        work: impl FnOnce(&Control) + Send + 'static,
    ) -> Ticket {
        let control = Arc::new(Control::default());
        let mut state = lock(&self.shared.state);
        state.number += 1;
        let number = state.number;
        let (client, work) = (Arc::clone(client), Box::new(work));
        state.waiting.push(Waiting { number, client, class, cap, control: Arc::clone(&control), work });
        drop(state);
        self.shared.changed.notify_one();
        Ticket { number, control, shared: Arc::clone(&self.shared) }
    }

    /// Does `work` and waits for it; none if it broke down. Stops when the future is dropped.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        client: &Client,
        class: Class,
        cap: Duration,
        work: impl FnOnce(&Control) -> T + Send + 'static,
    ) -> Option<T> {
        let (reply, done) = oneshot::channel();
        let _ticket = self.submit(client, class, cap, move |control| drop(reply.send(work(control))));
        done.await.ok()
    }

    /// How many wait and how many work, for the metrics.
    pub(crate) fn load(&self) -> (usize, usize) {
        let state = lock(&self.shared.state);
        (state.waiting.len(), state.running.values().sum())
    }
}

impl Shared {
    fn serve(&self) {
        while let Some(next) = self.next() {
            let Waiting { client, class, cap, control, work, .. } = next;
            control.stop_after(cap);
            // A mind that breaks down must not take the thread with it; its ticket hears nothing and knows.
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&control)));
            lock(&self.state).end(&client, class);
            self.changed.notify_all();
        }
    }

    /// Waits for work that may be begun.
    fn next(&self) -> Option<Waiting> {
        let mut state = lock(&self.state);
        loop {
            if state.stopped {
                return None;
            }
            if let Some(next) = state.begin(self.engines) {
                return Some(next);
            }
            state = self.changed.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }
}

impl State {
    /// The work that is next, if any may be begun.
    fn begin(&mut self, engines: usize) -> Option<Waiting> {
        // One thread is always left: for the others, and for the games.
        let most = engines.saturating_sub(1).max(1);
        let may = |waiting: &&Waiting| {
            self.running.get(&waiting.client).copied().unwrap_or(0) < most
                && (waiting.class == Class::Move || self.analyses < most)
        };
        let turn = |waiting: &&Waiting| {
            (waiting.class, self.served.get(&waiting.client).copied().unwrap_or(0), waiting.number)
        };
        let number = self.waiting.iter().filter(may).min_by_key(turn)?.number;
        let place = self.waiting.iter().position(|waiting| waiting.number == number)?;
        let next = self.waiting.swap_remove(place);
        self.number += 1;
        self.served.insert(Arc::clone(&next.client), self.number);
        *self.running.entry(Arc::clone(&next.client)).or_default() += 1;
        self.analyses += usize::from(next.class == Class::Analysis);
        Some(next)
    }

    fn end(&mut self, client: &Client, class: Class) {
        self.analyses -= usize::from(class == Class::Analysis);
        if let Some(running) = self.running.get_mut(client) {
            *running -= 1;
            if *running == 0 {
                self.running.remove(client);
                if !self.waiting.iter().any(|waiting| waiting.client == *client) {
                    self.served.remove(client);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::time::Instant;

    const LONG: Duration = Duration::from_secs(60);

    /// Work that lasts until it is told to stop.
    fn hold(control: &Control) {
        let start = Instant::now();
        while !control.is_stopped() && start.elapsed() < LONG {
            control.look_at_clock();
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn one_client_cannot_take_all_engines() {
        let pool = Pool::new(2);
        let (greedy, modest): (Client, Client) = ("greedy".into(), "modest".into());
        let _greed: Vec<_> = (0..20).map(|_| pool.submit(&greedy, Class::Move, LONG, hold)).collect();
        let (told, heard) = channel();
        let _modest = pool.submit(&modest, Class::Move, LONG, move |_| told.send(()).unwrap());
        heard.recv_timeout(Duration::from_secs(10)).unwrap();
    }

    #[test]
    fn clients_take_turns_even_on_one_thread() {
        let pool = Pool::new(1);
        let first = pool.submit(&"x".into(), Class::Move, LONG, hold);
        let (told, heard) = channel();
        let mut tickets = Vec::new();
        for (client, mark) in [("a", 'a'), ("a", 'A'), ("a", 'A'), ("b", 'b'), ("c", 'c')] {
            let told = told.clone();
            tickets.push(pool.submit(&client.into(), Class::Move, LONG, move |_| told.send(mark).unwrap()));
        }
        drop(first);
        let order: String = (0..5).map(|_| heard.recv_timeout(LONG).unwrap()).collect();
        assert_eq!(order, "abcAA");
    }

    #[test]
    fn games_go_before_analyses_which_never_have_all_threads() {
        let pool = Pool::new(2);
        let _held: Vec<_> =
            ["a", "b", "c"].map(|name| pool.submit(&name.into(), Class::Analysis, LONG, hold)).into();
        let (told, heard) = channel();
        let _move = pool.submit(&"d".into(), Class::Move, LONG, move |_| told.send(()).unwrap());
        heard.recv_timeout(Duration::from_secs(10)).unwrap();
    }

    #[test]
    fn work_is_stopped_by_time_and_by_its_ticket_and_a_panic_stays_alone() {
        let pool = Pool::new(1);
        let (told, heard) = channel();
        let done = move |mark| {
            let told = told.clone();
            move |control: &Control| {
                hold(control);
                told.send(mark).unwrap();
            }
        };
        let _broken = pool.submit(&"a".into(), Class::Move, LONG, |_| panic!("a mind breaks down"));
        let _timed = pool.submit(&"a".into(), Class::Move, Duration::from_millis(20), done(1));
        assert_eq!(heard.recv_timeout(LONG), Ok(1));
        let dropped = pool.submit(&"a".into(), Class::Move, LONG, done(2));
        thread::sleep(Duration::from_millis(20));
        drop(dropped);
        assert_eq!(heard.recv_timeout(LONG), Ok(2));
        assert_eq!(pool.load().0, 0);
    }
}
