//! Shared work: the moves of a position that several threads search together.
//!
//! The first moves are searched by one thread alone; if they do not decide the position and a thread is idle, the
//! others are shared out (young brothers wait). Where a bolder search has found that no move is enough, all are shared
//! out at once, and on the principal variation all but the first. Whoever finds a move that is enough cuts the rest, with all that
//! was split off below it. A thread that waits for its helpers helps them in turn, and others only where that is little
//! work beside its own, so that it is back soon after they are.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering::*};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::moves::Candidate;
use super::table::NO_SQUARE;

/// The moves of one position that are still to be searched.
pub struct Split {
    /// Discs of the side to move.
    pub own: u64,
    /// Discs of its opponent.
    pub other: u64,
    /// Is any move better than this?
    pub alpha: i32,
    /// Empty squares.
    pub empties: u32,
    /// How exact the search is.
    pub level: u8,
    /// What this work is part of.
    pub parent: Option<Arc<Split>>,
    /// Best first.
    pub moves: Vec<Candidate>,
    next: AtomicUsize,
    helpers: AtomicUsize,
    cut: AtomicBool,
    best: AtomicI32,
}

impl Split {
    /// Work that nobody has begun; `best` is the score and move found so far.
    pub fn new(
        (own, other): (u64, u64),
        (alpha, empties, level): (i32, u32, u8),
        parent: Option<Arc<Split>>,
        moves: Vec<Candidate>,
        best: (i32, u8),
    ) -> Split {
        Split {
            own,
            other,
            alpha,
            empties,
            level,
            parent,
            moves,
            next: AtomicUsize::new(0),
            helpers: AtomicUsize::new(0),
            cut: AtomicBool::new(false),
            best: AtomicI32::new(pack(best)),
        }
    }

    /// A move that no other thread takes.
    pub fn take(&self) -> Option<Candidate> {
        self.moves.get(self.next.fetch_add(1, Relaxed)).copied()
    }

    /// Notes the score of a move; one above `alpha` ends the work of all.
    pub fn offer(&self, score: i32, square: u8) {
        self.best.fetch_max(pack((score, square)), Relaxed);
        if score > self.alpha {
            self.cut.store(true, Relaxed);
        }
    }

    /// The best score and move.
    pub fn best(&self) -> (i32, u8) {
        let best = self.best.load(Relaxed);
        (best >> 8, best as u8)
    }

    /// Whether the answer to this or to what it is part of is known.
    pub fn is_cut(&self) -> bool {
        self.cut.load(Relaxed) || self.parent.as_ref().is_some_and(|parent| parent.is_cut())
    }

    fn has_work(&self) -> bool {
        self.next.load(Relaxed) < self.moves.len() && !self.is_cut()
    }

    fn is_below(&self, ancestor: &Arc<Split>) -> bool {
        self.parent.as_ref().is_some_and(|parent| Arc::ptr_eq(parent, ancestor) || parent.is_below(ancestor))
    }
}

// Of equal scores the lower square wins, though which is found first depends on the threads.
fn pack((score, square): (i32, u8)) -> i32 {
    score << 8 | i32::from(square)
}

/// Where threads find work.
#[derive(Default)]
pub struct SplitPool {
    idle: AtomicUsize,
    /// How often something has changed; written under the lock.
    version: AtomicUsize,
    open: Mutex<OpenSplits>,
    changed: Condvar,
}

/// How often an idle thread looks for a change before it lets others go first between two looks: tens of microseconds.
const SPINS: u32 = 1 << 10;
/// How often it looks after that before it lets the system wake it: about a millisecond where no other program has anything
/// to do, since waking takes as long as much of the work that is shared.
const YIELDS: u32 = 1 << 11;

/// By so many empty squares less is work little.
const SMALLER: u32 = 2;

#[derive(Default)]
struct OpenSplits {
    splits: Vec<Arc<Split>>,
    ended: bool,
}

impl SplitPool {
    /// Whether a thread waits for work.
    #[inline(always)]
    pub fn has_idle(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    fn lock(&self) -> MutexGuard<'_, OpenSplits> {
        // Nobody holds it long, and to be woken takes long: it is worth asking again.
        for _ in 0..SPINS {
            if let Ok(open) = self.open.try_lock() {
                return open;
            }
            std::hint::spin_loop();
        }
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Offers work to idle threads.
    pub fn publish(&self, split: &Arc<Split>) {
        self.change(|open| open.splits.push(Arc::clone(split)));
    }

    fn change(&self, change: impl FnOnce(&mut OpenSplits)) {
        let mut open = self.lock();
        change(&mut open);
        self.version.fetch_add(1, Relaxed);
        drop(open);
        self.changed.notify_all();
    }

    /// Takes work back: nobody joins it any more.
    pub fn withdraw(&self, split: &Arc<Split>) {
        self.lock().splits.retain(|other| !Arc::ptr_eq(other, split));
    }

    /// No more work will come.
    pub fn end(&self) {
        self.change(|open| open.ended = true);
    }

    /// Waits for work, the largest first; none once the pool has ended.
    pub fn join_any(&self) -> Option<Arc<Split>> {
        self.wait(|_| true, |open| open.ended)
    }

    /// Waits for work that is part of `split`, or is small beside it; none once nobody works on that any more.
    pub fn join_below(&self, split: &Arc<Split>) -> Option<Arc<Split>> {
        let is_small = |other: &Split| other.empties + SMALLER <= split.empties;
        self.wait(|other| other.is_below(split) || is_small(other), |_| split.helpers.load(Acquire) == 0)
    }

    fn wait(
        &self,
        suits: impl Fn(&Split) -> bool,
        ended: impl Fn(&OpenSplits) -> bool,
    ) -> Option<Arc<Split>> {
        let mut open = self.lock();
        loop {
            if ended(&open) {
                return None;
            }
            let work = open.splits.iter().filter(|split| split.has_work() && suits(split));
            if let Some(split) = work.max_by_key(|split| split.empties) {
                split.helpers.fetch_add(1, Relaxed);
                return Some(Arc::clone(split));
            }
            let version = self.version.load(Relaxed);
            drop(open);
            self.idle.fetch_add(1, Relaxed);
            open = self.next_change(version);
            self.idle.fetch_sub(1, Relaxed);
        }
    }

    /// Waits for a change after `version`.
    fn next_change(&self, version: usize) -> MutexGuard<'_, OpenSplits> {
        let is_same = || self.version.load(Relaxed) == version;
        for turn in 0..SPINS + YIELDS {
            if !is_same() {
                return self.lock();
            }
            match turn < SPINS {
                true => std::hint::spin_loop(),
                false => std::thread::yield_now(),
            }
        }
        self.changed.wait_while(self.lock(), |_| is_same()).unwrap_or_else(PoisonError::into_inner)
    }

    /// A helper has done what it could.
    pub fn leave(&self, split: &Split) {
        if split.helpers.fetch_sub(1, Release) == 1 {
            self.change(|_| ());
        }
    }
}

/// Nothing found yet.
pub const NOTHING: (i32, u8) = (-65, NO_SQUARE);
