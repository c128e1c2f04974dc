//! One thread of a search: the recursion. Its root, its leaves and its tests are beside it.

mod expansion;
mod extensions;
mod picker;
mod pruning;
mod quiescence;
mod root;
mod selective;

use trilith_eval::{Evaluator, Known, Oracle, Value, WIN};
use trilith_games::{DrawRules, Game, Outcome, Record};

use super::Shared;
use super::abdada::SHARE_DEPTH;
use super::closed_game::ClosedGame;
use super::meter::{Meter, Question};
use crate::analysis::{FAR, at_ply};
use crate::kit::NullWindow;
use crate::ordering::{ContinuationHistory, Countermoves, History};
use picker::Pick;
pub use root::Iteration;

/// Larger than every value.
const INFINITE: Value = WIN + 1;
/// Longest line: deeper iterations are not started and deeper nodes are leaves.
const DEEPEST: u32 = 128;

/// What a thread remembers from search to search.
pub struct SearchMemory<M> {
    history: History,
    /// Of captures, where they have one of their own.
    captures: History,
    continuation: ContinuationHistory,
    countermoves: Countermoves<M>,
}

impl<M: Copy + Eq + std::hash::Hash> Default for SearchMemory<M> {
    fn default() -> SearchMemory<M> {
        SearchMemory {
            history: History::default(),
            captures: History::default(),
            continuation: ContinuationHistory::default(),
            countermoves: Countermoves::default(),
        }
    }
}

/// A thread at work.
pub struct SearchWorker<'a, G: Game, E, O> {
    shared: &'a Shared<'a, G, E, O>,
    memory: &'a mut SearchMemory<G::Move>,
    meter: Meter<'a>,
    root: G::Position,
    root_ply: u32,
    /// What the oracle knows of the root.
    root_outcome: Option<Outcome>,
    rules: DrawRules,
    closed_game: ClosedGame,
    /// Keys of the game's and the tree's positions that could come again.
    path: Vec<u64>,
    /// Where the tree begins in `path`.
    tree: usize,
    killers: Vec<[Option<G::Move>; 2]>,
    /// The best line below each ply.
    lines: Vec<Vec<G::Move>>,
}

/// Where in the tree a thread is.
struct Node<'n, G: Game, C> {
    position: &'n G::Position,
    /// Of the position; of no meaning past the horizon.
    key: u64,
    carry: &'n C,
    last: Option<G::Move>,
    ply: u32,
    /// The first place in `path` that can come again.
    base: usize,
    /// Plies that the line has become longer by.
    extended: u32,
    /// The move that is left out, in a search of whether all others are worse.
    excluded: Option<G::Move>,
}

impl<'n, G: Game, C> Node<'n, G, C> {
    fn root(position: &'n G::Position, key: u64, carry: &'n C) -> Self {
        Node { position, key, carry, last: None, ply: 0, base: 0, extended: 0, excluded: None }
    }
}

impl<'a, G: Game, E: Evaluator<G>, O: Oracle<G>> SearchWorker<'a, G, E, O> {
    /// Thread `number` of a search; 0 leads.
    pub fn new(
        shared: &'a Shared<'a, G, E, O>,
        memory: &'a mut SearchMemory<G::Move>,
        record: &Record<G>,
        number: usize,
    ) -> Self {
        memory.history.fade();
        memory.captures.fade();
        let rules = record.game().history();
        let path = if rules.repetition > 0 { record.returnable() } else { Vec::new() };
        SearchWorker {
            shared,
            memory,
            meter: Meter::new(&shared.common, number),
            root: *record.position(),
            root_ply: record.len() as u32,
            root_outcome: None,
            rules,
            closed_game: ClosedGame::of(record, shared.evaluator, shared.common.options.mobility_percent),
            tree: path.len(),
            path,
            killers: vec![[None; 2]; DEEPEST as usize + 1],
            lines: (0..=DEEPEST as usize + 1).map(|_| Vec::with_capacity(DEEPEST as usize)).collect(),
        }
    }

    /// The value of a move for the side to move: minimal window first, unless it is the first move.
    fn try_move(
        &mut self,
        node: &Node<G, E::Carry>,
        Pick { mv, is_irreversible }: Pick<G::Move>,
        number: usize,
        (depth, reduction): (u32, u32),
        alpha: Value,
        beta: Value,
    ) -> Value {
        let game = self.shared.game;
        let after = game.play(node.position, mv);
        let key = game.key(&after);
        if depth > 1 {
            self.shared.common.table.prefetch(key);
        }
        let carry = self.shared.evaluator.advance(game, node.carry, node.position, mv, &after);
        let repeats = self.rules.repetition > 0;
        if repeats {
            self.path.push(node.key);
        }
        let base = if repeats && is_irreversible { self.path.len() } else { node.base };
        let child = Node {
            position: &after,
            key,
            carry: &carry,
            last: Some(mv),
            ply: node.ply + 1,
            base,
            extended: node.extended,
            excluded: None,
        };
        let value = if number == 0 {
            -self.search(&child, depth - 1, -beta, -alpha)
        } else {
            let mut test = -self.search(&child, depth - 1 - reduction, -alpha - 1, -alpha);
            if reduction > 0 && test > alpha && !self.meter.stopped {
                test = -self.search(&child, depth - 1, -alpha - 1, -alpha);
            }
            match alpha < test && test < beta && !self.meter.stopped {
                true => -self.search(&child, depth - 1, -beta, -alpha),
                false => test,
            }
        };
        if repeats {
            self.path.pop();
        }
        value
    }

