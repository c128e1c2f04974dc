//! One thread of a search: the recursion. Its root, its leaves and its tests are beside it.

mod pruning;
mod quiescence;
mod root;
mod selective;

use arrayvec::ArrayVec;
use trilith_eval::{Evaluator, Known, Oracle, Value, WIN};
use trilith_games::{Game, History as DrawRules, MoveList, Outcome, Record};

use super::Shared;
use super::abdada::{AbdadaTable, SHARE_DEPTH};
use super::closed_game::ClosedGame;
use super::meter::Meter;
use crate::analysis::{Bound, FAR, LONGEST, at_ply};
use crate::kit::NullWindow;
use crate::ladder::{from_here, from_root};
use crate::ordering::{Countermoves, History, slot};
use crate::table::TableEntry;

/// Larger than every value.
const INFINITE: Value = WIN + 1;
/// Longest line: deeper iterations are not started and deeper nodes are leaves.
const DEEPEST: u32 = 128;

/// What a thread remembers from search to search.
pub struct Memory<M> {
    history: History,
    countermoves: Countermoves<M>,
}

impl<M: Copy + Eq + std::hash::Hash> Default for Memory<M> {
    fn default() -> Memory<M> {
        Memory { history: History::default(), countermoves: Countermoves::default() }
    }
}

/// A thread at work.
pub struct Worker<'a, G: Game, E, O> {
    shared: &'a Shared<'a, G, E, O>,
    memory: &'a mut Memory<G::Move>,
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
}

