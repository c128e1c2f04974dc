//! S3's two networks as learners use them: boards in, points out.

use std::path::Path;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use trilith_base::Seed;
use trilith_base::artifact::{Artifact, ArtifactError, ArtifactHeader, FORMAT};
use trilith_base::seed::Rng;
use trilith_eval::dense::{Activation, check_shape};
use trilith_eval::othello::network::{self as inference, CANONICAL, FORM};
use trilith_games::othello::{Othello, Position};
use trilith_games::{Game, MoveList, Record};

use super::policy;
use crate::network::{Method, Optimiser, TrainableCnn, TrainableMlp, TrainableNetwork, Trainer, file};
use crate::run::{LearnerSetup, RunError};

/// A network that takes a board and foretells points.
pub trait Reversi: TrainableNetwork + 'static {
    /// The kind of its files.
    const KIND: &'static str;
    /// What plays with its weights.
    type Inference: inference::ReversiNetwork + 'static;

    /// Random weights in this shape.
    fn fresh(shape: &NetShape, seed: Seed) -> Result<Self, String>;
    /// Writes the inputs of a board.
    fn encode(own: u64, other: u64, into: &mut [f32]);
    /// What plays with the weights in a file.
    fn inference(artifact: &Artifact) -> Result<Self::Inference, ArtifactError>;
}

/// The hidden layers of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct NetShape {
    /// Units of each; S3's own if empty.
    pub hidden: Vec<usize>,
    /// What they make of their sums.
    pub activation: Activation,
}

impl NetShape {
    fn is_published(&self) -> bool {
        (self.hidden.is_empty() || self.hidden == [96, 34]) && self.activation == Activation::Tanh
    }

    /// What files of this shape say, where it is not S3's.
    fn settings(&self) -> Vec<(String, String)> {
        if self.is_published() {
            return Vec::new();
        }
        let units: Vec<String> = self.units().iter().map(usize::to_string).collect();
        let activation = self.activation.to_string();
        vec![(inference::HIDDEN.into(), units.join(" ")), (inference::ACTIVATION.into(), activation)]
    }

    fn units(&self) -> &[usize] {
        if self.hidden.is_empty() { &[96, 34] } else { &self.hidden }
    }
}

/// Eight squares of a row as numbers, by the bits of a byte.
static ROWS: LazyLock<Vec<[f32; 8]>> =
    LazyLock::new(|| (0..256).map(|bits| std::array::from_fn(|at| (bits >> at & 1) as f32)).collect());

impl Reversi for TrainableMlp {
    const KIND: &'static str = "mlp";
    type Inference = inference::Perceptron;

    fn fresh(shape: &NetShape, seed: Seed) -> Result<TrainableMlp, String> {
        let mut layers: Vec<_> = shape.units().iter().map(|&units| (units, shape.activation)).collect();
        layers.push((1, Activation::Linear));
        check_shape(64, &layers.iter().map(|layer| layer.0).collect::<Vec<_>>())?;
        Ok(TrainableMlp::random(64, &layers, seed))
    }

    fn encode(own: u64, other: u64, into: &mut [f32]) {
        let rows = &*ROWS;
        let boards = own.to_le_bytes().into_iter().zip(other.to_le_bytes());
        for (row, (own, other)) in into.as_chunks_mut::<8>().0.iter_mut().zip(boards) {
            let (own, other) = (&rows[usize::from(own)], &rows[usize::from(other)]);
            *row = std::array::from_fn(|at| own[at] - other[at]);
        }
    }

    fn inference(artifact: &Artifact) -> Result<inference::Perceptron, ArtifactError> {
        inference::Perceptron::from_artifact(artifact)
    }
}

impl Reversi for TrainableCnn {
    const KIND: &'static str = "cnn";
    type Inference = inference::Cnn;

    fn fresh(shape: &NetShape, seed: Seed) -> Result<TrainableCnn, String> {
        match shape.is_published() {
            true => Ok(TrainableCnn::reversi(seed)),
            false => Err("a convolutional network has one shape, expected a perceptron".into()),
        }
    }

