//! S3's convolutional network: planes of own, other and empty squares; two layers of 3x3 filters that keep the planes
//! apart (three filters each, no activation); 300 tanh units; one output.
//!
//! Tensors: `conv.0.weight` [9, 1, 3, 3], `conv.0.bias` [9], `conv.1.weight` [9, 3, 3, 3], `conv.1.bias` [9] (both
//! with `groups=3, padding=1`), `dense.0.weight` [300, 576], `dense.0.bias` [300], `dense.2.weight` [1, 300],
//! `dense.2.bias` [1].
//!
//! Without activations the filters and the dense layer are one affine function of the board. It is multiplied out
//! when the file is read; a leaf then adds one column of 300 numbers a disc.

use trilith_base::{Artifact, ArtifactError, Seed};
use trilith_games::othello::technique::Technique;
use trilith_games::othello::{Position, squares};

use super::{ReversiNetwork, filled, read};
use crate::activation::{dot, tanh_all};

/// The kind in headers.
pub const KIND: &str = "cnn";
const HIDDEN: usize = 300;
/// The hidden layer filled up to whole vectors.
const WIDE: usize = 304;
const MAPS: usize = 9;
const PER_PLANE: usize = 3;
const LAYERS: [(&str, &[usize]); 8] = [
    ("conv.0.weight", &[MAPS, 1, 3, 3]),
    ("conv.0.bias", &[MAPS]),
    ("conv.1.weight", &[MAPS, PER_PLANE, 3, 3]),
    ("conv.1.bias", &[MAPS]),
    ("dense.0.weight", &[HIDDEN, MAPS * 64]),
    ("dense.0.bias", &[HIDDEN]),
    ("dense.2.weight", &[1, HIDDEN]),
    ("dense.2.bias", &[1]),
];

/// The network with filters and dense layer multiplied out.
#[derive(Clone, Debug)]
pub struct Cnn {
    technique: Technique,
    weights: Weights,
}

#[derive(Clone, Debug)]
struct Weights {
    /// What an own disc on each square adds to the empty board.
    own: Vec<[f32; WIDE]>,
    other: Vec<[f32; WIDE]>,
    empty_board: [f32; WIDE],
    last: [f32; WIDE],
    last_bias: f32,
}

type Planes = [[f32; 64]; 3];

impl Cnn {
    /// An untrained file.
    pub fn fresh(seed: Seed) -> Artifact {
        super::fresh(KIND, &LAYERS, seed)
    }

    /// Reads a file with the tensors named above; takes some milliseconds.
    pub fn from_artifact(artifact: &Artifact) -> Result<Cnn, ArtifactError> {
        let [filters, filter_bias, filters2, filter_bias2, dense, dense_bias, last, last_bias] =
            read(artifact, KIND, LAYERS)?;
        let affine = |planes: &Planes, biased: bool| -> [f32; WIDE] {
            let maps = convolve(&planes_as_maps(planes), filters, filter_bias, 1, biased);
            let maps = convolve(&maps, filters2, filter_bias2, PER_PLANE, biased);
            let unit = |unit: usize| {
                let row = dense[unit * MAPS * 64..][..MAPS * 64].iter();
                let sum: f32 = row.zip(maps.as_flattened()).map(|(weight, input)| weight * input).sum();
                sum + if biased { dense_bias[unit] } else { 0.0 }
            };
            std::array::from_fn(|at| if at < HIDDEN { unit(at) } else { 0.0 })
        };
        let change = |plane: usize| {
            let disc = |square: usize| {
                let mut planes = [[0.0; 64]; 3];
                planes[plane][square] = 1.0;
                planes[2][square] = -1.0;
                affine(&planes, false)
            };
            (0..64).map(disc).collect()
        };
        let weights = Weights {
            own: change(0),
            other: change(1),
            empty_board: affine(&[[0.0; 64], [0.0; 64], [1.0; 64]], true),
            last: filled(last),
            last_bias: last_bias[0],
        };
        Ok(Cnn { technique: Technique::best(), weights })
    }
}

fn planes_as_maps(planes: &Planes) -> [[f32; 64]; MAPS] {
    std::array::from_fn(|map| if map < 3 { planes[map] } else { [0.0; 64] })
}

/// Three filters a plane over the `depth` maps of that plane, with a margin of zeros.
fn convolve(
    maps: &[[f32; 64]; MAPS],
    filters: &[f32],
    bias: &[f32],
    depth: usize,
    biased: bool,
) -> [[f32; 64]; MAPS] {
    std::array::from_fn(|filter| {
        let plane = filter / PER_PLANE;
        let mut sums = [if biased { bias[filter] } else { 0.0 }; 64];
        for map in 0..depth {
            let weights = &filters[(filter * depth + map) * 9..][..9];
            add_filtered(&mut sums, &maps[plane * depth + map], weights);
        }
        sums
    })
}

