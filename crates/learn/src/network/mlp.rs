//! Perceptrons of fully joined layers, forwards and backwards in batches.
//!
//! Layer by layer `a' = g(a W^T + b)`; backwards `d = e * g'`, the gradient of `W` is `d^T a` and `e` of the layer before
//! `d W`. Tensors are called `layers.0.weight`, `layers.0.bias`, `layers.2.weight` ... as of an `nn.Sequential` that has
//! an activation after each layer.

use trilith_base::Seed;
use trilith_eval::dense::Activation;

use super::matrix::{Matrix, multiply};
use super::vector::Vectors;
use super::{TensorShape, TrainableNetwork, count, fresh};

/// One layer's size and activation, and where its parameters begin.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Layer {
    inputs: usize,
    units: usize,
    activation: Activation,
    start: usize,
}

/// A perceptron.
#[derive(Clone, Debug)]
pub struct TrainableMlp {
    layers: Vec<Layer>,
    parameters: Vec<f32>,
    vectors: Vectors,
}

/// Outputs of each layer, and the error handed back.
#[derive(Debug)]
pub struct MlpBatch {
    outputs: Vec<Vec<f32>>,
    errors: Vec<Vec<f32>>,
}

impl TrainableMlp {
    /// A network with random weights. There must be at least one layer, and no empty ones.
    pub fn random(inputs: usize, units: &[(usize, Activation)], seed: Seed) -> TrainableMlp {
        let mut before = inputs;
        let mut start = 0;
        let mut layers = Vec::new();
        for &(units, activation) in units {
            layers.push(Layer { inputs: before, units, activation, start });
            start += (before + 1) * units;
            before = units;
        }
        let mut mlp = TrainableMlp { layers, parameters: Vec::new(), vectors: Vectors::default() };
        mlp.parameters = fresh(&mlp.tensors(), seed);
        mlp
    }

    /// S3's: 64 inputs, 96 and 34 tanh units, one linear output.
    pub fn reversi(seed: Seed) -> TrainableMlp {
        TrainableMlp::random(
            64,
            &[(96, Activation::Tanh), (34, Activation::Tanh), (1, Activation::Linear)],
            seed,
        )
    }

    fn weights(&self, layer: &Layer) -> (&[f32], &[f32]) {
        let all = &self.parameters[layer.start..][..(layer.inputs + 1) * layer.units];
        all.split_at(layer.inputs * layer.units)
    }

    fn run(&self, inputs: &[f32], work: &mut MlpBatch) {
        let batch = inputs.len() / self.inputs();
        for (number, layer) in self.layers.iter().enumerate() {
            let (before, after) = work.outputs.split_at_mut(number);
            let inputs = before.last().map_or(inputs, |outputs| &outputs[..batch * layer.inputs]);
            let outputs = &mut after[0][..batch * layer.units];
            let (weights, biases) = self.weights(layer);
            if layer.units == 1 {
                self.vectors.weigh_rows(inputs, weights, biases[0], outputs);
            } else {
                outputs.chunks_exact_mut(layer.units).for_each(|row| row.copy_from_slice(biases));
                let inputs = Matrix::new(inputs, batch, layer.inputs);
                let weights = Matrix::new(weights, layer.units, layer.inputs).transposed();
                multiply(inputs, weights, 1.0, outputs, layer.units);
            }
            self.vectors.activate(layer.activation, outputs);
        }
    }

    /// The gradient of one layer from the errors of its sums, and the errors of the layer before.
    fn hand_back(
        &self,
        layer: &Layer,
        inputs: &[f32],
        errors: &[f32],
        before: &mut [f32],
        gradient: &mut [f32],
    ) {
        let batch = errors.len() / layer.units;
        let gradient = &mut gradient[layer.start..][..(layer.inputs + 1) * layer.units];
        let (by_weights, by_biases) = gradient.split_at_mut(layer.inputs * layer.units);
        self.vectors.add_rows(errors, by_biases);
        let (weights, _) = self.weights(layer);
        if layer.units == 1 {
            self.vectors.gather(errors, inputs, by_weights);
            if !before.is_empty() {
                self.vectors.spread(errors, weights, before);
            }
            return;
        }
        let errors = Matrix::new(errors, batch, layer.units);
        let inputs = Matrix::new(inputs, batch, layer.inputs);
        multiply(errors.transposed(), inputs, 1.0, by_weights, layer.inputs);
        if !before.is_empty() {
            multiply(errors, Matrix::new(weights, layer.units, layer.inputs), 0.0, before, layer.inputs);
        }
    }
}

