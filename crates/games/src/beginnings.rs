//! All beginnings of a length (S5, 3.3): every position that so many plies can lead to, symmetric ones once.

use std::collections::HashSet;

use crate::{Game, MoveList};

/// A way to each position that `plies` plies lead to and that has not ended, in a fixed order. Symmetric positions, and
/// those that several ways lead to, come once.
pub fn all<G: Game>(game: &G, plies: u32) -> Vec<Vec<G::Move>> {
    at_most(game, plies, usize::MAX).expect("no list is longer")
}

/// [`all`], or nothing where there are more than `most`.
pub fn at_most<G: Game>(game: &G, plies: u32, most: usize) -> Option<Vec<Vec<G::Move>>> {
    let mut level = vec![(game.start(), Vec::new())];
    for _ in 0..plies {
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        for (position, way) in level {
            let mut moves = MoveList::new();
            game.moves(&position, &mut moves);
            for mv in moves {
                let after = game.play(&position, mv);
                if game.outcome(&after).is_none() && seen.insert(game.canonical(&after).0) {
                    next.push((after, [&way[..], &[mv]].concat()));
                }
                if next.len() > most {
                    return None;
                }
            }
        }
        level = next;
    }
    Some(level.into_iter().map(|(_, way)| way).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abalone::Abalone;
    use crate::morris::Morris;
    use crate::othello::Othello;
    use std::collections::BTreeSet;

    /// The canonical texts of all positions after so many plies, by plain recursion.
    fn slowly<G: Game>(game: &G, position: &G::Position, plies: u32, into: &mut BTreeSet<String>) {
        if game.outcome(position).is_some() {
            return;
        }
        if plies == 0 {
            into.insert(game.position_text(&game.canonical(position).0));
            return;
        }
        let mut moves = MoveList::new();
        game.moves(position, &mut moves);
        moves.into_iter().for_each(|mv| slowly(game, &game.play(position, mv), plies - 1, into));
    }

    fn each_position_comes_once<G: Game>(game: &G, plies: u32) -> usize {
        let mut expected = BTreeSet::new();
        slowly(game, &game.start(), plies, &mut expected);
        let ways = all(game, plies);
        let end =
            |way: &Vec<G::Move>| way.iter().fold(game.start(), |position, &mv| game.play(&position, mv));
        let found: BTreeSet<_> =
            ways.iter().map(|way| game.position_text(&game.canonical(&end(way)).0)).collect();
        assert_eq!((ways.len(), found), (expected.len(), expected), "{}", G::NAME);
        ways.len()
    }

    #[test]
    fn every_position_comes_once() {
        assert_eq!(
            (1..=5).map(|plies| all(&Othello::default(), plies).len()).collect::<Vec<_>>(),
            [1, 3, 14, 60, 322]
        );
        each_position_comes_once(&Othello::default(), 5);
        assert_eq!(at_most(&Othello::default(), 5, 322).unwrap().len(), 322);
        assert_eq!(at_most(&Othello::default(), 5, 321), None);
        assert_eq!(each_position_comes_once(&Morris::default(), 1), 4);
        each_position_comes_once(&Morris::default(), 3);
        each_position_comes_once(&Abalone::default(), 2);
    }
}
