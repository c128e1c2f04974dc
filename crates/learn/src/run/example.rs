//! The smallest learner, as an example and a baseline: a weighted sum of features that foretells how random games end.
//!
//! Random games are played, and after each batch the weights of a feature set are moved by least mean squares towards
//! the outcome, `w += rate * (outcome - w . x) * x`. Plays as `minimax:eval=network,file=FILE`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use trilith_arena::{GAMES, GameKit, Visitor, with_game};
use trilith_base::{Artifact, Seed};
use trilith_eval::FeatureSet;
use trilith_eval::dense::{Activation, Dense};
use trilith_games::{Colour, Game, Record, playout};

use super::yardstick::{self, Yardstick};
use super::{Learner, LearnerKind, LearnerSetup, Measures, RunError, StepContext, StepReport, state};

/// Where a random game is cut off; it counts as a draw.
pub const PLIES: usize = 300;

/// The example in the list of learners.
pub const KIND: LearnerKind = LearnerKind {
    name: "outcomes",
    about: "a weighted sum of features that foretells how random games end: the smallest learner",
    games: GAMES,
    begin,
};

/// What the config may say; these are the defaults.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct OutcomeSettings {
    /// A feature set of the game; the game's first one if empty.
    features: String,
    /// Games in all.
    games: u64,
    /// Games a step.
    batch: u64,
    /// How far a weight is moved.
    rate: f32,
    /// Who is played against to see how well it plays, after every tenth of the run.
    yardstick: String,
    /// How many games that takes; 0 for none.
    yardstick_games: u64,
}

impl Default for OutcomeSettings {
    fn default() -> OutcomeSettings {
        OutcomeSettings {
            features: String::new(),
            games: 2000,
            batch: 20,
            rate: 0.002,
            yardstick: "random".into(),
            yardstick_games: 20,
        }
    }
}

fn begin(setup: &LearnerSetup) -> Result<Box<dyn Learner>, RunError> {
    with_game(&setup.config.game, Begin(setup))?
}

struct Begin<'a>(&'a LearnerSetup<'a>);

impl Visitor for Begin<'_> {
    type Output = Result<Box<dyn Learner>, RunError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        begin_for::<G, C>(self.0)
    }
}

/// The learner for a game of any type, registered or not.
pub fn begin_for<G: Game, C: GameKit<G>>(setup: &LearnerSetup) -> Result<Box<dyn Learner>, RunError> {
    let settings: OutcomeSettings = setup.parameters()?;
    let features = feature_set::<G, C>(&settings.features)?;
    let yardstick = Yardstick::parse::<G, C>(&settings.yardstick, settings.yardstick_games, 4)?;
    let state = State { games: 0, weights: vec![0.0; features.count()] };
    let (game, seed) = (setup.game::<G>()?, setup.seed());
    let catalogue = std::marker::PhantomData::<fn() -> C>;
    Ok(Box::new(Outcomes { game, seed, features, settings, yardstick, state, loss: 0.0, catalogue }))
}

/// The feature set called `name`; the game's first one if the name is empty.
pub fn feature_set<G: Game, C: GameKit<G>>(name: &str) -> Result<Box<dyn FeatureSet<G>>, RunError> {
    let sets = C::feature_sets();
    let names: Vec<String> = sets.iter().map(|set| set.name().to_owned()).collect();
    match name {
        "" => sets.into_iter().next(),
        name => C::feature_set(name),
    }
    .ok_or_else(|| RunError::unknown("parameters.features", name, names.iter().map(String::as_str)))
}

struct Outcomes<G: Game, C> {
    game: G,
    seed: Seed,
    features: Box<dyn FeatureSet<G>>,
    settings: OutcomeSettings,
    yardstick: Yardstick,
    state: State,
    loss: f64,
    catalogue: std::marker::PhantomData<fn() -> C>,
}

