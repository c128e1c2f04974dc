//! `reference`: the fixed opponent that a published study measured against.

use std::marker::PhantomData;

use trilith_base::Seed;
use trilith_games::{Game, Record};
use trilith_search::Analysis;

use super::{Decision, Player, PlayerError, PlayerFault, PlayerKind, Turn};
use crate::kit::GameKit;
use crate::spec::SpecError;

pub(super) const KIND: PlayerKind = PlayerKind {
    name: "reference",
    options: &[],
    about: "the fixed opponent that a published study of the game measured against",
};

pub(super) fn make<G: Game, C: GameKit<G>>(seed: Seed) -> Result<Box<dyn Player<G>>, PlayerError> {
    let start = Record::new(G::new(G::Rules::default()));
    match C::reference(&start, seed) {
        Some(_) => Ok(Box::new(Reference { seed, catalogue: PhantomData::<fn() -> C> })),
        None => {
            let expected = format!("another player: {} has no published reference player", G::NAME);
            Err(SpecError::Unknown { name: KIND.name.into(), expected }.into())
        }
    }
}

struct Reference<C> {
    seed: Seed,
    catalogue: PhantomData<fn() -> C>,
}

impl<G: Game, C: GameKit<G>> Player<G> for Reference<C> {
    fn choose(
        &mut self,
        record: &Record<G>,
        _: Turn<'_>,
        _: &mut dyn FnMut(&Analysis<G::Move>),
    ) -> Result<Decision<G::Move>, PlayerFault> {
        let mv = C::reference(record, self.seed);
        Ok(Decision { mv: mv.expect("only asked while the game goes on"), analysis: None })
    }

    fn renew(&mut self, seed: Seed) -> bool {
        self.seed = seed;
        true
    }
}
