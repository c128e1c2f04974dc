//! The parameters that come with the program, for the evaluations that engines play with.

use trilith_eval::Evaluator;
use trilith_games::Game;

use super::Parameters;

/// By game; a game is listed once its parameters have won a match against none.
const SHIPPED: &[(&str, &str)] = &[
    ("othello", include_str!("../../../../artifacts/othello/probcut.toml")),
    ("morris", include_str!("../../../../artifacts/morris/probcut.toml")),
];

/// The shipped parameters that fit this evaluation; none if it is another than they were fitted for.
pub fn shipped<G: Game, E: Evaluator<G>>(evaluator: &E) -> Option<Parameters> {
    let (_, text) = SHIPPED.iter().find(|(game, _)| *game == G::NAME)?;
    let parameters = Parameters::parse(text).expect("a test reads the shipped parameters");
    parameters.expect::<G, E>(evaluator).is_ok().then_some(parameters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probcut::Cuts;
    use trilith_eval::othello::Evaluations;
    use trilith_eval::{Boxed, Catalogue, Margin, morris};
    use trilith_games::morris::Morris;
    use trilith_games::othello::Othello;

    /// Fails when weights are learned anew: the parameters have to be fitted anew too.
    #[test]
    fn shipped_parameters_belong_to_the_shipped_evaluations() {
        let production = Evaluations::production();
        let parameters = shipped::<Othello, _>(&production).expect("see docs/search.md to fit them anew");
        let cuts = Cuts::new(&parameters, Evaluator::<Othello>::unit(&production), None);
        assert!((3..=8).all(|depth| !cuts.tests(depth).is_empty()));
        assert!(shipped::<Othello, _>(&Boxed(Evaluations::named("patterns", None).unwrap())).is_some());
        assert!(shipped::<Morris, _>(&morris::Evaluations::production()).is_some());
    }

    #[test]
    fn other_evaluations_are_searched_without_cuts() {
        assert!(shipped::<Othello, _>(&Margin).is_none());
        for (_, text) in SHIPPED {
            Parameters::parse(text).unwrap();
        }
    }
}
