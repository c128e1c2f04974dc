//! Small networks learned one position at a time: slopes of the outputs by all weights, as one flat row of numbers.
//!
//! The row holds for each layer first the biases, then the weights in the order of [`Layer::weights`].

use trilith_eval::dense::{Dense, Layer};

/// How many weights and biases there are.
pub fn count(dense: &Dense) -> usize {
    dense.layers().iter().map(|layer| layer.biases.len() + layer.weights.len()).sum()
}

/// All weights and biases as one row.
pub fn numbers(dense: &Dense) -> Vec<f32> {
    dense.layers().iter().flat_map(|layer| layer.biases.iter().chain(&layer.weights).copied()).collect()
}

/// Puts a row back. Trusts that it has [`count`] numbers.
pub fn set(dense: &mut Dense, numbers: &[f32]) {
    let mut numbers = numbers.iter();
    for layer in dense.layers_mut() {
        for weight in layer.biases.iter_mut().chain(&mut layer.weights) {
            *weight = *numbers.next().expect("as many numbers as weights");
        }
    }
}

/// Adds `step` times a row to all weights and biases.
pub fn add(dense: &mut Dense, row: &[f32], step: f32) {
    let mut at = 0;
    for layer in dense.layers_mut() {
        for weights in [&mut layer.biases, &mut layer.weights] {
            let part = &row[at..at + weights.len()];
            weights.iter_mut().zip(part).for_each(|(weight, slope)| *weight += step * slope);
            at += part.len();
        }
    }
}

/// What a network made of one position, kept for going back through it.
#[derive(Clone, Debug, Default)]
pub struct Pass {
    /// The outputs of each layer.
    outputs: Vec<Vec<f32>>,
    /// Slopes by the sums of each layer, while going back.
    slopes: Vec<Vec<f32>>,
}

impl Pass {
    /// Runs the network on `inputs` and gives back its outputs.
    pub fn run(&mut self, dense: &Dense, inputs: &[f32]) -> &[f32] {
        let layers = dense.layers();
        self.outputs.resize(layers.len(), Vec::new());
        self.slopes.resize(layers.len(), Vec::new());
        for (number, layer) in layers.iter().enumerate() {
            let (before, now) = self.outputs.split_at_mut(number);
            let from = before.last().map_or(inputs, Vec::as_slice);
            apply(layer, from, &mut now[0]);
        }
        self.outputs.last().map_or(&[], Vec::as_slice)
    }

    /// Adds to `row` the slopes by all weights of `sum_k errors[k] * output[k]`, for what was run last on `inputs`.
    pub fn slopes(&mut self, dense: &Dense, inputs: &[f32], errors: &[f32], row: &mut [f32]) {
        let layers = dense.layers();
        let mut end = row.len();
        for number in (0..layers.len()).rev() {
            let layer = &layers[number];
            let (here, after) = self.slopes[number..].split_first_mut().expect("a row a layer");
            let outputs = &self.outputs[number];
            here.clear();
            for (unit, &output) in outputs.iter().enumerate() {
                let error = match layers.get(number + 1) {
                    None => errors[unit],
                    Some(next) => {
                        let width = next.biases.len();
                        let weights = &next.weights[unit * width..(unit + 1) * width];
                        weights.iter().zip(&after[0]).map(|(weight, slope)| weight * slope).sum()
                    }
                };
                here.push(error * layer.activation.slope(output));
            }
            let from = if number == 0 { inputs } else { &self.outputs[number - 1] };
            let start = end - layer.biases.len() - layer.weights.len();
            let (biases, weights) = row[start..end].split_at_mut(layer.biases.len());
            biases.iter_mut().zip(&*here).for_each(|(bias, slope)| *bias += slope);
            for (&input, weights) in from.iter().zip(weights.chunks_exact_mut(here.len())) {
                if input != 0.0 {
                    weights.iter_mut().zip(&*here).for_each(|(weight, slope)| *weight += input * slope);
                }
            }
            end = start;
        }
    }
}

fn apply(layer: &Layer, inputs: &[f32], into: &mut Vec<f32>) {
    into.clone_from(&layer.biases);
    for (&input, row) in inputs.iter().zip(layer.weights.chunks_exact(into.len())) {
        if input != 0.0 {
            into.iter_mut().zip(row).for_each(|(sum, weight)| *sum += input * weight);
        }
    }
    into.iter_mut().for_each(|sum| *sum = layer.activation.apply(*sum));
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;
    use trilith_eval::dense::Activation;

    /// Each slope against the rise of the output when that weight is moved a little.
    #[test]
    fn slopes_are_those_of_the_outputs() {
        let shape = [(5, Activation::Logistic), (4, Activation::Tanh), (2, Activation::Linear)];
        let dense = Dense::random(3, &shape, 1.0, Seed(4));
        let (inputs, errors) = ([0.5, -1.5, 0.0], [1.0, -0.5]);
        let mut row = vec![0.0; count(&dense)];
        let mut pass = Pass::default();
        pass.run(&dense, &inputs);
        pass.slopes(&dense, &inputs, &errors, &mut row);
        let sum = |numbers: &[f32]| {
            let mut moved = dense.clone();
            set(&mut moved, numbers);
            moved.run(&inputs, |outputs| outputs[0] * errors[0] + outputs[1] * errors[1])
        };
        let plain = numbers(&dense);
        for at in 0..plain.len() {
            let mut moved = [plain.clone(), plain.clone()];
            moved[0][at] += 1e-2;
            moved[1][at] -= 1e-2;
            let rise = (sum(&moved[0]) - sum(&moved[1])) / 2e-2;
            assert!((rise - row[at]).abs() < 2e-3, "weight {at}: {rise} and {}", row[at]);
        }
        let mut moved = dense.clone();
        add(&mut moved, &row, 0.5);
        let expected: Vec<f32> = plain.iter().zip(&row).map(|(weight, slope)| weight + 0.5 * slope).collect();
        assert_eq!(numbers(&moved), expected);
    }
}
