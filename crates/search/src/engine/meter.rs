//! What all searches of an engine share, and the count of one thread's nodes, by which it sees when to end.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use trilith_eval::Value;

use super::EngineOptions;
use super::abdada::AbdadaTable;
use crate::analysis::Bound;
use crate::ladder::from_here;
use crate::limits::{Control, Limits};
use crate::table::{TableEntry, TranspositionTable};

/// The clock is looked at once in so many nodes.
const POLL: u64 = 64;
/// With several threads so many looks at the clock come to one at what the others have done.
const EXCHANGE: u32 = 8;

/// What the threads of one search share, whatever the game.
pub struct Common<'a> {
    pub options: &'a EngineOptions,
    pub table: &'a TranspositionTable,
    pub abdada: &'a AbdadaTable,
    pub control: &'a Control,
    pub limits: &'a Limits,
    pub start: Instant,
    pub progress: Progress,
}

/// What the threads tell each other. They write it often: it has a cache line of its own.
#[derive(Default)]
#[repr(align(128))]
pub struct Progress {
    /// The main thread has its answer: the others may go.
    pub done: AtomicBool,
    /// The deepest iteration that a thread has finished.
    pub finished: AtomicU32,
    /// The last iteration in which a move at the root was found better than those before it, and its value.
    raise: AtomicU64,
    /// Nodes of the threads other than the main one.
    pub helpers_nodes: AtomicU64,
}

impl Progress {
    /// Tells of a value at the root, found in an iteration.
    pub fn raise(&self, iteration: u32, value: Value) {
        self.raise.store(u64::from(iteration) << 32 | u64::from(value as u32), Relaxed);
    }

    /// Whether another thread has found more than `alpha` at the root in this iteration.
    pub fn is_raised(&self, iteration: u32, alpha: Value) -> bool {
        let raise = self.raise.load(Relaxed);
        raise >> 32 == u64::from(iteration) && raise as u32 as Value > alpha
    }
}

/// A window at a node: is its value after `depth` plies more than `alpha`, and if so, less than `beta`?
#[derive(Clone, Copy, Debug)]
pub struct Question {
    pub key: u64,
    pub depth: u32,
    pub alpha: Value,
    pub beta: Value,
    /// From the root.
    pub ply: u32,
}

impl Common<'_> {
    /// Whether an entry of the table may stand for a search of `depth` plies.
    #[inline(always)]
    pub fn is_deep_enough(&self, entry: &TableEntry, depth: u32) -> bool {
        let entry = u32::from(entry.depth);
        if self.options.exact { entry == depth } else { entry >= depth }
    }

    /// The value that `entry` gives for an answer; none if it was not searched deeply enough or lies on both sides.
    #[inline(always)]
    pub fn answer(&self, entry: &TableEntry, question: &Question) -> Option<Value> {
        let value = from_here(entry.value, question.ply);
        let is_outside = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value > question.alpha,
            Bound::Upper => value <= question.alpha,
        };
        (is_outside && self.is_deep_enough(entry, question.depth)).then_some(value)
    }

    /// What another thread has found at a node of the principal variation meanwhile: a value above alpha, and its move.
    pub fn raise(&self, question: &Question) -> Option<(Value, u16)> {
        let entry = self.table.probe(question.key)?;
        let value = from_here(entry.value, question.ply);
        let is_above = entry.bound != Bound::Upper && value > question.alpha && value < question.beta;
        let best = entry.best.filter(|_| is_above && self.is_deep_enough(&entry, question.depth))?;
        Some((value, best))
    }

    /// Whether nobody needs the answer any more that this thread is about to give.
    fn is_outdated(&self, question: &Question) -> bool {
        match question.beta - question.alpha {
            1 => self.ask(question).is_some(),
            _ => self.raise(question).is_some(),
        }
    }

    /// What the table has come to know of a question.
    #[inline]
    pub fn ask(&self, question: &Question) -> Option<Value> {
        self.table.probe(question.key).and_then(|entry| self.answer(&entry, question))
    }
}

/// One thread's nodes, and the questions that it is about to answer.
pub struct Meter<'a> {
    pub common: &'a Common<'a>,
    /// Of the thread; 0 leads.
    pub number: usize,
    pub nodes: u64,
    /// The most plies from the root.
    pub seldepth: u32,
    /// From now on every value is without meaning.
    pub stopped: bool,
    /// The iteration that this thread is in.
    pub iteration: u32,
    /// What the best move at the root is worth, as far as this thread knows.
    pub root_alpha: Value,
    /// This thread has stopped because another one has found a better move at the root.
    is_raised: bool,
    /// Nodes at which the clock is looked at next.
    next: u64,
    /// Looks at the clock so far.
    polls: u32,
    /// Nodes that the leading thread has been told of.
    told: u64,
    /// The shared nodes from the root to here.
    open: Vec<Question>,
    /// The one of them that another thread has answered, which is why this one has stopped.
    answered: Option<usize>,
}

