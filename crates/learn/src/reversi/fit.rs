//! `table-fit`: a network fitted to the values of a table (S3, chapter 5).
//!
//! Two thirds of the positions are learned from, one third tests: after each epoch the coefficient of determination
//! `R^2 = 1 - sum (t - o)^2 / sum (t - mean t)^2`, and the weights with the best one are kept. The table is read in blocks
//! whose order is drawn anew for each epoch; within a block positions lie as good as shuffled.

use std::path::Path;

use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use trilith_base::Seed;
use trilith_base::artifact::Artifact;
use trilith_base::seed::mix;
use trilith_eval::othello::Evaluations;
use trilith_eval::othello::network::{Canonical, ReversiNetwork as _};
use trilith_eval::value_table::{self, ValueTable};
use trilith_games::othello::symmetry::{self, SYMMETRIES};
use trilith_games::othello::{Othello, Position};
use trilith_games::{Game, Record};

use super::net::{Net, NetSample, NetShape, NetState, Reversi, best};
use crate::network::{Method, TrainableCnn, TrainableMlp};
use crate::run::yardstick::{self, Yardstick};
use crate::run::{Learner, LearnerKind, LearnerSetup, Measures, RunError, StepContext, StepReport, state};

/// In the list of learners.
pub const KIND: LearnerKind = LearnerKind {
    name: "table-fit",
    about: "a network fitted to a table of `tabular` (Reversi (2025), chapter 5); best R^2 kept",
    games: &[Othello::NAME],
    begin,
};

/// What the config may say; these are the defaults.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct TableFitParameters {
    /// The table, as seen from the config.
    table: String,
    /// `mlp` or `cnn`.
    network: Shape,
    /// Units of the perceptron's hidden layers; 96 and 34 if empty. S3 tried 128, 96 and 64, too.
    hidden: Vec<usize>,
    /// What they make of their sums: `tanh`, `relu`, `logistic`.
    activation: String,
    /// A network of the same shape to go on from, as seen from the config; random weights if empty.
    start: String,
    /// `sgd`, `adam` or `rprop`.
    optimiser: Method,
    /// Length of steps in the first epoch.
    rate: f32,
    /// Factor on the rate after each epoch.
    decay: f32,
    /// Samples a step; `rprop` wants many.
    batch: usize,
    /// Passes through the positions learned from.
    epochs: u64,
    /// Positions learned from in an epoch, at most; other ones in each. 0 for all.
    positions: usize,
    /// Random images instead of canonical ones, so that any image can be asked about (S3, end of 5.3.2.4).
    augmented: bool,
    /// Who the network is tested against after each epoch.
    yardstick: String,
    /// How many games that takes; 0 for none.
    yardstick_games: u64,
}

/// The shape of a network.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Shape {
    /// 64-96-34-1.
    Mlp,
    /// Three planes, filters, 300 units.
    Cnn,
}

impl Default for TableFitParameters {
    fn default() -> TableFitParameters {
        TableFitParameters {
            table: "table.bin".into(),
            network: Shape::Mlp,
            hidden: Vec::new(),
            activation: "tanh".into(),
            start: String::new(),
            optimiser: Method::Sgd { momentum: 0.0 },
            rate: 0.01,
            decay: 0.5,
            batch: 64,
            epochs: 5,
            positions: 0,
            augmented: false,
            yardstick: "random".into(),
            yardstick_games: 100,
        }
    }
}

fn begin(setup: &LearnerSetup) -> Result<Box<dyn Learner>, RunError> {
    let parameters: TableFitParameters = setup.parameters()?;
    match parameters.network {
        Shape::Mlp => make::<TrainableMlp>(setup, parameters),
        Shape::Cnn => make::<TrainableCnn>(setup, parameters),
    }
}

fn make<N: Reversi>(
    setup: &LearnerSetup,
    parameters: TableFitParameters,
) -> Result<Box<dyn Learner>, RunError> {
    check_steps(parameters.rate, parameters.decay, parameters.batch)?;
    let loaded = value_table::load(&setup.path(&parameters.table), Othello::NAME)?;
    if loaded.table.len() < 3 {
        return Err(RunError::config(
            "parameters.table",
            "the table is empty: expected at least some positions",
        ));
    }
    let yardstick =
        Yardstick::parse::<Othello, Evaluations>(&parameters.yardstick, parameters.yardstick_games, 0)?;
    let shape = shape(&parameters.hidden, &parameters.activation)?;
    let net = Net::<N>::new(setup, shape, &parameters.start, parameters.optimiser, parameters.batch)?;
    let place = FitPlace { epoch: 0, block: 0, is_test: false, loss: (0.0, 0), sums: Sums::default() };
    let state =
        FitState { place, best: net.parameters().to_vec(), best_fit: f64::NEG_INFINITY, fit: f64::NAN };
    Ok(Box::new(Fit {
        game: setup.game()?,
        seed: setup.seed(),
        parameters,
        table: loaded.table,
        data: loaded.checksum,
        yardstick,
        net,
        state,
        tested: false,
    }))
}