impl TrainableNetwork for TrainableMlp {
    type Batch = MlpBatch;

    fn tensors(&self) -> Vec<TensorShape> {
        let layer = |(number, layer): (usize, &Layer)| {
            let name = |what: &str| format!("layers.{}.{what}", 2 * number);
            [(name("weight"), vec![layer.units, layer.inputs]), (name("bias"), vec![layer.units])]
        };
        self.layers.iter().enumerate().flat_map(layer).collect()
    }

    fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    fn parameters_mut(&mut self) -> &mut [f32] {
        &mut self.parameters
    }

    fn inputs(&self) -> usize {
        self.layers[0].inputs
    }

    fn outputs(&self) -> usize {
        self.layers[self.layers.len() - 1].units
    }

    fn work(&self, most: usize) -> MlpBatch {
        debug_assert_eq!(self.parameters.len(), count(&self.tensors()));
        let room = || self.layers.iter().map(|layer| vec![0.0; most * layer.units]).collect();
        MlpBatch { outputs: room(), errors: room() }
    }

    fn forward<'a>(&self, inputs: &[f32], work: &'a mut MlpBatch) -> &'a [f32] {
        self.run(inputs, work);
        let batch = inputs.len() / self.inputs();
        &work.outputs[self.layers.len() - 1][..batch * self.outputs()]
    }

    fn backward(
        &self,
        inputs: &[f32],
        targets: &[f32],
        scale: f32,
        work: &mut MlpBatch,
        gradient: &mut [f32],
    ) -> f64 {
        self.run(inputs, work);
        let batch = inputs.len() / self.inputs();
        let last = self.layers.len() - 1;
        let outputs = &work.outputs[last][..batch * self.outputs()];
        let squared = squared_error(outputs, targets, scale, &mut work.errors[last]);
        for (number, layer) in self.layers.iter().enumerate().rev() {
            let outputs = &work.outputs[number][..batch * layer.units];
            let (before, errors) = work.errors.split_at_mut(number);
            let errors = &mut errors[0][..batch * layer.units];
            self.vectors.slope(layer.activation, outputs, errors);
            match before.last_mut() {
                Some(before) => {
                    let inputs = &work.outputs[number - 1][..batch * layer.inputs];
                    self.hand_back(layer, inputs, errors, &mut before[..batch * layer.inputs], gradient);
                }
                None => self.hand_back(layer, inputs, errors, &mut [], gradient),
            }
        }
        squared
    }
}

/// The sum of squared errors; `errors` gets its gradient times `scale`.
pub(super) fn squared_error(outputs: &[f32], targets: &[f32], scale: f32, errors: &mut [f32]) -> f64 {
    let mut squared = 0.0;
    for ((output, target), error) in outputs.iter().zip(targets).zip(errors) {
        let difference = output - target;
        squared += f64::from(difference) * f64::from(difference);
        *error = 2.0 * scale * difference;
    }
    squared
}

#[cfg(test)]
mod tests {
    use super::super::checks::check_gradient;
    use super::*;

    #[test]
    fn gradients_are_slopes_with_every_activation() {
        let units = [
            vec![(7, Activation::Tanh), (5, Activation::Logistic), (1, Activation::Linear)],
            vec![(6, Activation::Logistic), (3, Activation::Tanh)],
            vec![(1, Activation::Logistic)],
        ];
        for units in units {
            check_gradient(&TrainableMlp::random(9, &units, Seed(3)), 13, 1);
        }
        check_gradient(&TrainableMlp::reversi(Seed(4)), 40, 97);
    }

    #[test]
    fn outputs_are_those_of_inference() {
        let mlp = TrainableMlp::reversi(Seed(4));
        let inputs: Vec<f32> = (0..128).map(|at| (at % 3) as f32 - 1.0).collect();
        let mut work = mlp.work(2);
        let outputs = mlp.forward(&inputs, &mut work).to_vec();
        let one = mlp.forward(&inputs[64..], &mut work)[0];
        assert!((outputs[1] - one).abs() < 1e-5, "a sample is worth the same in any batch");
    }
}
