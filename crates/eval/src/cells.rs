//! A feature set that every game has: what stands on each cell.

use trilith_games::Game;
use trilith_games::board::Stone;

use crate::features::FeatureSet;

/// One number a cell: 1 for a stone of the side to move, -1 for one of its opponent.
pub struct Cells {
    name: String,
    names: Vec<String>,
}

impl Cells {
    /// The cells of `G`'s board under its usual rules; called `GAME-cells`.
    pub fn of<G: Game>() -> Cells {
        let board = G::new(G::Rules::default()).board();
        let names = board.cells.into_iter().map(|cell| cell.name).collect();
        Cells { name: format!("{}-cells", G::NAME), names }
    }
}

impl<G: Game> FeatureSet<G> for Cells {
    fn name(&self) -> &str {
        &self.name
    }

    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    fn count(&self) -> usize {
        self.names.len()
    }

    fn fill(&self, game: &G, position: &G::Position, into: &mut [f32]) {
        let own = Stone::from(game.to_move(position));
        for (number, stone) in into.iter_mut().zip(game.stones(position)) {
            *number = match stone {
                Some(stone) if stone == own => 1.0,
                Some(Stone::Neutral) | None => 0.0,
                Some(_) => -1.0,
            };
        }
    }

    fn is_symmetric(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features;
    use trilith_games::othello::Othello;

    #[test]
    fn own_stones_count_one_and_others_minus_one() {
        let (set, game) = (Cells::of::<Othello>(), Othello::default());
        let numbers = features::of::<Othello>(&set, &game, &game.start());
        let at = |name: &str| numbers[set.names.iter().position(|cell| cell == name).unwrap()];
        assert_eq!((at("e4"), at("d4"), at("a1")), (1.0, -1.0, 0.0), "Black is to move and has e4");
        assert_eq!(numbers.len(), 64);
    }
}