    /// The value inside the window, a bound outside it (fail-soft).
    fn search(&mut self, node: &Node<G, E::Carry>, depth: u32, alpha: Value, beta: Value) -> Value {
        let shared = self.shared;
        let game = shared.game;
        self.lines[node.ply as usize].clear();
        if let Some(NullWindow(test)) = shared.null_window
            && beta - alpha == 1
        {
            self.meter.seldepth = self.meter.seldepth.max(node.ply + depth);
            return test(&mut self.meter, (game, shared.evaluator), node.position, alpha, depth);
        }
        if self.meter.enter(node.ply) {
            return 0;
        }
        // 1. What is known without search.
        if self.is_drawn_by_history(node) {
            let contempt = shared.common.options.contempt + self.closed_game.contempt;
            return if node.ply.is_multiple_of(2) { -contempt } else { contempt };
        }
        if let Some(known) = shared.oracle.probe(game, node.position, depth)
            && self.is_news(known, node.ply)
        {
            return value_of(known, node.ply);
        }
        let extension = u32::from(self.is_threatened(node, depth));
        let (depth, node) = (depth + extension, &node.extended_by(extension));
        if depth == 0 || node.ply >= DEEPEST {
            return self.leaf(node, alpha, beta);
        }
        if game.outcome(node.position).is_some() {
            return self.ended(node);
        }
        // 2. What the table knows.
        let entry = shared.common.table.probe(node.key);
        let question = Question { key: node.key, depth, alpha, beta, ply: node.ply };
        let is_test = beta - alpha == 1 && node.excluded.is_none();
        if let Some(value) =
            entry.filter(|_| is_test).and_then(|entry| shared.common.answer(&entry, &question))
        {
            return value;
        }
        // 3. The moves, unless another thread is faster.
        if !is_test || shared.common.options.threads == 1 || depth < SHARE_DEPTH {
            return self.expand(node, entry, depth, (alpha, beta));
        }
        loop {
            self.meter.open(question);
            let value = self.expand(node, entry, depth, (alpha, beta));
            if !self.meter.close() {
                return value;
            }
            if let Some(value) = shared.common.ask(&question) {
                return value;
            }
        }
    }

    /// Whether the oracle says more than it said of the root: a way to the end, or another outcome.
    fn is_news(&self, known: Known, ply: u32) -> bool {
        let for_root = if ply.is_multiple_of(2) { known.outcome } else { opposite(known.outcome) };
        known.plies.is_some() || self.root_outcome != Some(for_root)
    }

    fn ended(&self, node: &Node<G, E::Carry>) -> Value {
        let (game, evaluator) = (self.shared.game, self.shared.evaluator);
        let outcome = game.outcome(node.position).expect("without a move the game has ended");
        at_ply(evaluator.ended(game, node.position, outcome), node.ply)
    }

    /// A position that came before in this line is a draw at once, one of the game if the rule would be met.
    fn is_drawn_by_history(&self, node: &Node<G, E::Carry>) -> bool {
        if self.rules.plies > 0 && self.root_ply + node.ply >= self.rules.plies {
            return self.shared.game.outcome(node.position).is_none();
        }
        if self.rules.repetition == 0 || self.path.len() < node.base + 2 {
            return false;
        }
        let mut before = 0;
        for place in (node.base..self.path.len() - 1).rev().step_by(2) {
            if self.path[place] == node.key {
                before += 1;
                if place >= self.tree || before + 1 >= self.rules.repetition.max(2) {
                    return true;
                }
            }
        }
        false
    }

    fn extend_line(&mut self, ply: usize, mv: G::Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    fn learn(&mut self, node: &Node<G, E::Carry>, mv: G::Move, depth: u32) {
        let side = (node.ply % 2) as usize;
        if self.is_in_capture_history(node, mv) {
            self.memory.captures.learn(side, mv, depth, true);
            return;
        }
        let killers = &mut self.killers[node.ply as usize];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        if let Some(last) = node.last {
            self.memory.countermoves.learn(side, last, mv);
            if self.order().is_some() {
                self.memory.continuation.learn(side, last, mv, depth, true);
            }
        }
        self.memory.history.learn(side, mv, depth, true);
    }
}

fn opposite(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Win => Outcome::Loss,
        Outcome::Draw => Outcome::Draw,
        Outcome::Loss => Outcome::Win,
    }
}

/// The value of what is known, `ply` plies from the root.
fn value_of(known: Known, ply: u32) -> Value {
    let plies = (ply + known.plies.unwrap_or(FAR)) as Value;
    match known.outcome {
        Outcome::Win => WIN - plies,
        Outcome::Draw => 0,
        Outcome::Loss => plies - WIN,
    }
}
