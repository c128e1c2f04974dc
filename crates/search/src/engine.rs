//! The production search: PVS with iterative deepening and aspiration on a shared table, on any number of threads.
//!
//! Threads search the same tree and share what they find, but put off moves that another thread is busy with
//! (simplified ABDADA). What one thread has found out the others need not: they leave a node that another one has
//! answered, and an iteration that another one has finished. With one thread the search is deterministic.
//!
//! Where the oracle knows the root, only moves that keep its outcome are searched, and that outcome is no news further
//! down: in a drawn position the search goes on past draws and looks for the one that is hardest to hold.
//!
//! A game may have a faster search of null windows ([`NullWindow`]); it serves where no moves are followed past the
//! horizon.
//!
//! In closed games mobility counts the more the longer nothing has happened ([`EngineOptions::mobility_percent`]).

pub(crate) mod abdada;
mod closed_game;
pub(crate) mod meter;
mod ponder;
mod worker;

pub use ponder::Pondering;

use std::sync::{Arc, Mutex};
use std::time::Instant;

use trilith_eval::{Evaluator, Oracle, Value};
use trilith_games::{Game, Noise, Record};

use crate::analysis::Analysis;
use crate::finisher::Finisher;
use crate::kit::NullWindow;
use crate::limits::{Control, Limits};
use crate::probcut::Cuts;
use crate::pruning::Pruning;
use crate::table::TranspositionTable;
use abdada::AbdadaTable;
use meter::{Common, Progress};
use worker::{Iteration, SearchMemory, SearchWorker};

/// How an engine works. The defaults are those of play.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Threads that search.
    pub threads: usize,
    /// Size of the transposition table.
    pub table_mebibytes: usize,
    /// How many lines to find, best first.
    pub lines: usize,
    /// Which moves are followed past the horizon, and how far; with none the game's own search of null windows is used.
    pub quiescence: Option<(Noise, u32)>,
    /// Take nothing from the table that was searched deeper: values are exactly those of the ladder.
    pub exact: bool,
    /// Tests by which subtrees are left out; none searches them all.
    pub selective: Option<Arc<Cuts>>,
    /// Techniques by which late moves and hopeless nodes are searched less; none searches them all.
    pub pruning: Option<Arc<Pruning>>,
    /// How much freedom of movement may count in a game that has long stood still, and how much less than an even game a
    /// draw by repetition or length is worth there, in per cent of the usual; 0 where values are to say what positions
    /// are worth.
    pub mobility_percent: u32,
    /// By how much a draw by repetition or length falls short of an even game to the side at the root, in steps of the
    /// evaluation; 0 where values are to say what positions are worth.
    pub contempt: Value,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions {
            threads: 1,
            table_mebibytes: 64,
            lines: 1,
            quiescence: Some((Noise::Captures, 6)),
            exact: false,
            selective: None,
            pruning: None,
            mobility_percent: 0,
            contempt: 0,
        }
    }
}

/// A search with its evaluation, its knowledge and its memory.
pub struct Engine<G: Game, E, O> {
    evaluator: E,
    oracle: O,
    options: EngineOptions,
    table: TranspositionTable,
    abdada: AbdadaTable,
    memories: Vec<SearchMemory<G::Move>>,
    null_window: Option<NullWindow<G, E>>,
    finisher: Option<Box<dyn Finisher<G>>>,
}

/// What the threads of one search share.
struct Shared<'a, G: Game, E, O> {
    game: &'a G,
    evaluator: &'a E,
    oracle: &'a O,
    common: Common<'a>,
    /// The deepest iteration that a thread has finished, where there are several.
    finished: Mutex<Iteration<G::Move>>,
    /// The best move at the root so far of the iteration at work.
    raised: Mutex<Iteration<G::Move>>,
    /// Answers null windows in place of the recursion.
    null_window: Option<NullWindow<G, E>>,
    /// Sees the positions in the tree that are searched with a null window, and their plies from the root.
    watch: Option<&'a Watch<'a, G>>,
}

/// Sees positions of a search and how many plies they are from its root.
pub type Watch<'a, G> = dyn Fn(&<G as Game>::Position, u32) + Sync + 'a;

impl<G: Game, E: Evaluator<G>, O: Oracle<G>> Engine<G, E, O> {
    /// An engine that has not thought yet.
    pub fn new(evaluator: E, oracle: O, options: EngineOptions) -> Self {
        let threads = options.threads.max(1);
        Engine {
            evaluator,
            oracle,
            table: TranspositionTable::new(options.table_mebibytes),
            abdada: AbdadaTable::default(),
            memories: (0..threads).map(|_| SearchMemory::default()).collect(),
            null_window: None,
            finisher: None,
            options,
        }
    }

