//! Networks of fully joined layers over a feature set: S2's Single and Multi, S4's, and those that users make.
//!
//! A unit adds its bias and its weighted inputs and applies its layer's activation:
//! `a_i = g(w_0i + sum_j w_ji a_j)` (S2, 4.2).

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use rand::RngExt;
use trilith_base::artifact::{self, Artifact, ArtifactError, ArtifactHeader, Tensor};
use trilith_base::{Seed, words};

use crate::linear::expect_features;

/// The kind of these files.
pub const KIND: &str = "dense";
const LAYERS: &str = "layers";
const ACTIVATIONS: &str = "activations";

/// The most inputs a network may have: they lie on the stack at a leaf.
pub const MOST_INPUTS: usize = 2048;
/// The most units a layer may have, for the same reason.
pub const MOST_UNITS: usize = 512;
/// The most layers a network may have.
pub const MOST_LAYERS: usize = 8;

/// What a unit makes of its sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// The sum itself.
    Linear,
    /// 1 / (1 + e^-x), between 0 and 1.
    Logistic,
    /// Between -1 and 1.
    Tanh,
    /// The sum, but not below zero.
    Relu,
}

impl Activation {
    /// All of them with their names.
    pub const ALL: [(&'static str, Activation); 4] = [
        ("linear", Activation::Linear),
        ("logistic", Activation::Logistic),
        ("tanh", Activation::Tanh),
        ("relu", Activation::Relu),
    ];

    /// The output for a sum.
    #[inline]
    pub fn apply(self, sum: f32) -> f32 {
        match self {
            Activation::Linear => sum,
            Activation::Logistic => 1.0 / (1.0 + (-sum).exp()),
            Activation::Tanh => sum.tanh(),
            Activation::Relu => sum.max(0.0),
        }
    }

    /// The slope at a sum, from the output it led to.
    pub fn slope(self, output: f32) -> f32 {
        match self {
            Activation::Linear => 1.0,
            Activation::Logistic => output * (1.0 - output),
            Activation::Tanh => 1.0 - output * output,
            Activation::Relu => f32::from(output > 0.0),
        }
    }
}

impl fmt::Display for Activation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, _) = Activation::ALL.iter().find(|(_, this)| this == self).expect("all have names");
        f.pad(name)
    }
}

impl FromStr for Activation {
    type Err = String;

    /// The error lists what is known.
    fn from_str(text: &str) -> Result<Activation, String> {
        let known = Activation::ALL.iter().find(|(name, _)| *name == text);
        known.map(|&(_, this)| this).ok_or_else(|| words::expected(text, Activation::ALL.map(|all| all.0)))
    }
}

/// One layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// One row an input, so that inputs that are zero cost nothing.
    pub weights: Vec<f32>,
    /// One a unit.
    pub biases: Vec<f32>,
    /// Of all its units.
    pub activation: Activation,
}

impl Layer {
    fn inputs(&self) -> usize {
        self.weights.len() / self.biases.len().max(1)
    }

    #[inline]
    fn apply(&self, inputs: &[f32], into: &mut [f32]) {
        into.copy_from_slice(&self.biases);
        for (&input, row) in inputs.iter().zip(self.weights.chunks_exact(into.len())) {
            if input != 0.0 {
                for (sum, weight) in into.iter_mut().zip(row) {
                    *sum += input * weight;
                }
            }
        }
        for sum in into {
            *sum = self.activation.apply(*sum);
        }
    }
}

/// A network: layers from the inputs to the outputs, at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    layers: Vec<Layer>,
}

/// Why a shape is refused: a sentence without its subject.
pub type ShapeFault = String;

/// Inputs, units of each layer, and activations that a network can have.
pub fn check_shape(inputs: usize, units: &[usize]) -> Result<(), ShapeFault> {
    if !(1..=MOST_INPUTS).contains(&inputs) {
        return Err(format!("{inputs} inputs, expected 1 to {MOST_INPUTS}"));
    }
    if !(1..=MOST_LAYERS).contains(&units.len()) {
        return Err(format!("{} layers, expected 1 to {MOST_LAYERS}", units.len()));
    }
    match units.iter().find(|units| !(1..=MOST_UNITS).contains(*units)) {
        Some(units) => Err(format!("a layer of {units} units, expected 1 to {MOST_UNITS}")),
        None => Ok(()),
    }
}

