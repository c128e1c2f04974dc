//! The tables in memory, by their unguessable names.
//!
//! The lock on all tables is held only to find one; playing holds the lock of that table alone.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use trilith_arena::Table;

/// One table, shared by those who sit at it.
pub(crate) type Shared = Arc<Mutex<Box<dyn Table>>>;

/// At most so many tables; the one untouched for longest goes first.
pub(crate) struct Tables {
    most: usize,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// Counts every touch: a clock that never stands still or goes back.
    touches: u64,
    by_id: HashMap<String, Entry>,
}

struct Entry {
    touched: u64,
    table: Shared,
}

impl Tables {
    /// Room for `most` tables, at least one.
    pub(crate) fn new(most: usize) -> Tables {
        Tables { most: most.max(1), kept: Mutex::default() }
    }

    /// Keeps `table` under `id`, which must be new.
    pub(crate) fn insert(&self, id: String, table: Box<dyn Table>) -> Shared {
        let table = Arc::new(Mutex::new(table));
        let mut kept = lock(&self.kept);
        if kept.by_id.len() >= self.most {
            kept.drop_oldest();
        }
        kept.touches += 1;
        let entry = Entry { touched: kept.touches, table: table.clone() };
        kept.by_id.insert(id, entry);
        table
    }

    /// The table called `id`, which counts as touched.
    pub(crate) fn get(&self, id: &str) -> Option<Shared> {
        let mut kept = lock(&self.kept);
        kept.touches += 1;
        let now = kept.touches;
        let entry = kept.by_id.get_mut(id)?;
        entry.touched = now;
        Some(entry.table.clone())
    }
}

impl Kept {
    /// Looks at every table: fine for thousands, and only when a new one is opened.
    fn drop_oldest(&mut self) {
        let oldest = self.by_id.iter().min_by_key(|(_, entry)| entry.touched).map(|(id, _)| id.clone());
        if let Some(id) = oldest {
            self.by_id.remove(&id);
        }
    }
}

/// Locks even if another holder panicked: a table is changed in one step, so it is whole either way.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_arena::table;

    #[test]
    fn the_table_untouched_for_longest_makes_room() {
        let tables = Tables::new(2);
        let open = || table::open("othello", "", None).unwrap();
        tables.insert("a".into(), open());
        tables.insert("b".into(), open());
        assert!(tables.get("a").is_some());
        tables.insert("c".into(), open());
        assert!(tables.get("b").is_none());
        assert!(tables.get("a").is_some() && tables.get("c").is_some());
    }
}
