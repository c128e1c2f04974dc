//! Threads that engines think in: so many at a time, everybody in turn.
//!
//! Next is who has had the least of the engines lately, short work before long. No address has all threads at once. Moves of
//! games go before analyses, and analyses leave a thread to the games. All work has a time after which it is told to stop; it
//! gets only a slice if somebody waits who could go on in its place, and answers with what it has by then.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use trilith_search::Control;

use super::client::{Client, Ledger};
use crate::tables::lock;
use crate::time::now_ms;

/// What work is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// A move in a game, or a hint.
    Move,
    /// Everything that can wait.
    Analysis,
}

/// What work gets while others wait.
const SLICE: Duration = Duration::from_secs(4);
/// What it gets when its client has used up the day's budget: enough to go on playing, not to think.
const POOR: Duration = Duration::from_millis(100);

/// How long work may take, and is thought to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// After which it is told to stop.
    pub(crate) cap: Duration,
    /// What it will probably need.
    pub(crate) expected: Duration,
}

impl From<Duration> for Span {
    fn from(cap: Duration) -> Span {
        Span { cap, expected: cap }
    }
}

type Work = Box<dyn FnOnce(&Control) + Send>;

struct Waiting {
    number: u64,
    client: Client,
    class: Class,
    span: Span,
    control: Arc<Control>,
    work: Work,
}

struct Running {
    number: u64,
    client: Client,
    class: Class,
    began: Instant,
    control: Arc<Control>,
}

#[derive(Default)]
struct PoolState {
    /// Counts submissions and services.
    number: u64,
    waiting: Vec<Waiting>,
    running: Vec<Running>,
    ledger: Ledger,
    /// When each address was last served; forgotten when it has nothing any more.
    served: HashMap<Arc<str>, u64>,
    stopped: bool,
}

struct Shared {
    engines: usize,
    /// Engine time a day, for an address and for an account.
    budget: Duration,
    state: Mutex<PoolState>,
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
    /// Starts `engines` threads, at least one; nobody has more than `budget` of them a day.
    pub(crate) fn new(engines: usize, budget: Duration) -> Pool {
        let engines = engines.max(1);
        let shared = Arc::new(Shared { engines, budget, state: Mutex::default(), changed: Condvar::new() });
        for _ in 0..engines {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.serve());
        }
        Pool { _guard: Arc::new(Guard(Arc::clone(&shared))), shared }
    }

    /// Puts `work` into the queue; it is told to stop when its span is over after it has begun.
    pub(crate) fn submit(
        &self,
        client: &Client,
        class: Class,
        span: impl Into<Span>,
        work: impl FnOnce(&Control) + Send + 'static,
    ) -> Ticket {
        let control = Arc::new(Control::default());
        let mut state = lock(&self.shared.state);
        state.number += 1;
        let number = state.number;
        let (client, span, work) = (client.clone(), span.into(), Box::new(work));
        state.waiting.push(Waiting { number, client, class, span, control: Arc::clone(&control), work });
        state.cut(self.shared.engines);
        drop(state);
        self.shared.changed.notify_one();
        Ticket { number, control, shared: Arc::clone(&self.shared) }
    }

    /// Does `work` and waits for it; none if it broke down. Stops when the future is dropped.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        client: &Client,
        class: Class,
        span: impl Into<Span>,
        work: impl FnOnce(&Control) -> T + Send + 'static,
    ) -> Option<T> {
        let (reply, done) = oneshot::channel();
        let _ticket = self.submit(client, class, span, move |control| drop(reply.send(work(control))));
        done.await.ok()
    }

    /// How many wait and how many work, for the metrics.
    pub(crate) fn load(&self) -> (usize, usize) {
        let state = lock(&self.shared.state);
        (state.waiting.len(), state.running.len())
    }
}

impl Shared {
    fn serve(&self) {
        while let Some((work, number, control)) = self.next() {
            // A mind that panics must not take the thread with it.
            let work = std::panic::AssertUnwindSafe(|| work(&control));
            drop(std::panic::catch_unwind(work));
            lock(&self.state).end(number);
            self.changed.notify_all();
        }
    }