    fn encode(own: u64, other: u64, into: &mut [f32]) {
        let bytes = [own, other, !(own | other)].map(u64::to_le_bytes);
        for (row, &byte) in into.as_chunks_mut::<8>().0.iter_mut().zip(bytes.as_flattened()) {
            *row = ROWS[usize::from(byte)];
        }
    }

    fn inference(artifact: &Artifact) -> Result<inference::Cnn, ArtifactError> {
        inference::Cnn::from_artifact(artifact)
    }
}

/// Own and other discs, and the points of the side not to move.
pub type NetSample = (u64, u64, f32);

/// A network in training with room for one batch.
pub struct Net<N: Reversi> {
    trainer: Trainer<N>,
    inputs: Vec<f32>,
    targets: Vec<f32>,
    batch: usize,
    shape: NetShape,
}

/// All that a network in training is.
#[derive(Serialize, Deserialize)]
pub struct NetState {
    parameters: Vec<f32>,
    steps: u64,
    first: Vec<f32>,
    second: Vec<f32>,
}

/// Parts of a batch: two cores help, and the result does not depend on whether they did.
const PARTS: usize = 2;
/// Batches below this are not worth a second thread.
const SMALL: usize = 512;

impl<N: Reversi> Net<N> {
    /// Random weights, or those of the file `start` unless it is empty, trained in batches of so many samples.
    pub fn new(
        setup: &LearnerSetup,
        shape: NetShape,
        start: &str,
        method: Method,
        batch: usize,
    ) -> Result<Net<N>, RunError> {
        let mut network = N::fresh(&shape, setup.seed().derive("weights", 0))
            .map_err(|fault| RunError::config("parameters.hidden", fault))?;
        if !start.is_empty() {
            let wrong = |error: ArtifactError| RunError::config("parameters.start", error.to_string());
            let artifact = inference::load(N::KIND, &setup.path(start)).map_err(wrong)?;
            file::read(&mut network, &artifact).map_err(wrong)?;
        }
        let optimiser = Optimiser::new(method, network.parameters().len());
        let parts = if batch < SMALL { 1 } else { PARTS };
        let (inputs, targets) = (Vec::with_capacity(batch * network.inputs()), Vec::with_capacity(batch));
        Ok(Net { trainer: Trainer::new(network, optimiser, batch, parts, 1), inputs, targets, batch, shape })
    }

    /// How many threads work from now on; the result does not depend on it.
    pub fn set_threads(&mut self, threads: usize) {
        self.trainer.set_threads(threads);
    }

    /// Steps through all samples, batch by batch; the sum of squared errors before each step, and how many they were.
    pub fn learn(&mut self, rate: f32, samples: impl Iterator<Item = NetSample>) -> (f64, u64) {
        let (mut squared, mut count) = (0.0, 0);
        let mut samples = samples.peekable();
        while samples.peek().is_some() {
            self.fill(self.batch, &mut samples);
            squared += self.trainer.step(rate, &self.inputs, &self.targets);
            count += self.targets.len() as u64;
        }
        (squared, count)
    }

    /// Calls `visit` with output and target of each sample.
    pub fn test(&mut self, samples: impl Iterator<Item = NetSample>, mut visit: impl FnMut(f32, f32)) {
        let most = self.trainer.most_outputs();
        let mut samples = samples.peekable();
        while samples.peek().is_some() {
            self.fill(most, &mut samples);
            let targets = &self.targets;
            self.trainer.outputs(&self.inputs, |outputs| {
                outputs.iter().zip(targets).for_each(|(&output, &target)| visit(output, target));
            });
        }
    }

