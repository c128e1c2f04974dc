//! Perceptrons of other shapes than the one S3 settled on: its 128, 96 and 64 units (5.3.1), ReLU instead of tanh (5.2), or
//! 300 units alone, which is what its convolutional network is with one plane, having nothing between its linear layers.
//!
//! Files are those of [`Mlp`] with the settings `hidden` (units of the hidden layers) and `activation`.

use trilith_base::{Artifact, ArtifactError};
use trilith_games::Game;
use trilith_games::othello::{Othello, Position};

use super::{Mlp, ReversiNetwork};
use crate::dense::{Activation, check_shape};

/// The setting with the units of the hidden layers, apart by spaces; S3's shape where it is missing.
pub const HIDDEN: &str = "hidden";
/// The setting with their activation.
pub const ACTIVATION: &str = "activation";

/// A perceptron of any shape.
#[derive(Clone, Debug)]
pub enum Perceptron {
    /// S3's, fast.
    Published(Box<Mlp>),
    /// Of the shape that its file names.
    Shaped(ShapedPerceptron),
}

impl Perceptron {
    /// Reads a file of either.
    pub fn from_artifact(artifact: &Artifact) -> Result<Perceptron, ArtifactError> {
        Ok(match ShapedPerceptron::from_artifact(artifact)? {
            Some(shaped) => Perceptron::Shaped(shaped),
            None => Perceptron::Published(Box::new(Mlp::from_artifact(artifact)?)),
        })
    }
}

impl ReversiNetwork for Perceptron {
    fn points(&self, position: &Position) -> f32 {
        match self {
            Perceptron::Published(mlp) => mlp.points(position),
            Perceptron::Shaped(shaped) => shaped.run(position).last().map_or(0.0, |last| last[0]),
        }
    }

    fn gradient(&self, position: &Position) -> [(f32, f32); 64] {
        match self {
            Perceptron::Published(mlp) => mlp.gradient(position),
            Perceptron::Shaped(shaped) => shaped.gradient(position),
        }
    }
}

/// A perceptron whose file names its shape.
#[derive(Clone, Debug)]
pub struct ShapedPerceptron {
    layers: Vec<PerceptronLayer>,
}

/// One layer, a row of weights a unit.
#[derive(Clone, Debug)]
struct PerceptronLayer {
    weights: Vec<f32>,
    biases: Vec<f32>,
    activation: Activation,
}

impl PerceptronLayer {
    fn apply(&self, inputs: &[f32]) -> Vec<f32> {
        let rows = self.weights.chunks_exact(inputs.len());
        let sum =
            |(row, bias): (&[f32], &f32)| row.iter().zip(inputs).map(|(w, x)| w * x).sum::<f32>() + bias;
        rows.zip(&self.biases).map(sum).map(|sum| self.activation.apply(sum)).collect()
    }

    /// Derivatives by the inputs from those by the outputs.
    fn back(&self, outputs: &[f32], by_outputs: &[f32], inputs: usize) -> Vec<f32> {
        let mut by_inputs = vec![0.0; inputs];
        for ((row, output), by) in self.weights.chunks_exact(inputs).zip(outputs).zip(by_outputs) {
            let by_sum = by * self.activation.slope(*output);
            by_inputs.iter_mut().zip(row).for_each(|(sum, weight)| *sum += by_sum * weight);
        }
        by_inputs
    }
}

impl ShapedPerceptron {
    /// Reads a file that says its shape; none if it does not.
    fn from_artifact(artifact: &Artifact) -> Result<Option<ShapedPerceptron>, ArtifactError> {
        artifact.expect("mlp", Othello::NAME)?;
        let setting = |key: &str| artifact.header.settings.get(key).map(String::as_str);
        let Some(hidden) = setting(HIDDEN) else { return Ok(None) };
        let refuse = |what: &str, expected: String| ArtifactError::Mismatch {
            what: what.into(),
            found: setting(what).unwrap_or_default().into(),
            expected,
        };
        let units: Result<Vec<usize>, _> = hidden.split_whitespace().map(str::parse).collect();
        let mut units = units.map_err(|_| refuse(HIDDEN, "units such as 128 96 64".into()))?;
        units.push(1);
        check_shape(64, &units).map_err(|fault| refuse(HIDDEN, fault))?;
        let activation = setting(ACTIVATION).unwrap_or("tanh").parse();
        let activation: Activation = activation.map_err(|known| refuse(ACTIVATION, known))?;
        let (mut layers, mut inputs) = (Vec::new(), 64);
        for (number, &count) in units.iter().enumerate() {
            let name = |what: &str| format!("layers.{}.{what}", 2 * number);
            layers.push(PerceptronLayer {
                weights: artifact.tensor(&name("weight"), &[count, inputs])?.to_vec(),
                biases: artifact.tensor(&name("bias"), &[count])?.to_vec(),
                activation: if number + 1 == units.len() { Activation::Linear } else { activation },
            });
            inputs = count;
        }
        Ok(Some(ShapedPerceptron { layers }))
    }

    /// What each layer says of a board, the board itself first.
    fn run(&self, position: &Position) -> Vec<Vec<f32>> {
        let square = |at: u32| (position.own >> at & 1) as f32 - (position.other >> at & 1) as f32;
        let mut outputs = vec![(0..64).map(square).collect::<Vec<f32>>()];
        for layer in &self.layers {
            outputs.push(layer.apply(&outputs[outputs.len() - 1]));
        }
        outputs
    }

    /// Derivatives of the points by own and by other discs.
    fn gradient(&self, position: &Position) -> [(f32, f32); 64] {
        let outputs = self.run(position);
        let mut by = vec![1.0];
        for (number, layer) in self.layers.iter().enumerate().rev() {
            by = layer.back(&outputs[number + 1], &by, outputs[number].len());
        }
        std::array::from_fn(|square| (by[square], -by[square]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::sample::positions;
    use trilith_base::Seed;
    use trilith_games::othello::squares;

    fn published() -> Artifact {
        Mlp::fresh(Seed(5))
    }

    /// The same file, which now says what shape it has.
    fn said() -> Artifact {
        let mut artifact = published();
        artifact.header.settings.insert(HIDDEN.into(), "96 34".into());
        artifact
    }

    #[test]
    fn a_shape_that_is_named_plays_as_the_published_one() {
        let [fast, slow] = [published(), said()].map(|file| Perceptron::from_artifact(&file).unwrap());
        assert!(matches!((&fast, &slow), (Perceptron::Published(_), Perceptron::Shaped(_))));
        for position in positions(Seed(8), 40) {
            assert!((fast.points(&position) - slow.points(&position)).abs() < 1e-3);
            let (one, two) = (fast.gradient(&position), slow.gradient(&position));
            for square in squares(position.own).map(usize::from) {
                assert!((one[square].0 - two[square].0).abs() < 1e-4, "{:?} {:?}", one[square], two[square]);
            }
        }
    }

    #[test]
    fn a_shape_that_the_tensors_do_not_have_is_refused() {
        let refused = |key: &str, text: &str| {
            let mut artifact = said();
            artifact.header.settings.insert(key.into(), text.into());
            Perceptron::from_artifact(&artifact).unwrap_err().to_string()
        };
        assert!(refused(HIDDEN, "128 96 64").contains("layers.0.weight"), "{}", refused(HIDDEN, "128 96 64"));
        assert!(refused(HIDDEN, "many").contains("128 96 64"));
        assert!(refused(ACTIVATION, "step").contains("relu"));
    }
}
