//! Reading and changing patterns, compiled once for every CPU and once for those with wide instructions.

#![allow(unsafe_code)]

use super::{Carry, Patterned, Patterns};
use crate::evaluator::Value;

type ValueKernel<G, const LANES: usize> =
    fn(&Patterns<G, LANES>, &G, &<G as trilith_games::Game>::Position, &Carry<G, LANES>) -> Value;
type AdvanceKernel<G, const LANES: usize> = fn(
    &Patterns<G, LANES>,
    &G,
    &Carry<G, LANES>,
    &<G as trilith_games::Game>::Position,
    <G as trilith_games::Game>::Move,
    &<G as trilith_games::Game>::Position,
) -> Carry<G, LANES>;

/// The functions that a search calls at every node. All kernels give the same values.
#[derive(Clone, Copy, Debug)]
pub struct Kernels<G: Patterned<LANES>, const LANES: usize> {
    pub value: ValueKernel<G, LANES>,
    pub advance: AdvanceKernel<G, LANES>,
}

impl<G: Patterned<LANES>, const LANES: usize> Kernels<G, LANES> {
    /// For any CPU.
    pub fn portable() -> Self {
        Kernels {
            value: |patterns, game, position, carry| patterns.value_inlined(game, position, carry),
            advance: |patterns, game, carry, before, mv, after| {
                patterns.advance_inlined(game, carry, before, mv, after)
            },
        }
    }

    /// The fastest that this CPU has.
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
        {
            return Kernels {
                // SAFETY: the features that it is compiled for have just been found.
                value: |patterns, game, position, carry| unsafe {
                    avx2::value(patterns, game, position, carry)
                },
                // SAFETY: as above.
                advance: |patterns, game, carry, before, mv, after| unsafe {
                    avx2::advance(patterns, game, carry, before, mv, after)
                },
            };
        }
        Self::portable()
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Carry, Patterned, Patterns, Value};

    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    pub fn value<G: Patterned<LANES>, const LANES: usize>(
        patterns: &Patterns<G, LANES>,
        game: &G,
        position: &G::Position,
        carry: &Carry<G, LANES>,
    ) -> Value {
        patterns.value_inlined(game, position, carry)
    }

    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    pub fn advance<G: Patterned<LANES>, const LANES: usize>(
        patterns: &Patterns<G, LANES>,
        game: &G,
        carry: &Carry<G, LANES>,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Carry<G, LANES> {
        patterns.advance_inlined(game, carry, before, mv, after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::Evaluator;
    use crate::{abalone, morris};
    use trilith_base::Seed;
    use trilith_games::{MoveList, Record, playout};

    fn agree<G: Patterned<LANES>, const LANES: usize>(patterns: &Patterns<G, LANES>, rules: &str)
    where
        <G::Counts as Evaluator<G>>::Carry: PartialEq + std::fmt::Debug,
    {
        let Ok(rules) = rules.parse::<G::Rules>() else { panic!("rules `{rules}`") };
        let (mut record, mut rng) = (Record::new(G::new(rules)), Seed(8).rng());
        let (portable, best) = (Kernels::portable(), Kernels::<G, LANES>::best());
        for _ in 0..60 {
            let (game, position) = (record.game(), record.position());
            let carry = patterns.begin(game, position);
            let mut moves = MoveList::new();
            game.moves(position, &mut moves);
            for &mv in &moves {
                let after = game.play(position, mv);
                let carried = (portable.advance)(patterns, game, &carry, position, mv, &after);
                assert_eq!((best.advance)(patterns, game, &carry, position, mv, &after), carried);
                assert_eq!(patterns.begin(game, &after), carried);
                let value = (portable.value)(patterns, game, &after, &carried);
                assert_eq!((best.value)(patterns, game, &after, &carried), value);
            }
            playout::play_on(&mut record, 2, &mut rng);
        }
    }

    #[test]
    fn kernels_give_the_same_values() {
        use crate::catalogue::Catalogue;
        agree(&abalone::Evaluations::engine_evaluator(), "belgian-daisy");
        agree(&abalone::Evaluations::engine_evaluator(), "standard");
        agree(&morris::Evaluations::engine_evaluator(), "");
    }
}
