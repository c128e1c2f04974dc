//! What one thread of the solver carries through its recursion.

use std::sync::Arc;

use super::moves::{Candidate, Candidates};
use super::split::{Split, SplitPool};
use super::table::SolverTable;
use crate::limits::Control;

/// With fewer empty squares work is not worth sharing.
const SHARE: u32 = 12;

/// The clock is looked at once in so many deep positions, each some microseconds of work.
const POLL: u32 = 16;

/// One thread's view of a solve.
pub struct SolverWorker<'a, E> {
    /// Positions visited by this thread: every one with at least one empty square that was asked about.
    pub nodes: u64,
    /// Shared by all threads.
    pub table: &'a SolverTable,
    /// For positions near the end: small enough to stay in the cache of a core.
    pub near: &'a SolverTable,
    /// Orders moves and guesses scores.
    pub evaluation: &'a E,
    /// Where the other threads are; none if there are none.
    pub pool: Option<&'a SplitPool>,
    control: &'a Control,
    /// Of this thread.
    most_nodes: u64,
    polls: u32,
    stopped: bool,
    /// The innermost shared work that this thread is in.
    split: Option<Arc<Split>>,
}

impl<'a, E> SolverWorker<'a, E> {
    /// A thread that has not begun.
    pub fn new(
        (table, near): (&'a SolverTable, &'a SolverTable),
        evaluation: &'a E,
        pool: Option<&'a SplitPool>,
        (control, most_nodes): (&'a Control, u64),
    ) -> SolverWorker<'a, E> {
        SolverWorker {
            nodes: 0,
            table,
            near,
            evaluation,
            pool,
            control,
            most_nodes,
            polls: 0,
            stopped: false,
            split: None,
        }
    }

    /// Looks whether the search was told to end. From then on every score is without meaning and none is stored.
    #[inline(always)]
    pub fn must_stop(&mut self) -> bool {
        self.polls = self.polls.wrapping_add(1);
        if self.polls.is_multiple_of(POLL) {
            self.control.look_at_clock();
        }
        if self.nodes >= self.most_nodes {
            self.control.stop();
        }
        self.stopped |= self.control.is_stopped() || self.split.as_ref().is_some_and(|split| split.is_cut());
        self.stopped
    }

    /// Whether this thread has seen that it must end.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether the moves of a position should be shared with a thread that has nothing to do.
    #[inline(always)]
    pub fn should_share(&self, empties: u32) -> bool {
        empties >= SHARE && self.pool.is_some_and(|pool| pool.has_idle())
    }

    /// Whether the moves of a position on the principal variation should be shared: but for the first, nobody else has
    /// anything to do before they are searched.
    pub fn should_share_principal(&self, empties: u32) -> bool {
        empties >= SHARE && self.pool.is_some()
    }

    /// The moves left at a position as work for several threads.
    pub fn split(
        &self,
        boards: (u64, u64),
        search: (i32, u32, u8),
        first: Candidate,
        mut rest: Candidates,
        best: (i32, u8),
    ) -> Arc<Split> {
        let moves = std::iter::once(first).chain(std::iter::from_fn(|| rest.take_best())).collect();
        Arc::new(Split::new(boards, search, self.split.clone(), moves, best))
    }

    /// This thread works on `split` now.
    pub fn enter(&mut self, split: &Arc<Split>) {
        self.split = Some(Arc::clone(split));
        self.stopped = false;
    }

    /// This thread is back where `split` was made: what ended there need not end here.
    pub fn leave(&mut self, split: &Split) {
        self.split = split.parent.clone();
        self.stopped = false;
        self.must_stop();
    }
}