impl<'a, G: Game, E: Evaluator<G>, O: Oracle<G>> Worker<'a, G, E, O> {
    /// Thread `number` of a search; 0 leads.
    pub fn new(
        shared: &'a Shared<'a, G, E, O>,
        memory: &'a mut Memory<G::Move>,
        record: &Record<G>,
        number: usize,
    ) -> Self {
        memory.history.fade();
        let rules = record.game().history();
        let path = if rules.repetition > 0 { record.returnable() } else { Vec::new() };
        Worker {
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
        mv: G::Move,
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
        let base =
            if repeats && game.is_irreversible(node.position, mv) { self.path.len() } else { node.base };
        let child = Node { position: &after, carry: &carry, last: Some(mv), ply: node.ply + 1, base };
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
    fn search(&mut self, node: &Node<G, E::Carry>, depth: u32, mut alpha: Value, mut beta: Value) -> Value {
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
        if let Some(entry) = entry.filter(|entry| shared.common.is_deep_enough(entry, depth) && !is_pv) {
            let value = from_here(entry.value, node.ply);
            match entry.bound {
                Bound::Exact => return value,
                Bound::Lower => alpha = alpha.max(value),
                Bound::Upper => beta = beta.min(value),
            }
            if alpha >= beta {
                return value;
            }
        }
        // 3. What the position's own value and shallower searches make probable.
        let still = if is_pv { None } else { self.still(node, alpha, beta) };
        if let Some(value) = still.and_then(|still| self.prune(node, depth, still, (alpha, beta))) {
            return value;
        }
        if let Some(value) = (!is_pv).then(|| self.cut(node, depth, alpha, beta)).flatten() {
            return value;
        }
        let depth = self.guided(depth, entry.is_some_and(|entry| entry.best.is_some()));
        // 4. The moves, best guess first.
        let mut moves = MoveList::new();
        game.moves(node.position, &mut moves);
        // An entry of another position with the same key may name a place that is not there.
        let hash_move = entry.and_then(|entry| entry.best).filter(|&place| usize::from(place) < moves.len());
        // Where nodes are pruned anyway, nothing is ordered before the hash move has failed.
        let is_lazy = hash_move.is_some() && shared.common.options.pruning.is_some();
        let mut queue =
            if is_lazy { Queue::of(hash_move) } else { self.ordering_scores(node, &moves, hash_move) };
        let mut put_off: ArrayVec<u16, 512> = ArrayVec::new();
        let (mut best, mut best_place, lower) = (-INFINITE, None, alpha);
        let mut tried: ArrayVec<u16, 512> = ArrayVec::new();
        let mut number = 0;
        while number < moves.len() {
            if number == 1 && is_lazy {
                queue = self.ordering_scores(node, &moves, hash_move);
                queue.take_best();
            }
            let place = queue.take_best().unwrap_or_else(|| put_off.remove(0));
            let mv = moves[usize::from(place)];
            let Some(reduction) =
                self.reduction(node, mv, (number, depth), still.filter(|_| best > LONGEST - WIN))
            else {
                number += 1;
                continue;
            };
            let shares = shared.common.options.threads > 1 && depth >= SHARE_DEPTH && number > 0;
            let move_key = AbdadaTable::key(key, slot(mv));
            if shares && !queue.is_empty() && shared.common.abdada.contains(move_key) {
                put_off.push(place);
                continue;
            }
            if shares {
                shared.common.abdada.enter(move_key);
            }
            let value = self.try_move(node, mv, number, (depth, reduction), alpha, beta);
            if shares {
                shared.common.abdada.leave(move_key);
            }
            if self.meter.stopped {
                return 0;
            }
            number += 1;
            tried.push(place);
            if value > best {
                (best, best_place) = (value, Some(place));
                if value > alpha {
                    alpha = value;
                    if is_pv {
                        self.extend_line(node.ply as usize, mv);
                    }
                }
            }
            if alpha >= beta {
                self.learn(node, mv, depth);
                self.learn_from_failures(node, (&moves, &tried), depth);
                break;
            }
        }
        // 5. What to remember.
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best <= lower => Bound::Upper,
            _ => Bound::Exact,
        };
        let value = from_root(best, node.ply);
        shared.common.table.store(key, TableEntry { value, depth: depth as u8, bound, best: best_place });
        best
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

    /// Move ordering: the hash move first, then the game's own guess, killers and countermove, history.
    fn ordering_scores(
        &self,
        node: &Node<G, E::Carry>,
        moves: &MoveList<G::Move>,
        known: Option<u16>,
    ) -> Queue {
        let side = (node.ply % 2) as usize;
        let killers = self.killers[node.ply as usize];
        let reply = node.last.and_then(|last| self.memory.countermoves.get(side, last));
        let score = |(place, &mv): (usize, &G::Move)| {
            if known == Some(place as u16) {
                return i32::MAX;
            }
            let ordering_score = self.shared.game.ordering_score(node.position, mv) << 16;
            let killer = i32::from(killers.contains(&Some(mv))) + i32::from(reply == Some(mv));
            ordering_score + (killer << 14) + self.memory.history.get(side, mv) / 2
        };
        Queue(moves.iter().enumerate().map(|(place, mv)| Queue::entry(place, score((place, mv)))).collect())
    }

    fn learn(&mut self, node: &Node<G, E::Carry>, mv: G::Move, depth: u32) {
        let side = (node.ply % 2) as usize;
        let killers = &mut self.killers[node.ply as usize];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        if let Some(last) = node.last {
            self.memory.countermoves.learn(side, last, mv);
        }
        self.memory.history.learn(side, mv, depth, true);
    }
}

/// The places of moves that have not been tried, with how promising each is.
struct Queue(ArrayVec<i64, 512>);

impl Queue {
    /// Of two equally promising moves the first is larger.
    #[inline(always)]
    fn entry(place: usize, worth: i32) -> i64 {
        i64::from(worth) << 16 | (i64::from(u16::MAX) - place as i64)
    }

    /// Only the hash move.
    fn of(hash_move: Option<u16>) -> Queue {
        Queue(hash_move.map(|place| Queue::entry(place.into(), i32::MAX)).into_iter().collect())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes the most promising place.
    #[inline]
    fn take_best(&mut self) -> Option<u16> {
        let mut best = 0;
        for (at, &entry) in self.0.iter().enumerate() {
            if entry > self.0[best] {
                best = at;
            }
        }
        let entry = self.0.swap_pop(best)?;
        Some(u16::MAX - entry as u16)
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
