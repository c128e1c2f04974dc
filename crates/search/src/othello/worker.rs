//! What one thread of the solver carries through its recursion.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::table::Table;

/// One thread's view of a solve.
pub struct Worker<'a, E> {
    /// Positions visited by this thread: every one with at least one empty square that was asked about.
    pub nodes: u64,
    /// Shared by all threads.
    pub table: &'a Table,
    /// Orders moves and guesses scores.
    pub evaluation: &'a E,
    stop: &'a AtomicBool,
    stopped: bool,
}

impl<'a, E> Worker<'a, E> {
    /// A thread that has not begun.
    pub fn new(table: &'a Table, evaluation: &'a E, stop: &'a AtomicBool) -> Worker<'a, E> {
        Worker { nodes: 0, table, evaluation, stop, stopped: false }
    }

    /// Looks whether the search was told to end. From then on every score is without meaning and none is stored.
    #[inline(always)]
    pub fn must_stop(&mut self) -> bool {
        self.stopped |= self.stop.load(Relaxed);
        self.stopped
    }

    /// Whether this thread has seen that it must end.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }
}
