//! Networks as evaluations: a feature set, a [`Dense`] network, and what its outputs mean.

use std::collections::BTreeMap;

use trilith_base::Artifact;
use trilith_base::artifact::ArtifactError;
use trilith_games::Game;

use crate::catalogue::LeafEvaluator;
use crate::dense::{Dense, MOST_INPUTS};
use crate::evaluator::{Unit, Value};
use crate::explanation::{Explanation, Term};
use crate::features::{Described, FeatureSet};

/// What the outputs mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputReading {
    /// Three outputs: how likely a win, a draw and a loss are. The value is the first less the last (S2, 4.2.2).
    Outcomes,
    /// One output: the value itself.
    Worth,
}

impl OutputReading {
    /// What so many outputs mean: three are outcomes, one is the worth.
    pub fn of(outputs: usize) -> Option<OutputReading> {
        match outputs {
            1 => Some(OutputReading::Worth),
            3 => Some(OutputReading::Outcomes),
            _ => None,
        }
    }

    #[inline]
    fn value(self, outputs: &[f32]) -> f32 {
        match self {
            OutputReading::Outcomes => outputs[0] - outputs[2],
            OutputReading::Worth => outputs[0],
        }
    }

    /// The names of the outputs.
    fn names(self) -> &'static [&'static str] {
        match self {
            OutputReading::Outcomes => &["win", "draw", "loss"],
            OutputReading::Worth => &["worth"],
        }
    }

    fn unit(self) -> Unit {
        let name = match self {
            OutputReading::Outcomes => "wins",
            OutputReading::Worth => "rewards",
        };
        Unit { name, one: 10_000 }
    }
}

/// A network that evaluates positions, or several of the same shape, one a phase of the game.
///
/// Two settings of its file say more than the layers: `phases`, the phases (see [`Game::phase`]) from which on the
/// second network, the third and so on take over; and `margin`, what one of the game's own count is worth beside what
/// the network says, for networks that were taught to expect only what is still to come (S4).
pub struct Network<G: Game> {
    set: Box<dyn FeatureSet<G>>,
    stages: Vec<Dense>,
    limits: Vec<usize>,
    margin: f32,
    reading: OutputReading,
}

const PHASES: &str = "phases";
const MARGIN: &str = "margin";

/// A file of one network a phase, all of the same shape; `limits` are the phases from which on the second, the third
/// and so on take over. Trusts that there is one network more than limits.
pub fn write(game: &str, features: &str, stages: &[Dense], limits: &[usize], margin: f32) -> Artifact {
    let mut file = stages[0].artifact(game, features, BTreeMap::new());
    for (number, stage) in stages.iter().enumerate().skip(1) {
        let more = stage.artifact(game, features, BTreeMap::new());
        file.tensors.extend(more.tensors.into_iter().map(|(name, tensor)| (staged(number, &name), tensor)));
    }
    let settings = &mut file.header.settings;
    if !limits.is_empty() {
        let texts: Vec<_> = limits.iter().map(usize::to_string).collect();
        settings.insert(PHASES.into(), texts.join(" "));
    }
    if margin != 0.0 {
        settings.insert(MARGIN.into(), margin.to_string());
    }
    file
}

fn staged(number: usize, name: &str) -> String {
    format!("phase.{number}.{name}")
}

/// The same file with the network of a later phase as its only one.
fn stage(file: &Artifact, number: usize) -> Artifact {
    let prefix = staged(number, "");
    let tensors = file.tensors.iter();
    let own = tensors.filter_map(|(name, tensor)| Some((name.strip_prefix(&prefix)?.into(), tensor.clone())));
    Artifact { header: file.header.clone(), tensors: own.collect(), ..Artifact::default() }
}