#[derive(Serialize, Deserialize)]
struct State {
    games: u64,
    weights: Vec<f32>,
}

/// The features of one position and how its game ended for the side to move.
type Sample = (Vec<f32>, f32);

impl<G: Game, C: GameKit<G>> Outcomes<G, C> {
    fn play(&self, number: u64) -> Vec<Sample> {
        let mut record = Record::new(self.game.clone());
        playout::play_on(&mut record, PLIES, &mut self.seed.derive("game", number).rng());
        let winner = record.end().and_then(|end| end.winner);
        let sign = |side: Colour| winner.map_or(0.0, |winner| if winner == side { 1.0 } else { -1.0 });
        let positions = (0..record.len()).filter_map(|ply| record.position_after(ply));
        positions
            .map(|position| {
                let features = trilith_eval::features::of(&*self.features, &self.game, position);
                (features, sign(self.game.to_move(position)))
            })
            .collect()
    }

    /// Moves the weights towards one sample and gives back the squared error before.
    fn learn(&mut self, (features, outcome): &Sample) -> f64 {
        let error = outcome - dot(&self.state.weights, features);
        let step = self.settings.rate * error;
        self.state.weights.iter_mut().zip(features).for_each(|(weight, feature)| *weight += step * feature);
        f64::from(error * error)
    }

    fn strength(&self, work: &StepContext) -> Result<f64, RunError> {
        let choose = |record: &Record<G>, seed: Seed| {
            yardstick::best(record, seed, |position, mv| {
                let after = self.game.play(position, mv);
                let side = self.game.to_move(&after) == self.game.to_move(position);
                let value = dot(
                    &self.state.weights,
                    &trilith_eval::features::of(&*self.features, &self.game, &after),
                );
                if side { value } else { -value }
            })
        };
        let seed = self.seed.derive("yardstick", self.state.games);
        Ok(self.yardstick.measure::<G, C>(&self.game, seed, work, choose)?.rate())
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl<G: Game, C: GameKit<G>> Learner for Outcomes<G, C> {
    fn step(&mut self, work: &StepContext) -> Result<StepReport, RunError> {
        let first = self.state.games;
        let last = (first + self.settings.batch.max(1)).min(self.settings.games);
        let samples = work.all(first..last, |number| self.play(number))?.concat();
        self.loss =
            samples.iter().map(|sample| self.learn(sample)).sum::<f64>() / samples.len().max(1) as f64;
        self.state.games = last;
        Ok(StepReport {
            games: last - first,
            positions: samples.len() as u64,
            loss: Some(self.loss),
            done: last as f64 / self.settings.games.max(1) as f64,
        })
    }

    fn save(&self, folder: &Path) -> Result<(), RunError> {
        state::write(folder, &self.state)
    }

    fn restore(&mut self, folder: &Path, _: &StepContext) -> Result<(), RunError> {
        self.state = state::read(folder)?;
        Ok(())
    }

    fn measures(&mut self, work: &StepContext) -> Result<Option<Measures>, RunError> {
        let mut measures = vec![("games", self.state.games as f64), ("loss", self.loss)];
        let tenth = (self.settings.games / 10).max(self.settings.batch);
        if self.yardstick.games > 0 && self.state.games % tenth < self.settings.batch {
            measures.push(("strength", self.strength(work)?));
        }
        Ok(Some(measures))
    }

    fn finish(&mut self, work: &StepContext) -> Result<Artifact, RunError> {
        let mut dense = Dense::random(self.features.count(), &[(1, Activation::Linear)], 0.0, self.seed);
        dense.layers_mut()[0].weights.copy_from_slice(&self.state.weights);
        let mut artifact = dense.artifact(G::NAME, self.features.name(), BTreeMap::new());
        if self.yardstick.games > 0 {
            let text = self.yardstick.result(self.strength(work)?);
            artifact.header.provenance.insert("strength".into(), text);
        }
        Ok(artifact)
    }
}
