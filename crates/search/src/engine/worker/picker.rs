//! The moves of a node one at a time, best guess first.
//!
//! A game that has its moves in stages ([`Game::MOVE_STAGES`]) lists no more of them than are asked for: the hash move, the
//! first stage, killers and countermove, the other stages. The moves of any other game are listed and scored at once.

use arrayvec::ArrayVec;
use trilith_eval::{Evaluator, Oracle};
use trilith_games::{Game, MoveList};

use super::{Node, SearchWorker};
use crate::pruning::Spare;
use crate::table::TableEntry;

/// A move to search.
#[derive(Clone, Copy)]
pub(super) struct Pick<M> {
    pub mv: M,
    /// As [`Game::is_irreversible`].
    pub is_irreversible: bool,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    HashMove,
    Stage(usize),
    Refutations,
}

/// The moves of a node that have not been tried.
pub(super) struct Picker<M> {
    source: Source,
    hash_move: Option<M>,
    /// Killers and countermove; those already tried are left out of the later stages.
    refutations: ArrayVec<M, 3>,
    next_refutation: usize,
    moves: MoveList<M>,
    queue: Queue,
    only_irreversible: bool,
}

impl<G: Game, E: Evaluator<G>, O: Oracle<G>> SearchWorker<'_, G, E, O> {
    /// All moves of a node, of which the table knows `entry`.
    pub(super) fn picker(&self, node: &Node<G, E::Carry>, entry: Option<TableEntry>) -> Picker<G::Move> {
        let game = self.shared.game;
        let number = entry.and_then(|entry| entry.best).map(usize::from);
        let mut picker = Picker {
            source: Source::HashMove,
            hash_move: None,
            refutations: ArrayVec::new(),
            next_refutation: 0,
            moves: MoveList::new(),
            queue: Queue::default(),
            only_irreversible: false,
        };
        // An entry of another position with the same key may name a move that is not there.
        let hash_move = number.and_then(|number| game.numbered_move(node.position, number));
        if G::MOVE_STAGES > 1 {
            picker.hash_move = hash_move.filter(|&mv| game.is_legal(node.position, mv));
        } else {
            game.moves(node.position, &mut picker.moves);
            self.score(node, &mut picker, hash_move);
            picker.source = Source::Stage(1);
        }
        picker
    }

    /// The best guess among the moves that are left.
    pub(super) fn next_move(
        &self,
        node: &Node<G, E::Carry>,
        picker: &mut Picker<G::Move>,
    ) -> Option<Pick<G::Move>> {
        let (game, position) = (self.shared.game, node.position);
        loop {
            while let Some(place) = picker.queue.take_best() {
                let mv = picker.moves[place];
                if G::MOVE_STAGES == 1 {
                    return Some(Pick { mv, is_irreversible: game.is_irreversible(position, mv) });
                }
                if !picker.was_tried(mv) {
                    return Some(Pick { mv, is_irreversible: picker.source == Source::Refutations });
                }
            }
            match picker.source {
                Source::HashMove => {
                    picker.source = Source::Stage(0);
                    if let Some(mv) = picker.hash_move {
                        return Some(Pick { mv, is_irreversible: game.is_irreversible(position, mv) });
                    }
                }
                Source::Stage(0) => {
                    picker.source = Source::Refutations;
                    game.stage_moves(position, 0, &mut picker.moves);
                    self.score(node, picker, None);
                }
                _ if picker.only_irreversible => return None,
                Source::Refutations => {
                    if picker.next_refutation == 0 {
                        picker.refutations = self.refutations(node, picker.hash_move);
                    }
                    match picker.refutations.get(picker.next_refutation) {
                        Some(&mv) => {
                            picker.next_refutation += 1;
                            return Some(Pick { mv, is_irreversible: false });
                        }
                        None => picker.source = Source::Stage(1),
                    }
                }
                Source::Stage(stage) if stage < G::MOVE_STAGES => {
                    picker.source = Source::Stage(stage + 1);
                    game.stage_moves(position, stage, &mut picker.moves);
                    self.score(node, picker, None);
                }
                Source::Stage(_) => return None,
            }
        }
    }

    /// From now on only moves that move count spares are wanted; of a game with stages others of the first may still come.
    pub(super) fn leave_out_quiet_moves(&self, node: &Node<G, E::Carry>, picker: &mut Picker<G::Move>) {
        picker.only_irreversible = true;
        if G::MOVE_STAGES == 1 {
            let (game, options) = (self.shared.game, self.shared.common.options);
            let spare = options.pruning.as_deref().map_or(Spare::Captures, |pruning| pruning.uncounted());
            let pick = |mv| Pick { mv, is_irreversible: game.is_irreversible(node.position, mv) };
            picker.queue.retain(|place| self.is_spared(node, pick(picker.moves[place]), spare));
        } else if picker.source != Source::Refutations {
            picker.queue.0.clear();
        }
    }

    /// Killers and countermove that are quiet moves of the node, each once.
    fn refutations(&self, node: &Node<G, E::Carry>, hash_move: Option<G::Move>) -> ArrayVec<G::Move, 3> {
        let (game, position) = (self.shared.game, node.position);
        let [first, second] = self.killers[node.ply as usize];
        let mut found = ArrayVec::new();
        for mv in [first, second, self.countermove(node)].into_iter().flatten() {
            if hash_move != Some(mv)
                && !found.contains(&mv)
                && game.is_legal(position, mv)
                && !game.is_irreversible(position, mv)
            {
                found.push(mv);
            }
        }
        found
    }

    fn countermove(&self, node: &Node<G, E::Carry>) -> Option<G::Move> {
        node.last.and_then(|last| self.memory.countermoves.get((node.ply % 2) as usize, last))
    }

    /// Move ordering: the hash move first, then the game's own guess, killers and countermove, history; with
    /// [`crate::pruning::HistoryOrder`] guess and history are added up.
    fn score(&self, node: &Node<G, E::Carry>, picker: &mut Picker<G::Move>, hash_move: Option<G::Move>) {
        let side = (node.ply % 2) as usize;
        let killers = self.killers[node.ply as usize];
        let reply = self.countermove(node);
        let order = self.order();
        let score = |&mv: &G::Move| {
            if hash_move == Some(mv) {
                return i32::MAX;
            }
            let guess = self.shared.game.ordering_score(node.position, mv);
            let is_capture = self.is_in_capture_history(node, mv);
            let score = match order {
                _ if is_capture => {
                    let weight = order.map_or(1 << 16, |order| order.guess);
                    guess * weight + self.memory.captures.get(side, mv) / 2
                }
                Some(order) => guess * order.guess + self.history(node, mv),
                None => (guess << 16) + self.memory.history.get(side, mv) / 2,
            };
            if G::MOVE_STAGES > 1 || is_capture {
                return score;
            }
            score + (i32::from(killers.contains(&Some(mv))) << 14) + (i32::from(reply == Some(mv)) << 14)
        };
        picker.queue.0.clear();
        picker.queue.0.extend(picker.moves.iter().map(score));
    }
}

