//! An agent's training as a run.

use std::marker::PhantomData;
use std::path::Path;

use rand::RngExt;
use serde::{Deserialize, Serialize};
use trilith_arena::{GAMES, GameKit, Visitor, with_game};
use trilith_base::{Artifact, Seed};
use trilith_eval::dense::{Activation, Dense};
use trilith_eval::{FeatureSet, contract, network};
use trilith_games::{Colour, Game, Record};

use super::agent::{Agent, MOST, MoveChoice, Rewards};
use super::game::{Coherence, RiskRule, play};
use super::parameters::{EndRewards, Inputs, Keep, Rates, RiskParameters, Undecided};
use crate::online;
use crate::run::database::{self, Place};
use crate::run::example::feature_set;
use crate::run::yardstick::Yardstick;
use crate::run::{Learner, LearnerKind, LearnerSetup, Measures, RunError, StepContext, StepReport, state};
use crate::start;

/// This learner in the list.
pub const KIND: LearnerKind = LearnerKind {
    name: "risk-td",
    about: "Abalone TD: TD(lambda) with risk, rewards and eligibility traces; TD-leaf, adaptive rates, a network a phase",
    games: GAMES,
    begin,
};

fn begin(setup: &LearnerSetup) -> Result<Box<dyn Learner>, RunError> {
    with_game(&setup.config.game, Begin(setup))?
}

struct Begin<'a>(&'a LearnerSetup<'a>);

impl Visitor for Begin<'_> {
    type Output = Result<Box<dyn Learner>, RunError>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let parameters: RiskParameters = self.0.parameters()?;
        parameters.check()?;
        // What S4's strongest agent saw; the other games' first set.
        let usual = if C::feature_set("s4-4").is_some() { "s4-4" } else { "" };
        let name = if parameters.features.is_empty() { usual } else { &parameters.features };
        let set = feature_set::<G, C>(name)?;
        if set.count() > MOST {
            return Err(RunError::config("parameters.features", format!("more than {MOST} features")));
        }
        let game = self.0.game::<G>()?;
        let seed = self.0.seed();
        let yardstick = match parameters.yardstick.as_str() {
            "" => Yardstick::parse::<G, C>("reference", parameters.yardstick_games, 0)
                .or_else(|_| Yardstick::parse::<G, C>("random", parameters.yardstick_games, 0)),
            text => Yardstick::parse::<G, C>(text, parameters.yardstick_games, 0),
        }?;
        let shape = [(parameters.hidden, Activation::Logistic), (1, Activation::Linear)];
        let scales = scales(&game, &*set, parameters.inputs);
        let stage = |stage: u64| match parameters.start.as_str() {
            "" => {
                let seed = seed.derive("network", stage);
                Ok(Dense::random(set.count(), &shape, parameters.initialisation, seed))
            }
            file => Ok(unscaled(start::dense(self.0, ("start", file), &*set, &shape)?, &scales)),
        };
        let stages: Result<_, RunError> = (0..=parameters.phases.len() as u64).map(stage).collect();
        let stages = stages?;
        let [gain, loss, win, defeat] = parameters.rewards;
        let is_end_instead = parameters.end_rewards == EndRewards::Instead;
        let leader_wins = parameters.undecided == Undecided::Leader;
        let agent = Agent {
            scales,
            game,
            set,
            stages,
            limits: parameters.phases.clone(),
            rewards: Rewards { gain, loss, win, defeat, is_end_instead, leader_wins },
            choice: parameters.choice,
            discount: parameters.discount,
        };
        let mut learner = Training {
            agent,
            parameters,
            yardstick,
            seed,
            games: 0,
            coherence: Coherence::default(),
            best: None,
            last: (0.0, 0, 0),
            catalogue: PhantomData::<fn() -> C>,
        };
        learner.coherence = learner.coherence();
        Ok(Box::new(learner))
    }
}

/// What each input is multiplied by.
fn scales<G: Game>(game: &G, set: &dyn FeatureSet<G>, inputs: Inputs) -> Vec<f32> {
    if inputs == Inputs::Raw {
        return vec![1.0; set.count()];
    }
    let mut largest = vec![0.0_f32; set.count()];
    for position in contract::sample(game, Seed(1), 3, 2000) {
        let numbers = trilith_eval::features::of(set, game, &position);
        largest.iter_mut().zip(numbers).for_each(|(largest, number)| *largest = largest.max(number.abs()));
    }
    largest.iter().map(|&largest| if largest > 0.0 { 1.0 / largest } else { 1.0 }).collect()
}

