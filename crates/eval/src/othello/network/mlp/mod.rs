//! S3's multilayer perceptron: 64 inputs (1 own, -1 other, 0 empty), 96 and 34 tanh units, one output.
//!
//! Tensors: `layers.0.weight` [96, 64], `layers.0.bias` [96], `layers.2.weight` [34, 96], `layers.2.bias` [34],
//! `layers.4.weight` [1, 34], `layers.4.bias` [1], as of an `nn.Sequential` with `Tanh` between.

use trilith_base::{Artifact, ArtifactError, Seed};
use trilith_games::othello::technique::Technique;
use trilith_games::othello::{Position, squares};

use super::{Network, columns, filled, read};
use crate::activation::{dot, tanh_all};

/// The kind in headers.
pub const KIND: &str = "mlp";
const FIRST: usize = 96;
const SECOND: usize = 34;
/// The second layer filled up; a shorter array the compiler takes apart into single numbers, at twice the time.
const WIDE: usize = 64;
const LAYERS: [(&str, &[usize]); 6] = [
    ("layers.0.weight", &[FIRST, 64]),
    ("layers.0.bias", &[FIRST]),
    ("layers.2.weight", &[SECOND, FIRST]),
    ("layers.2.bias", &[SECOND]),
    ("layers.4.weight", &[1, SECOND]),
    ("layers.4.bias", &[1]),
];

/// The perceptron with its weights laid out by input.
#[derive(Clone, Debug)]
pub struct Mlp {
    technique: Technique,
    weights: Weights,
}

#[derive(Clone, Debug)]
struct Weights {
    first: Vec<[f32; FIRST]>,
    first_bias: [f32; FIRST],
    second: Vec<[f32; WIDE]>,
    second_bias: [f32; WIDE],
    last: [f32; WIDE],
    last_bias: f32,
}

impl Mlp {
    /// An untrained file.
    pub fn fresh(seed: Seed) -> Artifact {
        super::fresh(KIND, &LAYERS, seed)
    }

    /// Reads a file with the tensors named above.
    pub fn from_artifact(artifact: &Artifact) -> Result<Mlp, ArtifactError> {
        let [first, first_bias, second, second_bias, last, last_bias] = read(artifact, KIND, LAYERS)?;
        let weights = Weights {
            first: columns(first, 64, FIRST),
            first_bias: filled(first_bias),
            second: columns(second, FIRST, SECOND),
            second_bias: filled(second_bias),
            last: filled(last),
            last_bias: last_bias[0],
        };
        Ok(Mlp { technique: Technique::best(), weights })
    }
}

trilith_games::per_technique! {
    /// The activations of both hidden layers and the output.
    fn forward(weights: &Weights, own: u64, other: u64) -> ([f32; FIRST], [f32; WIDE], f32) {
        let mut first = weights.first_bias;
        for square in squares(own) {
            let column = &weights.first[usize::from(square) & 63];
            first.iter_mut().zip(column).for_each(|(sum, weight)| *sum += weight);
        }
        for square in squares(other) {
            let column = &weights.first[usize::from(square) & 63];
            first.iter_mut().zip(column).for_each(|(sum, weight)| *sum -= weight);
        }
        tanh_all(&mut first);
        let mut second = weights.second_bias;
        for (activation, column) in first.iter().zip(&weights.second) {
            second.iter_mut().zip(column).for_each(|(sum, weight)| *sum += activation * weight);
        }
        tanh_all(&mut second);
        let last = dot(&second, &weights.last) + weights.last_bias;
        (first, second, last)
    }
}

impl Network for Mlp {
    fn points(&self, position: &Position) -> f32 {
        let (weights, own, other) = (&self.weights, position.own, position.other);
        trilith_games::with_technique!(self.technique, forward(weights, own, other)).2
    }

    fn gradient(&self, position: &Position) -> [(f32, f32); 64] {
        let (first, second, _) = portable::forward(&self.weights, position.own, position.other);
        let behind: [f32; WIDE] =
            std::array::from_fn(|unit| self.weights.last[unit] * (1.0 - second[unit] * second[unit]));
        let middle: [f32; FIRST] = std::array::from_fn(|unit| {
            let column = &self.weights.second[unit];
            let sum: f32 = column.iter().zip(&behind).map(|(weight, slope)| weight * slope).sum();
            sum * (1.0 - first[unit] * first[unit])
        });
        std::array::from_fn(|square| {
            let column = &self.weights.first[square];
            let slope: f32 = column.iter().zip(&middle).map(|(weight, slope)| weight * slope).sum();
            (slope, -slope)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::sample::positions;

    /// The formulas as written, with the tensors as in the file.
    fn slowly(artifact: &Artifact, position: &Position) -> f32 {
        let tensor = |name: &str| &artifact.tensors[name].data;
        let layer = |weights: &[f32], bias: &[f32], inputs: &[f32]| -> Vec<f32> {
            let rows = weights.chunks(inputs.len()).zip(bias);
            rows.map(|(row, bias)| row.iter().zip(inputs).map(|(w, x)| w * x).sum::<f32>() + bias).collect()
        };
        let tanh = |numbers: Vec<f32>| numbers.into_iter().map(f32::tanh).collect::<Vec<_>>();
        let bit = |side: u64, square: usize| (side >> square & 1) as f32;
        let inputs: Vec<f32> =
            (0..64).map(|square| bit(position.own, square) - bit(position.other, square)).collect();
        let first = tanh(layer(tensor("layers.0.weight"), tensor("layers.0.bias"), &inputs));
        let second = tanh(layer(tensor("layers.2.weight"), tensor("layers.2.bias"), &first));
        layer(tensor("layers.4.weight"), tensor("layers.4.bias"), &second)[0]
    }

    #[test]
    fn every_technique_computes_the_formulas_with_the_same_bits() {
        let artifact = Mlp::fresh(Seed(5));
        let mlp = Mlp::from_artifact(&artifact).unwrap();
        for position in positions(Seed(3), 200) {
            let points = mlp.points(&position);
            assert!((points - slowly(&artifact, &position)).abs() < 1e-4);
            for technique in Technique::available() {
                assert_eq!(Mlp { technique, ..mlp.clone() }.points(&position), points, "{technique}");
            }
        }
    }

    #[test]
    fn the_gradient_is_that_of_the_formulas() {
        let mlp = Mlp::from_artifact(&Mlp::fresh(Seed(5))).unwrap();
        let mut nudged = mlp.clone();
        for position in positions(Seed(4), 20) {
            let gradient = mlp.gradient(&position);
            for square in squares(position.own) {
                let at = usize::from(square);
                const STEP: f32 = 0.01;
                nudged.weights.first_bias = std::array::from_fn(|unit| {
                    mlp.weights.first_bias[unit] + STEP * mlp.weights.first[at][unit]
                });
                let slope = (nudged.points(&position) - mlp.points(&position)) / STEP;
                assert!((slope - gradient[at].0).abs() < 2e-3, "{slope} {}", gradient[at].0);
            }
        }
    }
}
