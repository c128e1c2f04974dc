//! The Othello board as a feature set: one number a square.

use trilith_games::othello::{Othello, Position, square_name};

use crate::features::FeatureSet;

/// 1 for an own disc, -1 for the other's, as in S3.
#[derive(Clone, Copy, Debug)]
pub struct Squares;

impl FeatureSet<Othello> for Squares {
    fn name(&self) -> &str {
        "board-64"
    }

    fn names(&self) -> Vec<String> {
        (0..64).map(square_name).collect()
    }

    fn count(&self) -> usize {
        64
    }

    fn fill(&self, _: &Othello, position: &Position, into: &mut [f32]) {
        for (square, into) in into.iter_mut().enumerate() {
            let stands = |set: u64| (set >> square & 1) as f32;
            *into = stands(position.own) - stands(position.other);
        }
    }

    fn is_symmetric(&self) -> bool {
        false
    }
}
