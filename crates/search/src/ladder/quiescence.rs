//! Quiescence in the three ways that S2 names (2.10), and the value of a leaf.

use trilith_eval::{Evaluator, Value};
use trilith_games::{Game, MoveList, Noise};

use super::{INFINITE, Ladder, Node};

/// How a leaf is searched further whose side to move has a noisy move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Quiescing {
    /// All moves are followed: S2's first way.
    AllMoves,
    /// Noisy moves are followed and nobody may stand still: S2's second way, and the one it prints.
    NoisyOnly,
    /// The better of standing still and of the noisy moves: S2's third way, the usual one.
    #[default]
    StandPat,
}

impl Quiescing {
    /// All of them, in S2's order.
    pub const ALL: [Quiescing; 3] = [Quiescing::AllMoves, Quiescing::NoisyOnly, Quiescing::StandPat];

    /// As in the specs of players.
    pub fn name(self) -> &'static str {
        match self {
            Quiescing::AllMoves => "all-moves",
            Quiescing::NoisyOnly => "noisy-only",
            Quiescing::StandPat => "stand-pat",
        }
    }
}

impl<G: Game, E: Evaluator<G>> Ladder<'_, G, E> {
    /// The value of a leaf, with quiescence if it is switched on.
    pub(super) fn leaf(&mut self, node: &Node<G, E>, alpha: Value, beta: Value) -> Value {
        let value = self.evaluator.value(self.game, node.position, node.carry);
        match self.techniques.quiescence {
            Some((noise, plies)) => self.quiesce(node, value, alpha, beta, noise, plies),
            None => value,
        }
    }

    /// `still` is the value of the position as it stands.
    fn quiesce(
        &mut self,
        node: &Node<G, E>,
        still: Value,
        mut alpha: Value,
        beta: Value,
        noise: Noise,
        plies: u32,
    ) -> Value {
        let way = self.techniques.quiescing;
        let mut best = if way == Quiescing::StandPat { still } else { -INFINITE };
        alpha = alpha.max(best);
        if plies == 0 || alpha >= beta {
            return still;
        }
        let mut moves = MoveList::new();
        self.game.moves(node.position, &mut moves);
        let is_noisy = |mv: &G::Move| self.game.is_noisy(node.position, *mv, noise);
        if !moves.iter().any(is_noisy) {
            return still;
        }
        if way != Quiescing::AllMoves {
            moves = moves.iter().copied().filter(is_noisy).collect();
        }
        for &mv in &moves {
            let value = self.with_child(node, mv, |ladder, child| {
                ladder.nodes += 1;
                ladder.seldepth = ladder.seldepth.max(child.ply);
                -ladder.ended(child).unwrap_or_else(|| {
                    let still = ladder.evaluator.value(ladder.game, child.position, child.carry);
                    ladder.quiesce(child, still, -beta, -alpha, noise, plies - 1)
                })
            });
            best = best.max(value);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
