//! The polynomial at a leaf: `sum w_i x_i / n` as the searching side sees it, whoever is to move.

use rand::RngExt;
use trilith_base::Seed;
use trilith_eval::FeatureSet;
use trilith_eval::features::Described;
use trilith_eval::othello::polynomial::{FEATURES, features};
use trilith_games::Game;
use trilith_games::othello::{Othello, Position};

use super::games::SelfPlayed;

/// Evaluates positions of games that go on, between -1 and 1.
pub trait Leaf<G: Game>: Send + Sync {
    /// The value for the side to move if `is_own`, else for its opponent.
    fn value(&self, game: &G, position: &G::Position, is_own: bool) -> f64;

    /// Whether the search is to end at once, with whatever move.
    fn is_stopped(&self) -> bool {
        false
    }

    /// Whether a position can be judged as it stands; searches may look further where not (S1, 7.2.2).
    fn is_quiet(&self, _game: &G, _position: &G::Position) -> bool {
        true
    }
}

/// Evenly drawn from -1 to 1: where S1's learning starts, and what its random searcher thinks with.
pub fn random_weights(count: usize, seed: Seed) -> Vec<f64> {
    let mut rng = seed.rng();
    (0..count).map(|_| 2.0 * rng.random::<f64>() - 1.0).collect()
}

/// S1's 42 features of Othello by tables: all but who is ahead are sums over discs, and rows that are mirror images
/// weigh the same, so each of the eight rows of a side is one look into four tables.
pub struct RowTables {
    own: [[f64; 256]; 4],
    other: [[f64; 256]; 4],
    ahead: f64,
    behind: f64,
}

impl RowTables {
    /// From 42 weights in the order of S1.
    pub fn new(weights: &[f64]) -> RowTables {
        let scale = 1.0 / FEATURES as f64;
        let disc = |position: Position| -> f64 {
            let sums = features(&position).into_iter().take(FEATURES - 2);
            sums.zip(weights).map(|(value, weight)| value * weight).sum::<f64>() * scale
        };
        let own = |square: usize| disc(Position { own: 1 << square, other: 0, ..Position::START });
        let other = |square: usize| disc(Position { own: 0, other: 1 << square, ..Position::START });
        RowTables {
            own: tables(own),
            other: tables(other),
            ahead: weights[FEATURES - 2] * scale,
            behind: weights[FEATURES - 1] * scale,
        }
    }

