//! What all searches of an engine share, and the count of one thread's nodes, by which it sees when to end.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::EngineOptions;
use super::abdada::AbdadaTable;
use crate::limits::{Control, Limits};
use crate::table::{TableEntry, TranspositionTable};

/// The clock is looked at once in so many nodes.
const POLL: u64 = 64;

/// What the threads of one search share, whatever the game.
pub struct Common<'a> {
    pub options: &'a EngineOptions,
    pub table: &'a TranspositionTable,
    pub abdada: &'a AbdadaTable,
    pub control: &'a Control,
    pub limits: &'a Limits,
    /// The main thread has its answer: the others may go.
    pub done: AtomicBool,
    /// Nodes of the threads other than the main one.
    pub helpers_nodes: AtomicU64,
    pub start: Instant,
}

impl Common<'_> {
    /// Whether an entry of the table may stand for a search of `depth` plies.
    #[inline(always)]
    pub fn is_deep_enough(&self, entry: &TableEntry, depth: u32) -> bool {
        let entry = u32::from(entry.depth);
        if self.options.exact { entry == depth } else { entry >= depth }
    }
}

/// One thread's nodes.
pub struct Meter<'a> {
    pub common: &'a Common<'a>,
    /// Of the thread; 0 leads.
    pub number: usize,
    pub nodes: u64,
    /// The most plies from the root.
    pub seldepth: u32,
    /// From now on every value is without meaning.
    pub stopped: bool,
    /// Nodes at which the clock is looked at next.
    next: u64,
    /// Nodes that the leading thread has been told of.
    told: u64,
}

impl<'a> Meter<'a> {
    /// Nothing counted yet.
    pub fn new(common: &'a Common<'a>, number: usize) -> Meter<'a> {
        Meter { common, number, nodes: 0, seldepth: 0, stopped: false, next: POLL, told: 0 }
    }

    /// Counts a node; true if the search has to end here.
    #[inline]
    pub fn enter(&mut self, ply: u32) -> bool {
        self.seldepth = self.seldepth.max(ply);
        self.count(1)
    }

    /// Counts nodes; true if the search has to end here.
    #[inline(always)]
    pub fn count(&mut self, nodes: u64) -> bool {
        self.nodes += nodes;
        if self.nodes >= self.next {
            self.poll();
        }
        self.stopped
    }

    #[cold]
    fn poll(&mut self) {
        let common = self.common;
        common.control.look_at_clock();
        let since = self.nodes - self.told;
        self.told = self.nodes;
        self.next = (self.nodes / POLL + 1) * POLL;
        let others = match self.number {
            0 => common.helpers_nodes.load(Relaxed),
            _ => common.helpers_nodes.fetch_add(since, Relaxed),
        };
        let spent = common.limits.nodes.is_some_and(|limit| self.nodes + others >= limit);
        if spent {
            common.control.stop();
        }
        self.stopped |= common.control.is_stopped() || (self.number > 0 && common.done.load(Relaxed));
    }
}