/// The shape that a config asks for.
pub(super) fn shape(hidden: &[usize], activation: &str) -> Result<NetShape, RunError> {
    let activation = activation
        .parse()
        .map_err(|known| RunError::config("parameters.activation", format!("`{activation}`: {known}")))?;
    Ok(NetShape { hidden: hidden.to_vec(), activation })
}

/// What all learners of networks want of these numbers.
pub(super) fn check_steps(rate: f32, decay: f32, batch: usize) -> Result<(), RunError> {
    let positive = |number: f32| number > 0.0 && number.is_finite();
    match () {
        () if !positive(rate) => Err(RunError::config("parameters.rate", "expected a number above 0")),
        () if !positive(decay) => Err(RunError::config("parameters.decay", "expected a number above 0")),
        () if !(1..=1 << 20).contains(&batch) => {
            Err(RunError::config("parameters.batch", "expected 1 to 1048576 samples"))
        }
        () => Ok(()),
    }
}

struct Fit<N: Reversi> {
    game: Othello,
    seed: Seed,
    parameters: TableFitParameters,
    table: ValueTable,
    data: String,
    yardstick: Yardstick,
    net: Net<N>,
    state: FitState,
    /// Whether the last step ended an epoch's test.
    tested: bool,
}

#[derive(Serialize, Deserialize)]
struct FitState {
    place: FitPlace,
    best: Vec<f32>,
    best_fit: f64,
    /// R^2 of the last test.
    fit: f64,
}

/// How far the run has come.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct FitPlace {
    epoch: u64,
    /// The next block in this epoch's order.
    block: usize,
    is_test: bool,
    /// Squared errors in training and how many, of this epoch.
    loss: (f64, u64),
    sums: Sums,
}

/// What R^2 is made from.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Sums {
    count: f64,
    targets: f64,
    squares: f64,
    errors: f64,
}

impl Sums {
    fn add(&mut self, output: f32, target: f32) {
        let (output, target) = (f64::from(output), f64::from(target));
        self.count += 1.0;
        self.targets += target;
        self.squares += target * target;
        self.errors += (target - output) * (target - output);
    }

    /// The coefficient of determination.
    fn fit(&self) -> f64 {
        let spread = self.squares - self.targets * self.targets / self.count.max(1.0);
        1.0 - self.errors / spread.max(f64::MIN_POSITIVE)
    }
}

/// Slots of the table read as one block.
const BLOCK: usize = 1 << 14;
/// Blocks a step.
const BLOCKS: usize = 8;

/// One position in three tests.
fn is_test(code: u128) -> bool {
    mix((code >> 64) as u64 ^ (code as u64).rotate_left(32)).is_multiple_of(3)
}

/// Which image of a position is learned from in an epoch, or tested with.
fn image_of(code: u128, epoch: u64) -> usize {
    mix((code >> 64) as u64 ^ (code as u64).rotate_left(17) ^ mix(epoch)) as usize % SYMMETRIES
}

impl<N: Reversi> Fit<N> {
    fn blocks(&self) -> usize {
        self.table.slots().div_ceil(BLOCK)
    }

    /// How many of them are learned from in an epoch.
    fn blocks_learned(&self) -> usize {
        let all = self.table.len() as f64 * 2.0 / 3.0;
        match self.parameters.positions {
            0 => self.blocks(),
            most => (self.blocks() as f64 * (most as f64 / all).min(1.0)).ceil() as usize,
        }
    }

