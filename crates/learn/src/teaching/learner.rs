//! Teaching as a run.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::path::Path;

use serde::{Deserialize, Serialize};
use trilith_arena::{GAMES, GameKit};
use trilith_base::{Artifact, Seed};
use trilith_eval::FeatureSet;
use trilith_eval::dense::{Activation, Dense, check_shape};
use trilith_games::{Game, Record};

use super::game::{Labels, LessonPace, NetworkPlayer, QUIET};
use super::rule::{RateMemory, Rule, Student};
use crate::online;
use crate::othilie::search;
use crate::run::example::feature_set;
use crate::run::yardstick::Yardstick;
use crate::run::{Learner, LearnerKind, LearnerSetup, Measures, RunError, StepContext, StepReport, state};
use crate::start;
use crate::training::{EndgameTables, Training, TrainingVisitor, with_training};

/// This learner in the list.
pub const KIND: LearnerKind = LearnerKind {
    name: "teaching",
    about: "Mühle: backpropagation from the games of two equal players, or from the values of a tablebase",
    games: GAMES,
    begin,
};

/// What the config may say; these are the defaults, those of S2's Single.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct TeachingParameters {
    features: String,
    hidden: Vec<usize>,
    /// Of the hidden layers: one for all, or one for each, apart by commas.
    activation: String,
    /// A network of the same shape to go on with instead of random weights; `start` in other learners.
    #[serde(alias = "start")]
    begin: String,
    initialisation: f32,
    games: u64,
    depth: u32,
    radius: f64,
    opening: usize,
    plies: usize,
    labels: Source,
    tables: String,
    lambda: f32,
    rate: f32,
    rate_half_life: u64,
    momentum: f32,
    kappa: f32,
    phi: f32,
    rate_most: f32,
    batch: u64,
    averaged_from: u64,
    yardstick: String,
    yardstick_games: u64,
    final_games: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Source {
    /// Results and the network's own estimates.
    Play,
    /// Perfect values of positions met in play.
    Tables,
}

impl Default for TeachingParameters {
    fn default() -> TeachingParameters {
        TeachingParameters {
            features: String::new(),
            hidden: Vec::new(),
            activation: "tanh".into(),
            begin: String::new(),
            initialisation: 0.01,
            games: 10_000,
            depth: 3,
            radius: 0.05,
            opening: 2,
            plies: 200,
            labels: Source::Play,
            tables: String::new(),
            lambda: 0.7,
            rate: 0.05,
            rate_half_life: 0,
            momentum: 0.0,
            kappa: 0.0,
            phi: 0.5,
            rate_most: 1.0,
            batch: 20,
            averaged_from: 0,
            yardstick: String::new(),
            yardstick_games: 20,
            final_games: 100,
        }
    }
}

impl TeachingParameters {
    fn check(&self, inputs: usize) -> Result<(), RunError> {
        let wrong = |key: &str, fault: String| Err(RunError::config(&format!("parameters.{key}"), fault));
        let units: Vec<usize> = self.hidden.iter().copied().chain([3]).collect();
        if let Err(fault) = check_shape(inputs, &units) {
            return wrong("hidden", fault);
        }
        if !(1..=12).contains(&self.depth) {
            return wrong("depth", "expected 1 to 12 plies".into());
        }
        if self.games == 0 || self.batch == 0 {
            return wrong("games", "expected at least one game and one a batch".into());
        }
        if !(0.0..=1.0).contains(&self.lambda) || !(0.0..1.0).contains(&self.momentum) {
            return wrong("lambda", "expected lambda from 0 to 1 and a momentum below 1".into());
        }
        match [self.rate, self.kappa, self.phi, self.rate_most].iter().all(|n| n.is_finite() && *n >= 0.0) {
            true => Ok(()),
            false => wrong("rate", "expected rates that are not negative".into()),
        }
    }

    /// The layers behind the inputs, three logistic outputs last.
    fn units(&self) -> Result<Vec<(usize, Activation)>, RunError> {
        let wrong = |fault: String| RunError::config("parameters.activation", fault);
        let named: Vec<Activation> = self
            .activation
            .split(',')
            .map(|name| name.trim().parse())
            .collect::<Result<_, String>>()
            .map_err(wrong)?;
        let hidden = self.hidden.len();
        let all = match named[..] {
            [one] => vec![one; hidden],
            _ if named.len() == hidden => named,
            _ => {
                return Err(wrong(format!(
                    "{} for {hidden} hidden layers, expected one or {hidden}",
                    named.len()
                )));
            }
        };
        Ok(self.hidden.iter().copied().zip(all).chain([(3, Activation::Logistic)]).collect())
    }

