//! The placing phase, solved by search down to the tables.
//!
//! After eighteen plies all stones are placed and the tables know the rest; Gasser solved the game in this way (S2,
//! chapter 3, tells of it). Every question has two answers (can the side to move force at least a draw, at least a
//! win?), so a position takes two searches at most. Nothing is estimated and keys never collide: what comes out is
//! proved, as far as the tables are right.

mod key;
mod lessons;
mod memory;
mod proof;
mod search;
mod shipped;
mod store;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use trilith_games::morris::{Morris, Move, Position, Rules};
use trilith_games::{Game, MoveList, Outcome};

pub use key::{Key, hands, key};
pub use lessons::{LessonSettings, PlacingLessons};
pub use memory::{Bounds, BoundsTable};
pub use proof::ProvedMove;
pub use shipped::shipped;
pub use store::{ProvedBounds, file_name};

use crate::error::TablebaseError;
use crate::subspace::MOST;
use crate::tables::Tables;
use search::{Shared, Worker};

/// How much work a question may cost.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// Ends the search from outside once it is set.
    pub stop: Option<&'a AtomicBool>,
    /// Positions visited, by all threads together; with one thread the same limit gives the same answer.
    pub nodes: u64,
}

impl Effort<'_> {
    /// As long as it takes.
    pub const ENDLESS: Effort<'static> = Effort { stop: None, nodes: u64::MAX };
}

/// Fails unless the placing phase leads into tables: no side has more stones than they know, and none is moved before
/// the last is placed.
pub fn check(rules: &Rules) -> Result<(), TablebaseError> {
    match rules.stones <= MOST && !rules.move_while_placing {
        true => Ok(()),
        false => Err(TablebaseError::Placing { rules: rules.to_string() }),
    }
}

/// Answers for positions with stones in hand, and remembers.
pub struct PlacingSolver {
    tables: Arc<Tables>,
    game: Morris,
    memory: BoundsTable,
    threads: usize,
    visited: AtomicU64,
}

impl PlacingSolver {
    /// Searches on so many threads and remembers in so many MiB. The tables must be for the rules of `game`, which must
    /// pass [`check`]; which tables are needed depends on what is asked.
    pub fn new(tables: Arc<Tables>, game: Morris, threads: usize, mebibytes: usize) -> PlacingSolver {
        PlacingSolver {
            tables,
            game,
            memory: BoundsTable::new(mebibytes),
            threads: threads.max(1),
            visited: AtomicU64::new(0),
        }
    }

    /// The tables below the search.
    pub fn tables(&self) -> &Arc<Tables> {
        &self.tables
    }

    /// What has been proved so far.
    pub fn memory(&self) -> &BoundsTable {
        &self.memory
    }

    /// Forgets what has been proved.
    pub fn forget(&mut self) {
        self.memory.clear();
        self.visited = AtomicU64::new(0);
    }

    /// Positions visited so far, also while a search goes on.
    pub fn visited(&self) -> u64 {
        self.visited.load(Relaxed)
    }

    /// Whether the side to move can force at least `goal`, a draw or a win; none if the effort was too little.
    pub fn reaches(
        &self,
        position: &Position,
        goal: Outcome,
        effort: Effort<'_>,
    ) -> Result<Option<bool>, TablebaseError> {
        if position.in_hand() == 0 {
            return Ok(Some(self.tables.value(position)?.outcome >= goal));
        }
        if let Some(known) = self.memory.get(key(position)).reaches(goal) {
            return Ok(Some(known));
        }
        let shared = Shared::new(self, effort);
        let search = |number: usize| Worker::new(&shared, number).answer(position, goal);
        // The first thread that is done stops the others.
        let reached = std::thread::scope(|scope| {
            let others: Vec<_> =
                (1..self.threads).map(|number| scope.spawn(move || search(number))).collect();
            let own = search(0);
            let mut others = others.into_iter().map(|thread| thread.join().expect("a search does not panic"));
            own.or(others.find_map(|reached| reached))
        });
        if let Some(reached) = reached {
            self.memory.put(key(position), self.memory.get(key(position)).with(goal, reached));
        }
        match shared.unknown.into_inner().expect("no thread panics while it holds the lock") {
            Some(position) => self.tables.value(&position).map(|_| None),
            None => Ok(reached),
        }
    }

    /// The outcome under best play; none if the effort was too little. It counts for each of the two questions.
    pub fn outcome(
        &self,
        position: &Position,
        effort: Effort<'_>,
    ) -> Result<Option<Outcome>, TablebaseError> {
        Ok(match self.reaches(position, Outcome::Win, effort)? {
            Some(true) => Some(Outcome::Win),
            None => None,
            Some(false) => match self.reaches(position, Outcome::Draw, effort)? {
                Some(true) => Some(Outcome::Draw),
                Some(false) => Some(Outcome::Loss),
                None => None,
            },
        })
    }

    /// Legal moves with the outcome each leads to for the side that makes it, one move of each class of positions
    /// reached; none where the effort was too little.
    pub fn moves(
        &self,
        position: &Position,
        effort: Effort<'_>,
    ) -> Result<Vec<(Move, Option<Outcome>)>, TablebaseError> {
        let mut moves = MoveList::new();
        self.game.moves(position, &mut moves);
        let mut seen = Vec::new();
        let mut found = Vec::new();
        for &mv in &moves {
            let after = self.game.play(position, mv);
            if seen.contains(&key(&after)) {
                continue;
            }
            seen.push(key(&after));
            found.push((mv, self.outcome(&after, effort)?.map(opposite)));
        }
        Ok(found)
    }
}

/// What the other side gets.
pub fn opposite(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Win => Outcome::Loss,
        Outcome::Draw => Outcome::Draw,
        Outcome::Loss => Outcome::Win,
    }
}
