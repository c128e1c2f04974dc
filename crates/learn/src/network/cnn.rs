//! S3's convolutional network: three planes (own, other, empty), two layers of three 3x3 filters a plane that keep the
//! planes apart, 300 tanh units, one output.
//!
//! Numbers of a batch lie side by side (`[map][square][sample]`), so that a filter is a sum of whole rows: no copy into
//! columns (im2col), no margin of zeros, and the dense layer reads the same rows as a transposed matrix. Tensors as in
//! `trilith_eval::othello::network::Cnn`.

use trilith_base::Seed;
use trilith_eval::dense::Activation;

use super::matrix::{Matrix, multiply};
use super::mlp::squared_error;
use super::vector::{LANES, Vectors};
use super::{TensorShape, TrainableNetwork, count, fresh};

const PLANES: usize = 3;
const PER_PLANE: usize = 3;
const MAPS: usize = PLANES * PER_PLANE;
const SQUARES: usize = 64;
const TAPS: usize = 9;
const HIDDEN: usize = 300;
const FEATURES: usize = MAPS * SQUARES;

/// Where the tensors begin.
const FIRST: usize = 0;
const FIRST_BIAS: usize = FIRST + MAPS * TAPS;
const SECOND: usize = FIRST_BIAS + MAPS;
const SECOND_BIAS: usize = SECOND + MAPS * PER_PLANE * TAPS;
const DENSE: usize = SECOND_BIAS + MAPS;
const DENSE_BIAS: usize = DENSE + HIDDEN * FEATURES;
const LAST: usize = DENSE_BIAS + HIDDEN;
const LAST_BIAS: usize = LAST + HIDDEN;
const ALL: usize = LAST_BIAS + 1;

/// The network.
#[derive(Clone, Debug)]
pub struct TrainableCnn {
    parameters: Vec<f32>,
    vectors: Vectors,
}

/// Sums and errors of a batch.
#[derive(Debug)]
pub struct CnnBatch {
    /// Numbers between rows: the batch filled up to whole vectors, and a little more so that rows do not compete for
    /// the same places of the cache.
    width: usize,
    planes: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
    hidden: Vec<f32>,
    outputs: Vec<f32>,
    errors: Vec<f32>,
    hidden_errors: Vec<f32>,
    second_errors: Vec<f32>,
    first_errors: Vec<f32>,
}

impl TrainableCnn {
    /// A network with random weights.
    pub fn reversi(seed: Seed) -> TrainableCnn {
        let mut cnn = TrainableCnn { parameters: Vec::new(), vectors: Vectors::default() };
        cnn.parameters = fresh(&cnn.tensors(), seed);
        debug_assert!(cnn.parameters.len() == ALL && count(&cnn.tensors()) == ALL);
        cnn
    }

    fn run(&self, inputs: &[f32], work: &mut CnnBatch) {
        let batch = inputs.len() / self.inputs();
        let width = work.width;
        self.vectors.turn(inputs, PLANES * SQUARES, width, &mut work.planes);
        let taps = filters(&self.parameters[FIRST..], 1, false);
        let biases = per_square(&self.parameters[FIRST_BIAS..][..MAPS]);
        self.vectors.convolve(&work.planes, &taps, &biases, width, &mut work.first);
        let taps = filters(&self.parameters[SECOND..], PER_PLANE, false);
        let biases = per_square(&self.parameters[SECOND_BIAS..][..MAPS]);
        self.vectors.convolve(&work.first, &taps, &biases, width, &mut work.second);
        let hidden = &mut work.hidden[..batch * HIDDEN];
        let biases = &self.parameters[DENSE_BIAS..][..HIDDEN];
        hidden.chunks_exact_mut(HIDDEN).for_each(|row| row.copy_from_slice(biases));
        let features = Matrix::spaced(&work.second, FEATURES, batch, width).transposed();
        let weights = Matrix::new(&self.parameters[DENSE..], HIDDEN, FEATURES).transposed();
        multiply(features, weights, 1.0, hidden, HIDDEN);
        self.vectors.activate(Activation::Tanh, hidden);
        let (weights, bias) = (&self.parameters[LAST..][..HIDDEN], self.parameters[LAST_BIAS]);
        self.vectors.weigh_rows(hidden, weights, bias, &mut work.outputs[..batch]);
    }
}

