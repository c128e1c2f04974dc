//! How much each client may ask for: buckets that fill at a steady rate.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::http::StatusCode;

use crate::caller::Caller;
use crate::fault::Fault;
use crate::tables::lock;
use crate::time::now_ms;

/// So many a second on average, and so many at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// In the long run.
    pub per_second: f64,
    /// After a pause.
    pub burst: f64,
}

/// What a client may do, by kind of request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Requests and messages of one address, whoever it says it is.
    pub address: Rate,
    /// Commands of one account or, without one, with one token, over HTTP and all connections together.
    pub token: Rate,
    /// New tables, challenges, reviews and runs: of one address, and of one account.
    pub opening: Rate,
    /// New accounts of one address.
    pub accounts: Rate,
    /// WebSockets that one address may have open.
    pub sockets: u64,
    /// Requests of one address that may be under way.
    pub requests: u64,
    /// Engine time that an address or an account has in a day; then its engines hardly think.
    pub engine_day: Duration,
}

impl Default for Rates {
    fn default() -> Rates {
        Rates {
            address: Rate { per_second: 500.0, burst: 2000.0 },
            token: Rate { per_second: 20.0, burst: 100.0 },
            opening: Rate { per_second: 0.2, burst: 300.0 },
            accounts: Rate { per_second: 1.0 / 600.0, burst: 30.0 },
            sockets: 1000,
            requests: 64,
            engine_day: Duration::from_secs(6 * 3600),
        }
    }
}

/// One bucket for each client.
pub(crate) struct Buckets {
    rate: Rate,
    levels: Mutex<HashMap<String, (f64, u64)>>,
}

/// Buckets that are kept before full ones are forgotten.
const KEPT: usize = 10_000;

impl Buckets {
    pub(crate) fn new(rate: Rate) -> Buckets {
        Buckets { rate, levels: Mutex::default() }
    }

    /// Takes one from the bucket of `client`; false if it is empty.
    pub(crate) fn take(&self, client: &str, now: u64) -> bool {
        let mut levels = lock(&self.levels);
        if levels.len() >= KEPT && !levels.contains_key(client) {
            levels.retain(|_, level| filled(self.rate, *level, now) < self.rate.burst);
        }
        let level = levels.entry(client.into()).or_insert((self.rate.burst, now));
        let left = filled(self.rate, *level, now) - 1.0;
        *level = (left.max(0.0), now);
        left >= 0.0
    }
}

fn filled(rate: Rate, (level, since): (f64, u64), now: u64) -> f64 {
    let seconds = now.saturating_sub(since) as f64 / 1000.0;
    (level + rate.per_second * seconds).min(rate.burst)
}

/// How much of something each client has at the moment.
#[derive(Clone, Default)]
struct Counts(Arc<Mutex<HashMap<String, u64>>>);

/// One of them, until it is dropped.
pub(crate) struct Counted {
    counts: Counts,
    client: String,
}

impl Counts {
    fn enter(&self, client: &str, most: u64) -> Option<Counted> {
        let mut counts = lock(&self.0);
        let count = counts.get(client).copied().unwrap_or(0);
        if count >= most {
            return None;
        }
        counts.insert(client.into(), count + 1);
        Some(Counted { counts: self.clone(), client: client.into() })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = lock(&self.counts.0);
        if let Some(count) = counts.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.client);
            }
        }
    }
}

/// All limits of the server.
pub(crate) struct ServerLimits {
    rates: Rates,
    address: Buckets,
    token: Buckets,
    opening: Buckets,
    accounts: Buckets,
    sockets: Counts,
    requests: Counts,
    questions: Counts,
}

impl ServerLimits {
    pub(crate) fn new(rates: &Rates) -> ServerLimits {
        ServerLimits {
            rates: *rates,
            address: Buckets::new(rates.address),
            token: Buckets::new(rates.token),
            opening: Buckets::new(rates.opening),
            accounts: Buckets::new(rates.accounts),
            sockets: Counts::default(),
            requests: Counts::default(),
            questions: Counts::default(),
        }
    }

    /// Counts a request of an address.
    pub(crate) fn request(&self, address: &str) -> Result<(), Fault> {
        allow(self.address.take(address, now_ms()))
    }

    /// Counts a request of an address that is under way.
    pub(crate) fn begin(&self, address: &str) -> Result<Counted, Fault> {
        self.requests.enter(address, self.rates.requests).ok_or_else(too_many)
    }

    /// Counts a question that waits for its turn.
    pub(crate) fn asking(&self, caller: &Caller, most: u64) -> Result<Counted, Fault> {
        self.questions.enter(&caller.address, most).ok_or_else(too_many)
    }

    /// Counts a command; `who` is as [`Caller::key`] says.
    pub(crate) fn command(&self, who: &str) -> Result<(), Fault> {
        allow(self.token.take(who, now_ms()))
    }

    /// Counts something new that somebody makes: for the address and, if there is one, for the account.
    pub(crate) fn opening(&self, caller: &Caller) -> Result<(), Fault> {
        let account = caller.asker.account.as_ref().map(|name| format!("account {name}"));
        let is_allowed = |key: &str| self.opening.take(key, now_ms());
        allow(is_allowed(&caller.address) && account.is_none_or(|account| is_allowed(&account)))
    }

    /// Counts a new account of an address.
    pub(crate) fn registering(&self, caller: &Caller) -> Result<(), Fault> {
        allow(self.accounts.take(&caller.address, now_ms()))
    }

    /// Counts a connection for as long as it is open.
    pub(crate) fn connected(&self, address: &str) -> Result<Counted, Fault> {
        self.sockets.enter(address, self.rates.sockets).ok_or_else(too_many)
    }
}

fn too_many() -> Fault {
    Fault::new(StatusCode::TOO_MANY_REQUESTS, "too many requests: wait a moment")
}

fn allow(allowed: bool) -> Result<(), Fault> {
    allowed.then_some(()).ok_or_else(too_many)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_and_is_its_owners_alone() {
        let buckets = Buckets::new(Rate { per_second: 2.0, burst: 3.0 });
        assert!((0..3).all(|_| buckets.take("a", 0)));
        assert!(!buckets.take("a", 0) && buckets.take("b", 0));
        assert!(buckets.take("a", 600) && !buckets.take("a", 600));
        assert!((0..3).all(|_| buckets.take("a", 99_000)) && !buckets.take("a", 99_000));
    }

    #[test]
    fn connections_are_counted_up_and_down() {
        let limits = ServerLimits::new(&Rates { sockets: 1, ..Rates::default() });
        let first = limits.connected("a");
        assert!(first.is_ok() && limits.connected("a").is_err() && limits.connected("b").is_ok());
        drop(first);
        assert!(limits.connected("a").is_ok());
        assert!(lock(&limits.sockets.0).is_empty());
    }
}
