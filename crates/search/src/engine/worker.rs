//! One thread of a search: the recursion. Its root, its leaves and its tests are beside it.

mod extensions;
mod picker;
mod pruning;
mod quiescence;
mod root;
mod selective;

use arrayvec::ArrayVec;
use trilith_eval::{Evaluator, Known, Oracle, Value, WIN};
use trilith_games::{DrawRules, Game, Outcome, Record};

use super::Shared;
use super::abdada::{AbdadaTable, SHARE_DEPTH};
use super::closed_game::ClosedGame;
use super::meter::Meter;
use crate::analysis::{Bound, FAR, LONGEST, at_ply};
use crate::kit::NullWindow;
use crate::ladder::{from_here, from_root};
use crate::ordering::{ContinuationHistory, Countermoves, History, slot};
use crate::table::TableEntry;
use extensions::Singular;
use picker::Pick;

/// Larger than every value.
const INFINITE: Value = WIN + 1;
/// Longest line: deeper iterations are not started and deeper nodes are leaves.
const DEEPEST: u32 = 128;

/// What a thread remembers from search to search.
pub struct SearchMemory<M> {
    history: History,
    continuation: ContinuationHistory,
    countermoves: Countermoves<M>,
}

impl<M: Copy + Eq + std::hash::Hash> Default for SearchMemory<M> {
    fn default() -> SearchMemory<M> {
        SearchMemory {
            history: History::default(),
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

impl<'a, G: Game, E: Evaluator<G>, O: Oracle<G>> SearchWorker<'a, G, E, O> {
    /// Thread `number` of a search; 0 leads.
    pub fn new(
        shared: &'a Shared<'a, G, E, O>,
        memory: &'a mut SearchMemory<G::Move>,
        record: &Record<G>,
        number: usize,
    ) -> Self {
        memory.history.fade();
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
        let carry = self.shared.evaluator.advance(game, node.carry, node.position, mv, &after);
        let repeats = self.rules.repetition > 0;
        if repeats {
            self.path.push(game.key(node.position));
        }
        let base = if repeats && is_irreversible { self.path.len() } else { node.base };
        let child = Node {
            position: &after,
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
    fn search(&mut self, node: &Node<G, E::Carry>, depth: u32, mut alpha: Value, beta: Value) -> Value {
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
        let is_pv = beta - alpha > 1;
        let key = game.key(node.position);
        let entry = shared.common.table.probe(key);
        let is_whole = node.excluded.is_none();
        let is_test = !is_pv && is_whole;
        if let Some(value) =
            entry.filter(|_| is_test).and_then(|it| self.bound(&it, node, depth, (alpha, beta)))
        {
            return value;
        }
        // 3. What the position's own value and shallower searches make probable.
        let still = if is_pv { None } else { self.still(node, alpha, beta) };
        if let Some(value) =
            still.filter(|_| is_whole).and_then(|still| self.prune(node, depth, still, (alpha, beta)))
        {
            return value;
        }
        if let Some(value) = is_test.then(|| self.cut(node, depth, alpha, beta)).flatten() {
            return value;
        }
        let depth = self.guided(depth, entry.is_some_and(|entry| entry.best.is_some()));
        let singular = self.singular(node, entry.as_ref(), depth, beta);
        if let Singular::Cut(value) = singular {
            return value;
        }
        // 4. The moves, best guess first.
        let mut picker = self.picker(node, entry);
        let mut put_off: ArrayVec<Pick<G::Move>, 512> = ArrayVec::new();
        let (mut best, mut best_move, lower) = (-INFINITE, None, alpha);
        let mut tried: ArrayVec<G::Move, 512> = ArrayVec::new();
        let mut number = 0;
        loop {
            let new = self.next_move(node, &mut picker);
            let Some(pick) = new.or_else(|| put_off.pop_at(0)) else { break };
            let mv = pick.mv;
            if node.excluded == Some(mv) {
                continue;
            }
            let Some(reduction) =
                self.reduction(node, pick, (number, depth), still.filter(|_| best > LONGEST - WIN))
            else {
                self.leave_out_quiet_moves(node, &mut picker);
                continue;
            };
            let shares = shared.common.options.threads > 1 && depth >= SHARE_DEPTH && number > 0;
            let move_key = AbdadaTable::key(key, slot(mv));
            if shares && new.is_some() && shared.common.abdada.contains(move_key) {
                put_off.push(pick);
                continue;
            }
            if shares {
                // Another thread may have come to the end of this node in the meantime.
                let found = shared.common.table.probe(key).filter(|_| is_test);
                if let Some(value) = found.and_then(|it| self.bound(&it, node, depth, (alpha, beta))) {
                    return value;
                }
                shared.common.abdada.enter(move_key);
            }
            let extension = u32::from(number == 0 && singular == Singular::Extended);
            let deeper = node.extended_by(extension);
            let value = self.try_move(&deeper, pick, number, (depth + extension, reduction), alpha, beta);
            if shares {
                shared.common.abdada.leave(move_key);
            }
            if self.meter.stopped {
                return 0;
            }
            number += 1;
            tried.push(mv);
            if value > best {
                (best, best_move) = (value, Some(mv));
                if value > alpha {
                    alpha = value;
                    if is_pv {
                        self.extend_line(node.ply as usize, mv);
                    }
                }
            }
            if alpha >= beta {
                self.learn(node, mv, depth);
                self.learn_from_failures(node, &tried, depth);
                break;
            }
        }
        // 5. What to remember.
        if !is_whole {
            return best;
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best <= lower => Bound::Upper,
            _ => Bound::Exact,
        };
        let value = from_root(best, node.ply);
        let best_move = best_move.map(|mv| game.action_number(mv) as u16);
        shared.common.table.store(key, TableEntry { value, depth: depth as u8, bound, best: best_move });
        best
    }

    /// The value of an entry that was searched deeply enough and lies outside the null window.
    #[inline]
    fn bound(
        &self,
        entry: &TableEntry,
        node: &Node<G, E::Carry>,
        depth: u32,
        (alpha, beta): (Value, Value),
    ) -> Option<Value> {
        let value = from_here(entry.value, node.ply);
        let is_outside = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        (is_outside && self.shared.common.is_deep_enough(entry, depth)).then_some(value)
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
        let key = self.shared.game.key(node.position);
        let mut before = 0;
        for place in (node.base..self.path.len() - 1).rev().step_by(2) {
            if self.path[place] == key {
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
