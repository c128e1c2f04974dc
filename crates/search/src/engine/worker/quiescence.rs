//! Leaves: what a position is worth at the horizon, and the noisy moves past it.

use trilith_eval::{Evaluator, Oracle, Value};
use trilith_games::{Game, MoveList, Noise};

use super::{DEEPEST, Node, SearchWorker};

impl<G: Game, E: Evaluator<G>, O: Oracle<G>> SearchWorker<'_, G, E, O> {
    /// The value of a position at the horizon.
    pub(super) fn leaf(&mut self, node: &Node<G, E::Carry>, alpha: Value, beta: Value) -> Value {
        let (game, evaluator) = (self.shared.game, self.shared.evaluator);
        if game.outcome(node.position).is_some() {
            return self.ended(node);
        }
        let still = self.closed_game.value((game, evaluator), node.position, node.carry);
        match self.shared.common.options.quiescence {
            Some((noise, plies)) => self.quiesce(node, still, alpha, beta, noise, plies),
            None => still,
        }
    }

    /// The best of standing still and of the noisy moves.
    fn quiesce(
        &mut self,
        node: &Node<G, E::Carry>,
        still: Value,
        mut alpha: Value,
        beta: Value,
        noise: Noise,
        plies: u32,
    ) -> Value {
        let mut best = still;
        alpha = alpha.max(best);
        if plies == 0 || alpha >= beta || node.ply >= DEEPEST {
            return best;
        }
        let (game, evaluator) = (self.shared.game, self.shared.evaluator);
        let mut moves = MoveList::new();
        game.noisy_moves(node.position, noise, &mut moves);
        for &mv in &moves {
            let after = game.play(node.position, mv);
            let carry = evaluator.advance(game, node.carry, node.position, mv, &after);
            let child = Node {
                position: &after,
                key: 0,
                carry: &carry,
                last: Some(mv),
                ply: node.ply + 1,
                base: 0,
                extended: 0,
                excluded: None,
            };
            if self.meter.enter(child.ply) {
                return 0;
            }
            let value = match game.outcome(&after) {
                Some(_) => -self.ended(&child),
                None => {
                    let still = self.closed_game.value((game, evaluator), &after, &carry);
                    -self.quiesce(&child, still, -beta, -alpha, noise, plies - 1)
                }
            };
            best = best.max(value);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