/// What each output row (map and square) is summed from: input row and weight. `back` for errors on their way back.
fn filters(weights: &[f32], depth: usize, back: bool) -> Vec<Vec<(usize, f32)>> {
    let maps = if back { PLANES * depth } else { MAPS };
    let mut all = Vec::with_capacity(maps * SQUARES);
    for map in 0..maps {
        for square in 0..SQUARES {
            let mut taps = Vec::new();
            for from in 0..if back { PER_PLANE } else { depth } {
                let (plane, filter, input) = match back {
                    true => (map / depth, map / depth * PER_PLANE + from, map % depth),
                    false => (map / PER_PLANE, map, from),
                };
                let row = if back { filter } else { plane * depth + input };
                for tap in 0..TAPS {
                    let towards = if back { TAPS - 1 - tap } else { tap };
                    if let Some(there) = neighbour(square, towards) {
                        taps.push((row * SQUARES + there, weights[(filter * depth + input) * TAPS + tap]));
                    }
                }
            }
            all.push(taps);
        }
    }
    all
}

/// The square that a tap of a 3x3 filter around `square` reads, if it is on the board.
fn neighbour(square: usize, tap: usize) -> Option<usize> {
    let (row, column) = (square / 8 + tap / 3, square % 8 + tap % 3);
    ((1..=8).contains(&row) && (1..=8).contains(&column)).then(|| (row - 1) * 8 + column - 1)
}

fn per_square(biases: &[f32]) -> Vec<f32> {
    biases.iter().flat_map(|&bias| [bias; SQUARES]).collect()
}

/// The gradients of a layer's filters from the errors of its maps.
fn hand_back(
    vectors: Vectors,
    errors: &[f32],
    inputs: &[f32],
    depth: usize,
    width: usize,
    gradient: &mut [f32],
) {
    for filter in 0..MAPS {
        for input in 0..depth {
            let from = filter / PER_PLANE * depth + input;
            for tap in 0..TAPS {
                let pair =
                    |square| Some((filter * SQUARES + square, from * SQUARES + neighbour(square, tap)?));
                let pairs: Vec<_> = (0..SQUARES).filter_map(pair).collect();
                gradient[(filter * depth + input) * TAPS + tap] +=
                    vectors.correlate(errors, inputs, &pairs, width);
            }
        }
    }
}

fn add_biases(errors: &[f32], width: usize, gradient: &mut [f32]) {
    for (bias, rows) in gradient.iter_mut().zip(errors.chunks_exact(SQUARES * width)) {
        let (blocks, _) = rows.as_chunks::<LANES>();
        let mut sums = [0.0; LANES];
        blocks.iter().for_each(|block| sums.iter_mut().zip(block).for_each(|(sum, error)| *sum += error));
        *bias += sums.iter().sum::<f32>();
    }
}

impl TrainableNetwork for TrainableCnn {
    type Batch = CnnBatch;

    fn tensors(&self) -> Vec<TensorShape> {
        let tensor = |name: &str, shape: &[usize]| (name.to_owned(), shape.to_vec());
        vec![
            tensor("conv.0.weight", &[MAPS, 1, 3, 3]),
            tensor("conv.0.bias", &[MAPS]),
            tensor("conv.1.weight", &[MAPS, PER_PLANE, 3, 3]),
            tensor("conv.1.bias", &[MAPS]),
            tensor("dense.0.weight", &[HIDDEN, FEATURES]),
            tensor("dense.0.bias", &[HIDDEN]),
            tensor("dense.2.weight", &[1, HIDDEN]),
            tensor("dense.2.bias", &[1]),
        ]
    }

    fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    fn parameters_mut(&mut self) -> &mut [f32] {
        &mut self.parameters
    }

    fn inputs(&self) -> usize {
        PLANES * SQUARES
    }

    fn outputs(&self) -> usize {
        1
    }

    fn work(&self, most: usize) -> CnnBatch {
        // An odd number of vectors between rows.
        let width = (most.div_ceil(LANES) | 1) * LANES;
        let rows = |count: usize| vec![0.0; count * width];
        CnnBatch {
            width,
            planes: rows(PLANES * SQUARES),
            first: rows(FEATURES),
            second: rows(FEATURES),
            hidden: vec![0.0; most * HIDDEN],
            outputs: vec![0.0; most],
            errors: vec![0.0; most],
            hidden_errors: vec![0.0; most * HIDDEN],
            second_errors: rows(FEATURES),
            first_errors: rows(FEATURES),
        }
    }

