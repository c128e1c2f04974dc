//! Where a search goes a ply deeper than asked: threats at the horizon, and moves without an alternative.

use trilith_eval::{Evaluator, Oracle, Value, WIN};
use trilith_games::{Game, MoveList, Noise};

use super::{Node, SearchWorker};
use crate::analysis::{Bound, LONGEST};
use crate::ladder::from_here;
use crate::table::TableEntry;

/// What a search without the hash move says.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Singular {
    /// There are others as good, or nobody asked.
    No,
    /// The hash move is the only good one.
    Extended,
    /// Another one too lies above the window.
    Cut(Value),
}

impl<'n, G: Game, C> Node<'n, G, C> {
    /// The same node in a line that is longer by so many plies.
    #[inline(always)]
    pub(super) fn extended_by(&self, plies: u32) -> Node<'n, G, C> {
        Node { extended: self.extended + plies, ..*self }
    }
}

impl<G: Game, E: Evaluator<G>, O: Oracle<G>> SearchWorker<'_, G, E, O> {
    /// Whether the opponent threatens to take something and `depth` is so small that this asks for a ply more.
    #[inline]
    pub(super) fn is_threatened(&self, node: &Node<G, E::Carry>, depth: u32) -> bool {
        let Some(pruning) = self.shared.common.options.pruning.as_deref() else { return false };
        if !pruning.minds_threats(depth, node.extended) {
            return false;
        }
        let game = self.shared.game;
        let Some(turned) = game.turned(node.position) else { return false };
        let mut threats = MoveList::new();
        game.noisy_moves(&turned, Noise::Captures, &mut threats);
        !threats.is_empty()
    }

    /// Whether the move that the table knows is better than all others by far, from a search of half the depth.
    pub(super) fn singular(
        &mut self,
        node: &Node<G, E::Carry>,
        entry: Option<&TableEntry>,
        depth: u32,
        beta: Value,
    ) -> Singular {
        let Some(pruning) = self.shared.common.options.pruning.as_deref() else { return Singular::No };
        let (Some(margin), Some(entry)) = (pruning.singular_margin(depth, node.extended), entry) else {
            return Singular::No;
        };
        let game = self.shared.game;
        let hash_move = entry.best.and_then(|best| game.numbered_move(node.position, best.into()));
        let is_sound = entry.bound != Bound::Upper
            && u32::from(entry.depth) + 3 >= depth
            && entry.value.abs() < WIN - LONGEST
            && node.excluded.is_none();
        let Some(mv) = hash_move.filter(|&mv| is_sound && game.is_legal(node.position, mv)) else {
            return Singular::No;
        };
        let limit = from_here(entry.value, node.ply) - margin;
        let others = Node { excluded: Some(mv), ..*node };
        let value = self.search(&others, (depth - 1) / 2, limit - 1, limit);
        match value {
            _ if self.meter.stopped => Singular::Cut(0),
            _ if value < limit => Singular::Extended,
            _ if limit >= beta => Singular::Cut(limit),
            _ => Singular::No,
        }
    }
}