    #[inline]
    fn sum(&self, own: u64, other: u64) -> f64 {
        let (own_rows, other_rows) = (own.to_le_bytes(), other.to_le_bytes());
        let mut sum = 0.0;
        for row in 0..4 {
            let (top, under) = (row, 7 - row);
            sum += self.own[row][usize::from(own_rows[top])] + self.own[row][usize::from(own_rows[under])];
            sum += self.other[row][usize::from(other_rows[top])]
                + self.other[row][usize::from(other_rows[under])];
        }
        match own.count_ones().cmp(&other.count_ones()) {
            std::cmp::Ordering::Greater => sum + self.ahead,
            std::cmp::Ordering::Equal => sum,
            std::cmp::Ordering::Less => sum + self.behind,
        }
    }
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// What each content of the four upper rows adds.
fn tables(disc: impl Fn(usize) -> f64) -> [[f64; 256]; 4] {
    // A row is symmetric too: four discs tell all.
    std::array::from_fn(|row| {
        let discs: [f64; 4] = std::array::from_fn(|column| disc(8 * row + column));
        let mut table = [0.0; 256];
        for content in 1..256_usize {
            let column = content.trailing_zeros() as usize;
            table[content] = table[content & (content - 1)] + discs[column.min(7 - column)];
        }
        table
    })
}

impl Leaf<Othello> for RowTables {
    #[inline]
    fn value(&self, _: &Othello, position: &Position, is_own: bool) -> f64 {
        match is_own {
            true => self.sum(position.own, position.other),
            false => self.sum(position.other, position.own),
        }
    }
}

/// A feature set, weighted: for every game.
pub struct Sum<G: SelfPlayed> {
    set: Box<dyn FeatureSet<G>>,
    /// Divided by the most their features can be and by their number.
    weights: Vec<f32>,
}

/// The most features on the stack at a leaf.
const MOST: usize = 64;

impl<G: SelfPlayed> Sum<G> {
    /// For a set that the game knows, with at most 64 features.
    pub fn new(set: &str, most: &[f64], weights: &[f64]) -> Sum<G> {
        let count = weights.len() as f64;
        let set = <G as Described>::feature_set(set).expect("the learner has checked the name");
        let weights = weights.iter().zip(most).map(|(weight, most)| (weight / most / count) as f32).collect();
        Sum { set, weights }
    }
}

impl<G: SelfPlayed> Leaf<G> for Sum<G> {
    fn value(&self, game: &G, position: &G::Position, is_own: bool) -> f64 {
        let seen = if is_own { *position } else { G::other_to_move(position) };
        let mut numbers = [0.0; MOST];
        let numbers = &mut numbers[..self.weights.len()];
        self.set.fill(game, &seen, numbers);
        f64::from(numbers.iter().zip(&self.weights).map(|(number, weight)| number * weight).sum::<f32>())
    }
}

/// The polynomial of Othello: by tables with S1's own features, else feature by feature.
pub enum OthelloLeaf {
    /// Of `othilie-42`.
    Rows(Box<RowTables>),
    /// Of another set.
    Sum(Sum<Othello>),
}

impl Leaf<Othello> for OthelloLeaf {
    #[inline]
    fn value(&self, game: &Othello, position: &Position, is_own: bool) -> f64 {
        match self {
            OthelloLeaf::Rows(rows) => rows.value(game, position, is_own),
            OthelloLeaf::Sum(sum) => sum.value(game, position, is_own),
        }
    }

    /// No corner can be taken at once.
    fn is_quiet(&self, _: &Othello, position: &Position) -> bool {
        position.mobility() & CORNERS == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_eval::contract::sample;
    use trilith_eval::othello::polynomial::Polynomial;

    /// Without weights for the six strategic features, the larger set is the smaller one, but for what sums are divided by.
    #[test]
    fn strategic_features_come_on_top_of_the_others() {
        let weights = random_weights(FEATURES, Seed(3));
        let more: Vec<f64> = weights.iter().copied().chain([0.0; 6]).collect();
        let leaf = |name: &str, weights: &[f64]| {
            let set = <Othello as Described>::feature_set(name).expect("a set of Othello's");
            let most = Othello::most(&*set).expect("its features are bounded");
            Othello::leaf(&*set, &most, weights)
        };
        let (few, many) = (leaf("othilie-42", &weights), leaf("othilie-48", &more));
        let seeing = leaf("othilie-48", &[vec![0.0; FEATURES], vec![1.0, -1.0, 0.0, 0.0, 0.0, 0.0]].concat());
        let game = Othello::default();
        for position in sample(&game, Seed(4), 3, 300) {
            for is_own in [true, false] {
                let values = [&few, &many].map(|leaf| leaf.value(&game, &position, is_own));
                assert!((values[0] * 42.0 - values[1] * 48.0).abs() < 1e-4, "{values:?}");
            }
            let moves = |position: &Position| f64::from(position.mobility().count_ones());
            let more = (moves(&position) - moves(&position.after_pass())) / 33.0 / 48.0;
            assert!((seeing.value(&game, &position, true) - more).abs() < 1e-6);
        }
    }

    #[test]
    fn tables_give_what_the_polynomial_does_for_both_sides() {
        let weights = random_weights(FEATURES, Seed(3));
        let rows = RowTables::new(&weights);
        let slow = Polynomial::new(std::array::from_fn(|at| weights[at]));
        let game = Othello::default();
        for position in sample(&game, Seed(4), 3, 300) {
            assert!((rows.value(&game, &position, true) - slow.estimate(&position)).abs() < 1e-12);
            let turned = Othello::other_to_move(&position);
            assert!((rows.value(&game, &position, false) - slow.estimate(&turned)).abs() < 1e-12);
        }
    }
}
