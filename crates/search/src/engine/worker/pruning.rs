//! The techniques of [`crate::pruning`] at a node of the engine.

use trilith_eval::{Evaluator, Oracle, Value, WIN};
use trilith_games::{Game, MoveList, Noise};

use super::picker::Pick;
use super::{Node, SearchWorker};
use crate::analysis::LONGEST;
use crate::pruning::{OrderWeights, Spare};

impl<G: Game, E: Evaluator<G>, O: Oracle<G>> SearchWorker<'_, G, E, O> {
    /// The position's own value, where techniques ask for it: none where a forced end is in sight.
    pub(super) fn still(&self, node: &Node<G, E::Carry>, alpha: Value, beta: Value) -> Option<Value> {
        let shared = self.shared;
        shared.common.options.pruning.as_ref()?;
        let is_open = alpha.abs().max(beta.abs()) <= WIN - LONGEST;
        is_open.then(|| self.closed_game.value((shared.game, shared.evaluator), node.position, node.carry))
    }

    /// A value outside the window for a node that needs no full search: it lies far above, or would even after a null
    /// move, or so far below that only captures can help.
    pub(super) fn prune(
        &mut self,
        node: &Node<G, E::Carry>,
        depth: u32,
        still: Value,
        (alpha, beta): (Value, Value),
    ) -> Option<Value> {
        let shared = self.shared;
        let pruning = shared.common.options.pruning.as_deref()?;
        if still - pruning.safety(depth) >= beta {
            return Some(still);
        }
        let hope = still + pruning.hope(depth);
        if hope <= alpha {
            return Some(self.try_captures(node, depth, hope, (alpha, beta)));
        }
        // Two null moves in a row would only ask the same again, less deeply.
        let depth = pruning.null_move(depth).filter(|_| still >= beta && node.last.is_some())?;
        let after = shared.game.null_move(node.position)?;
        let carry = shared.evaluator.begin(shared.game, &after);
        let repeats = self.rules.repetition > 0;
        if repeats {
            self.path.push(node.key);
        }
        // What stood on the board before was with the other side to move.
        let base = self.path.len();
        let child = Node {
            position: &after,
            key: shared.game.key(&after),
            carry: &carry,
            last: None,
            ply: node.ply + 1,
            base,
            extended: node.extended,
            excluded: None,
        };
        let value = -self.search(&child, depth, -beta, -beta + 1);
        if repeats {
            self.path.pop();
        }
        if self.meter.stopped {
            return Some(0);
        }
        // A win after a pass is no proof of one.
        (value >= beta).then_some(if value > WIN - LONGEST { beta } else { value })
    }

    /// How deeply to search a node, given whether a best move is known.
    pub(super) fn guided(&self, depth: u32, is_known: bool) -> u32 {
        match self.shared.common.options.pruning.as_deref() {
            Some(pruning) if !is_known => pruning.unguided(depth),
            _ => depth,
        }
    }

    /// The best of `hope` and of the captures.
    fn try_captures(
        &mut self,
        node: &Node<G, E::Carry>,
        depth: u32,
        hope: Value,
        (alpha, beta): (Value, Value),
    ) -> Value {
        let mut best = hope;
        let mut moves = MoveList::new();
        self.shared.game.noisy_moves(node.position, Noise::Captures, &mut moves);
        for (number, &mv) in moves.iter().enumerate() {
            let pick = Pick { mv, is_irreversible: self.shared.game.is_irreversible(node.position, mv) };
            let value = self.try_move(node, pick, number, (depth, 0), alpha, beta);
            if self.meter.stopped {
                return 0;
            }
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        best
    }

    /// By how many plies move `number` of a node is searched less deeply at first; none if it is left out, which may
    /// happen where the node has a value of its own ([`SearchWorker::still`]).
    #[inline]
    pub(super) fn reduction(
        &self,
        node: &Node<G, E::Carry>,
        pick: Pick<G::Move>,
        (number, depth): (usize, u32),
        still: Option<Value>,
    ) -> Option<u32> {
        let Some(pruning) = self.shared.common.options.pruning.as_deref().filter(|_| number > 0) else {
            return Some(0);
        };
        let is_late = still.is_some() && number >= pruning.move_count(depth);
        if is_late && !self.is_spared(node, pick, pruning.uncounted()) {
            return None;
        }
        if self.is_spared(node, pick, pruning.unreduced()) {
            return Some(0);
        }
        let history = self.history(node, pick.mv);
        Some(pruning.reduction(depth, number, still.is_none(), history).min(depth.saturating_sub(2)))
    }

    /// Whether a move is one of those that a technique leaves alone. What is taken is never given back, so that most moves
    /// need not be asked.
    #[inline]
    pub(super) fn is_spared(&self, node: &Node<G, E::Carry>, pick: Pick<G::Move>, spare: Spare) -> bool {
        let is_capture = || self.shared.game.is_noisy(node.position, pick.mv, Noise::Captures);
        pick.is_irreversible && (spare == Spare::Irreversible || is_capture())
    }

    /// The moves tried before the last one, which has cut, were not what the order took them for.
    pub(super) fn learn_from_failures(&mut self, node: &Node<G, E::Carry>, tried: &[G::Move], depth: u32) {
        if !self.shared.common.options.pruning.as_deref().is_some_and(|it| it.has_late_moves()) {
            return;
        }
        let Some((_, failures)) = tried.split_last() else { return };
        let side = (node.ply % 2) as usize;
        let last = node.last.filter(|_| self.order().is_some());
        for &mv in failures {
            if self.is_in_capture_history(node, mv) {
                self.memory.captures.learn(side, mv, depth, false);
                continue;
            }
            self.memory.history.learn(side, mv, depth, false);
            if let Some(last) = last {
                self.memory.continuation.learn(side, last, mv, depth, false);
            }
        }
    }

    /// Whether a move is a capture and captures have a history of their own.
    #[inline]
    pub(super) fn is_in_capture_history(&self, node: &Node<G, E::Carry>, mv: G::Move) -> bool {
        let pruning = self.shared.common.options.pruning.as_deref();
        pruning.is_some_and(|it| it.has_capture_history())
            && self.shared.game.is_noisy(node.position, mv, Noise::Captures)
    }

    /// How quiet moves are ordered, where not by the game's guess first.
    #[inline]
    pub(super) fn order(&self) -> Option<OrderWeights> {
        self.shared.common.options.pruning.as_deref()?.order()
    }

    /// How good a move has been so far, in all positions and after the last move.
    #[inline]
    pub(super) fn history(&self, node: &Node<G, E::Carry>, mv: G::Move) -> i32 {
        let side = (node.ply % 2) as usize;
        let everywhere = self.memory.history.get(side, mv);
        match (self.order(), node.last) {
            (Some(order), Some(last)) => {
                everywhere + ((self.memory.continuation.get(side, last, mv) * order.continuation) >> 8)
            }
            _ => everywhere,
        }
    }
}