/// A setting that must be readable where it is there.
fn setting<T>(
    file: &Artifact,
    key: &str,
    expected: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, ArtifactError> {
    let Some(text) = file.header.settings.get(key) else { return Ok(None) };
    read(text).map(Some).ok_or_else(|| ArtifactError::Mismatch {
        what: key.into(),
        found: text.clone(),
        expected: expected.into(),
    })
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
        let load = |file: &Artifact| Dense::load(file, G::NAME, set.name(), set.count());
        let dense = load(file)?;
        let phases = |text: &str| -> Option<Vec<usize>> {
            let limits: Vec<usize> =
                text.split(' ').map(|limit| limit.parse().ok()).collect::<Option<_>>()?;
            limits.is_sorted().then_some(limits)
        };
        let limits = setting(file, PHASES, "rising phases such as 20 40", phases)?.unwrap_or_default();
        let margin = |text: &str| text.parse().ok().filter(|margin: &f32| margin.is_finite());
        let margin = setting(file, MARGIN, "a number", margin)?.unwrap_or_default();
        let reading = OutputReading::of(dense.outputs()).ok_or_else(|| ArtifactError::Mismatch {
            what: "number of outputs".into(),
            found: dense.outputs().to_string(),
            expected: "3 (win, draw, loss) or 1".into(),
        })?;
        let more: Result<Vec<Dense>, _> =
            (1..=limits.len()).map(|number| load(&stage(file, number))).collect();
        let stages = std::iter::once(dense).chain(more?).collect();
        Ok(Network { set, stages, limits, margin, reading })
    }

    /// The network itself; of several, that of the first phase.
    pub fn dense(&self) -> &Dense {
        &self.stages[0]
    }

    fn stage(&self, game: &G, position: &G::Position) -> &Dense {
        if self.limits.is_empty() {
            return &self.stages[0];
        }
        let phase = game.phase(position);
        &self.stages[self.limits.iter().take_while(|&&limit| phase >= limit).count()]
    }

    fn worth(&self, dense: &Dense, inputs: &[f32]) -> f32 {
        dense.run(inputs, |outputs| self.reading.value(outputs))
    }

    /// What the game's own count adds.
    fn counted(&self, game: &G, position: &G::Position) -> f32 {
        if self.margin == 0.0 { 0.0 } else { self.margin * game.margin(position) as f32 }
    }

    fn worth_of<const WIDTH: usize>(&self, game: &G, position: &G::Position) -> f32 {
        let mut inputs = [0.0; WIDTH];
        let inputs = &mut inputs[..self.set.count()];
        self.set.fill(game, position, inputs);
        self.worth(self.stage(game, position), inputs) + self.counted(game, position)
    }
}

/// No estimate may look like a won game, whatever a linear output says.
const MOST: f32 = 1000.0;

impl<G: Game> LeafEvaluator<G> for Network<G> {
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
        let dense = self.stage(game, position);
        let used: Vec<usize> = (0..inputs.len()).filter(|&at| inputs[at] != 0.0).collect();
        let mut shares = vec![0.0; used.len()];
        let mut base = 0.0;
        for backwards in [false, true] {
            let mut seen = vec![0.0; inputs.len()];
            let mut before = f64::from(self.worth(dense, &seen));
            base = before;
            for step in 0..used.len() {
                let place = if backwards { used.len() - 1 - step } else { step };
                seen[used[place]] = inputs[used[place]];
                let after = f64::from(self.worth(dense, &seen));
                shares[place] += (after - before) / 2.0;
                before = after;
            }
        }
        let mut terms = vec![Term::weighted("base", 1.0, base)];
        for (&at, share) in used.iter().zip(shares) {
            let value = f64::from(inputs[at]);
            terms.push(Term { name: names[at].clone(), value, weight: share / value, contribution: share });
        }
        if self.margin != 0.0 {
            terms.push(Term::weighted("margin", game.margin(position).into(), self.margin.into()));
        }
        Explanation::sum(self.unit().name, terms)
    }

    fn outputs(&self, game: &G, position: &G::Position) -> Vec<(&'static str, f64)> {
        let inputs = crate::features::of(&*self.set, game, position);
        let names = self.reading.names().iter().copied();
        self.stage(game, position)
            .run(&inputs, |outputs| names.zip(outputs.iter().map(|&output| f64::from(output))).collect())
    }

    fn is_symmetric(&self) -> bool {
        self.set.is_symmetric()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract;
    use crate::dense::Activation;
    use trilith_base::Seed;
    use trilith_games::abalone::Abalone;

    #[test]
    fn phases_and_margin_are_kept_in_the_file() {
        let game = Abalone::default();
        let set = || Abalone::feature_set("s4-4").expect("a fixed name");
        let shape = [(3, Activation::Logistic), (1, Activation::Linear)];
        let stages = [1, 2].map(|seed| Dense::random(8, &shape, 0.5, Seed(seed)));
        let file = write("abalone", "s4-4", &stages, &[1], 0.5);
        let file = Artifact::parse(&file.bytes().unwrap()).unwrap();
        let network = Network::load(&file, set()).unwrap();
        let plain: Vec<_> = stages
            .iter()
            .map(|stage| Network::load(&stage.artifact("abalone", "s4-4", BTreeMap::new()), set()).unwrap())
            .collect();
        let positions = contract::sample(&game, Seed(3), 5, 200);
        let mut seen = [0; 2];
        for position in &positions {
            let stage = usize::from(game.phase(position) >= 1);
            seen[stage] += 1;
            let expected = plain[stage].value(&game, position) + 5000 * game.margin(position);
            assert!((network.value(&game, position) - expected).abs() <= 1);
        }
        assert!(seen[0] > 10 && seen[1] > 10, "{seen:?}");
        contract::check_study(&game, &network, &positions[..20]);
        let mut wrong = file.clone();
        wrong.header.settings.insert(PHASES.into(), "4 x".into());
        let fault = Network::<Abalone>::load(&wrong, set()).err().unwrap().to_string();
        assert_eq!(fault, "phases is `4 x`, expected `rising phases such as 20 40`");
        wrong.header.settings.insert(PHASES.into(), "1 2".into());
        let fault = Network::<Abalone>::load(&wrong, set()).err().unwrap().to_string();
        assert!(fault.starts_with("no tensor `layer.1.weights`"), "{fault}");
    }
}
