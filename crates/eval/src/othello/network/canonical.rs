//! Networks that have only seen canonical positions and must only be asked about such (S3, 5.3.2.4: asked about others,
//! they win a fifth fewer games).

use trilith_base::Artifact;
use trilith_games::Game;
use trilith_games::othello::symmetry::{SYMMETRIES, image_square};
use trilith_games::othello::{Othello, Position};

use super::ReversiNetwork;
use crate::value_table::Remember;

/// The setting that says which images of positions a network was trained on.
pub const FORM: &str = "form";
/// Its value for canonical images alone.
pub const CANONICAL: &str = "canonical";

/// Its value for the author's canonical images alone: see [`SmallestRows`].
pub const SMALLEST_ROWS: &str = "smallest-rows";

/// The images of positions that a file's network wants to be asked about.
pub fn form(artifact: &Artifact) -> &str {
    artifact.header.settings.get(FORM).map_or("any", String::as_str)
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

/// A network asked about the image that S3's own program calls canonical: of all eight the one whose squares, row by row
/// from a1, make the smallest word of empty, own, other.
#[derive(Clone, Debug)]
pub struct SmallestRows<N>(pub N);

/// Which of the eight symmetries leads to that image.
fn smallest_rows(position: &Position) -> usize {
    let images = (0..SYMMETRIES).map(|symmetry| Othello::default().image(position, symmetry));
    let smaller = |(a, one): &(usize, Position), (b, two): &(usize, Position)| {
        let differs = (one.own ^ two.own) | (one.other ^ two.other);
        let digit = |position: &Position| {
            let square = differs.trailing_zeros();
            (position.own >> square & 1) + 2 * (position.other >> square & 1)
        };
        if differs == 0 { a.cmp(b) } else { digit(one).cmp(&digit(two)) }
    };
    images.enumerate().min_by(smaller).map_or(0, |(symmetry, _)| symmetry)
}

impl<N: ReversiNetwork> ReversiNetwork for SmallestRows<N> {
    fn points(&self, position: &Position) -> f32 {
        self.0.points(&Othello::default().image(position, smallest_rows(position)))
    }

    fn gradient(&self, position: &Position) -> [(f32, f32); 64] {
        let symmetry = smallest_rows(position);
        let gradient = self.0.gradient(&Othello::default().image(position, symmetry));
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

    /// The squares from a1 on as the bytes that S3's program compares: 0 for empty, 1 for own, 255 for other.
    fn word(position: &Position) -> Vec<u8> {
        (0..64)
            .map(|square| match (position.own >> square & 1, position.other >> square & 1) {
                (1, _) => 1,
                (_, 1) => 255,
                _ => 0,
            })
            .collect()
    }

    #[test]
    fn the_smallest_rows_are_those_of_all_images() {
        let game = Othello::default();
        for position in positions(Seed(9), 200) {
            let chosen = word(&game.image(&position, smallest_rows(&position)));
            let least = (0..SYMMETRIES).map(|symmetry| word(&game.image(&position, symmetry))).min();
            assert_eq!(Some(chosen), least, "{}", game.diagram(&position));
        }
    }
}
