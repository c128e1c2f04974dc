//! What a game has of its own for search. Each question is asked of one place, and the defaults do nothing.

use std::sync::Arc;

use trilith_eval::{Catalogue, Evaluator, Margin, Oracle, Unit, Value};
use trilith_games::Game;

use crate::engine::meter::Meter;
use crate::engine::{Engine, EngineOptions};
use crate::finisher::{Finisher, FinisherSettings};
use crate::probcut::ProbCutParameters;
use crate::pruning::{Pruning, PruningParameters};

/// The searches made for one game, beside the ones for all games.
pub trait SearchKit<G: Game>: Catalogue<G> {
    /// Parameters of ProbCut as TOML, for each evaluation that the game ships some for. An evaluation has them once they
    /// have won a match against a search without.
    const PROBCUT: &'static [&'static str] = &[];

    /// Parameters of [`crate::pruning`] as TOML. A game has those techniques that have won a match against a search without.
    const PRUNING: Option<&'static str> = None;

    /// How its engine works if nobody says.
    fn options() -> EngineOptions {
        EngineOptions::default()
    }

    /// A faster search of null windows with the production evaluation.
    fn null_window() -> Option<NullWindow<G, Self::EngineEvaluator>> {
        None
    }

    /// What plays the end of the game.
    fn finisher(_reach: FinisherSettings) -> Option<Box<dyn Finisher<G>>> {
        None
    }

    /// An engine that plays with the production evaluation, and searches null windows the game's own way.
    fn engine<O: Oracle<G>>(
        evaluator: Self::EngineEvaluator,
        oracle: O,
        options: EngineOptions,
    ) -> Engine<G, Self::EngineEvaluator, O> {
        Engine::new(evaluator, oracle, options).with_null_window(Self::null_window())
    }

    /// The techniques of pruning that the game uses, for an evaluation of this unit.
    fn pruning(unit: Unit) -> Option<Arc<Pruning>> {
        let parameters =
            PruningParameters::parse(Self::PRUNING?).expect("a test reads the shipped parameters");
        Some(Arc::new(Pruning::new(&parameters, unit)))
    }

    /// The shipped parameters of ProbCut that fit this evaluation; none if all were fitted for others.
    fn probcut<E: Evaluator<G>>(evaluator: &E) -> Option<ProbCutParameters> {
        let parse =
            |text: &&str| ProbCutParameters::parse(text).expect("a test reads the shipped parameters");
        Self::PROBCUT.iter().map(parse).find(|parameters| parameters.expect::<G, E>(evaluator).is_ok())
    }
}

/// A game that is played with nothing but its rules.
impl<G: Game> SearchKit<G> for Margin {}

/// Whether a position is worth more than `alpha` after `depth` plies: a bound on its value, above `alpha` if and only
/// if the value is (fail-soft). Picked once a search; only for searches that follow no moves past the horizon.
pub struct NullWindow<G: Game, E>(pub(crate) NullWindowSearch<G, E>);

pub(crate) type NullWindowSearch<G, E> =
    fn(&mut Meter<'_>, (&G, &E), &<G as Game>::Position, Value, u32) -> Value;

impl<G: Game, E> Clone for NullWindow<G, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game, E> Copy for NullWindow<G, E> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probcut::Cuts;
    use trilith_eval::{Boxed, morris, othello};
    use trilith_games::morris::Morris;
    use trilith_games::othello::Othello;

    /// Fails when weights are learned anew: the parameters have to be fitted anew too.
    #[test]
    fn shipped_parameters_belong_to_the_shipped_evaluations() {
        let production = othello::Evaluations::engine_evaluator();
        let parameters =
            othello::Evaluations::probcut(&production).expect("see docs/search.md to fit them anew");
        let cuts = Cuts::new(&parameters, Evaluator::<Othello>::unit(&production), None);
        assert!((3..=8).all(|depth| !cuts.tests(depth).is_empty()));
        assert_eq!(parameters.evaluation, "nnue");
        for name in ["nnue", "patterns"] {
            let boxed = Boxed::<Othello>(othello::Evaluations::named(name, None).unwrap());
            assert_eq!(othello::Evaluations::probcut(&boxed).unwrap().evaluation, name);
        }
        let production = morris::Evaluations::engine_evaluator();
        assert!(<morris::Evaluations as SearchKit<Morris>>::probcut(&production).is_some());
    }

    #[test]
    fn other_evaluations_are_searched_without_cuts() {
        assert!(<othello::Evaluations as SearchKit<Othello>>::probcut(&Margin).is_none());
        assert!(<Margin as SearchKit<Othello>>::probcut(&Margin).is_none());
    }
}
