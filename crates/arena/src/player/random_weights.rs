//! `random-weights`: S1's yardstick, a search by a polynomial whose weights are drawn anew for every move.

use std::marker::PhantomData;

use trilith_base::Seed;
use trilith_eval::dense::{Activation, Dense};
use trilith_eval::network::{self, Network};
use trilith_eval::{Boxed, FeatureSet};
use trilith_games::{Game, Record};
use trilith_search::Analysis;

use super::{Decision, Player, PlayerError, PlayerFault, PlayerKind, Turn, ladder};
use crate::kit::GameKit;
use crate::spec::PlayerSpec;

pub(super) const KIND: PlayerKind = PlayerKind {
    name: "random-weights",
    options: &["depth", "features"],
    about: "looks depth=4 plies ahead and values positions by features=SET with weights between -1 and 1 that are drawn anew for \
            every move (S1's yardstick)",
};

/// S1's features; other games have their first set.
const USUAL: &str = "othilie-42";

pub(super) fn make<G: Game, C: GameKit<G>>(
    spec: &PlayerSpec,
    seed: Seed,
) -> Result<Box<dyn Player<G>>, PlayerError> {
    let depth = spec.number("depth", 1, 16)?.unwrap_or(4) as u32;
    let first = || C::feature_sets().into_iter().next();
    let set = match spec.get("features") {
        None => C::feature_set(USUAL).or_else(first),
        Some(name) => C::feature_set(name),
    };
    let Some(set) = set else {
        let names: Vec<String> = C::feature_sets().iter().map(|set| set.name().to_owned()).collect();
        let found = spec.get("features").unwrap_or_default();
        return Err(spec.wrong("features", found, names.join(", ")).into());
    };
    let features = set.name().to_owned();
    Ok(Box::new(RandomWeights { depth, features, seed, catalogue: PhantomData::<fn() -> C> }))
}

struct RandomWeights<C> {
    depth: u32,
    features: String,
    seed: Seed,
    catalogue: PhantomData<fn() -> C>,
}

/// A sum of features with weights drawn evenly between -1 and 1.
fn drawn<G: Game>(set: Box<dyn FeatureSet<G>>, seed: Seed) -> Option<Network<G>> {
    let dense = Dense::random(set.count(), &[(1, Activation::Linear)], 1.0, seed);
    Network::load(&network::write(G::NAME, set.name(), &[dense], &[], 0.0), set).ok()
}

impl<G: Game, C: GameKit<G>> Player<G> for RandomWeights<C> {
    fn choose(
        &mut self,
        record: &Record<G>,
        turn: Turn<'_>,
        report: &mut dyn FnMut(&Analysis<G::Move>),
    ) -> Result<Decision<G::Move>, PlayerFault> {
        let seed = self.seed.derive("weights", record.len() as u64);
        let set = C::feature_set(&self.features).expect("it was there when the player was made");
        let network = drawn(set, seed).expect("a file just made is read");
        ladder::plain(Boxed(Box::new(network)), self.depth, seed).choose(record, turn, report)
    }

    fn renew(&mut self, seed: Seed) -> bool {
        self.seed = seed;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_eval::Catalogue;
    use trilith_eval::othello::Evaluations;
    use trilith_games::othello::Othello;
    use trilith_search::{Control, Limits};

    fn moves(spec: &str, seed: Seed) -> Vec<String> {
        let mut player = make::<Othello, Evaluations>(&spec.parse().unwrap(), seed).unwrap();
        let mut record = Record::new(Othello::default());
        let control = Control::default();
        while record.end().is_none() {
            let turn = Turn { limits: Limits::default(), control: &control };
            let mv = player.choose(&record, turn, &mut |_| ()).unwrap().mv;
            record.push_legal(mv);
        }
        (1..=record.len()).filter_map(|at| record.position_after(at)).map(|it| format!("{it:?}")).collect()
    }

    #[test]
    fn games_repeat_by_seed_and_weights_differ_by_move() {
        let one = moves("random-weights:depth=2", Seed(1));
        assert_eq!(one, moves("random-weights:depth=2", Seed(1)));
        assert_ne!(one, moves("random-weights:depth=2", Seed(2)));
        let weights = |ply: u64| {
            let set = <Evaluations as Catalogue<Othello>>::feature_set(USUAL).unwrap();
            drawn(set, Seed(1).derive("weights", ply)).unwrap().dense().layers()[0].weights.clone()
        };
        assert_eq!(weights(4).len(), 42);
        assert_ne!(weights(4), weights(6));
        let wrong = make::<Othello, Evaluations>(&"random-weights:features=none".parse().unwrap(), Seed(1));
        assert!(wrong.err().unwrap().to_string().contains("othilie-42"));
    }
}
