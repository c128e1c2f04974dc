//! The replay buffer: the latest positions with the points their games ended with.

use rand::RngExt;
use serde::{Deserialize, Serialize};
use trilith_base::seed::Rng;

use super::net::NetSample;

/// Own and other discs, and points.
type Entry = (u64, u64, u8);

/// A ring of entries: the oldest is forgotten first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Replay {
    entries: Vec<Entry>,
    most: usize,
    next: usize,
}

impl Replay {
    /// Room for so many entries.
    pub fn new(most: usize) -> Replay {
        Replay { entries: Vec::new(), most: most.max(1), next: 0 }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Adds an entry.
    pub fn push(&mut self, entry: Entry) {
        match self.entries.len() < self.most {
            true => self.entries.push(entry),
            false => self.entries[self.next] = entry,
        }
        self.next = (self.next + 1) % self.most;
    }

    /// So many entries by lot, none twice; all in random order if there are not so many.
    pub fn sample(&self, count: usize, rng: &mut Rng) -> Vec<NetSample> {
        let mut numbers: Vec<u32> = (0..self.entries.len() as u32).collect();
        let count = count.min(numbers.len());
        let draw = |at: usize| {
            let other = rng.random_range(at..numbers.len());
            numbers.swap(at, other);
            let (own, others, points) = self.entries[numbers[at] as usize];
            (own, others, f32::from(points))
        };
        (0..count).map(draw).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;

    #[test]
    fn the_oldest_are_forgotten_and_none_is_drawn_twice() {
        let mut replay = Replay::new(100);
        (0..250_u64).for_each(|number| replay.push((number, 0, 7)));
        let mut all: Vec<u64> =
            replay.sample(1000, &mut Seed(1).rng()).iter().map(|sample| sample.0).collect();
        assert_ne!(all, (150..250).collect::<Vec<_>>(), "in random order");
        all.sort_unstable();
        assert_eq!(all, (150..250).collect::<Vec<_>>());
        assert_eq!(replay.sample(30, &mut Seed(2).rng()).len(), 30);
    }
}