/// A file's network as the agent has it: the scales that its first layer holds taken out again.
fn unscaled(mut network: Dense, scales: &[f32]) -> Dense {
    let units = network.layers()[0].biases.len();
    for (row, scale) in network.layers_mut()[0].weights.chunks_exact_mut(units).zip(scales) {
        row.iter_mut().for_each(|weight| *weight /= scale);
    }
    network
}

struct Training<G: Game, C> {
    agent: Agent<G>,
    parameters: RiskParameters,
    yardstick: Yardstick,
    seed: Seed,
    games: u64,
    coherence: Coherence,
    /// The best so far: its strength, after how many games, and its weights.
    best: Option<(f64, u64, Vec<Vec<f32>>)>,
    /// Of the last step: the loss, updates and plies.
    last: (f64, u64, u64),
    catalogue: PhantomData<fn() -> C>,
}

#[derive(Serialize, Deserialize)]
struct RiskState {
    games: u64,
    stages: Vec<Vec<f32>>,
    coherence: Coherence,
    best: Option<(f64, u64, Vec<Vec<f32>>)>,
}

impl<G: Game, C: GameKit<G>> Training<G, C> {
    fn coherence(&self) -> Coherence {
        let row = |stage: &Dense| (vec![0.0; online::count(stage)], vec![0.0; online::count(stage)]);
        match self.parameters.rates {
            Rates::Common => Coherence::default(),
            Rates::Coherent => Coherence { sums: self.agent.stages.iter().map(row).collect() },
        }
    }

    fn rule(&self) -> RiskRule {
        let RiskParameters { lambda, epsilon, depth, opening, plies, credit, .. } = self.parameters;
        let (rate, kappa) = (self.parameters.rate(self.games), self.parameters.kappa(self.games));
        RiskRule { rate, lambda, kappa, epsilon, depth, opening, plies, credit }
    }

    /// The share of games won, and how they went in words.
    fn strength(&self, work: &StepContext, games: u64) -> Result<(f64, String), RunError> {
        let leader_wins = self.agent.rewards.leader_wins;
        let yardstick =
            Yardstick { games, plies: self.parameters.plies, leader_wins, ..self.yardstick.clone() };
        let seed = self.seed.derive("strength", self.games);
        let choose = |record: &Record<G>, seed: Seed| {
            let choice = self.agent.choose(record, self.parameters.depth, 0.0, &mut seed.rng());
            choice.expect("only asked while the game goes on").mv
        };
        let tally = yardstick.measure::<G, C>(&self.agent.game, seed, work, choose)?;
        let rate = tally.wins as f64 / tally.games().max(1) as f64;
        let (wins, draws, losses) = (tally.wins, tally.draws, tally.losses);
        Ok((rate, format!("+{wins} ={draws} -{losses} against {}", yardstick.spec)))
    }

    fn file(&self, stages: &[Vec<f32>]) -> Artifact {
        let mut networks = self.agent.stages.clone();
        for (network, numbers) in networks.iter_mut().zip(stages) {
            online::set(network, numbers);
            // The file's users know no scales: they go into the first layer.
            let units = network.layers()[0].biases.len();
            let rows = network.layers_mut()[0].weights.chunks_exact_mut(units);
            for (row, scale) in rows.zip(&self.agent.scales) {
                row.iter_mut().for_each(|weight| *weight *= scale);
            }
        }
        // A player of the file counts marbles as the agent counts its rewards.
        let margin = match self.agent.choice {
            MoveChoice::RewardAndValue => self.agent.rewards.gain / self.agent.discount,
            MoveChoice::Value => 0.0,
        };
        network::write(G::NAME, self.agent.set.name(), &networks, &self.agent.limits, margin)
    }

    fn numbers(&self) -> Vec<Vec<f32>> {
        self.agent.stages.iter().map(online::numbers).collect()
    }
}