impl<M: Copy + Eq> Picker<M> {
    fn was_tried(&self, mv: M) -> bool {
        self.hash_move == Some(mv) || self.refutations.contains(&mv)
    }
}

/// How promising each listed move is; those taken are worth nothing.
#[derive(Default)]
struct Queue(ArrayVec<i32, 512>);

const TAKEN: i32 = i32::MIN;

impl Queue {
    /// Takes the place of the most promising move, the first of equals.
    #[inline]
    fn take_best(&mut self) -> Option<usize> {
        let best = self.0.iter().fold(TAKEN, |best, &score| best.max(score));
        if best == TAKEN {
            return None;
        }
        let place = self.0.iter().position(|&score| score == best)?;
        self.0[place] = TAKEN;
        Some(place)
    }

    fn retain(&mut self, is_wanted: impl Fn(usize) -> bool) {
        for (place, score) in self.0.iter_mut().enumerate() {
            if *score != TAKEN && !is_wanted(place) {
                *score = TAKEN;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_queue_gives_the_best_first_and_the_first_of_equals() {
        let mut queue = Queue([3, 9, -5, 9, i32::MAX, 0].into_iter().collect());
        queue.retain(|place| place != 5);
        let order: Vec<usize> = std::iter::from_fn(|| queue.take_best()).collect();
        assert_eq!(order, [4, 1, 3, 0, 2]);
        assert_eq!(Queue::default().take_best(), None);
    }
}
