//! Networks that are trained: kernels of our own on `matrixmultiply`, 32-bit numbers, batches.
//!
//! A network keeps all its parameters in one array, tensor by tensor, in the order, names and shapes of PyTorch's
//! `state_dict`; so optimisers, checkpoints and files need to know nothing about layers. On one thread, or on the same
//! number of threads, the same batches give the same bits.

pub mod cnn;
pub mod file;
pub mod matrix;
pub mod mlp;
pub mod optimiser;
pub mod trainer;
mod vector;

pub use cnn::TrainableCnn;
pub use mlp::TrainableMlp;
pub use optimiser::{Method, Optimiser};
pub use trainer::Trainer;

use trilith_base::Seed;

/// A tensor's name and shape as PyTorch has them.
pub type TensorShape = (String, Vec<usize>);

/// What can be trained: outputs for a batch, and the gradient of the squared error.
///
/// Inputs and targets are rows, one a sample.
pub trait TrainableNetwork: Clone + Send + Sync {
    /// Room for the sums of a batch, made once.
    type Batch: Send + Sync;

    /// The tensors that the parameters are, in order.
    fn tensors(&self) -> Vec<TensorShape>;
    /// All weights and biases.
    fn parameters(&self) -> &[f32];
    /// All weights and biases, to be changed.
    fn parameters_mut(&mut self) -> &mut [f32];
    /// Numbers a sample has.
    fn inputs(&self) -> usize;
    /// Numbers an answer has.
    fn outputs(&self) -> usize;
    /// Room for batches of up to `most` samples.
    fn work(&self, most: usize) -> Self::Batch;
    /// The outputs for a batch, row by row.
    fn forward<'a>(&self, inputs: &[f32], work: &'a mut Self::Batch) -> &'a [f32];
    /// Adds `scale` times the gradient of the summed squared error to `gradient`; returns that sum.
    fn backward(
        &self,
        inputs: &[f32],
        targets: &[f32],
        scale: f32,
        work: &mut Self::Batch,
        gradient: &mut [f32],
    ) -> f64;
}

/// How many numbers tensors of these shapes hold together.
fn count(tensors: &[TensorShape]) -> usize {
    tensors.iter().map(|(_, shape)| shape.iter().product::<usize>()).sum()
}

/// Parameters as PyTorch begins with them: drawn evenly within one by the root of a unit's inputs. Tensors come in pairs,
/// weights and biases.
fn fresh(tensors: &[TensorShape], seed: Seed) -> Vec<f32> {
    use rand::RngExt;
    let mut rng = seed.rng();
    let mut parameters = Vec::with_capacity(count(tensors));
    for pair in tensors.chunks_exact(2) {
        let inputs: usize = pair[0].1[1..].iter().product();
        let bound = 1.0 / (inputs as f32).sqrt();
        let numbers = count(pair);
        parameters.extend((0..numbers).map(|_| rng.random_range(-bound..bound)));
    }
    parameters
}

#[cfg(test)]
mod checks {
    use super::*;
    use rand::RngExt;

    /// The gradient against what the error does when a parameter is nudged, for every `step`-th parameter.
    pub fn check_gradient<N: TrainableNetwork>(network: &N, batch: usize, step: usize) {
        let mut rng = Seed(9).rng();
        let mut draw =
            |count: usize| -> Vec<f32> { (0..count).map(|_| rng.random_range(-1.0..1.0)).collect() };
        let (inputs, targets) = (draw(batch * network.inputs()), draw(batch * network.outputs()));
        let mut gradient = vec![0.0; network.parameters().len()];
        let mut work = network.work(batch);
        network.backward(&inputs, &targets, 1.0, &mut work, &mut gradient);
        let mut error = |network: &N| -> f64 {
            let outputs = network.forward(&inputs, &mut work);
            outputs.iter().zip(&targets).map(|(output, target)| f64::from(output - target).powi(2)).sum()
        };
        for at in (0..gradient.len()).step_by(step) {
            const NUDGE: f32 = 3e-3;
            let mut nudged = network.clone();
            nudged.parameters_mut()[at] += NUDGE;
            let above = error(&nudged);
            nudged.parameters_mut()[at] -= 2.0 * NUDGE;
            let slope = (above - error(&nudged)) / (2.0 * f64::from(NUDGE));
            let found = f64::from(gradient[at]);
            assert!(
                (slope - found).abs() < 2e-2 * (1.0 + found.abs()),
                "parameter {at}: {found}, slope {slope}"
            );
        }
    }
}
