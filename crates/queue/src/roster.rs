//! Who has answered: the workers that a coordinator has heard of.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use trilith_base::job::SeenWorker;

/// Workers that are told apart; those who come later are counted together, so that nobody can fill the memory with names.
const MOST: usize = 1000;
/// What those are called.
const OTHERS: &str = "others";
/// Characters of a name that are kept.
const LONGEST: usize = 64;

/// How many answers each worker has given, and when the last.
#[derive(Default)]
pub(crate) struct Roster(Mutex<BTreeMap<String, (u64, Instant)>>);

impl Roster {
    /// An answer of this worker has come.
    pub fn count(&self, worker: &str) {
        let mut workers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let name: String = worker.chars().filter(|letter| !letter.is_control()).take(LONGEST).collect();
        let is_known = workers.contains_key(&name) || workers.len() < MOST;
        let (jobs, last) =
            workers.entry(if is_known { name } else { OTHERS.into() }).or_insert((0, Instant::now()));
        *jobs += 1;
        *last = Instant::now();
    }

    /// All of them, by name.
    pub fn seen(&self) -> Vec<SeenWorker> {
        let workers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = |(name, (jobs, last)): (&String, &(u64, Instant))| SeenWorker {
            name: name.clone(),
            jobs: *jobs,
            silent: last.elapsed().as_secs_f64(),
        };
        workers.iter().map(seen).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_worker_is_counted_and_names_are_bounded() {
        let roster = Roster::default();
        ["two", "one", "two"].iter().for_each(|name| roster.count(name));
        let counts =
            || roster.seen().into_iter().map(|worker| (worker.name, worker.jobs)).collect::<Vec<_>>();
        assert_eq!(counts(), [("one".to_owned(), 1), ("two".to_owned(), 2)]);
        assert!(roster.seen().iter().all(|worker| (0.0..60.0).contains(&worker.silent)));
        roster.count(&format!("\u{1b}[2J{}", "x".repeat(1000)));
        assert!(counts().iter().all(|(name, _)| name.len() <= LONGEST && !name.contains('\u{1b}')));
        (0..2 * MOST).for_each(|number| roster.count(&number.to_string()));
        assert_eq!(counts().len(), MOST + 1);
        assert_eq!(counts().iter().map(|(_, jobs)| jobs).sum::<u64>(), 4 + 2 * MOST as u64);
    }
}