    fn rule(&self, games: u64) -> Rule {
        let shrunk = match self.rate_half_life {
            0 => 1.0,
            half => 1.0 / (1.0 + games as f32 / half as f32),
        };
        Rule {
            rate: self.rate * shrunk,
            momentum: self.momentum,
            kappa: self.kappa,
            phi: self.phi,
            most: self.rate_most,
        }
    }
}

fn begin(setup: &LearnerSetup) -> Result<Box<dyn Learner>, RunError> {
    with_training(&setup.config.game, Begin(setup))?
}

struct Begin<'a>(&'a LearnerSetup<'a>);

impl TrainingVisitor for Begin<'_> {
    type Output = Result<Box<dyn Learner>, RunError>;

    fn visit<G: Game, C: Training<G>>(self) -> Self::Output {
        let Begin(setup) = self;
        let parameters: TeachingParameters = setup.parameters()?;
        let needs_tables = parameters.labels == Source::Tables || !parameters.tables.is_empty();
        let tables = needs_tables.then(|| open::<G, C>(setup, &parameters.tables)).transpose()?;
        begin_with::<G, C>(setup, parameters, tables)
    }
}

/// The endgame tables that the config names, or those in the usual place.
fn open<G: Game, C: Training<G>>(setup: &LearnerSetup, tables: &str) -> Result<EndgameTables<G>, RunError> {
    let folder = match tables {
        "" | "usual" => None,
        path => Some(setup.path(path)),
    };
    let opened = C::endgame_tables(&setup.game()?, folder.as_deref());
    let opened = opened.unwrap_or_else(|| Err(format!("there are no tables of {}", G::NAME)));
    opened.map_err(|fault| RunError::config("parameters.tables", fault))
}

fn begin_with<G: Game, C: GameKit<G>>(
    setup: &LearnerSetup,
    parameters: TeachingParameters,
    tables: Option<EndgameTables<G>>,
) -> Result<Box<dyn Learner>, RunError> {
    let set = feature_set::<G, C>(&parameters.features)?;
    parameters.check(set.count())?;
    let seed = setup.seed();
    let units = parameters.units()?;
    let drawn = || Dense::random(set.count(), &units, parameters.initialisation, seed.derive("network", 0));
    let dense = match parameters.begin.as_str() {
        "" => drawn(),
        file => start::dense(setup, ("begin", file), &*set, &units)?,
    };
    let (oracle, tables) = tables.map(|tables| (tables.oracle, tables.subspaces)).unzip();
    let labels = match (parameters.labels, oracle) {
        (Source::Tables, Some(oracle)) => Labels::Oracle(oracle),
        (_, oracle) => Labels::Play { lambda: parameters.lambda, oracle },
    };
    let yardstick = match parameters.yardstick.as_str() {
        "" => "random",
        text => text,
    };
    let yardstick = Yardstick::parse::<G, C>(yardstick, parameters.yardstick_games, 2)?;
    let student = Student::new(dense, &parameters.rule(0));
    Ok(Box::new(School {
        game: setup.game::<G>()?,
        set,
        labels,
        tables,
        student,
        parameters,
        yardstick,
        seed,
        games: 0,
        mean: (0, Vec::new()),
        last: [0.0; 3],
        catalogue: PhantomData::<fn() -> C>,
    }))
}

struct School<G: Game, C> {
    game: G,
    set: Box<dyn FeatureSet<G>>,
    labels: Labels<G>,
    /// Which tables teach or end games: what is learned depends on it.
    tables: Option<String>,
    student: Student,
    parameters: TeachingParameters,
    yardstick: Yardstick,
    seed: Seed,
    games: u64,
    /// The mean of the weights after so many steps, if it is wanted.
    mean: (u64, Vec<f64>),
    /// Of the last step: error, share of drawn games, plies a game.
    last: [f64; 3],
    catalogue: PhantomData<fn() -> C>,
}

#[derive(Serialize, Deserialize)]
struct TeachingState {
    games: u64,
    numbers: Vec<f32>,
    memory: RateMemory,
    mean: (u64, Vec<f64>),
}

impl<G: Game, C: GameKit<G>> School<G, C> {
    fn pace(&self) -> LessonPace {
        let TeachingParameters { depth, opening, plies, .. } = self.parameters;
        LessonPace { depth, opening, plies }
    }

    /// The network as it is now, without noise.
    fn player<'a>(&'a self, work: &'a StepContext) -> NetworkPlayer<'a, G> {
        let (set, dense, radius) = (&*self.set, &self.student.dense, self.parameters.radius);
        NetworkPlayer { set, dense, radius, noise: QUIET, stop: work.stop }
    }

    /// Keeps the mean of the weights, which plays better than the last ones do.
    fn average(&mut self) {
        if self.parameters.averaged_from == 0 || self.games <= self.parameters.averaged_from {
            return;
        }
        let numbers = online::numbers(&self.student.dense);
        let (count, mean) = &mut self.mean;
        mean.resize(numbers.len(), 0.0);
        *count += 1;
        for (mean, number) in mean.iter_mut().zip(numbers) {
            *mean += (f64::from(number) - *mean) / *count as f64;
        }
    }