    /// The blocks of one epoch in their order.
    fn order(&self, epoch: u64) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.blocks()).collect();
        order.shuffle(&mut self.seed.derive("epoch", epoch).rng());
        order
    }

    fn rate(&self) -> f32 {
        self.parameters.rate * self.parameters.decay.powi(self.state.place.epoch as i32)
    }

    /// Learns from or tests with the next blocks; how many positions that were.
    fn go_on(&mut self) -> u64 {
        let rate = self.rate();
        let FitPlace { epoch, block, is_test: testing, .. } = self.state.place;
        let order = self.order(epoch);
        let last = (block + BLOCKS).min(if testing { order.len() } else { self.blocks_learned() });
        let augmented = self.parameters.augmented;
        let (table, slots) = (&self.table, self.table.slots());
        let samples = order[block..last].iter().flat_map(|&block| {
            let inside = table.within(block * BLOCK..((block + 1) * BLOCK).min(slots));
            inside.filter(|&(code, _)| is_test(code) == testing).map(move |(code, score)| -> NetSample {
                let turn = if augmented { image_of(code, epoch) } else { 0 };
                let image = |bits: u128| symmetry::image(bits as u64, turn);
                (image(code >> 64), image(code), score.mean())
            })
        });
        let place = &mut self.state.place;
        place.block = last;
        if testing {
            let before = place.sums.count;
            self.net.test(samples, |output, target| place.sums.add(output, target));
            return (place.sums.count - before) as u64;
        }
        let (squared, count) = self.net.learn(rate, samples);
        place.loss = (place.loss.0 + squared, place.loss.1 + count);
        count
    }

    /// From training to testing, and from there to the next epoch.
    fn turn_over(&mut self) {
        let place = &mut self.state.place;
        place.block = 0;
        if !place.is_test {
            place.is_test = true;
            place.sums = Sums::default();
            return;
        }
        self.state.fit = place.sums.fit();
        if self.state.fit > self.state.best_fit {
            self.state.best_fit = self.state.fit;
            self.state.best = self.net.parameters().to_vec();
        }
        (place.is_test, place.epoch) = (false, place.epoch + 1);
        self.tested = true;
    }

    fn strength(&self, work: &StepContext, parameters: &[f32]) -> Result<[(&'static str, f64); 3], RunError> {
        let is_canonical = !self.parameters.augmented;
        let network = Canonical(N::inference(&self.net.artifact(parameters, is_canonical))?);
        let points = |position: &Position| match is_canonical {
            true => network.points(position),
            false => network.0.points(position),
        };
        let choose = |record: &Record<Othello>, seed: Seed| best(points, None, record, &mut seed.rng());
        let seed = self.seed.derive("yardstick", self.state.place.epoch);
        let tallies = self.yardstick.by_colour::<Othello, Evaluations>(&self.game, seed, work, choose)?;
        Ok(yardstick::measures(tallies))
    }
}

impl<N: Reversi> Learner for Fit<N> {
    fn step(&mut self, work: &StepContext) -> Result<StepReport, RunError> {
        self.net.set_threads(work.threads);
        self.tested = false;
        let positions = self.go_on();
        let (squared, count) = self.state.place.loss;
        let loss = (count > 0).then(|| squared / count as f64);
        let end = if self.state.place.is_test { self.blocks() } else { self.blocks_learned() };
        if self.state.place.block == end {
            self.turn_over();
        }
        let FitPlace { epoch, block, is_test, .. } = self.state.place;
        // Testing takes about a fifth of the time.
        let part = 0.8 * block as f64 / self.blocks() as f64;
        let inside = if is_test { 0.8 + part / 4.0 } else { part };
        let done = (epoch as f64 + inside) / self.parameters.epochs.max(1) as f64;
        let done = if epoch >= self.parameters.epochs { 1.0 } else { done.min(0.999_999) };
        Ok(StepReport { games: 0, positions: if is_test { 0 } else { positions }, loss, done })
    }

    fn save(&self, folder: &Path) -> Result<(), RunError> {
        state::write(folder, &(&self.state, self.net.state()))
    }

    fn restore(&mut self, folder: &Path, _: &StepContext) -> Result<(), RunError> {
        let (state, net): (FitState, NetState) = state::read(folder)?;
        self.state = state;
        self.net.set_state(folder, net)
    }

    fn measures(&mut self, work: &StepContext) -> Result<Option<Measures>, RunError> {
        if !self.tested {
            return Ok(None);
        }
        let (squared, count) = std::mem::take(&mut self.state.place.loss);
        let mut measures = vec![
            ("epoch", self.state.place.epoch as f64),
            ("loss", squared / count.max(1) as f64),
            ("r2", self.state.fit),
            ("best r2", self.state.best_fit),
        ];
        if self.yardstick.games > 0 {
            measures.extend(self.strength(work, self.net.parameters())?);
        }
        Ok(Some(measures))
    }

    fn finish(&mut self, work: &StepContext) -> Result<Artifact, RunError> {
        let mut artifact = self.net.artifact(&self.state.best, !self.parameters.augmented);
        let provenance = &mut artifact.header.provenance;
        provenance.insert("data".into(), format!("table {}", self.data));
        provenance.insert("r2".into(), format!("{:.5}", self.state.best_fit));
        if self.yardstick.games > 0 {
            let text = self.yardstick.result(self.strength(work, &self.state.best)?[0].1);
            provenance.insert("strength".into(), text);
        }
        Ok(artifact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coefficient_is_that_of_the_formula() {
        let mut sums = Sums::default();
        for (output, target) in [(1.0, 1.0), (2.5, 2.0), (2.5, 3.0)] {
            sums.add(output, target);
        }
        assert!((sums.fit() - 0.75).abs() < 1e-12);
    }

    #[test]
    fn one_position_in_three_tests() {
        let tests = (0..30_000_u128).filter(|&code| is_test((code << 64) | (code * code))).count();
        assert!((9_500..10_500).contains(&tests), "{tests}");
    }
}
