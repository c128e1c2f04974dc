//! Alpha-beta that gives back the best *leaf*, the same one that plain minimax finds.
//!
//! Values are those of the searching side at every leaf (S1, 4.2.2). Moves are tried in the order of what they lead
//! to at once, but of equally good ones the first in the order of the rules is taken, as without ordering: a bound
//! that an equal value may still pass lies one step beside it.

use trilith_games::{Game, MoveList, Outcome};

use super::leaf::Leaf;

/// What a search found.
pub struct BestLeaf<G: Game> {
    /// Of the best leaf, between -1 and 1, for the searching side.
    pub value: f64,
    /// The best leaf.
    pub leaf: G::Position,
    /// The move that leads there.
    pub mv: G::Move,
}

/// Searches `depth` plies, at least one, of a game that has not ended.
pub fn search<G: Game, L: Leaf<G>>(game: &G, leaf: &L, position: &G::Position, depth: u32) -> BestLeaf<G> {
    search_to_quiet(game, leaf, position, depth, 0)
}

/// The same; leaves that are not quiet are searched further, at most `more` plies.
pub fn search_to_quiet<G: Game, L: Leaf<G>>(
    game: &G,
    leaf: &L,
    position: &G::Position,
    depth: u32,
    more: u32,
) -> BestLeaf<G> {
    let depth = depth.max(1);
    let mut searcher = Searcher { game, leaf, more, lists: (0..=depth + more).map(|_| Vec::new()).collect() };
    let depth = depth + more;
    let children = searcher.ordered(position, true, depth);
    let mut best = BestLeaf { value: f64::NEG_INFINITY, leaf: *position, mv: children[0].mv };
    let mut first = u16::MAX;
    for child in &children {
        let bound = lower(best.value, first, child.index);
        let (value, leaf) = searcher.value(&child.after, false, depth - 1, f64::NEG_INFINITY, -bound);
        if -value > bound {
            best = BestLeaf { value: -value, leaf, mv: child.mv };
            first = child.index;
        }
    }
    best
}

/// What move number `index` must be worth more than, where number `first` is worth `value`: of equal ones the earlier
/// is better.
#[inline]
fn lower(value: f64, first: u16, index: u16) -> f64 {
    if index > first { value } else { value.next_down() }
}

struct Child<G: Game> {
    /// Smaller comes first.
    key: f64,
    /// In the order of the rules.
    index: u16,
    mv: G::Move,
    after: G::Position,
}

struct Searcher<'a, G: Game, L> {
    game: &'a G,
    leaf: &'a L,
    /// Plies that leaves may be searched further; depths count them too.
    more: u32,
    /// One a depth, kept so that no node allocates.
    lists: Vec<Vec<Child<G>>>,
}

/// From so many plies on moves are ordered by what they lead to at once; below it costs more than it saves.
const ORDERED: u32 = 2;

