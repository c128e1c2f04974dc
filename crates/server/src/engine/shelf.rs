//! What engines remember from one question to the next: so much in all and for each owner, and nothing that lies idle.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::tables::lock;

/// How long something is kept that nobody asks for.
pub(crate) const IDLE: Duration = Duration::from_secs(60);

struct Item<T> {
    name: String,
    owner: String,
    since: Instant,
    thing: T,
}

/// Dear things by name: taken for use and put back afterwards, those used longest ago going first.
pub(crate) struct Shelf<T> {
    most: usize,
    each: usize,
    items: Arc<Mutex<VecDeque<Item<T>>>>,
}

impl<T> Clone for Shelf<T> {
    fn clone(&self) -> Shelf<T> {
        Shelf { most: self.most, each: self.each, items: Arc::clone(&self.items) }
    }
}

impl<T> Shelf<T> {
    /// Room for `most` things, at most `each` of them of one owner.
    pub(crate) fn new(most: usize, each: usize) -> Shelf<T> {
        Shelf { most: most.max(1), each: each.max(1), items: Arc::default() }
    }

    /// The thing called `name`, which is its caller's until it is put back.
    pub(crate) fn take(&self, name: &str) -> Option<T> {
        let mut items = lock(&self.items);
        let place = items.iter().position(|item| item.name == name)?;
        items.remove(place).map(|item| item.thing)
    }

    /// Keeps a thing for the next time.
    pub(crate) fn put(&self, name: &str, owner: &str, thing: T) {
        let mut gone = Vec::new();
        let mut items = lock(&self.items);
        items.push_back(Item { name: name.into(), owner: owner.into(), since: Instant::now(), thing });
        let own = |item: &Item<T>| item.owner == owner;
        if items.iter().filter(|item| own(item)).count() > self.each {
            let place = items.iter().position(own);
            gone.extend(place.and_then(|place| items.remove(place)));
        }
        if items.len() > self.most {
            gone.extend(items.pop_front());
        }
        drop(items);
        // Freeing memory takes time that nobody else should wait for.
        drop(gone);
    }

    /// Gives back what was put here before `before`.
    pub(crate) fn sweep(&self, before: Instant) {
        let mut items = lock(&self.items);
        let kept = items.iter().position(|item| item.since >= before).unwrap_or(items.len());
        let gone: Vec<Item<T>> = items.drain(..kept).collect();
        drop(items);
        drop(gone);
    }

    /// How many things there are.
    pub(crate) fn len(&self) -> usize {
        lock(&self.items).len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_all_nor_one_owner_nor_the_idle_keep_more_than_their_part() {
        let shelf = Shelf::new(3, 2);
        for (name, owner) in [("1", "a"), ("2", "a"), ("3", "a"), ("4", "b")] {
            shelf.put(name, owner, name.to_owned());
        }
        assert_eq!(shelf.take("1"), None, "a third of one owner");
        assert_eq!(shelf.take("2").as_deref(), Some("2"));
        shelf.put("2", "a", "2".into());
        shelf.put("5", "c", "5".into());
        assert_eq!((shelf.len(), shelf.take("3")), (3, None), "used longest ago");
        let now = Instant::now();
        shelf.put("6", "d", "6".into());
        shelf.sweep(now);
        assert_eq!((shelf.len(), shelf.take("6").as_deref()), (1, Some("6")));
    }
}