impl<G: Game, C: GameKit<G>> Learner for Training<G, C> {
    /// Learning is one game after the other: each is played with what the one before taught.
    fn step(&mut self, work: &StepContext) -> Result<StepReport, RunError> {
        let count = self.parameters.batch.min(self.parameters.games - self.games);
        let (mut squares, mut updates, mut plies) = (0.0, 0, 0);
        let before = (self.agent.stages.clone(), self.coherence.clone(), self.games);
        for _ in 0..count {
            let colour = if self.games.is_multiple_of(2) { Colour::White } else { Colour::Black };
            let rule = self.rule();
            let seed = self.seed.derive("game", self.games);
            let is_random = self.games < self.parameters.warm_up
                || seed.derive("opponent", 0).rng().random_bool(self.parameters.random_share);
            let random = is_random.then_some(colour);
            let taught = play(&mut self.agent, &rule, &mut self.coherence, random, seed, work.stop);
            if let Err(stopped) = work.unless_stopped(()) {
                (self.agent.stages, self.coherence, self.games) = before;
                return Err(stopped);
            }
            squares += taught.squares;
            updates += taught.updates;
            plies += u64::from(taught.plies);
            self.games += 1;
        }
        if self
            .agent
            .stages
            .iter()
            .any(|stage| online::numbers(stage).iter().any(|number| !number.is_finite()))
        {
            let fault = "weights have grown beyond all bounds: try a smaller rate or inputs = \"scaled\"";
            return Err(RunError::Learner(fault.into()));
        }
        if self.games.is_multiple_of(KEPT_EVERY) || self.games == self.parameters.games {
            let numbers: Vec<f64> = self.numbers().concat().into_iter().map(f64::from).collect();
            let place = Place { series: 1, number: self.games as u32 };
            database::keep(&work.database()?, place, &numbers)?;
        }
        let loss = squares / updates.max(1) as f64;
        self.last = (loss, updates, plies);
        let done = self.games as f64 / self.parameters.games as f64;
        Ok(StepReport { games: count, positions: updates, loss: Some(loss), done })
    }

    fn save(&self, folder: &Path) -> Result<(), RunError> {
        let state = RiskState {
            games: self.games,
            stages: self.numbers(),
            coherence: self.coherence.clone(),
            best: self.best.clone(),
        };
        state::write(folder, &state)
    }

    fn restore(&mut self, folder: &Path, work: &StepContext) -> Result<(), RunError> {
        let state: RiskState = state::read(folder)?;
        let counts = self.agent.stages.iter().map(online::count);
        if !counts.eq(state.stages.iter().map(Vec::len)) {
            return Err(RunError::checkpoint(folder, "its networks have another shape"));
        }
        self.agent
            .stages
            .iter_mut()
            .zip(&state.stages)
            .for_each(|(stage, numbers)| online::set(stage, numbers));
        self.games = state.games;
        self.coherence = state.coherence;
        self.best = state.best;
        database::forget_after(&work.database()?, self.games as u32)
    }

    fn measures(&mut self, work: &StepContext) -> Result<Option<Measures>, RunError> {
        let (loss, updates, plies) = self.last;
        let games = self.parameters.batch as f64;
        let mut measures = vec![
            ("games", self.games as f64),
            ("loss", loss),
            ("plies", plies as f64 / games),
            ("updates", updates as f64 / games),
        ];
        let every = self.parameters.yardstick_every.max(self.parameters.batch);
        if self.yardstick.games > 0 && self.games % every < self.parameters.batch {
            let strength = self.strength(work, self.yardstick.games)?.0;
            measures.push(("strength", strength));
            if self.best.as_ref().is_none_or(|best| strength >= best.0) {
                self.best = Some((strength, self.games, self.numbers()));
            }
        }
        Ok(Some(measures))
    }

    fn finish(&mut self, work: &StepContext) -> Result<Artifact, RunError> {
        let mut learned_after = self.games;
        if let (Keep::Best, Some((_, games, numbers))) = (self.parameters.keep, &self.best) {
            let stages = self.agent.stages.iter_mut();
            stages.zip(numbers).for_each(|(stage, numbers)| online::set(stage, numbers));
            learned_after = *games;
        }
        let mut artifact = self.file(&self.numbers());
        artifact.header.provenance.insert("learned after games".into(), learned_after.to_string());
        if self.parameters.final_games > 0 {
            let (_, text) = self.strength(work, self.parameters.final_games)?;
            artifact.header.provenance.insert("strength".into(), text);
        }
        Ok(artifact)
    }

    fn kept(&self, weights: &[f64]) -> Option<Artifact> {
        let mut rest = weights.iter().map(|&weight| weight as f32);
        let stages: Vec<Vec<f32>> = self
            .agent
            .stages
            .iter()
            .map(|stage| rest.by_ref().take(online::count(stage)).collect())
            .collect();
        stages
            .iter()
            .zip(&self.agent.stages)
            .all(|(row, stage)| row.len() == online::count(stage))
            .then(|| self.file(&stages))
    }
}

/// Weights go into the database after so many games.
const KEPT_EVERY: u64 = 100;