impl<G: Game, L: Leaf<G>> Searcher<'_, G, L> {
    /// The value for the side to move, which is the searching one if `is_own`, and its leaf; exact between `alpha` and
    /// `beta`, else a bound.
    fn value(
        &mut self,
        position: &G::Position,
        is_own: bool,
        depth: u32,
        alpha: f64,
        beta: f64,
    ) -> (f64, G::Position) {
        if let Some(outcome) = self.game.outcome(position) {
            return (worth(outcome), *position);
        }
        if self.leaf.is_stopped() {
            return (0.0, *position);
        }
        if depth == 0 || (depth <= self.more && self.leaf.is_quiet(self.game, position)) {
            let value = self.leaf.value(self.game, position, is_own);
            return (if is_own { value } else { -value }, *position);
        }
        let children = self.ordered(position, is_own, depth);
        let (mut best, mut first) = ((alpha, *position), u16::MAX);
        for child in &children {
            let bound = alpha.max(lower(best.0, first, child.index));
            let (value, leaf) = self.value(&child.after, !is_own, depth - 1, -beta, -bound);
            if -value > bound {
                best = (-value, leaf);
                first = child.index;
                if -value >= beta {
                    break;
                }
            }
        }
        self.lists[depth as usize] = children;
        best
    }

    /// The moves with what they lead to, the most promising first. The list goes back when it is no longer needed.
    fn ordered(&mut self, position: &G::Position, is_own: bool, depth: u32) -> Vec<Child<G>> {
        let mut moves = MoveList::new();
        self.game.moves(position, &mut moves);
        let mut children = std::mem::take(&mut self.lists[depth as usize]);
        children.clear();
        let is_ordered = depth >= ORDERED + self.more && moves.len() > 1;
        for (index, &mv) in moves.iter().enumerate() {
            let after = self.game.play(position, mv);
            let value = if is_ordered { self.leaf.value(self.game, &after, !is_own) } else { 0.0 };
            children.push(Child { key: if is_own { -value } else { value }, index: index as u16, mv, after });
        }
        if is_ordered {
            children.sort_unstable_by(|a, b| a.key.total_cmp(&b.key).then(a.index.cmp(&b.index)));
        }
        children
    }
}

fn worth(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.0,
        Outcome::Loss => -1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::games::SelfPlayed;
    use super::super::leaf::random_weights;
    use super::*;
    use trilith_base::Seed;
    use trilith_eval::contract::sample;
    use trilith_eval::features::Described;
    use trilith_games::abalone::Abalone;
    use trilith_games::morris::Morris;
    use trilith_games::othello::Othello;

    /// As S1 writes it down: all moves in order, the first of equally good ones.
    fn minimax<G: SelfPlayed>(
        game: &G,
        leaf: &G::Leaf,
        position: &G::Position,
        is_own: bool,
        depth: u32,
    ) -> (f64, G::Position, Option<G::Move>) {
        let sign = if is_own { 1.0 } else { -1.0 };
        if let Some(outcome) = game.outcome(position) {
            return (sign * worth(outcome), *position, None);
        }
        if depth == 0 {
            return (leaf.value(game, position, is_own), *position, None);
        }
        let mut moves = MoveList::new();
        game.moves(position, &mut moves);
        let mut best: Option<(f64, G::Position, Option<G::Move>)> = None;
        for &mv in &moves {
            let (value, leaf, _) = minimax(game, leaf, &game.play(position, mv), !is_own, depth - 1);
            if best.is_none_or(|best| sign * value > sign * best.0) {
                best = Some((value, leaf, Some(mv)));
            }
        }
        best.unwrap()
    }

    fn check<G: SelfPlayed>(depth: u32, positions: usize, coarse: bool) {
        let game = G::new(G::Rules::default());
        let set = <G as Described>::feature_set(G::FEATURES).unwrap();
        let most = G::most(&*set).unwrap();
        for (number, position) in sample(&game, Seed(1), 7, positions).iter().enumerate() {
            let mut weights = random_weights(set.count(), Seed(2).derive("weights", number as u64));
            if coarse {
                // Few different values: nearly everything is equal to something.
                weights.iter_mut().for_each(|weight| *weight = weight.round());
            }
            let leaf = G::leaf(&*set, &most, &weights);
            let found = search(&game, &leaf, position, depth);
            let (value, best, mv) = minimax(&game, &leaf, position, true, depth);
            let text = || game.diagram(position);
            assert_eq!(
                (found.value, found.leaf, Some(found.mv)),
                (value, best, mv),
                "depth {depth}\n{}",
                text()
            );
        }
    }

    #[test]
    fn the_value_the_leaf_and_the_move_are_those_of_minimax() {
        for coarse in [false, true] {
            check::<Othello>(4, 40, coarse);
            check::<Othello>(1, 40, coarse);
            check::<Morris>(3, 20, coarse);
            check::<Abalone>(2, 10, coarse);
        }
    }
}
