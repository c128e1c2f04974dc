//! The root of a search: iterations, windows around the last value, the answer.

use std::collections::VecDeque;
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

use trilith_eval::{Evaluator, Known, Oracle, Value, WIN};
use trilith_games::{Game, MoveList, Outcome};

use super::picker::Pick;
use super::{DEEPEST, INFINITE, Node, SearchWorker, value_of};
use crate::analysis::{Analysis, Bound, LONGEST, Line};
use crate::engine::abdada::{AbdadaTable, SHARE_DEPTH};
use crate::ordering::slot;

/// A move at the root, with its value and best line so far.
#[derive(Clone)]
struct RootMove<M> {
    mv: M,
    value: Value,
    /// At which the value was found.
    depth: u32,
    line: Vec<M>,
}

/// What an iteration has found, for the threads that it has overtaken.
pub struct Iteration<M> {
    depth: u32,
    moves: Vec<RootMove<M>>,
}

impl<M> Default for Iteration<M> {
    fn default() -> Iteration<M> {
        Iteration { depth: 0, moves: Vec::new() }
    }
}

impl<G: Game, E: Evaluator<G>, O: Oracle<G>> SearchWorker<'_, G, E, O> {
    /// Searches deeper and deeper until a limit is reached; the answer.
    pub fn lead(mut self, report: &mut dyn FnMut(&Analysis<G::Move>)) -> Analysis<G::Move> {
        let limits = self.shared.common.limits;
        let mut moves = self.root_moves();
        let mut answer = self.answer(&moves, 0);
        let mut depth = 1;
        while depth <= self.deepest() && !moves.is_empty() && !self.is_settled(&moves, depth) {
            depth = self.iterate_together(&mut moves, depth);
            if self.meter.stopped && depth > 1 {
                // What an unfinished iteration has found to be better is better.
                answer = self.answer(&moves, depth - 1);
                break;
            }
            answer = self.answer(&moves, depth);
            report(&answer);
            if self.meter.stopped
                || limits.soft().is_some_and(|soft| self.shared.common.start.elapsed() >= soft)
            {
                break;
            }
            depth += 1;
        }
        self.shared.common.progress.done.store(true, Relaxed);
        answer
    }

    /// Searches beside the leading thread until that is done.
    pub fn help(mut self) {
        let mut moves = self.root_moves();
        let mut depth = 1;
        while depth <= self.deepest() && !moves.is_empty() && !self.meter.stopped {
            depth = self.iterate_together(&mut moves, depth) + 1;
        }
    }

    /// The last iteration that was asked for.
    fn deepest(&self) -> u32 {
        self.shared.common.limits.depth.unwrap_or(DEEPEST).min(DEEPEST)
    }

    /// An iteration of all threads: it ends when the first of them has ended it, and the others take over what that one
    /// has found. The iteration that has ended: this or, where others were faster, a deeper one.
    fn iterate_together(&mut self, moves: &mut Vec<RootMove<G::Move>>, depth: u32) -> u32 {
        self.meter.begin(depth);
        self.iterate(moves, depth);
        if self.shared.common.options.threads == 1 {
            return depth;
        }
        let progress = &self.shared.common.progress;
        let is_overtaken = self.meter.is_overtaken();
        let mut finished = self.shared.finished.lock().unwrap_or_else(PoisonError::into_inner);
        if is_overtaken {
            moves.clone_from(&finished.moves);
            return finished.depth;
        }
        if !self.meter.stopped && finished.depth < depth {
            *finished = Iteration { depth, moves: moves.clone() };
            progress.finished.store(depth, Relaxed);
        }
        depth
    }

    /// The moves to search: all, or those that keep what the root is known to be worth.
    fn root_moves(&mut self) -> Vec<RootMove<G::Move>> {
        let game = self.shared.game;
        let mut moves = MoveList::new();
        game.moves(&self.root, &mut moves);
        if let Some(known) = self.shared.oracle.root(game, &self.root) {
            self.root_outcome = Some(known.outcome);
            // Who asks for several lines wants to see the bad ones too.
            if self.shared.common.options.lines == 1 {
                moves.retain(|mv| known.moves.contains(mv));
            }
        }
        moves.iter().map(|&mv| RootMove { mv, value: -INFINITE, depth: 0, line: vec![mv] }).collect()
    }

    /// Whether deeper search cannot change the answer: the only move under a clock, or a proved end in sight.
    fn is_settled(&self, moves: &[RootMove<G::Move>], depth: u32) -> bool {
        let limits = self.shared.common.limits;
        let timed = limits.clock.is_some() || limits.time.is_some();
        let proved = moves[0].value.abs() >= WIN - (depth as Value - 1).max(0);
        depth > 1
            && (timed && moves.len() == 1 && self.shared.common.options.lines == 1
                || proved && limits.depth.is_none())
    }

    fn answer(&self, moves: &[RootMove<G::Move>], depth: u32) -> Analysis<G::Move> {
        let shared = self.shared;
        let lines = moves.iter().take(shared.common.options.lines.max(1));
        Analysis {
            lines: lines
                .map(|m| Line {
                    value: self.told(m.value),
                    bound: Bound::Exact,
                    depth: m.depth,
                    moves: m.line.clone(),
                })
                .collect(),
            unit: shared.evaluator.unit(),
            depth,
            seldepth: self.meter.seldepth.max(depth),
            nodes: self.meter.nodes + shared.common.progress.helpers_nodes.load(Relaxed),
            seconds: shared.common.start.elapsed().as_secs_f64(),
            hash_permille: shared.common.table.permille(),
        }
    }

    /// An estimate made only to choose among moves that keep a known outcome is told as that outcome.
    fn told(&self, value: Value) -> Value {
        match self.root_outcome {
            Some(outcome)
                if value.abs() < WIN - LONGEST
                    && (outcome == Outcome::Draw || self.shared.common.options.lines == 1) =>
            {
                value_of(Known { outcome, plies: None }, 0)
            }
            _ => value,
        }
    }

    /// One iteration: the best moves, as many as lines were asked for, come to the front in order.
    fn iterate(&mut self, moves: &mut [RootMove<G::Move>], depth: u32) {
        for first in 0..self.shared.common.options.lines.clamp(1, moves.len()) {
            self.aspire(&mut moves[first..], depth);
            if self.meter.stopped {
                return;
            }
        }
    }

    /// Searches the root with a window around the last value, wider and wider until the value lies inside.
    fn aspire(&mut self, moves: &mut [RootMove<G::Move>], depth: u32) {
        let last = moves[0].value;
        let mut radius = self.shared.evaluator.unit().one.max(2) / 2;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 4 && last.abs() < WIN - LONGEST {
            (alpha, beta) = (last - radius, last + radius);
        }
        loop {
            let value = self.search_root(moves, depth, alpha, beta);
            if self.meter.stopped || (alpha < value && value < beta) {
                return;
            }
            radius = radius.saturating_mul(4);
            let wide = radius > self.shared.evaluator.unit().one.saturating_mul(64);
            if value <= alpha {
                alpha = if wide { -INFINITE } else { (last - radius).max(-INFINITE) };
            } else {
                beta = if wide { INFINITE } else { (last + radius).min(INFINITE) };
            }
        }
    }

    /// Tells the other threads of a better move.
    fn raise(&self, found: &RootMove<G::Move>, depth: u32) {
        let mut raised = self.shared.raised.lock().unwrap_or_else(PoisonError::into_inner);
        let known = raised.moves.first().map_or(-INFINITE, |best| best.value);
        if (raised.depth, known) < (depth, found.value) {
            *raised = Iteration { depth, moves: vec![found.clone()] };
            self.shared.common.progress.raise(depth, found.value);
        }
    }

    /// The best move that another thread has found in this iteration, if it is worth more than `alpha`.
    fn raised(&self, depth: u32, alpha: Value) -> Option<RootMove<G::Move>> {
        if !self.shared.common.progress.is_raised(depth, alpha) {
            return None;
        }
        let raised = self.shared.raised.lock().unwrap_or_else(PoisonError::into_inner);
        raised.moves.first().filter(|found| raised.depth == depth && found.value > alpha).cloned()
    }

    /// Searches all root moves; the best comes first, the others keep their order.
    fn search_root(
        &mut self,
        moves: &mut [RootMove<G::Move>],
        depth: u32,
        mut alpha: Value,
        beta: Value,
    ) -> Value {
        let (shared, root) = (self.shared, self.root);
        let (carry, key) = (shared.evaluator.begin(shared.game, &root), shared.game.key(&root));
        let node = Node::root(&root, key, &carry);
        let is_shared = shared.common.options.threads > 1 && depth >= SHARE_DEPTH;
        let takes_raises = is_shared && shared.common.options.lines == 1;
        let mut best = -INFINITE;
        let mut queue = RootQueue((0..moves.len()).map(|number| (number, false)).collect());
        while alpha < beta {
            if takes_raises && let Some(found) = self.raised(depth, alpha) {
                (best, alpha) = (found.value, found.value);
                queue.bring_to_front(moves, found);
                continue;
            }
            let Some((number, was_put_off)) = queue.0.pop_front() else { break };
            let mv = moves[number].mv;
            let shares = is_shared && number > 0;
            if shares && !was_put_off && shared.common.abdada.contains(AbdadaTable::key(key, slot(mv))) {
                queue.0.push_back((number, true));
                continue;
            }
            self.meter.root_alpha = if takes_raises { alpha } else { INFINITE };
            let value = self.try_root_move(&node, mv, (number, depth), shares, (alpha, beta));
            if self.meter.is_raised() {
                queue.0.push_front((number, false));
                continue;
            }
            if self.meter.stopped && (depth > 1 || number > 0) {
                return best;
            }
            if value > best {
                best = value;
                let chosen = self.chosen(mv, value, depth);
                if takes_raises && alpha < value && value < beta {
                    self.raise(&chosen, depth);
                }
                // A value at or below alpha is only a bound: it must not overtake the best of before.
                if number == 0 || value > alpha {
                    queue.bring_to_front(moves, chosen);
                } else {
                    moves[number] = chosen;
                }
            }
            alpha = alpha.max(value);
            if self.meter.stopped {
                break;
            }
        }
        best
    }

    /// The value of a move at the root, with which other threads keep out of the way where it is shared.
    fn try_root_move(
        &mut self,
        node: &Node<G, E::Carry>,
        mv: G::Move,
        (number, depth): (usize, u32),
        is_shared: bool,
        (alpha, beta): (Value, Value),
    ) -> Value {
        let (game, abdada) = (self.shared.game, self.shared.common.abdada);
        let pick = Pick { mv, is_irreversible: game.is_irreversible(node.position, mv) };
        let reduction = self.reduction(node, pick, (number, depth), None).unwrap_or(0);
        let busy = AbdadaTable::key(node.key, slot(mv));
        if is_shared {
            abdada.enter(busy);
        }
        let value = self.try_move(node, pick, number, (depth, reduction), alpha, beta);
        if is_shared {
            abdada.leave(busy);
        }
        value
    }

    /// A move with the line that was just found below it.
    fn chosen(&self, mv: G::Move, value: Value, depth: u32) -> RootMove<G::Move> {
        let line = std::iter::once(mv).chain(self.lines[1].iter().copied()).collect();
        RootMove { mv, value, depth, line }
    }
}