impl Dense {
    /// A network with weights and biases drawn evenly from `-range` to `range`. Trusts [`check_shape`].
    pub fn random(inputs: usize, units: &[(usize, Activation)], range: f32, seed: Seed) -> Dense {
        let mut inputs = inputs;
        let layer = |(number, &(units, activation)): (usize, &(usize, Activation))| {
            let mut rng = seed.derive("layer", number as u64).rng();
            let mut draw = |count: usize| -> Vec<f32> {
                (0..count).map(|_| range * (2.0 * rng.random::<f32>() - 1.0)).collect()
            };
            let layer = Layer { biases: draw(units), weights: draw(inputs * units), activation };
            inputs = units;
            layer
        };
        Dense { layers: units.iter().enumerate().map(layer).collect() }
    }

    /// The layers, for those who learn.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The layers to be changed; their sizes must stay.
    pub fn layers_mut(&mut self) -> &mut [Layer] {
        &mut self.layers
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.layers[0].inputs()
    }

    /// How many outputs there are.
    pub fn outputs(&self) -> usize {
        self.layers.last().map_or(0, |layer| layer.biases.len())
    }

    /// Calls `read` with the outputs for `inputs`; nothing is allocated.
    #[inline]
    pub fn run<T>(&self, inputs: &[f32], read: impl FnOnce(&[f32]) -> T) -> T {
        let widest = self.layers.iter().map(|layer| layer.biases.len()).max().unwrap_or(0);
        match widest {
            0..=64 => self.run_within::<64, T>(inputs, read),
            _ => self.run_within::<MOST_UNITS, T>(inputs, read),
        }
    }

    #[inline]
    fn run_within<const WIDTH: usize, T>(&self, inputs: &[f32], read: impl FnOnce(&[f32]) -> T) -> T {
        let (mut from, mut into) = ([0.0; WIDTH], [0.0; WIDTH]);
        let mut width = 0;
        for (number, layer) in self.layers.iter().enumerate() {
            let inputs = if number == 0 { inputs } else { &from[..width] };
            width = layer.biases.len();
            layer.apply(inputs, &mut into[..width]);
            std::mem::swap(&mut from, &mut into);
        }
        read(&from[..width])
    }

    /// A file of this network for the feature set called `features`, with `settings` beside its shape.
    pub fn artifact(&self, game: &str, features: &str, settings: BTreeMap<String, String>) -> Artifact {
        let units = self.layers.iter().map(|layer| layer.biases.len());
        let sizes: Vec<_> = [self.inputs()].into_iter().chain(units).map(|size| size.to_string()).collect();
        let activations: Vec<_> = self.layers.iter().map(|layer| layer.activation.to_string()).collect();
        let mut header = ArtifactHeader {
            format: artifact::FORMAT,
            kind: KIND.into(),
            game: game.into(),
            features: features.into(),
            settings,
            ..ArtifactHeader::default()
        };
        header.settings.insert(LAYERS.into(), sizes.join(" "));
        header.settings.insert(ACTIVATIONS.into(), activations.join(" "));
        let mut tensors = BTreeMap::new();
        for (number, layer) in (1..).zip(&self.layers) {
            let shape = vec![layer.inputs(), layer.biases.len()];
            tensors.insert(weights_name(number), Tensor { shape, data: layer.weights.clone() });
            let shape = vec![layer.biases.len()];
            tensors.insert(biases_name(number), Tensor { shape, data: layer.biases.clone() });
        }
        Artifact { header, tensors, ..Artifact::default() }
    }

