//! The tests of [`crate::probcut`] at a node of the engine.

use trilith_eval::{Evaluator, Oracle, Value, WIN};
use trilith_games::Game;

use super::{Node, SearchWorker};
use crate::analysis::LONGEST;
use crate::probcut::WindowSide;

impl<G: Game, E: Evaluator<G>, O: Oracle<G>> SearchWorker<'_, G, E, O> {
    /// The end of the window that a deep search would very likely reach, if a shallow one says so.
    pub(super) fn cut(
        &mut self,
        node: &Node<G, E::Carry>,
        depth: u32,
        alpha: Value,
        beta: Value,
    ) -> Option<Value> {
        let shared = self.shared;
        if let Some(watch) = shared.watch {
            watch(node.position, node.ply);
        }
        let tests = shared.common.options.selective.as_deref()?.tests(depth);
        if tests.is_empty() || alpha.abs().max(beta.abs()) > WIN - LONGEST {
            return None;
        }
        if !shared.evaluator.is_familiar(shared.game, node.position) {
            return None;
        }
        let phase = shared.game.phase(node.position);
        // The side on which the node seems to lie already is the only one worth a search.
        let still = self.closed_game.value((shared.game, shared.evaluator), node.position, node.carry);
        let (side, limit) = if still >= beta { (WindowSide::High, beta) } else { (WindowSide::Low, alpha) };
        for test in tests {
            let Some(bound) = test.bound(phase, side, limit) else { continue };
            let passed = match side {
                WindowSide::High => self.search(node, test.shallow, bound - 1, bound) >= bound,
                WindowSide::Low => self.search(node, test.shallow, bound, bound + 1) <= bound,
            };
            if self.meter.stopped {
                return Some(0);
            }
            if passed {
                return Some(limit);
            }
        }
        None
    }
}