/// Places in the list of moves that are still to be searched, and whether another thread was busy with the move there.
struct RootQueue(VecDeque<(usize, bool)>);

impl RootQueue {
    /// Puts a move that is now the best before all others: it need not be searched any more.
    fn bring_to_front<M: PartialEq>(&mut self, moves: &mut [RootMove<M>], best: RootMove<M>) {
        let Some(place) = moves.iter().position(|other| other.mv == best.mv) else { return };
        moves[place] = best;
        moves[..=place].rotate_right(1);
        self.0.retain(|&(other, _)| other != place);
        // Those before it have moved one place down.
        self.0.iter_mut().filter(|(other, _)| *other < place).for_each(|(other, _)| *other += 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_to_search_keeps_its_moves_when_another_comes_to_the_front() {
        let root_move = |mv| RootMove { mv, value: 0, depth: 1, line: vec![mv] };
        let mut moves: Vec<RootMove<char>> = "abcde".chars().map(root_move).collect();
        let mut queue = RootQueue([(3, false), (4, false), (1, true)].into());
        queue.bring_to_front(&mut moves, RootMove { value: 7, ..root_move('d') });
        assert_eq!(moves.iter().map(|it| it.mv).collect::<String>(), "dabce");
        assert_eq!(moves[0].value, 7);
        let left: String = queue.0.iter().map(|&(place, _)| moves[place].mv).collect();
        assert_eq!(left, "eb", "the move in front is not searched again");
    }
}
