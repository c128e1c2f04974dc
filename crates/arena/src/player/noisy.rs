//! An evaluation with a random number added to every value (S2, 4.6), so that equal players play different games.

use trilith_base::Seed;
use trilith_eval::{Boxed, Evaluator, Unit, Value};
use trilith_games::{Game, Outcome};

/// Another evaluation, to whose value of a position a number from -`most` to `most` is added. The number depends on the
/// position and the seed alone, so that a search meets the same one by every way and a game can be played again.
pub struct Noisy<G: Game> {
    /// What is made noisy.
    pub inner: Boxed<G>,
    /// The largest number that is added, in steps of the unit; 0 for none.
    pub most: Value,
    /// By which the numbers of one player differ from those of another.
    pub seed: Seed,
}

impl<G: Game> Evaluator<G> for Noisy<G> {
    type Carry = <Boxed<G> as Evaluator<G>>::Carry;

    fn unit(&self) -> Unit {
        self.inner.unit()
    }

    fn begin(&self, game: &G, position: &G::Position) -> Self::Carry {
        self.inner.begin(game, position)
    }

    fn advance(
        &self,
        game: &G,
        carry: &Self::Carry,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Self::Carry {
        self.inner.advance(game, carry, before, mv, after)
    }

    fn value(&self, game: &G, position: &G::Position, carry: &Self::Carry) -> Value {
        let value = self.inner.value(game, position, carry);
        if self.most == 0 {
            return value;
        }
        let choices = 2 * self.most as u64 + 1;
        // The multiplication takes the upper bits, which is as good as a division and faster.
        let number =
            (u128::from(self.seed.derive("noise", game.key(position)).0) * u128::from(choices)) >> 64;
        value + number as Value - self.most
    }

    fn ended(&self, game: &G, position: &G::Position, outcome: Outcome) -> Value {
        self.inner.ended(game, position, outcome)
    }
}

#[cfg(test)]
mod tests {
    use trilith_eval::contract::sample;
    use trilith_games::morris::Morris;

    use super::*;
    use trilith_eval::Catalogue;
    use trilith_eval::morris::Evaluations;

    #[test]
    fn noise_is_bounded_fills_its_bounds_and_repeats_with_the_seed() {
        let game = Morris::default();
        let plain = || Boxed(Evaluations::named("standard", None).unwrap());
        let noisy = |seed| Noisy { inner: plain(), most: 7, seed: Seed(seed) };
        let (calm, one, again, other) = (plain(), noisy(1), noisy(1), noisy(2));
        let mut seen = std::collections::BTreeMap::new();
        let mut differ = 0;
        for position in sample(&game, Seed(3), 1, 3000) {
            let value = |evaluator: &Noisy<Morris>| {
                evaluator.value(&game, &position, &evaluator.begin(&game, &position))
            };
            let noise = value(&one) - calm.value(&game, &position, &calm.begin(&game, &position));
            assert!((-7..=7).contains(&noise), "{noise}");
            assert_eq!(value(&one), value(&again));
            differ += usize::from(value(&one) != value(&other));
            *seen.entry(noise).or_insert(0) += 1;
        }
        assert!(seen.len() == 15 && seen.values().all(|&count| count > 100), "{seen:?}");
        assert!(differ > 2500, "{differ}");
    }
}
