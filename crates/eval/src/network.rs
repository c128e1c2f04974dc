//! Networks as evaluations: a feature set, a [`Dense`] network, and what its outputs mean.

use trilith_base::Artifact;
use trilith_base::artifact::ArtifactError;
use trilith_games::Game;

use crate::catalogue::Study;
use crate::dense::{Dense, MOST_INPUTS};
use crate::evaluator::{Unit, Value};
use crate::explanation::{Explanation, Term};
use crate::features::{Described, FeatureSet};

/// What the outputs mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Three outputs: how likely a win, a draw and a loss are. The value is the first less the last (S2, 4.2.2).
    Outcomes,
    /// One output: the value itself.
    Worth,
}

impl Reading {
    /// What so many outputs mean: three are outcomes, one is the worth.
    pub fn of(outputs: usize) -> Option<Reading> {
        match outputs {
            1 => Some(Reading::Worth),
            3 => Some(Reading::Outcomes),
            _ => None,
        }
    }

    #[inline]
    fn value(self, outputs: &[f32]) -> f32 {
        match self {
            Reading::Outcomes => outputs[0] - outputs[2],
            Reading::Worth => outputs[0],
        }
    }

    fn unit(self) -> Unit {
        let name = match self {
            Reading::Outcomes => "wins",
            Reading::Worth => "rewards",
        };
        Unit { name, one: 10_000 }
    }
}

/// A network that evaluates positions.
pub struct Network<G: Game> {
    set: Box<dyn FeatureSet<G>>,
    dense: Dense,
    reading: Reading,
}

impl<G: Described> Network<G> {
    /// The network in a file for any feature set of the game.
    pub fn load_any(file: &Artifact) -> Result<Network<G>, ArtifactError> {
        let name = &file.header.features;
        let set = G::feature_set(name).ok_or_else(|| ArtifactError::Mismatch {
            what: "feature set".into(),
            found: name.clone(),
            expected: G::feature_sets().iter().map(|set| set.name()).collect::<Vec<_>>().join(", "),
        })?;
        Network::load(file, set)
    }
}

impl<G: Game> Network<G> {
    /// The network in a file for this feature set.
    pub fn load(file: &Artifact, set: Box<dyn FeatureSet<G>>) -> Result<Network<G>, ArtifactError> {
        let dense = Dense::load(file, G::NAME, set.name(), set.count())?;
        let reading = Reading::of(dense.outputs()).ok_or_else(|| ArtifactError::Mismatch {
            what: "number of outputs".into(),
            found: dense.outputs().to_string(),
            expected: "3 (win, draw, loss) or 1".into(),
        })?;
        Ok(Network { set, dense, reading })
    }

    /// The network itself.
    pub fn dense(&self) -> &Dense {
        &self.dense
    }

    fn worth(&self, inputs: &[f32]) -> f32 {
        self.dense.run(inputs, |outputs| self.reading.value(outputs))
    }

    fn worth_of<const WIDTH: usize>(&self, game: &G, position: &G::Position) -> f32 {
        let mut inputs = [0.0; WIDTH];
        let inputs = &mut inputs[..self.set.count()];
        self.set.fill(game, position, inputs);
        self.worth(inputs)
    }
}

/// No estimate may look like a won game, whatever a linear output says.
const MOST: f32 = 1000.0;

impl<G: Game> Study<G> for Network<G> {
    fn unit(&self) -> Unit {
        self.reading.unit()
    }

    fn value(&self, game: &G, position: &G::Position) -> Value {
        let worth = match self.set.count() {
            0..=64 => self.worth_of::<64>(game, position),
            _ => self.worth_of::<MOST_INPUTS>(game, position),
        };
        (worth.clamp(-MOST, MOST) * self.unit().one as f32).round() as Value
    }

    /// What each input adds when inputs are switched on one after the other, the mean of doing so forwards and
    /// backwards: these add up exactly, which no product of inputs and slopes does in a curved network.
    fn explain(&self, game: &G, position: &G::Position) -> Explanation {
        let inputs = crate::features::of(&*self.set, game, position);
        let names = self.set.names();
        let used: Vec<usize> = (0..inputs.len()).filter(|&at| inputs[at] != 0.0).collect();
        let mut shares = vec![0.0; used.len()];
        let mut base = 0.0;
        for backwards in [false, true] {
            let mut seen = vec![0.0; inputs.len()];
            let mut before = f64::from(self.worth(&seen));
            base = before;
            for step in 0..used.len() {
                let place = if backwards { used.len() - 1 - step } else { step };
                seen[used[place]] = inputs[used[place]];
                let after = f64::from(self.worth(&seen));
                shares[place] += (after - before) / 2.0;
                before = after;
            }
        }
        let mut terms = vec![Term::weighted("base", 1.0, base)];
        for (&at, share) in used.iter().zip(shares) {
            let value = f64::from(inputs[at]);
            terms.push(Term { name: names[at].clone(), value, weight: share / value, contribution: share });
        }
        Explanation::sum(self.unit().name, terms)
    }

    fn is_symmetric(&self) -> bool {
        self.set.is_symmetric()
    }
}
