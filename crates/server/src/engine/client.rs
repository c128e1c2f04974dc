//! On whose behalf engines work, and how much of their time each has had.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// An address, perhaps with an account. Many accounts at one address share its part.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client {
    pub(super) address: Arc<str>,
    pub(super) account: Option<Arc<str>>,
}

impl Client {
    /// Whoever asks from `address` with `account`.
    pub(crate) fn new(address: &str, account: Option<&str>) -> Client {
        Client { address: address.into(), account: account.map(|name| format!("account {name}").into()) }
    }

    /// The server itself: tables that it serves because their clocks run.
    pub(crate) fn server() -> Client {
        Client::new("server", None)
    }

    /// What limits count it by.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    fn keys(&self) -> impl Iterator<Item = &Arc<str>> {
        std::iter::once(&self.address).chain(&self.account)
    }

    /// Who sits at the machine itself has it all day.
    fn is_home(&self) -> bool {
        matches!(&*self.address, "127.0.0.1" | "::1" | "server")
    }
}

/// What was used a minute ago counts half.
const HALF_LIFE_MS: f64 = 60_000.0;
const DAY_MS: u64 = 24 * 3_600_000;
/// Clients that are remembered before those without a share today are forgotten.
const KEPT: usize = 20_000;

#[derive(Clone, Copy, Default)]
struct Spent {
    /// Milliseconds of engines, those of long ago counting less, as of `at`.
    recent: f64,
    at: u64,
    day: u64,
    today: u64,
}

/// The engine time that clients have used, lately and today.
#[derive(Default)]
pub(super) struct Ledger(HashMap<Arc<str>, Spent>);

impl Ledger {
    /// Notes that an engine worked for `client` until `now`, in milliseconds since 1970.
    pub(super) fn charge(&mut self, client: &Client, time: Duration, now: u64) {
        if self.0.len() >= KEPT {
            self.0.retain(|_, spent| spent.day == now / DAY_MS && spent.today > 1000);
        }
        let time = time.as_millis() as u64;
        for key in client.keys() {
            let spent = self.0.entry(Arc::clone(key)).or_default();
            let today = if spent.day == now / DAY_MS { spent.today } else { 0 };
            let recent = decayed(spent, now) + time as f64;
            *spent = Spent { recent, at: now, day: now / DAY_MS, today: today + time };
        }
    }

    /// Milliseconds used lately: the more of address and account.
    pub(super) fn recent(&self, client: &Client, now: u64) -> u64 {
        let spent = client.keys().filter_map(|key| self.0.get(key));
        spent.map(|spent| decayed(spent, now) as u64).max().unwrap_or(0)
    }

    /// Whether `client` has used more than `budget` today.
    pub(super) fn has_spent(&self, client: &Client, budget: Duration, now: u64) -> bool {
        let today = |spent: &Spent| if spent.day == now / DAY_MS { spent.today } else { 0 };
        let most = client.keys().filter_map(|key| self.0.get(key)).map(today).max().unwrap_or(0);
        !client.is_home() && u128::from(most) > budget.as_millis()
    }
}

fn decayed(spent: &Spent, now: u64) -> f64 {
    spent.recent * (-(now.saturating_sub(spent.at) as f64) / HALF_LIFE_MS).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_at_one_address_share_its_part_and_the_past_fades() {
        let mut ledger = Ledger::default();
        let second = Duration::from_secs(1);
        let [anna, bert] = ["anna", "bert"].map(|name| Client::new("192.0.2.1", Some(name)));
        let (elsewhere, other) = (Client::new("192.0.2.2", Some("anna")), Client::new("192.0.2.2", None));
        ledger.charge(&anna, 10 * second, 0);
        assert_eq!(
            [&anna, &bert, &elsewhere, &other].map(|who| ledger.recent(who, 0)),
            [10_000, 10_000, 10_000, 0]
        );
        assert_eq!(ledger.recent(&bert, 60_000), 5000);
        assert!(ledger.has_spent(&elsewhere, 9 * second, 0) && !ledger.has_spent(&other, 9 * second, 0));
        assert!(!ledger.has_spent(&anna, 9 * second, DAY_MS), "another day");
        let home = Client::new("127.0.0.1", None);
        ledger.charge(&home, 100 * second, 0);
        assert!(!ledger.has_spent(&home, second, 0));
    }
}