    fn next(&self) -> Option<(Work, u64, Arc<Control>)> {
        let mut state = lock(&self.state);
        loop {
            if state.stopped {
                return None;
            }
            if let Some(next) = state.begin(self.engines, self.budget) {
                state.cut(self.engines);
                return Some(next);
            }
            state = self.changed.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }
}

impl PoolState {
    /// Whether work may be begun beside what runs, `without` left out. One thread is always left: for other addresses,
    /// and for the games.
    fn may(&self, waiting: &Waiting, engines: usize, without: Option<u64>) -> bool {
        let most = engines.saturating_sub(1).max(1);
        let running = || self.running.iter().filter(|running| Some(running.number) != without);
        let is_own = |running: &&Running| {
            running.client.address == waiting.client.address && running.class == waiting.class
        };
        running().count() < engines
            && running().filter(is_own).count() < most
            && (waiting.class == Class::Move
                || running().filter(|running| running.class == Class::Analysis).count() < most)
    }

    /// Lets what others wait for run no longer than its slice.
    fn cut(&self, engines: usize) {
        for running in &self.running {
            let could_go_on = |waiting: &Waiting| {
                waiting.class <= running.class
                    && !self.may(waiting, engines, None)
                    && self.may(waiting, engines, Some(running.number))
            };
            if self.waiting.iter().any(could_go_on) {
                running.control.stop_after(SLICE.saturating_sub(running.began.elapsed()));
            }
        }
    }

    /// The work that is next, if any may be begun.
    fn begin(&mut self, engines: usize, budget: Duration) -> Option<(Work, u64, Arc<Control>)> {
        let now = now_ms();
        let turn = |waiting: &&Waiting| {
            let wanted = self.ledger.recent(&waiting.client, now) + waiting.span.expected.as_millis() as u64;
            let served = self.served.get(&waiting.client.address).copied().unwrap_or(0);
            (waiting.class, wanted, served, waiting.number)
        };
        let allowed = self.waiting.iter().filter(|waiting| self.may(waiting, engines, None));
        let number = allowed.min_by_key(turn)?.number;
        let place = self.waiting.iter().position(|waiting| waiting.number == number)?;
        let Waiting { client, class, span, control, work, .. } = self.waiting.swap_remove(place);
        let is_poor = self.ledger.has_spent(&client, budget, now);
        control.stop_after(if is_poor { span.cap.min(POOR) } else { span.cap });
        self.number += 1;
        self.served.insert(Arc::clone(&client.address), self.number);
        let (began, shared) = (Instant::now(), Arc::clone(&control));
        self.running.push(Running { number, client, class, began, control: shared });
        Some((work, number, control))
    }