    /// What has been learned: the mean where one is kept.
    fn learned(&self) -> Dense {
        let mut dense = self.student.dense.clone();
        if self.mean.0 > 0 {
            let numbers: Vec<f32> = self.mean.1.iter().map(|&number| number as f32).collect();
            online::set(&mut dense, &numbers);
        }
        dense
    }

    fn strength(&self, work: &StepContext, games: u64) -> Result<(f64, String), RunError> {
        let dense = self.learned();
        let yardstick = Yardstick { games, plies: self.parameters.plies, ..self.yardstick.clone() };
        let choose = |record: &Record<G>, seed: Seed| {
            let player = NetworkPlayer { dense: &dense, noise: seed, ..self.player(work) };
            search(&self.game, &player, record.position(), self.parameters.depth).mv
        };
        let seed = self.seed.derive("strength", self.games);
        let tally = yardstick.measure::<G, C>(&self.game, seed, work, choose)?;
        let (wins, draws, losses) = (tally.wins, tally.draws, tally.losses);
        let depth = self.parameters.depth;
        Ok((tally.rate(), format!("+{wins} ={draws} -{losses} at depth {depth} against {}", yardstick.spec)))
    }
}

impl<G: Game, C: GameKit<G>> Learner for School<G, C> {
    /// A batch of games is played by the network as it is, on all cores, and then learned from game by game.
    fn step(&mut self, work: &StepContext) -> Result<StepReport, RunError> {
        let last = (self.games + self.parameters.batch).min(self.parameters.games);
        let pace = self.pace();
        let lessons = work.all(self.games..last, |number| {
            self.labels.play(&self.game, &self.player(work), &pace, self.seed.derive("game", number))
        })?;
        let rule = self.parameters.rule(self.games);
        let (mut error, mut positions, mut draws) = (0.0, 0, 0);
        let before = self.student.clone();
        for lesson in lessons.iter().flatten() {
            let student = &mut self.student;
            let taught = self.labels.teach(&self.game, &*self.set, student, lesson, &rule, work.stop);
            let Some((more, learned)) = taught else {
                self.student = before;
                return Err(RunError::Stopped);
            };
            error += more;
            positions += learned;
            draws += u64::from(lesson.is_drawn());
        }
        if !self.student.is_finite() {
            return Err(RunError::Learner("weights have grown beyond all bounds: try a smaller rate".into()));
        }
        let count = (last - self.games) as f64;
        let plies: usize = lessons.iter().flatten().map(|lesson| lesson.len()).sum();
        let loss = error / positions.max(1) as f64;
        self.last = [loss, draws as f64 / 2.0 / count, plies as f64 / count];
        let games = last - self.games;
        self.games = last;
        self.average();
        let done = last as f64 / self.parameters.games as f64;
        Ok(StepReport { games, positions, loss: Some(loss), done })
    }

    fn save(&self, folder: &Path) -> Result<(), RunError> {
        let numbers = online::numbers(&self.student.dense);
        let memory = self.student.memory.clone();
        state::write(folder, &TeachingState { games: self.games, numbers, memory, mean: self.mean.clone() })
    }

    fn restore(&mut self, folder: &Path, _: &StepContext) -> Result<(), RunError> {
        let state: TeachingState = state::read(folder)?;
        if state.numbers.len() != online::count(&self.student.dense) {
            return Err(RunError::checkpoint(folder, "its network has another shape"));
        }
        online::set(&mut self.student.dense, &state.numbers);
        self.student.memory = state.memory;
        self.games = state.games;
        self.mean = state.mean;
        Ok(())
    }

    fn measures(&mut self, work: &StepContext) -> Result<Option<Measures>, RunError> {
        let [loss, draws, plies] = self.last;
        let mut measures =
            vec![("games", self.games as f64), ("loss", loss), ("draws", draws), ("plies", plies)];
        let tenth = (self.parameters.games / 10).max(self.parameters.batch);
        if self.yardstick.games > 0 && self.games % tenth < self.parameters.batch {
            measures.push(("strength", self.strength(work, self.yardstick.games)?.0));
        }
        Ok(Some(measures))
    }

    fn finish(&mut self, work: &StepContext) -> Result<Artifact, RunError> {
        let mut artifact = self.learned().artifact(G::NAME, self.set.name(), BTreeMap::new());
        if let Some(tables) = &self.tables {
            artifact.header.provenance.insert("tables".into(), tables.clone());
        }
        if self.parameters.final_games > 0 {
            let (_, text) = self.strength(work, self.parameters.final_games)?;
            artifact.header.provenance.insert("strength".into(), text);
        }
        Ok(artifact)
    }
}
