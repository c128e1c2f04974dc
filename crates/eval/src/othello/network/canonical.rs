//! Networks that have only seen canonical positions and must only be asked about such (S3, 5.3.2.4: asked about others,
//! they win a fifth fewer games).

use trilith_base::Artifact;
use trilith_games::Game;
use trilith_games::othello::symmetry::image_square;
use trilith_games::othello::{Othello, Position};

use super::ReversiNetwork;
use crate::value_table::Remember;

/// The setting that says which images of positions a network was trained on.
pub const FORM: &str = "form";
/// Its value for canonical images alone.
pub const CANONICAL: &str = "canonical";

/// Whether a file's network has only seen canonical positions.
pub fn is_canonical(artifact: &Artifact) -> bool {
    artifact.header.settings.get(FORM).is_some_and(|form| form == CANONICAL)
}

/// A network asked about the canonical image.
#[derive(Clone, Debug)]
pub struct Canonical<N>(pub N);

impl<N: ReversiNetwork> ReversiNetwork for Canonical<N> {
    fn points(&self, position: &Position) -> f32 {
        let code = Othello::default().code(position);
        self.0.points(&Position { own: (code >> 64) as u64, other: code as u64, ..*position })
    }

    fn gradient(&self, position: &Position) -> [(f32, f32); 64] {
        let (canonical, symmetry) = Othello::default().canonical(position);
        let gradient = self.0.gradient(&canonical);
        std::array::from_fn(|square| gradient[usize::from(image_square(square as u8, symmetry))])
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::LeafEvaluator;
    use crate::othello::network::Mlp;
    use crate::othello::sample::positions;
    use trilith_base::Seed;

    #[test]
    fn images_are_worth_the_same_and_explanations_follow_the_board() {
        let game = Othello::default();
        let network = Canonical(Mlp::from_artifact(&Mlp::fresh(Seed(5))).unwrap());
        for position in positions(Seed(8), 40) {
            let explanation = network.explain(&game, &position);
            let value = f64::from(network.value(&game, &position)) / 100.0;
            assert!((explanation.total - value).abs() < 0.006);
            // A symmetric position has several canonical images of its squares.
            let is_symmetric = (1..8).any(|symmetry| game.image(&position, symmetry) == position);
            for symmetry in 1..8 {
                let image = game.image(&position, symmetry);
                assert_eq!(network.points(&image), network.points(&position));
                let there = network.explain(&game, &image);
                let same = |square: u8| {
                    let to = usize::from(image_square(square, symmetry));
                    (there.cells[to] - explanation.cells[usize::from(square)]).abs() < 1e-6
                };
                assert!(is_symmetric || (0..64).all(same), "{}", game.diagram(&position));
            }
        }
    }
}