    fn forward<'a>(&self, inputs: &[f32], work: &'a mut CnnBatch) -> &'a [f32] {
        self.run(inputs, work);
        &work.outputs[..inputs.len() / self.inputs()]
    }

    fn backward(
        &self,
        inputs: &[f32],
        targets: &[f32],
        scale: f32,
        work: &mut CnnBatch,
        gradient: &mut [f32],
    ) -> f64 {
        self.run(inputs, work);
        let batch = inputs.len() / self.inputs();
        let width = work.width;
        let (hidden, errors) = (&work.hidden[..batch * HIDDEN], &mut work.errors[..batch]);
        let squared = squared_error(&work.outputs[..batch], targets, scale, errors);
        gradient[LAST_BIAS] += errors.iter().sum::<f32>();
        self.vectors.gather(errors, hidden, &mut gradient[LAST..][..HIDDEN]);
        let hidden_errors = &mut work.hidden_errors[..batch * HIDDEN];
        self.vectors.spread(errors, &self.parameters[LAST..][..HIDDEN], hidden_errors);
        self.vectors.slope(Activation::Tanh, hidden, hidden_errors);
        self.vectors.add_rows(hidden_errors, &mut gradient[DENSE_BIAS..][..HIDDEN]);
        let hidden_errors = Matrix::new(hidden_errors, batch, HIDDEN);
        let features = Matrix::spaced(&work.second, FEATURES, batch, width).transposed();
        multiply(
            hidden_errors.transposed(),
            features,
            1.0,
            &mut gradient[DENSE..][..HIDDEN * FEATURES],
            FEATURES,
        );
        let weights = Matrix::new(&self.parameters[DENSE..], HIDDEN, FEATURES);
        multiply(weights.transposed(), hidden_errors.transposed(), 0.0, &mut work.second_errors, width);
        clear_beyond(&mut work.second_errors, batch, width);
        let errors = &work.second_errors;
        add_biases(errors, width, &mut gradient[SECOND_BIAS..][..MAPS]);
        hand_back(self.vectors, errors, &work.first, PER_PLANE, width, &mut gradient[SECOND..]);
        let taps = filters(&self.parameters[SECOND..], PER_PLANE, true);
        self.vectors.convolve(errors, &taps, &[0.0; FEATURES], width, &mut work.first_errors);
        let errors = &work.first_errors;
        add_biases(errors, width, &mut gradient[FIRST_BIAS..][..MAPS]);
        hand_back(self.vectors, errors, &work.planes, 1, width, &mut gradient[FIRST..]);
        squared
    }
}

/// Samples of an earlier, larger batch must not count.
fn clear_beyond(rows: &mut [f32], batch: usize, width: usize) {
    rows.chunks_exact_mut(width).for_each(|row| row[batch..].fill(0.0));
}

#[cfg(test)]
mod tests {
    use super::super::checks::check_gradient;
    use super::*;

    #[test]
    fn gradients_are_slopes() {
        let cnn = TrainableCnn::reversi(Seed(3));
        // All filters, then a sample of the dense layer.
        check_gradient(&cnn, 5, 1009);
        let mut small = cnn.clone();
        small.parameters_mut()[DENSE..LAST].iter_mut().for_each(|weight| *weight *= 3.0);
        check_gradient(&small, 37, 501);
    }

    #[test]
    fn every_filter_has_its_gradient() {
        let cnn = TrainableCnn::reversi(Seed(3));
        let inputs: Vec<f32> = (0..6 * 192).map(|at| ((at * 7 % 11) as f32 - 5.0) / 5.0).collect();
        let targets = [0.5, -0.5, 1.0, 0.0, 0.3, 0.1];
        let mut work = cnn.work(8);
        let mut gradient = vec![0.0; ALL];
        cnn.backward(&inputs, &targets, 1.0, &mut work, &mut gradient);
        for (at, &found) in gradient[..DENSE].iter().enumerate() {
            const NUDGE: f32 = 1e-2;
            let mut error = |nudge: f32| -> f64 {
                let mut nudged = cnn.clone();
                nudged.parameters[at] += nudge;
                let outputs = nudged.forward(&inputs, &mut work);
                outputs.iter().zip(&targets).map(|(o, t)| f64::from(o - t).powi(2)).sum()
            };
            let slope = (error(NUDGE) - error(-NUDGE)) / f64::from(2.0 * NUDGE);
            let found = f64::from(found);
            assert!(
                (slope - found).abs() < 2e-3 * (1.0 + found.abs()),
                "parameter {at}: {found}, slope {slope}"
            );
        }
    }
}
