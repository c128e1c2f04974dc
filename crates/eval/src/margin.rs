//! The game's own count as an evaluation: disc difference (S3's yardstick), stones, ejected marbles.

use trilith_games::Game;

use crate::evaluator::{Evaluator, Unit, Value};

/// The difference in discs, stones or ejected marbles; works for every game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Margin;

const ONE: Value = 100;

impl<G: Game> Evaluator<G> for Margin {
    type Carry = ();

    fn unit(&self) -> Unit {
        Unit { name: "stones", one: ONE }
    }

    fn begin(&self, _: &G, _: &G::Position) {}

    fn advance(&self, _: &G, _: &(), _: &G::Position, _: G::Move, _: &G::Position) {}

    fn value(&self, game: &G, position: &G::Position, _: &()) -> Value {
        game.margin(position) * ONE
    }
}