    fn end(&mut self, number: u64) {
        let Some(place) = self.running.iter().position(|running| running.number == number) else { return };
        let Running { client, began, .. } = self.running.swap_remove(place);
        self.ledger.charge(&client, began.elapsed(), now_ms());
        let is_own = |other: &Client| other.address == client.address;
        if !self.waiting.iter().any(|waiting| is_own(&waiting.client))
            && !self.running.iter().any(|running| is_own(&running.client))
        {
            self.served.remove(&client.address);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    const LONG: Duration = Duration::from_secs(60);

    fn pool(engines: usize) -> Pool {
        Pool::new(engines, Duration::from_secs(3600))
    }

    fn client(address: &str) -> Client {
        Client::new(address, None)
    }

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
        let pool = pool(2);
        let (greedy, modest) = (client("greedy"), client("modest"));
        let _greed: Vec<_> = (0..20).map(|_| pool.submit(&greedy, Class::Move, LONG, hold)).collect();
        let (told, heard) = channel();
        let _modest = pool.submit(&modest, Class::Move, LONG, move |_| told.send(()).unwrap());
        heard.recv_timeout(Duration::from_secs(10)).unwrap();
    }

    #[test]
    fn clients_take_turns_even_on_one_thread() {
        let pool = pool(1);
        let first = pool.submit(&client("x"), Class::Move, LONG, hold);
        let (told, heard) = channel();
        let mut tickets = Vec::new();
        for (name, mark) in [("a", 'a'), ("a", 'A'), ("a", 'A'), ("b", 'b'), ("c", 'c')] {
            let told = told.clone();
            tickets.push(pool.submit(&client(name), Class::Move, LONG, move |_| told.send(mark).unwrap()));
        }
        drop(first);
        let order: String = (0..5).map(|_| heard.recv_timeout(LONG).unwrap()).collect();
        assert_eq!(order, "abcAA");
    }

    #[test]
    fn games_go_before_analyses_which_never_have_all_threads() {
        let pool = pool(2);
        let _held: Vec<_> =
            ["a", "b", "c"].map(|name| pool.submit(&client(name), Class::Analysis, LONG, hold)).into();
        let (told, heard) = channel();
        let _move = pool.submit(&client("d"), Class::Move, LONG, move |_| told.send(()).unwrap());
        heard.recv_timeout(Duration::from_secs(10)).unwrap();
    }

    #[test]
    fn work_is_stopped_by_time_and_by_its_ticket_and_a_panic_stays_alone() {
        let pool = pool(1);
        let (told, heard) = channel();
        let work = move |mark| {
            let told = told.clone();
            move |control: &Control| {
                told.send((mark, "begun")).unwrap();
                hold(control);
                told.send((mark, "ended")).unwrap();
            }
        };
        let next = || heard.recv_timeout(LONG).unwrap();
        let _broken = pool.submit(&client("a"), Class::Move, LONG, |_| panic!("a mind breaks down"));
        let _timed = pool.submit(&client("a"), Class::Move, Duration::from_millis(20), work(1));
        assert_eq!([next(), next()], [(1, "begun"), (1, "ended")]);
        let dropped = pool.submit(&client("a"), Class::Move, LONG, work(2));
        assert_eq!(next(), (2, "begun"));
        drop(dropped);
        assert_eq!(next(), (2, "ended"));
        assert_eq!(pool.load().0, 0);
    }

    #[test]
    fn six_greedy_addresses_leave_their_engines_to_a_seventh_after_a_slice() {
        let pool = pool(2);
        let names = ["a", "b", "c", "d", "e", "f"];
        let _greed: Vec<_> = names
            .iter()
            .flat_map(|name| [name; 3])
            .map(|name| pool.submit(&client(name), Class::Move, LONG, hold))
            .collect();
        thread::sleep(Duration::from_millis(50));
        let (told, heard) = channel();
        let short = Span { cap: LONG, expected: Duration::from_millis(100) };
        let _modest = pool.submit(&client("modest"), Class::Move, short, move |_| told.send(()).unwrap());
        // Uncut the others would hold the engines for a minute.
        heard.recv_timeout(LONG / 2).unwrap();
    }

    #[test]
    fn who_is_alone_is_not_cut() {
        let pool = pool(2);
        let _greed: Vec<_> = (0..5).map(|_| pool.submit(&client("a"), Class::Move, LONG, hold)).collect();
        thread::sleep(Duration::from_millis(50));
        let state = lock(&pool.shared.state);
        let [running] = &state.running[..] else { panic!("one thread is left for others") };
        let other = Waiting {
            number: 99,
            client: client("b"),
            class: Class::Move,
            span: LONG.into(),
            control: Arc::default(),
            work: Box::new(|_| ()),
        };
        assert!(state.may(&other, 2, None) && state.may(&state.waiting[0], 2, Some(running.number)));
    }

    #[test]
    fn who_has_spent_the_day_gets_a_moment() {
        let pool = Pool::new(1, Duration::from_millis(1));
        let (told, heard) = channel();
        for cap in [Duration::from_millis(20), LONG] {
            let told = told.clone();
            let _ticket = pool.submit(&client("a"), Class::Move, cap, move |control| {
                let start = Instant::now();
                hold(control);
                told.send(start.elapsed()).unwrap();
            });
            let time = heard.recv_timeout(LONG / 2).expect("it is cut");
            assert!(time >= cap.min(POOR), "{time:?}");
        }
    }
}
