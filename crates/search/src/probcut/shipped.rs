//! The parameters that come with the program, for the evaluations that engines play with.

use trilith_eval::Evaluator;
use trilith_games::Game;

use super::Parameters;

/// By game; a game is listed once its parameters have won a match against none.
const SHIPPED: &[(&str, &str)] = &[];

/// The shipped parameters that fit this evaluation; none if it is another than they were fitted for.
pub fn shipped<G: Game, E: Evaluator<G>>(evaluator: &E) -> Option<Parameters> {
    let (_, text) = SHIPPED.iter().find(|(game, _)| *game == G::NAME)?;
    let parameters = Parameters::parse(text).expect("a test reads the shipped parameters");
    parameters.expect::<G, E>(evaluator).is_ok().then_some(parameters)
}
