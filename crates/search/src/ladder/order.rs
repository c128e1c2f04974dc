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

#[cfg(test)]
mod tests {
    use trilith_base::Seed;
    use trilith_eval::Margin;
    use trilith_games::othello::Othello;
    use trilith_games::{Record, playout};

    use super::*;
    use crate::ladder::Printed;

    fn sample(game: &Othello, number: u64) -> Record<Othello> {
        let mut record = Record::new(game.clone());
        playout::play_on(&mut record, 20, &mut Seed(3).derive("order", number).rng());
        record
    }

    /// S2, 2.4 and 2.8: the next iteration has all root moves in the order of their values in the last one.
    #[test]
    fn printed_iterations_order_all_root_moves_by_their_values() {
        let game = Othello::default();
        let printed = Printed { root_order: true, ..Techniques::DEEPENING.printed };
        // Without windows all values are exact.
        let techniques = Techniques { full_width: true, printed, ..Techniques::DEEPENING };
        for number in 0..10 {
            let record = sample(&game, number);
            let position = record.position();
            let mut ladder = Ladder::new(&game, &Margin, techniques);
            ladder.search(position, 3);
            let mut minimax = Ladder::new(&game, &Margin, techniques);
            let values: Vec<_> =
                ladder.front.iter().map(|&mv| -minimax.minimax(&game.play(position, mv), 2)).collect();
            let mut moves = MoveList::new();
            game.moves(position, &mut moves);
            assert!(values.len() == moves.len() && values.is_sorted_by(|a, b| a >= b), "{values:?}");
        }
    }

    /// S2, 2.7: an entry has a value, its depth and a kind of bound.
    #[test]
    fn a_printed_table_has_no_move_to_try_first() {
        let game = Othello::default();
        let usual = Techniques { table: Some(1), ..Techniques::DEEPENING };
        let printed = Printed { plain_table: true, ..usual.printed };
        let mut nodes = [0, 0];
        for number in 0..10 {
            let record = sample(&game, number);
            let found = [usual, Techniques { printed, ..usual }].map(|techniques| {
                let mut ladder = Ladder::new(&game, &Margin, techniques);
                (ladder.search(record.position(), 6).value(), ladder.nodes())
            });
            assert_eq!(found[0].0, found[1].0, "one value");
            nodes = [nodes[0] + found[0].1, nodes[1] + found[1].1];
        }
        assert!(nodes[0] < nodes[1], "more to search: {nodes:?}");
    }
}
