//! Evaluators: an estimate of what a position is worth, kept up to date from move to move.

use std::sync::Arc;

use trilith_games::{Game, Outcome};

/// Always for the side to move, in whole steps of the evaluator's [`Unit`].
pub type Value = i32;

/// A game won at once. Search subtracts the plies to get there; every estimate lies well inside.
pub const WIN: Value = 1 << 26;

/// What a value counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// In the plural, such as `discs`.
    pub name: &'static str,
    /// The value that stands for one of them.
    pub one: Value,
}

/// Estimates what positions are worth.
pub trait Evaluator<G: Game>: Send + Sync {
    /// What is kept up to date from move to move (pattern indices, sums); `()` if nothing.
    type Carry: Clone + Send;

    /// What the values count.
    fn unit(&self) -> Unit;

    /// The carry of a position, from nothing.
    fn begin(&self, game: &G, position: &G::Position) -> Self::Carry;

    /// The carry of `after`, from that of `before`: equal to `begin`, only faster.
    fn advance(
        &self,
        game: &G,
        carry: &Self::Carry,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Self::Carry;

    /// The estimate for the side to move of a game that goes on; smaller than [`WIN`] by far.
    fn value(&self, game: &G, position: &G::Position, carry: &Self::Carry) -> Value;

    /// Where games may come to stand still under these rules, how many units a side may be behind that is to seek mobility in
    /// them.
    fn closed_games(&self, _game: &G) -> Option<f64> {
        None
    }

    /// What having more choice than the opponent is worth to the side to move where a game stands still; 0 unless the
    /// evaluation knows. No part of [`Evaluator::value`]: search adds it while nothing happens, if it is to.
    fn mobility(&self, _game: &G, _position: &G::Position) -> Value {
        0
    }

    /// The value of an ended game. Evaluators whose unit is the game's own count give the final margin instead.
    fn ended(&self, _game: &G, _position: &G::Position, outcome: Outcome) -> Value {
        match outcome {
            Outcome::Win => WIN,
            Outcome::Draw => 0,
            Outcome::Loss => -WIN,
        }
    }

    /// Whether positions like this one were learned from. Where they were not, shallow searches foretell nothing.
    #[inline]
    fn is_familiar(&self, _game: &G, _position: &G::Position) -> bool {
        true
    }
}

/// Large weights are shared, not copied, between engines.
impl<G: Game, E: Evaluator<G>> Evaluator<G> for Arc<E> {
    type Carry = E::Carry;

    fn unit(&self) -> Unit {
        (**self).unit()
    }

    fn begin(&self, game: &G, position: &G::Position) -> E::Carry {
        (**self).begin(game, position)
    }

    #[inline]
    fn advance(
        &self,
        game: &G,
        carry: &E::Carry,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> E::Carry {
        (**self).advance(game, carry, before, mv, after)
    }

    #[inline]
    fn value(&self, game: &G, position: &G::Position, carry: &E::Carry) -> Value {
        (**self).value(game, position, carry)
    }

    fn closed_games(&self, game: &G) -> Option<f64> {
        (**self).closed_games(game)
    }

    #[inline]
    fn mobility(&self, game: &G, position: &G::Position) -> Value {
        (**self).mobility(game, position)
    }

    fn ended(&self, game: &G, position: &G::Position, outcome: Outcome) -> Value {
        (**self).ended(game, position, outcome)
    }

    #[inline]
    fn is_familiar(&self, game: &G, position: &G::Position) -> bool {
        (**self).is_familiar(game, position)
    }
}