fn add_filtered(sums: &mut [f32; 64], map: &[f32; 64], weights: &[f32]) {
    for (square, sum) in sums.iter_mut().enumerate() {
        for (at, weight) in weights.iter().enumerate() {
            let (row, column) = (square / 8 + at / 3, square % 8 + at % 3);
            if (1..=8).contains(&row) && (1..=8).contains(&column) {
                *sum += weight * map[(row - 1) * 8 + column - 1];
            }
        }
    }
}

trilith_games::per_technique! {
    /// The activations of the hidden layer and the output.
    fn forward(weights: &Weights, own: u64, other: u64) -> ([f32; WIDE], f32) {
        let mut hidden = weights.empty_board;
        for square in squares(own) {
            let column = &weights.own[usize::from(square) & 63];
            hidden.iter_mut().zip(column).for_each(|(sum, weight)| *sum += weight);
        }
        for square in squares(other) {
            let column = &weights.other[usize::from(square) & 63];
            hidden.iter_mut().zip(column).for_each(|(sum, weight)| *sum += weight);
        }
        tanh_all(&mut hidden);
        let last = dot(&hidden, &weights.last) + weights.last_bias;
        (hidden, last)
    }
}

impl ReversiNetwork for Cnn {
    fn points(&self, position: &Position) -> f32 {
        let (weights, own, other) = (&self.weights, position.own, position.other);
        trilith_games::with_technique!(self.technique, forward(weights, own, other)).1
    }

    /// Against the empty square, as that is what a disc replaces.
    fn gradient(&self, position: &Position) -> [(f32, f32); 64] {
        let (hidden, _) = portable::forward(&self.weights, position.own, position.other);
        let slopes: [f32; WIDE] =
            std::array::from_fn(|unit| self.weights.last[unit] * (1.0 - hidden[unit] * hidden[unit]));
        let along =
            |column: &[f32; WIDE]| column.iter().zip(&slopes).map(|(weight, slope)| weight * slope).sum();
        std::array::from_fn(|square| (along(&self.weights.own[square]), along(&self.weights.other[square])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::sample::positions;

    /// Layer by layer with the tensors as in the file, index by index.
    fn slowly(artifact: &Artifact, position: &Position) -> f32 {
        let tensor = |name: &str| &artifact.tensors[name].data;
        let planes = [position.own, position.other, position.empties()];
        let at = |maps: &[f32], map: usize, row: i32, column: i32| match (0..8).contains(&row)
            && (0..8).contains(&column)
        {
            true => maps[map * 64 + (row * 8 + column) as usize],
            false => 0.0,
        };
        let inputs: Vec<f32> =
            planes.iter().flat_map(|plane| (0..64).map(move |square| (plane >> square & 1) as f32)).collect();
        let layer = |inputs: &[f32], weights: &[f32], bias: &[f32], depth: usize| -> Vec<f32> {
            let mut out = Vec::new();
            for (filter, bias) in bias.iter().enumerate() {
                for square in 0..64_i32 {
                    let mut sum = *bias;
                    for map in 0..depth {
                        for row in 0..3_i32 {
                            for column in 0..3_i32 {
                                let weight = weights
                                    [((filter * depth + map) * 3 + row as usize) * 3 + column as usize];
                                let from = filter / 3 * depth + map;
                                sum +=
                                    weight * at(inputs, from, square / 8 + row - 1, square % 8 + column - 1);
                            }
                        }
                    }
                    out.push(sum);
                }
            }
            out
        };
        let maps = layer(&inputs, tensor("conv.0.weight"), tensor("conv.0.bias"), 1);
        let maps = layer(&maps, tensor("conv.1.weight"), tensor("conv.1.bias"), 3);
        let rows = tensor("dense.0.weight").chunks(576).zip(tensor("dense.0.bias"));
        let hidden =
            rows.map(|(row, bias)| (row.iter().zip(&maps).map(|(w, x)| w * x).sum::<f32>() + bias).tanh());
        hidden.zip(tensor("dense.2.weight")).map(|(unit, weight)| unit * weight).sum::<f32>()
            + tensor("dense.2.bias")[0]
    }

    #[test]
    fn multiplied_out_it_is_the_network_layer_by_layer() {
        let artifact = Cnn::fresh(Seed(5));
        let cnn = Cnn::from_artifact(&artifact).unwrap();
        for position in positions(Seed(3), 60) {
            let points = cnn.points(&position);
            assert!((points - slowly(&artifact, &position)).abs() < 1e-4);
            for technique in Technique::available() {
                assert_eq!(Cnn { technique, ..cnn.clone() }.points(&position), points, "{technique}");
            }
        }
    }

    #[test]
    fn files_are_refused_with_the_reason() {
        let mut artifact = Cnn::fresh(Seed(5));
        artifact.tensors.get_mut("conv.1.weight").unwrap().shape = vec![9, 9, 3, 3];
        assert_eq!(
            Cnn::from_artifact(&artifact).unwrap_err().to_string(),
            "shape of tensor conv.1.weight is `[9, 9, 3, 3]`, expected `[9, 3, 3, 3]`"
        );
        artifact.header.kind = "mlp".into();
        assert_eq!(Cnn::from_artifact(&artifact).unwrap_err().to_string(), "kind is `mlp`, expected `cnn`");
    }
}