    /// Searches null windows with `null_window`, unless moves are followed past the horizon.
    pub fn with_null_window(mut self, null_window: Option<NullWindow<G, E>>) -> Self {
        self.null_window = null_window;
        self
    }

    /// Leaves the end of the game to `finisher`, where that is in reach.
    pub fn with_finisher(mut self, finisher: Option<Box<dyn Finisher<G>>>) -> Self {
        self.finisher = finisher;
        self
    }

    /// What values are made of.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// What it knows by proof, and the way to change that between searches.
    pub fn oracle_mut(&mut self) -> &mut O {
        &mut self.oracle
    }

    /// Makes the table at least so large; a larger one begins empty.
    pub fn grow(&mut self, mebibytes: usize) {
        if mebibytes > self.options.table_mebibytes {
            self.options.table_mebibytes = mebibytes;
            self.table = TranspositionTable::new(mebibytes);
        }
    }

    /// From now on finds so many lines, at least one.
    pub fn search_lines(&mut self, lines: usize) {
        self.options.lines = lines;
    }

    /// Forgets all it has learned from earlier searches.
    pub fn forget(&mut self) {
        self.table.clear();
        self.memories.iter_mut().for_each(|memory| *memory = SearchMemory::default());
        if let Some(finisher) = &mut self.finisher {
            finisher.forget();
        }
    }

    /// Searches the position of `record`. `report` hears of every finished iteration.
    ///
    /// Answers within milliseconds of `control` being stopped or a limit being reached; the first iteration is always
    /// finished, so there is a move unless the game has ended.
    pub fn analyse(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Analysis<G::Move>),
    ) -> Analysis<G::Move> {
        let finisher = self.finisher.as_ref().filter(|_| record.end().is_none());
        let (game, position, lines) = (record.game(), record.position(), self.options.lines);
        match finisher.and_then(|finisher| finisher.plan(game, position, limits, lines)) {
            Some(first) => self.finish(record, (&first, limits), control, report),
            None => self.run(record, limits, control, None, report),
        }
    }

    /// A short search for a move to fall back on, then the finisher with what is left of the limits.
    fn finish(
        &mut self,
        record: &Record<G>,
        (first, limits): (&Limits, &Limits),
        control: &Control,
        report: &mut dyn FnMut(&Analysis<G::Move>),
    ) -> Analysis<G::Move> {
        let start = Instant::now();
        let mut answer = self.run(record, first, control, None, report);
        let Some(finisher) = self.finisher.as_mut().filter(|_| !control.is_stopped()) else { return answer };
        let before = answer.nodes;
        let left = limits.nodes.map(|nodes| nodes.saturating_sub(before));
        finisher.finish(record.position(), self.options.lines, left, control, &mut |found| {
            answer.lines = found.lines;
            if !found.proved {
                // Probable, not searched to the full.
                answer.lines.iter_mut().for_each(|line| line.depth = answer.depth);
            }
            answer.unit = found.unit;
            answer.seldepth = answer.seldepth.max(found.plies);
            if found.proved {
                answer.depth = found.plies;
            }
            answer.nodes = before + found.nodes;
            answer.seconds = start.elapsed().as_secs_f64();
            report(&answer);
        });
        answer
    }

    /// As [`Engine::analyse`]; `watch` sees every inner node that is searched with a null window, as often as it is.
    pub fn watch(&mut self, record: &Record<G>, limits: &Limits, watch: &Watch<'_, G>) -> Analysis<G::Move> {
        self.run(record, limits, &Control::default(), Some(watch), &mut |_| ())
    }

    fn run(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        control: &Control,
        watch: Option<&Watch<'_, G>>,
        report: &mut dyn FnMut(&Analysis<G::Move>),
    ) -> Analysis<G::Move> {
        if let Some(time) = limits.hard() {
            control.stop_after(time);
        }
        self.table.grow_older();
        let is_plain = self.options.quiescence.is_none() && watch.is_none();
        let shared = Shared {
            game: record.game(),
            evaluator: &self.evaluator,
            oracle: &self.oracle,
            common: Common {
                options: &self.options,
                table: &self.table,
                abdada: &self.abdada,
                control,
                limits,
                start: Instant::now(),
                progress: Progress::default(),
            },
            finished: Mutex::default(),
            raised: Mutex::default(),
            null_window: self.null_window.filter(|_| is_plain),
            watch,
        };
        let (main, helpers) = self.memories.split_first_mut().expect("there is at least one thread");
        std::thread::scope(|scope| {
            for (number, memory) in (1..).zip(helpers) {
                let shared = &shared;
                scope.spawn(move || SearchWorker::new(shared, memory, record, number).help());
            }
            SearchWorker::new(&shared, main, record, 0).lead(report)
        })
    }
}
