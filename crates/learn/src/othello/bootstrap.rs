//! The evaluation that the first games are played with: hand-made, before anything has been learned.

use trilith_eval::{Evaluator, Unit, Value};
use trilith_games::othello::{Move, Othello, Position};
use trilith_games::{Game, Outcome};
use trilith_search::othello::{Evaluation, Handmade};

/// Mobility, corners and frontier, in hundredths of a disc.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bootstrap;

const ONE: Value = 100;

impl Evaluator<Othello> for Bootstrap {
    type Carry = ();

    fn unit(&self) -> Unit {
        Unit { name: "discs", one: ONE }
    }

    fn begin(&self, _: &Othello, _: &Position) {}

    fn advance(&self, _: &Othello, _: &(), _: &Position, _: Move, _: &Position) {}

    fn value(&self, _: &Othello, position: &Position, _: &()) -> Value {
        Handmade.value(position.own, position.other, &())
    }

    fn ended(&self, game: &Othello, position: &Position, _: Outcome) -> Value {
        game.margin(position) * ONE
    }
}
