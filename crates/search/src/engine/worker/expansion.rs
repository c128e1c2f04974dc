//! The moves of a node: which are searched, in which order, and what is remembered of it.
//!
//! Threads put off moves that others are busy with. A move keeps its place in the order all the same, and by that place it
//! is reduced or left out: else a thread would look more deeply at a move the more others are busy. On the principal
//! variation a thread that raises alpha tells the others, through the table: against an alpha of before they would search
//! more, and in vain.

use arrayvec::ArrayVec;
use trilith_eval::{Evaluator, Oracle, Value, WIN};
use trilith_games::Game;

use super::extensions::Singular;
use super::picker::{Pick, Picker};
use super::{INFINITE, Node, SearchWorker};
use crate::analysis::{Bound, LONGEST};
use crate::engine::abdada::{AbdadaTable, SHARE_DEPTH};
use crate::engine::meter::Question;
use crate::ladder::from_root;
use crate::ordering::slot;
use crate::table::TableEntry;

/// A move with its place in the order, and by how many plies it is reduced there.
#[derive(Clone, Copy)]
struct Turn<M> {
    pick: Pick<M>,
    number: usize,
    reduction: u32,
    /// Another thread was busy with it.
    was_put_off: bool,
}

/// The moves of a node that are still to be searched.
struct Expansion<M> {
    depth: u32,
    /// The node's own value, by which late moves are left out.
    still: Option<Value>,
    picker: Picker<M>,
    /// How many the picker has given.
    count: usize,
    put_off: ArrayVec<Turn<M>, 512>,
    /// Those that have been searched.
    tried: ArrayVec<M, 512>,
    best: Value,
    best_move: Option<M>,
}

