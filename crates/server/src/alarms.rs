//! Clocks of tables that rest: when the time of a side ends, its table is served again and says so.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use tokio::sync::Notify;

use crate::app::App;
use crate::engine::Client;
use crate::tables::{lock, revive};
use crate::time::now_ms;

/// When which table must be looked at.
#[derive(Default)]
pub(crate) struct Alarms {
    /// Milliseconds since 1970, and the table.
    set: Mutex<BTreeSet<(u64, String)>>,
    changed: Notify,
}

/// How long to wait where nothing is set.
const LONG: Duration = Duration::from_secs(3600);

impl Alarms {
    /// Has the table called `id` served again at `at`. One that is set too often costs a look.
    pub(crate) fn set(&self, at: u64, id: &str) {
        lock(&self.set).insert((at, id.into()));
        self.changed.notify_one();
    }

    /// All that are due at `now`, and how long to wait for the next.
    fn due(&self, now: u64) -> (Vec<String>, Duration) {
        let mut set = lock(&self.set);
        let later = set.split_off(&(now + 1, String::new()));
        let due = std::mem::replace(&mut *set, later).into_iter().map(|(_, id)| id).collect();
        let next = set.first().map_or(LONG, |(at, _)| Duration::from_millis(at - now));
        (due, next)
    }
}

/// Rings as long as the server runs.
pub(crate) async fn ring(app: Weak<App>) {
    loop {
        let Some(server) = app.upgrade() else { return };
        let alarms = Arc::clone(&server.alarms);
        let (due, wait) = alarms.due(now_ms());
        for id in due {
            revive(&server, id, Client::server());
        }
        drop(server);
        tokio::select! {
            () = alarms.changed.notified() => {}
            () = tokio::time::sleep(wait.min(LONG)) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_due_is_told_once_and_in_order() {
        let alarms = Alarms::default();
        for (at, id) in [(30, "c"), (10, "a"), (20, "b"), (10, "a")] {
            alarms.set(at, id);
        }
        assert_eq!(alarms.due(5), (vec![], Duration::from_millis(5)));
        assert_eq!(alarms.due(20), (vec!["a".to_owned(), "b".into()], Duration::from_millis(10)));
        assert_eq!(alarms.due(99), (vec!["c".to_owned()], LONG));
    }
}
