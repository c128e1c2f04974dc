//! How much each client may ask for: buckets that fill at a steady rate.

use std::collections::HashMap;
use std::sync::Mutex;

use axum::http::StatusCode;

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
    /// Requests of one address, whoever it says it is.
    pub address: Rate,
    /// Commands with one token, over HTTP or one connection.
    pub token: Rate,
    /// New tables, accounts and challenges of one address.
    pub opening: Rate,
    /// Connections that one address may have open.
    pub sockets: u64,
}

impl Default for Rates {
    fn default() -> Rates {
        Rates {
            address: Rate { per_second: 500.0, burst: 2000.0 },
            token: Rate { per_second: 20.0, burst: 100.0 },
            opening: Rate { per_second: 5.0, burst: 300.0 },
            sockets: 1000,
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

/// All limits of the server.
pub(crate) struct Limits {
    address: Buckets,
    token: Buckets,
    opening: Buckets,
    most_sockets: u64,
    sockets: Mutex<HashMap<String, u64>>,
}

impl Limits {
    pub(crate) fn new(rates: &Rates) -> Limits {
        Limits {
            address: Buckets::new(rates.address),
            token: Buckets::new(rates.token),
            opening: Buckets::new(rates.opening),
            most_sockets: rates.sockets,
            sockets: Mutex::default(),
        }
    }

    /// Counts a request of an address.
    pub(crate) fn request(&self, address: &str) -> Result<(), Fault> {
        allow(self.address.take(address, now_ms()))
    }

    /// Counts a command; `who` is the hash of a token.
    pub(crate) fn command(&self, who: &str) -> Result<(), Fault> {
        allow(self.token.take(who, now_ms()))
    }

    /// Counts something new that an address makes.
    pub(crate) fn opening(&self, address: &str) -> Result<(), Fault> {
        allow(self.opening.take(address, now_ms()))
    }

    /// Counts a connection, until [`Limits::disconnected`].
    pub(crate) fn connected(&self, address: &str) -> Result<(), Fault> {
        let mut sockets = lock(&self.sockets);
        let count = sockets.entry(address.into()).or_default();
        allow(*count < self.most_sockets)?;
        *count += 1;
        Ok(())
    }

    pub(crate) fn disconnected(&self, address: &str) {
        let mut sockets = lock(&self.sockets);
        if let Some(count) = sockets.get_mut(address) {
            *count -= 1;
            if *count == 0 {
                sockets.remove(address);
            }
        }
    }
}

fn allow(allowed: bool) -> Result<(), Fault> {
    let fault = || Fault::new(StatusCode::TOO_MANY_REQUESTS, "too many requests: wait a moment");
    allowed.then_some(()).ok_or_else(fault)
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
        let limits = Limits::new(&Rates { sockets: 1, ..Rates::default() });
        assert!(
            limits.connected("a").is_ok() && limits.connected("a").is_err() && limits.connected("b").is_ok()
        );
        limits.disconnected("a");
        assert!(limits.connected("a").is_ok());
    }
}