    fn fill(&mut self, most: usize, samples: &mut impl Iterator<Item = NetSample>) {
        let width = self.trainer.network.inputs();
        self.inputs.clear();
        self.targets.clear();
        for (own, other, points) in samples.take(most) {
            let start = self.inputs.len();
            self.inputs.resize(start + width, 0.0);
            N::encode(own, other, &mut self.inputs[start..]);
            self.targets.push(points);
        }
    }

    /// The weights now.
    pub fn parameters(&self) -> &[f32] {
        self.trainer.network.parameters()
    }

    /// A file with these weights; `canonical` says that it has only seen canonical positions.
    pub fn artifact(&self, parameters: &[f32], canonical: bool) -> Artifact {
        let mut network = self.trainer.network.clone();
        network.parameters_mut().copy_from_slice(parameters);
        let form = if canonical { CANONICAL } else { "any" };
        let header = ArtifactHeader {
            format: FORMAT,
            kind: N::KIND.into(),
            game: Othello::NAME.into(),
            features: "squares".into(),
            settings: self.shape.settings().into_iter().chain([(FORM.into(), form.into())]).collect(),
            ..ArtifactHeader::default()
        };
        file::write(&network, header)
    }

    /// For a checkpoint.
    pub fn state(&self) -> NetState {
        let Optimiser { steps, first, second, .. } = self.trainer.optimiser.clone();
        NetState { parameters: self.parameters().to_vec(), steps, first, second }
    }

    /// From the checkpoint in `folder`, which must be of the same network and method.
    pub fn set_state(&mut self, folder: &Path, state: NetState) -> Result<(), RunError> {
        let optimiser = &mut self.trainer.optimiser;
        let fits = state.parameters.len() == self.trainer.network.parameters().len()
            && state.first.len() == optimiser.first.len()
            && state.second.len() == optimiser.second.len();
        if !fits {
            return Err(RunError::checkpoint(folder, "the network has another size"));
        }
        self.trainer.network.parameters_mut().copy_from_slice(&state.parameters);
        (optimiser.steps, optimiser.first, optimiser.second) = (state.steps, state.first, state.second);
        Ok(())
    }
}

/// Values rounded to so many digits after the point; as they are if none are named. Fewer digits make more moves equally
/// good, so that games differ (S3, 5.3.2.5).
pub fn rounded(value: f32, digits: Option<u32>) -> f32 {
    match digits {
        None => value,
        Some(digits) => {
            let scale = 10_f32.powi(digits.min(6) as i32);
            (value * scale).round() / scale
        }
    }
}

/// S3's optimising player: the move whose after-position promises most.
pub fn best(
    points: impl Fn(&Position) -> f32,
    digits: Option<u32>,
    record: &Record<Othello>,
    rng: &mut Rng,
) -> <Othello as Game>::Move {
    let game = record.game();
    let mut moves = MoveList::new();
    game.moves(record.position(), &mut moves);
    let value = |&mv: &_| rounded(points(&game.play(record.position(), mv)), digits);
    let chosen = policy::best(moves.iter().map(value), rng);
    moves[chosen]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_numbered_square_by_square() {
        let (own, other) = (0x8000_0000_0000_0105, 0x0000_0010_0000_0200);
        let bit = |side: u64, square: usize| (side >> square & 1) as f32;
        let mut inputs = [9.0; 64];
        TrainableMlp::encode(own, other, &mut inputs);
        assert!((0..64).all(|square| inputs[square] == bit(own, square) - bit(other, square)));
        let mut planes = [9.0; 192];
        TrainableCnn::encode(own, other, &mut planes);
        for square in 0..64 {
            let found = [planes[square], planes[64 + square], planes[128 + square]];
            let (own, other) = (bit(own, square), bit(other, square));
            assert_eq!(found, [own, other, 1.0 - own - other]);
        }
    }

    #[test]
    fn rounding_makes_near_values_equal() {
        assert_eq!(rounded(33.123_456, Some(2)), 33.12);
        assert_eq!(rounded(33.123_456, None), 33.123_456);
        assert_eq!(rounded(33.7, Some(0)), 34.0);
    }
}