    /// The network in a file that must be for this game and feature set and have this many inputs.
    pub fn load(file: &Artifact, game: &str, features: &str, inputs: usize) -> Result<Dense, ArtifactError> {
        file.expect(KIND, game)?;
        expect_features(file, features)?;
        let setting = |key: &str| file.header.settings.get(key).map_or("", String::as_str);
        let refuse = |what: &str, expected: String| ArtifactError::Mismatch {
            what: what.into(),
            found: setting(what).into(),
            expected,
        };
        let sizes: Option<Vec<usize>> = setting(LAYERS).split(' ').map(|size| size.parse().ok()).collect();
        let sizes = sizes.ok_or_else(|| refuse(LAYERS, "sizes such as 39 30 3".into()))?;
        if sizes[0] != inputs {
            return Err(refuse(LAYERS, format!("{inputs} inputs first, as `{features}` has")));
        }
        check_shape(sizes[0], &sizes[1..]).map_err(|_| {
            refuse(LAYERS, format!("1 to {MOST_LAYERS} layers of 1 to {MOST_UNITS} units after the inputs"))
        })?;
        let activations: Result<Vec<Activation>, _> =
            setting(ACTIVATIONS).split(' ').map(str::parse).collect();
        let activations = activations.map_err(|known| refuse(ACTIVATIONS, known))?;
        if activations.len() + 1 != sizes.len() {
            return Err(refuse(ACTIVATIONS, format!("{} of them, one a layer", sizes.len() - 1)));
        }
        let layer = |(number, activation): (usize, Activation)| {
            let (inputs, units) = (sizes[number - 1], sizes[number]);
            Ok(Layer {
                weights: file.tensor(&weights_name(number), &[inputs, units])?.to_vec(),
                biases: file.tensor(&biases_name(number), &[units])?.to_vec(),
                activation,
            })
        };
        let layers: Result<_, ArtifactError> = (1..).zip(activations).map(layer).collect();
        Ok(Dense { layers: layers? })
    }
}

fn weights_name(layer: usize) -> String {
    format!("layer.{layer}.weights")
}

fn biases_name(layer: usize) -> String {
    format!("layer.{layer}.biases")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Dense {
        let hidden = Layer {
            weights: vec![1.0, -1.0, 0.5, 2.0, 0.0, -0.5],
            biases: vec![0.25, 0.0, -1.0],
            activation: Activation::Tanh,
        };
        let output =
            Layer { weights: vec![1.0, 2.0, 3.0], biases: vec![0.5], activation: Activation::Logistic };
        Dense { layers: vec![hidden, output] }
    }

    #[test]
    fn units_add_biases_and_weighted_inputs() {
        let sums = [0.25 + 3.0 + 2.0 * -2.0, -3.0, -1.0 + 1.5 - 0.5 * -2.0_f32];
        let [a, b, c] = sums.map(f32::tanh);
        let expected = 1.0 / (1.0 + (-(0.5 + a + 2.0 * b + 3.0 * c)).exp());
        let found = small().run(&[3.0, -2.0], |outputs| outputs.to_vec());
        assert!(found.len() == 1 && (found[0] - expected).abs() < 1e-6, "{found:?} {expected}");
        let wide = small().run_within::<MOST_UNITS, _>(&[3.0, -2.0], |outputs| outputs[0]);
        assert_eq!(wide, found[0]);
    }

    #[test]
    fn slopes_are_those_of_the_activations() {
        for (name, activation) in Activation::ALL {
            for sum in [-2.0, -0.3, 0.4, 1.7_f32] {
                let step = 1e-2;
                let rise = activation.apply(sum + step) - activation.apply(sum - step);
                let slope = activation.slope(activation.apply(sum));
                assert!((rise / (2.0 * step) - slope).abs() < 1e-3, "{name} at {sum}");
            }
        }
    }

    #[test]
    fn files_round_trip_and_wrong_ones_are_refused() {
        let file = small().artifact("morris", "some", BTreeMap::new());
        assert_eq!(Dense::load(&file, "morris", "some", 2).unwrap(), small());
        let refusal = |key: &str, value: &str| {
            let mut wrong = file.clone();
            wrong.header.settings.insert(key.into(), value.into());
            Dense::load(&wrong, "morris", "some", 2).unwrap_err().to_string()
        };
        assert_eq!(refusal(LAYERS, ""), "layers is ``, expected `sizes such as 39 30 3`");
        assert_eq!(refusal(LAYERS, "3 3 1"), "layers is `3 3 1`, expected `2 inputs first, as `some` has`");
        assert!(refusal(LAYERS, "2").contains("expected `1 to 8 layers of 1 to 512 units after the inputs`"));
        assert!(refusal(LAYERS, "2 4 1").starts_with("shape of tensor layer.1.weights is `[2, 3]`"));
        assert!(refusal(LAYERS, "2 3 1 1").contains("expected `3 of them, one a layer`"));
        assert!(refusal(ACTIVATIONS, "tanh sigmoid").starts_with("activations is `tanh sigmoid`, expected"));
    }
}
