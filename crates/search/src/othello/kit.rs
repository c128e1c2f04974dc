//! What Othello has of its own for search: null windows, a finisher, parameters of ProbCut.

use std::borrow::Borrow;
use std::sync::Arc;

use trilith_eval::othello::{Evaluations, Patterns};
use trilith_games::othello::Othello;

use super::{Endgame, scout};
use crate::engine::Options;
use crate::finisher::{Finisher, Reach};
use crate::kit::{NullWindow, SearchKit};

/// Null windows with the pattern evaluation.
pub fn null_window<E: Borrow<Patterns>>() -> NullWindow<Othello, E> {
    NullWindow(|meter, (game, evaluator), position, alpha, depth| {
        scout::test(meter, (game, evaluator.borrow()), position, alpha, depth)
    })
}

impl SearchKit<Othello> for Evaluations {
    const PROBCUT: Option<&'static str> = Some(include_str!("../../../../artifacts/othello/probcut.toml"));

    /// Its null windows follow no moves past the horizon.
    fn options() -> Options {
        Options { quiescence: None, ..Options::default() }
    }

    fn null_window() -> Option<NullWindow<Othello, Arc<Patterns>>> {
        Some(null_window())
    }

    fn finisher(reach: Reach) -> Option<Box<dyn Finisher<Othello>>> {
        Some(Box::new(Endgame::new(reach)))
    }
}