impl<G: Game, E: Evaluator<G>, O: Oracle<G>> SearchWorker<'_, G, E, O> {
    /// The value of a node that the table does not answer, inside the window or a bound outside it.
    pub(super) fn expand(
        &mut self,
        node: &Node<G, E::Carry>,
        entry: Option<TableEntry>,
        asked: u32,
        (alpha, beta): (Value, Value),
    ) -> Value {
        // 1. What the position's own value and shallower searches make probable.
        let still = if beta - alpha > 1 { None } else { self.still(node, alpha, beta) };
        if let Some(value) = self.probable(node, asked, still, (alpha, beta)) {
            return value;
        }
        let depth = self.guided(asked, entry.is_some_and(|entry| entry.best.is_some()));
        let singular = self.singular(node, entry.as_ref(), depth, beta);
        if let Singular::Cut(value) = singular {
            return value;
        }
        // 2. The moves, best guess first.
        let mut moves = Expansion {
            depth,
            still,
            picker: self.picker(node, entry),
            count: 0,
            put_off: ArrayVec::new(),
            tried: ArrayVec::new(),
            best: -INFINITE,
            best_move: None,
        };
        let is_extended = singular == Singular::Extended;
        if let Some(value) = self.search_moves(node, &mut moves, is_extended, (alpha, beta)) {
            return value;
        }
        // 3. What to remember.
        let best = moves.best;
        if node.excluded.is_none() {
            let bound = match best {
                _ if best >= beta => Bound::Lower,
                _ if best <= alpha => Bound::Upper,
                _ => Bound::Exact,
            };
            let best_move = moves.best_move.map(|mv| self.shared.game.action_number(mv) as u16);
            // Threads that come later would else search anew, and deeper, what was searched less deeply here.
            let depth = if self.shared.common.options.threads > 1 { asked } else { depth };
            let value = from_root(best, node.ply);
            let entry = TableEntry { value, depth: depth as u8, bound, best: best_move };
            self.shared.common.table.store(node.key, entry);
        }
        best
    }

    /// A value outside the window that needs no search of the moves.
    fn probable(
        &mut self,
        node: &Node<G, E::Carry>,
        depth: u32,
        still: Option<Value>,
        (alpha, beta): (Value, Value),
    ) -> Option<Value> {
        if beta - alpha > 1 || node.excluded.is_some() {
            return None;
        }
        let pruned = still.and_then(|still| self.prune(node, depth, still, (alpha, beta)));
        pruned.or_else(|| self.cut(node, depth, alpha, beta))
    }

    /// Searches the moves until one lies above the window. A value if another thread has come to the end of the node, or
    /// if the search was stopped.
    fn search_moves(
        &mut self,
        node: &Node<G, E::Carry>,
        moves: &mut Expansion<G::Move>,
        is_extended: bool,
        (mut alpha, beta): (Value, Value),
    ) -> Option<Value> {
        let common = &self.shared.common;
        let (is_pv, depth) = (beta - alpha > 1, moves.depth);
        let is_shared = common.options.threads > 1 && depth >= SHARE_DEPTH;
        // Where a game searches null windows by itself, nothing was gained by it.
        let takes_raises = is_shared && is_pv && node.excluded.is_none() && self.shared.null_window.is_none();
        loop {
            let question = Question { key: node.key, depth, alpha, beta, ply: node.ply };
            if takes_raises && let Some(value) = self.take_raise(node, moves, &question) {
                alpha = value;
                continue;
            }
            let Some(turn) = self.next_turn(node, moves) else { break };
            let shares = is_shared && turn.number > 0;
            if shares && !turn.was_put_off && common.abdada.contains(busy_key(node, turn.pick.mv)) {
                moves.put_off.push(Turn { was_put_off: true, ..turn });
                continue;
            }
            let is_test = shares && !is_pv && node.excluded.is_none();
            if let Some(value) = is_test.then(|| common.ask(&question)).flatten() {
                return Some(value);
            }
            let extension = u32::from(turn.number == 0 && is_extended);
            let Some(value) = self.search_turn(node, turn, &question, (shares, takes_raises), extension)
            else {
                moves.put_off.push(Turn { number: turn.number.max(1), was_put_off: true, ..turn });
                continue;
            };
            let mv = turn.pick.mv;
            if self.meter.stopped {
                return Some(0);
            }
            moves.tried.push(mv);
            if value > moves.best {
                (moves.best, moves.best_move) = (value, Some(mv));
            }
            if value > alpha {
                alpha = value;
                if is_pv {
                    self.note_raise(node, mv, (depth, takes_raises), (alpha, beta));
                }
            }
            if alpha >= beta {
                self.learn(node, mv, depth);
                self.learn_from_failures(node, &moves.tried, depth);
                break;
            }
        }
        None
    }

    /// The value of a move, with which other threads keep out of the way; none if one of them has raised alpha meanwhile.
    fn search_turn(
        &mut self,
        node: &Node<G, E::Carry>,
        turn: Turn<G::Move>,
        question: &Question,
        (is_shared, takes_raises): (bool, bool),
        extension: u32,
    ) -> Option<Value> {
        let abdada = self.shared.common.abdada;
        let busy = busy_key(node, turn.pick.mv);
        if is_shared {
            abdada.enter(busy);
        }
        if takes_raises {
            self.meter.open(*question);
        }
        let deeper = node.extended_by(extension);
        let depth = (question.depth + extension, turn.reduction);
        let value = self.try_move(&deeper, turn.pick, turn.number, depth, question.alpha, question.beta);
        if is_shared {
            abdada.leave(busy);
        }
        let is_outdated = takes_raises && self.meter.close();
        (!is_outdated).then_some(value)
    }

    /// A move has raised alpha on the principal variation: it begins the best line, and the other threads hear of it where
    /// they take part.
    fn note_raise(
        &mut self,
        node: &Node<G, E::Carry>,
        mv: G::Move,
        (depth, is_told): (u32, bool),
        (alpha, beta): (Value, Value),
    ) {
        self.extend_line(node.ply as usize, mv);
        if is_told && alpha < beta {
            let value = from_root(alpha, node.ply);
            let best = Some(self.shared.game.action_number(mv) as u16);
            let entry = TableEntry { value, depth: depth as u8, bound: Bound::Lower, best };
            self.shared.common.table.store(node.key, entry);
        }
    }

    /// Takes over what another thread has found on the principal variation: the new alpha.
    fn take_raise(
        &mut self,
        node: &Node<G, E::Carry>,
        moves: &mut Expansion<G::Move>,
        question: &Question,
    ) -> Option<Value> {
        let game = self.shared.game;
        let (value, number) = self.shared.common.raise(question)?;
        moves.best = value;
        // An entry of another position with the same key may name a move that is not there.
        let mv = game.numbered_move(node.position, number.into());
        if let Some(mv) = mv.filter(|&mv| game.is_legal(node.position, mv)) {
            moves.best_move = Some(mv);
            // How the other thread's line goes on is not known here.
            self.lines[node.ply as usize + 1].clear();
            self.extend_line(node.ply as usize, mv);
        }
        Some(value)
    }

    /// The best guess among the moves that are left; at last those that were put off, first the ones that nobody is busy
    /// with any more.
    #[inline]
    fn next_turn(
        &mut self,
        node: &Node<G, E::Carry>,
        moves: &mut Expansion<G::Move>,
    ) -> Option<Turn<G::Move>> {
        while let Some(pick) = self.next_move(node, &mut moves.picker) {
            if node.excluded == Some(pick.mv) {
                continue;
            }
            let number = moves.count;
            let still = moves.still.filter(|_| moves.best > LONGEST - WIN);
            match self.reduction(node, pick, (number, moves.depth), still) {
                Some(reduction) => {
                    moves.count += 1;
                    return Some(Turn { pick, number, reduction, was_put_off: false });
                }
                None => self.leave_out_quiet_moves(node, &mut moves.picker),
            }
        }
        let abdada = self.shared.common.abdada;
        let is_free = |turn: &Turn<G::Move>| !abdada.contains(busy_key(node, turn.pick.mv));
        let first = moves.put_off.iter().position(is_free).unwrap_or(0);
        moves.put_off.pop_at(first)
    }
}

fn busy_key<G: Game, C>(node: &Node<G, C>, mv: G::Move) -> u64 {
    AbdadaTable::key(node.key, slot(mv))
}
