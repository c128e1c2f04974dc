//! S3's multilayer perceptron: 64 inputs (1 own, -1 other, 0 empty), 96 and 34 tanh units, one output.
//!
//! Tensors: `layers.0.weight` [96, 64], `layers.0.bias` [96], `layers.2.weight` [34, 96], `layers.2.bias` [34],
//! `layers.4.weight` [1, 34], `layers.4.bias` [1], as of an `nn.Sequential` with `Tanh` between.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

use trilith_base::{Artifact, ArtifactError, Seed};
use trilith_games::othello::Position;
use trilith_games::othello::technique::{Technique, TechniqueKind};

use super::{ReversiNetwork, read};

/// The kind in headers.
pub const KIND: &str = "mlp";
/// Units of the hidden layers.
const UNITS: [usize; 2] = [96, 34];
/// The same in eights, the second layer filled up with zeros.
const FIRST: usize = 12;
const SECOND: usize = 5;
const LAYERS: [(&str, &[usize]); 6] = [
    ("layers.0.weight", &[UNITS[0], 64]),
    ("layers.0.bias", &[UNITS[0]]),
    ("layers.2.weight", &[UNITS[1], UNITS[0]]),
    ("layers.2.bias", &[UNITS[1]]),
    ("layers.4.weight", &[1, UNITS[1]]),
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
    first: Vec<[[f32; 8]; FIRST]>,
    first_bias: [[f32; 8]; FIRST],
    second: Vec<[[f32; 8]; SECOND]>,
    second_bias: [[f32; 8]; SECOND],
    last: [[f32; 8]; SECOND],
    last_bias: f32,
}

/// Numbers in eights, filled up with zeros.
fn eights<const COUNT: usize>(numbers: &[f32]) -> [[f32; 8]; COUNT] {
    let number = |at: usize| numbers.get(at).copied().unwrap_or(0.0);
    std::array::from_fn(|eight| std::array::from_fn(|lane| number(8 * eight + lane)))
}

/// The weights of each input in eights, from a matrix with a row an output.
fn columns<const COUNT: usize>(weights: &[f32], inputs: usize) -> Vec<[[f32; 8]; COUNT]> {
    let column = |input| weights.iter().skip(input).step_by(inputs).copied().collect::<Vec<f32>>();
    (0..inputs).map(|input| eights(&column(input))).collect()
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
            first: columns(first, 64),
            first_bias: eights(first_bias),
            second: columns(second, UNITS[0]),
            second_bias: eights(second_bias),
            last: eights(last),
            last_bias: last_bias[0],
        };
        Ok(Mlp { technique: Technique::best(), weights })
    }
}

impl ReversiNetwork for Mlp {
    fn points(&self, position: &Position) -> f32 {
        match self.technique.kind() {
            // SAFETY: a `Technique` of this kind is only made after the CPU was found to have AVX2 and BMI1.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            TechniqueKind::Avx2 => unsafe { avx2::points(&self.weights, position.own, position.other) },
            // SAFETY: likewise with AVX-512 F and DQ.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            TechniqueKind::Avx512 => unsafe { avx512::points(&self.weights, position.own, position.other) },
            _ => portable::forward(&self.weights, position.own, position.other).2,
        }
    }

    fn gradient(&self, position: &Position) -> [(f32, f32); 64] {
        let (first, second, _) = portable::forward(&self.weights, position.own, position.other);
        let (first, second) = (first.as_flattened(), second.as_flattened());
        let slope = |activation: f32| 1.0 - activation * activation;
        let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let last = self.weights.last.as_flattened();
        let behind: Vec<f32> = last.iter().zip(second).map(|(weight, unit)| weight * slope(*unit)).collect();
        let units = self.weights.second.iter().zip(first);
        let middle: Vec<f32> =
            units.map(|(column, unit)| product(column.as_flattened(), &behind) * slope(*unit)).collect();
        std::array::from_fn(|square| {
            let slope = product(self.weights.first[square].as_flattened(), &middle);
            (slope, -slope)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::sample::positions;
    use trilith_games::othello::squares;

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
                nudged.weights.first_bias = mlp.weights.first_bias;
                let biases = nudged.weights.first_bias.as_flattened_mut().iter_mut();
                let column = mlp.weights.first[at].as_flattened();
                biases.zip(column).for_each(|(bias, weight)| *bias += STEP * weight);
                let slope = (nudged.points(&position) - mlp.points(&position)) / STEP;
                assert!((slope - gradient[at].0).abs() < 2e-3, "{slope} {}", gradient[at].0);
            }
        }
    }
}
