//! In which order the ladder looks at moves.

use trilith_eval::Evaluator;
use trilith_games::{Game, MoveList, Noise};

use super::{Ladder, Node, Techniques};

impl<G: Game, E: Evaluator<G>> Ladder<'_, G, E> {
    /// Remembers that move `number` of those tried has cut.
    pub(super) fn learn(
        &mut self,
        node: &Node<G, E>,
        side: usize,
        moves: &[G::Move],
        number: usize,
        depth: u32,
    ) {
        let Techniques { countermoves, history, .. } = self.techniques;
        if let Some(last) = node.last.filter(|_| countermoves) {
            self.countermoves.learn(side, last, moves[number]);
        }
        if !history {
            return;
        }
        for (tried, &mv) in moves[..=number].iter().enumerate() {
            self.history.learn(side, mv, depth, tried == number);
        }
    }

    /// Puts the move first that the table knows, then those that techniques take for good.
    pub(super) fn order(
        &mut self,
        node: &Node<G, E>,
        moves: &mut [G::Move],
        known_best: Option<G::Move>,
        depth: u32,
    ) {
        let techniques = self.techniques;
        let side = (node.ply % 2) as usize;
        let reply =
            node.last.filter(|_| techniques.countermoves).and_then(|last| self.countermoves.get(side, last));
        let shallow = techniques.shallow && depth > 2;
        let by_kind = techniques.forcing_first || techniques.printed.captures_first || techniques.history;
        if node.ply > 0 && known_best.or(reply).is_none() && !shallow && !by_kind {
            return;
        }
        let mut worth: Vec<(i64, usize)> = Vec::with_capacity(moves.len());
        for (place, &mv) in moves.iter().enumerate() {
            let mut sum = 0;
            if Some(mv) == known_best {
                sum += 1 << 60;
            }
            if let Some(age) = self.front.iter().position(|&front| node.ply == 0 && front == mv) {
                sum += match techniques.printed.root_order {
                    true => (1 << 59) - ((age as i64) << 48),
                    false => (1 << 59) >> age.min(6),
                };
            }
            if shallow {
                sum += i64::from(self.with_child(node, mv, |ladder, child| ladder.static_value(child))) << 24;
            }
            if techniques.forcing_first {
                sum += i64::from(self.game.ordering_score(node.position, mv)) << 20;
            }
            if techniques.printed.captures_first && self.game.is_noisy(node.position, mv, Noise::Captures) {
                sum += 1 << 20;
            }
            if Some(mv) == reply {
                sum += 1 << 19;
            }
            if techniques.history {
                sum += i64::from(self.history.get(side, mv));
            }
            worth.push((-sum, place));
        }
        worth.sort_unstable();
        let old: MoveList<G::Move> = moves.iter().copied().collect();
        for (mv, (_, place)) in moves.iter_mut().zip(worth) {
            *mv = old[place];
        }
    }
}
