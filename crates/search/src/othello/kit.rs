//! What Othello has of its own for search: null windows, a finisher, parameters of ProbCut.

use trilith_eval::othello::board::BoardEvaluation;
use trilith_eval::othello::{EngineEvaluation, Evaluations};
use trilith_games::othello::Othello;

use super::{OthelloFinisher, scout};
use crate::engine::EngineOptions;
use crate::finisher::{Finisher, FinisherSettings};
use crate::kit::{NullWindow, SearchKit};

/// Null windows with an evaluation of bit boards.
pub fn null_window<E: BoardEvaluation>() -> NullWindow<Othello, E> {
    NullWindow(scout::test)
}

impl SearchKit<Othello> for Evaluations {
    const PROBCUT: &'static [&'static str] = &[
        include_str!("../../artifacts/othello/nnue-probcut.toml"),
        include_str!("../../artifacts/othello/probcut.toml"),
    ];

    /// Its null windows follow no moves past the horizon.
    fn options() -> EngineOptions {
        EngineOptions { quiescence: None, ..EngineOptions::default() }
    }

    fn null_window() -> Option<NullWindow<Othello, EngineEvaluation>> {
        Some(NullWindow(|meter, (game, evaluation), position, alpha, depth| match evaluation {
            EngineEvaluation::Patterns(patterns) => {
                scout::test(meter, (game, &**patterns), position, alpha, depth)
            }
            EngineEvaluation::Nnue(nnue) => scout::test(meter, (game, &**nnue), position, alpha, depth),
        }))
    }

    fn finisher(reach: FinisherSettings) -> Option<Box<dyn Finisher<Othello>>> {
        Some(Box::new(OthelloFinisher::new(reach)))
    }
}
