//! Games decided by search to the end, with S5's EndCut (4.2) before the exact search.
//!
//! Three searches, each with what the one before has learned: who wins, selectively; who wins, exactly; by how much. In
//! the selective one, positions of a given phase (S5: 50 discs) are searched four plies with the evaluation, and taken
//! to be won or lost if the value passes a level. Only for games in which every line is short near the end:
//! nothing else limits the depth.

use trilith_eval::{Evaluator, Value};
use trilith_games::{Game, MoveList, Outcome};

use super::{INFINITE, Ladder, Node};
use crate::analysis::Bound;
use crate::table::{TableEntry, TranspositionTable};

/// When the selective search believes the evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndCut {
    /// Positions of this phase are tested; S5: 49, which is 50 discs.
    pub phase: usize,
    /// Plies of the test; S5: 4.
    pub depth: u32,
    /// What the value of the test must reach, in steps of the evaluation; S5's CUT_NIVEAU.
    pub level: Value,
}

/// Who wins and by how much, and the nodes it took to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided {
    /// For the side to move, according to the selective search: it may err. The exact one if nothing is cut.
    pub guess: Outcome,
    /// For the side to move.
    pub outcome: Outcome,
    /// The game's own count at the end, for the side to move.
    pub margin: i32,
    /// Of the three searches.
    pub nodes: [u64; 3],
}

/// Who wins, and the move by which it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundOutcome<M> {
    /// For the side to move; a selective search may err.
    pub outcome: Outcome,
    /// None if the game has ended.
    pub best: Option<M>,
    /// What it took.
    pub nodes: u64,
}

/// Larger than every margin.
const MOST: i32 = 1 << 20;
/// Entries of searches to the end all have this depth.
const TO_THE_END: u8 = 255;
/// The depth that orderings are told.
const ORDERING_DEPTH: u32 = 4;

impl<G: Game, E: Evaluator<G>> Ladder<'_, G, E> {
    /// Searches `position` to the end of the game: first selectively by `endcut`, if there is one, then exactly who
    /// wins, then by how much.
    pub fn decide(&mut self, position: &G::Position, endcut: Option<EndCut>) -> Decided {
        let mut nodes = [0; 3];
        let mebibytes = self.techniques.table.unwrap_or(16);
        let mut stage = |ladder: &mut Self, number: usize, cut, alpha, beta, table: &TranspositionTable| {
            ladder.nodes = 0;
            let carry = ladder.evaluator.begin(ladder.game, position);
            let root = Node { position, carry: &carry, last: None, ply: 0 };
            let value = ladder.finish(&root, alpha, beta, cut, table);
            nodes[number] = ladder.nodes;
            value
        };
        let guess = endcut.map(|cut| stage(self, 0, Some(cut), -1, 1, &TranspositionTable::new(mebibytes)));
        let exact = TranspositionTable::new(mebibytes);
        let outcome = stage(self, 1, None, -1, 1, &exact);
        let margin = match outcome.signum() {
            0 => 0,
            1 => stage(self, 2, None, outcome - 1, MOST, &exact),
            _ => stage(self, 2, None, -MOST, outcome + 1, &exact),
        };
        Decided { guess: Outcome::of(guess.unwrap_or(outcome)), outcome: Outcome::of(outcome), margin, nodes }
    }

    /// Who wins alone, exactly or as far as `endcut` says; begins with nothing remembered.
    pub fn outcome(&mut self, position: &G::Position, endcut: Option<EndCut>) -> FoundOutcome<G::Move> {
        let table = TranspositionTable::new(self.techniques.table.unwrap_or(16));
        self.nodes = 0;
        let carry = self.evaluator.begin(self.game, position);
        let root = Node { position, carry: &carry, last: None, ply: 0 };
        let value = self.finish(&root, -1, 1, endcut, &table);
        let best = table.probe(self.game.key(position)).and_then(|entry| entry.best);
        let best = best.and_then(|number| self.game.numbered_move(position, number.into()));
        FoundOutcome { outcome: Outcome::of(value), best, nodes: self.nodes }
    }

    /// The margin at the end inside the window, a bound outside it (fail-soft).
    fn finish(
        &mut self,
        node: &Node<G, E>,
        mut alpha: i32,
        mut beta: i32,
        cut: Option<EndCut>,
        table: &TranspositionTable,
    ) -> i32 {
        self.nodes += 1;
        let mut moves = MoveList::new();
        self.game.moves(node.position, &mut moves);
        if moves.is_empty() {
            return self.game.margin(node.position);
        }
        let key = self.game.key(node.position);
        let known = table.probe(key);
        if let Some(entry) = known {
            match entry.bound {
                Bound::Exact => return entry.value,
                Bound::Lower => alpha = alpha.max(entry.value),
                Bound::Upper => beta = beta.min(entry.value),
            }
            if alpha >= beta {
                return entry.value;
            }
        }
        if let Some(value) = cut.and_then(|cut| self.end_cut(node, cut)) {
            return value;
        }
        let known_best = known.and_then(|entry| self.known_move(node, &moves, entry));
        self.order(node, &mut moves, known_best, ORDERING_DEPTH);
        let (mut best, mut best_move, lower) = (-MOST, None, alpha);
        for &mv in &moves {
            let value =
                self.with_child(node, mv, |ladder, child| -ladder.finish(child, -beta, -alpha, cut, table));
            if value > best {
                (best, best_move) = (value, Some(mv));
                alpha = alpha.max(value);
            }
            if alpha >= beta {
                break;
            }
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best <= lower => Bound::Upper,
            _ => Bound::Exact,
        };
        let best_move = best_move.map(|mv| self.game.action_number(mv) as u16);
        table.store(key, TableEntry { value: best, depth: TO_THE_END, bound, best: best_move });
        best
    }

    /// A win or a loss, if the evaluation says so clearly enough.
    fn end_cut(&mut self, node: &Node<G, E>, cut: EndCut) -> Option<i32> {
        if self.game.phase(node.position) != cut.phase {
            return None;
        }
        let (value, _) = self.negamax(node, cut.depth, -INFINITE, INFINITE);
        (value.abs() >= cut.level).then_some(value.signum())
    }
}