impl<'a> Meter<'a> {
    /// Nothing counted yet.
    pub fn new(common: &'a Common<'a>, number: usize) -> Meter<'a> {
        Meter {
            common,
            number,
            nodes: 0,
            seldepth: 0,
            stopped: false,
            iteration: 1,
            root_alpha: Value::MAX,
            is_raised: false,
            next: POLL,
            polls: 0,
            told: 0,
            open: Vec::new(),
            answered: None,
        }
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

    /// This thread begins a node that others may search too.
    #[inline]
    pub fn open(&mut self, question: Question) {
        self.open.push(question);
    }

    /// This thread leaves the node that it began last; true if it stopped because another thread knows the answer.
    #[inline]
    pub fn close(&mut self) -> bool {
        self.open.pop();
        let is_answered = self.stopped && self.answered == Some(self.open.len());
        if is_answered {
            (self.stopped, self.answered) = (false, None);
        }
        is_answered
    }

    /// Whether the thread has stopped because of a better move at the root; it is ready to go on then.
    pub fn is_raised(&mut self) -> bool {
        let is_raised = self.is_raised && !self.common.control.is_stopped();
        if is_raised {
            (self.stopped, self.is_raised) = (false, false);
        }
        is_raised
    }

    /// The thread begins an iteration.
    pub fn begin(&mut self, iteration: u32) {
        self.iteration = iteration;
    }

    /// Whether the thread has stopped because another one has finished its iteration; it is ready for the next one then.
    pub fn is_overtaken(&mut self) -> bool {
        let common = self.common;
        let is_overtaken = self.stopped
            && common.progress.finished.load(Relaxed) >= self.iteration
            && !common.control.is_stopped()
            && !common.progress.done.load(Relaxed);
        if is_overtaken {
            self.stopped = false;
        }
        is_overtaken
    }

    #[cold]
    fn poll(&mut self) {
        let common = self.common;
        common.control.look_at_clock();
        self.next = (self.nodes / POLL + 1) * POLL;
        self.polls = self.polls.wrapping_add(1);
        if common.options.threads > 1 && self.polls.is_multiple_of(EXCHANGE) {
            self.exchange();
        }
        let others = if self.number == 0 { common.progress.helpers_nodes.load(Relaxed) } else { 0 };
        let spent = common.limits.nodes.is_some_and(|limit| self.nodes + others >= limit);
        if spent {
            common.control.stop();
        }
        self.stopped |= common.control.is_stopped();
    }

    /// Tells the others of this thread's nodes, and sees what they have done.
    fn exchange(&mut self) {
        let (common, progress) = (self.common, &self.common.progress);
        if self.number > 0 {
            progress.helpers_nodes.fetch_add(self.nodes - self.told, Relaxed);
            self.told = self.nodes;
            self.stopped |= progress.done.load(Relaxed);
        }
        self.stopped |= progress.finished.load(Relaxed) >= self.iteration;
        if !self.stopped && progress.is_raised(self.iteration, self.root_alpha) {
            (self.stopped, self.is_raised) = (true, true);
        }
        if !self.stopped {
            self.answered = self.open.iter().position(|question| common.is_outdated(question));
            self.stopped = self.answered.is_some();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread with two open questions, of which another thread answers the outer one.
    #[test]
    fn a_node_that_another_thread_has_answered_is_left() {
        let options = EngineOptions { threads: 2, ..EngineOptions::default() };
        let (table, abdada) = (TranspositionTable::new(1), AbdadaTable::default());
        let (control, limits) = (Control::default(), Limits::default());
        let common = Common {
            options: &options,
            table: &table,
            abdada: &abdada,
            control: &control,
            limits: &limits,
            start: Instant::now(),
            progress: Progress::default(),
        };
        let mut meter = Meter::new(&common, 0);
        meter.begin(9);
        let [outer, inner] =
            [(7, 6), (8, 5)].map(|(key, depth)| Question { key, depth, alpha: 10, beta: 11, ply: 1 });
        meter.open(outer);
        meter.open(inner);
        let far = POLL * u64::from(EXCHANGE);
        assert!(!(0..2 * far).any(|_| meter.count(1)), "nobody has answered");
        let entry = TableEntry { value: 10, depth: 6, bound: Bound::Upper, best: None };
        table.store(outer.key, TableEntry { depth: 5, ..entry });
        assert!(!(0..2 * far).any(|_| meter.count(1)), "not deeply enough");
        table.store(outer.key, entry);
        assert!((0..2 * far).any(|_| meter.count(1)));
        assert!(!meter.close() && meter.stopped, "the inner node has no answer");
        assert!(meter.close() && !meter.stopped);
        assert_eq!(common.ask(&outer), Some(10));
        common.progress.finished.store(9, Relaxed);
        assert!((0..2 * far).any(|_| meter.count(1)) && meter.is_overtaken());
        assert!(!meter.stopped, "the thread is ready for the next iteration");
        (meter.root_alpha, meter.iteration) = (10, 10);
        common.progress.raise(10, 10);
        assert!(!(0..2 * far).any(|_| meter.count(1)), "no more than this thread knows");
        common.progress.raise(10, 11);
        assert!((0..2 * far).any(|_| meter.count(1)) && meter.is_raised() && !meter.stopped);
    }
}
