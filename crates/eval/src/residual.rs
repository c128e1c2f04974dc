//! Residual networks with a policy and a value, such as `examples/python/selfplay.py` trains: asked on the CPU.
//!
//! An artifact of the kind `residual` has PyTorch's tensors under PyTorch's names, in its order: `stem`, `body.0` ...,
//! `narrow`, `policy`, `value`, and `scale`, by which each plane of an observation is divided. Normalisation is folded into
//! the convolutions when the file is read.
#![allow(unsafe_code)]

use trilith_base::{Artifact, ArtifactError};
use trilith_games::Game;

/// The kind of its artifacts.
pub const KIND: &str = "residual";

/// What PyTorch adds to variances.
const EPSILON: f32 = 1e-5;

/// A network that is ready to be asked.
#[derive(Clone, Debug)]
pub struct Residual {
    planes: usize,
    rows: usize,
    columns: usize,
    scale: Vec<f32>,
    stem: Convolution,
    blocks: Vec<[Convolution; 2]>,
    narrow: Convolution,
    policy: Dense,
    value: [Dense; 2],
}

/// A convolution with its normalisation: weights by output, then by input, row and column.
#[derive(Clone, Debug)]
struct Convolution {
    inputs: usize,
    outputs: usize,
    /// 1 or 3.
    width: usize,
    weights: Vec<f32>,
    bias: Vec<f32>,
}

/// A layer that sees everything: weights by output, then by input.
#[derive(Clone, Debug)]
struct Dense {
    inputs: usize,
    weights: Vec<f32>,
    bias: Vec<f32>,
}

/// The most channels and blocks that are believed: a hostile file cannot fill the memory.
const MOST: usize = 1024;

impl Residual {
    /// Reads a network for the game `G`.
    pub fn read<G: Game>(artifact: &Artifact) -> Result<Residual, ArtifactError> {
        artifact.expect(KIND, G::NAME)?;
        let [planes, rows, columns] = G::OBSERVATION;
        let outputs = |name: &str| {
            let tensor = artifact.tensors.get(name);
            let tensor = tensor.ok_or_else(|| ArtifactError::Missing { name: name.into() })?;
            Ok::<_, ArtifactError>(tensor.shape.first().copied().unwrap_or(0).min(MOST))
        };
        let channels = outputs("stem.0.weight")?;
        let narrow = outputs("narrow.0.weight")?;
        let hidden = outputs("value.0.weight")?;
        let has_block =
            |number: &usize| artifact.tensors.contains_key(&format!("body.{number}.first.weight"));
        let block = |number: usize| {
            let part = |part: &str, norm: usize| {
                let at = format!("body.{number}");
                let names = (format!("{at}.{part}.weight"), format!("{at}.norms.{norm}"));
                Convolution::read(artifact, &names.0, &names.1, channels, channels, 3)
            };
            Ok::<_, ArtifactError>([part("first", 0)?, part("second", 1)?])
        };
        let seen = narrow * rows * columns;
        Ok(Residual {
            planes,
            rows,
            columns,
            scale: artifact.tensor("scale", &[1, planes, 1, 1])?.to_vec(),
            stem: Convolution::read(artifact, "stem.0.weight", "stem.1", planes, channels, 3)?,
            blocks: (0..MOST).take_while(has_block).map(block).collect::<Result<_, _>>()?,
            narrow: Convolution::read(artifact, "narrow.0.weight", "narrow.1", channels, narrow, 1)?,
            policy: Dense::read(artifact, "policy", seen, G::ACTIONS)?,
            value: [
                Dense::read(artifact, "value.0", seen, hidden)?,
                Dense::read(artifact, "value.2", hidden, 1)?,
            ],
        })
    }

    /// Logits of all actions and a value from -1 to 1 for each of the observations, which stand one after the other.
    pub fn evaluate(&self, observations: &[u8]) -> (Vec<f32>, Vec<f32>) {
        let size = self.planes * self.rows * self.columns;
        let (mut logits, mut values) = (Vec::new(), Vec::new());
        let mut scratch = Vec::new();
        for observation in observations.chunks_exact(size) {
            let seen = self.body(observation, &mut scratch);
            logits.extend(self.policy.apply(&seen));
            let mut hidden = self.value[0].apply(&seen);
            hidden.iter_mut().for_each(|x| *x = x.max(0.0));
            values.push(self.value[1].apply(&hidden)[0].tanh());
        }
        (logits, values)
    }

    /// Everything before the two heads.
    fn body(&self, observation: &[u8], scratch: &mut Vec<f32>) -> Vec<f32> {
        let places = self.rows * self.columns;
        let planes = observation.chunks_exact(places).zip(&self.scale);
        let input: Vec<f32> = planes
            .flat_map(|(plane, scale)| plane.iter().map(move |&byte| f32::from(byte) / scale))
            .collect();
        let shape = (self.rows, self.columns);
        let mut x = self.stem.apply(&input, shape, scratch);
        rectify(&mut x);
        for [first, second] in &self.blocks {
            let mut y = first.apply(&x, shape, scratch);
            rectify(&mut y);
            let y = second.apply(&y, shape, scratch);
            x.iter_mut().zip(y).for_each(|(x, y)| *x += y);
            rectify(&mut x);
        }
        let mut seen = self.narrow.apply(&x, shape, scratch);
        rectify(&mut seen);
        seen
    }
}

fn rectify(numbers: &mut [f32]) {
    numbers.iter_mut().for_each(|x| *x = x.max(0.0));
}

impl Convolution {
    fn read(
        artifact: &Artifact,
        weights: &str,
        norm: &str,
        inputs: usize,
        outputs: usize,
        width: usize,
    ) -> Result<Convolution, ArtifactError> {
        let kernel = inputs * width * width;
        let mut weights = artifact.tensor(weights, &[outputs, inputs, width, width])?.to_vec();
        let of = |part: &str| artifact.tensor(&format!("{norm}.{part}"), &[outputs]);
        let (scale, shift, mean, variance) =
            (of("weight")?, of("bias")?, of("running_mean")?, of("running_var")?);
        let mut bias = vec![0.0; outputs];
        for output in 0..outputs {
            let factor = scale[output] / (variance[output] + EPSILON).sqrt();
            weights[output * kernel..][..kernel].iter_mut().for_each(|weight| *weight *= factor);
            bias[output] = shift[output] - mean[output] * factor;
        }
        Ok(Convolution { inputs, outputs, width, weights, bias })
    }

    /// The outputs' planes for the inputs' planes.
    fn apply(&self, input: &[f32], (rows, columns): (usize, usize), scratch: &mut Vec<f32>) -> Vec<f32> {
        let places = rows * columns;
        let mut output: Vec<f32> =
            self.bias.iter().flat_map(|&bias| std::iter::repeat_n(bias, places)).collect();
        let patches = match self.width {
            1 => input,
            _ => {
                unfold(input, self.inputs, rows, columns, scratch);
                &scratch[..]
            }
        };
        add_product(
            &self.weights,
            patches,
            self.outputs,
            self.inputs * self.width * self.width,
            places,
            &mut output,
        );
        output
    }
}

/// For every input plane its nine shifted copies, with zeros from beyond the edge.
fn unfold(input: &[f32], planes: usize, rows: usize, columns: usize, into: &mut Vec<f32>) {
    into.clear();
    into.resize(planes * 9 * rows * columns, 0.0);
    let copies = into.chunks_exact_mut(rows * columns);
    for (number, copy) in copies.enumerate() {
        let (plane, shift) = (&input[number / 9 * rows * columns..][..rows * columns], number % 9);
        let (down, right) = (shift / 3, shift % 3);
        for row in 0..rows {
            let Some(from) = (row + down).checked_sub(1).filter(|&from| from < rows) else { continue };
            let (start, end) = (1_usize.saturating_sub(right), columns.min(columns + 1 - right));
            let source = &plane[from * columns + start + right - 1..from * columns + end + right - 1];
            copy[row * columns + start..row * columns + end].copy_from_slice(source);
        }
    }
}

/// Adds the product of two matrices, both row by row, `a` of `m` x `k` and `b` of `k` x `n`.
fn add_product(a: &[f32], b: &[f32], m: usize, k: usize, n: usize, into: &mut [f32]) {
    assert!(a.len() == m * k && b.len() == k * n && into.len() == m * n, "shapes fit");
    let (stride_a, stride_n) = (k as isize, n as isize);
    // SAFETY: the three slices have just been found to be as long as their shapes and strides say.
    unsafe {
        let (a, b, into) = (a.as_ptr(), b.as_ptr(), into.as_mut_ptr());
        matrixmultiply::sgemm(m, k, n, 1.0, a, stride_a, 1, b, stride_n, 1, 1.0, into, stride_n, 1);
    }
}

impl Dense {
    fn read(artifact: &Artifact, name: &str, inputs: usize, outputs: usize) -> Result<Dense, ArtifactError> {
        let weights = artifact.tensor(&format!("{name}.weight"), &[outputs, inputs])?.to_vec();
        let bias = artifact.tensor(&format!("{name}.bias"), &[outputs])?.to_vec();
        Ok(Dense { inputs, weights, bias })
    }

    fn apply(&self, input: &[f32]) -> Vec<f32> {
        let mut output = self.bias.clone();
        add_product(&self.weights, input, output.len(), self.inputs, 1, &mut output);
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use trilith_base::artifact::{ArtifactHeader, FORMAT, Tensor};
    use trilith_base::seed::mix;
    use trilith_games::othello::Othello;

    /// A small network with fixed, uneven numbers.
    fn artifact() -> Artifact {
        let mut tensors = BTreeMap::new();
        let mut word = 1;
        let mut put = |name: &str, shape: &[usize]| {
            let is_variance = name.ends_with("running_var");
            let draw = || {
                word = mix(word);
                let number = (word >> 40) as f32 / (1 << 24) as f32;
                if is_variance { number + 0.5 } else { number - 0.5 }
            };
            let data = std::iter::repeat_with(draw).take(shape.iter().product()).collect();
            tensors.insert(name.to_owned(), Tensor { shape: shape.to_vec(), data });
        };
        let mut norm = |name: &str, size: usize| {
            for part in ["weight", "bias", "running_mean", "running_var"] {
                put(&format!("{name}.{part}"), &[size]);
            }
        };
        norm("stem.1", 4);
        norm("body.0.norms.0", 4);
        norm("body.0.norms.1", 4);
        norm("narrow.1", 2);
        put("stem.0.weight", &[4, 3, 3, 3]);
        put("body.0.first.weight", &[4, 4, 3, 3]);
        put("body.0.second.weight", &[4, 4, 3, 3]);
        put("narrow.0.weight", &[2, 4, 1, 1]);
        put("policy.weight", &[65, 128]);
        put("policy.bias", &[65]);
        put("value.0.weight", &[8, 128]);
        put("value.0.bias", &[8]);
        put("value.2.weight", &[1, 8]);
        put("value.2.bias", &[1]);
        put("scale", &[1, 3, 1, 1]);
        let header = ArtifactHeader {
            format: FORMAT,
            kind: KIND.into(),
            game: "othello".into(),
            ..ArtifactHeader::default()
        };
        Artifact { header, tensors, ..Artifact::default() }
    }

    /// A convolution by its definition, then its normalisation.
    fn convolved(artifact: &Artifact, weights: &str, norm: &str, input: &[Vec<f32>]) -> Vec<Vec<f32>> {
        let of = |name: &str| &artifact.tensors[name].data;
        let part = |part: &str| of(&format!("{norm}.{part}"));
        let shape = &artifact.tensors[weights].shape;
        let half = shape[2] as i32 / 2;
        let output = |output: usize| {
            let place = |place: i32| {
                let mut sum = 0.0;
                for (number, weight) in of(weights)[output * shape[1..].iter().product::<usize>()..]
                    .iter()
                    .take(shape[1..].iter().product())
                    .enumerate()
                {
                    let (channel, shift) =
                        (number / (shape[2] * shape[3]), (number % (shape[2] * shape[3])) as i32);
                    let row = place / 8 + shift / shape[3] as i32 - half;
                    let column = place % 8 + shift % shape[3] as i32 - half;
                    if (0..8).contains(&row) && (0..8).contains(&column) {
                        sum += weight * input[channel][(8 * row + column) as usize];
                    }
                }
                let normal =
                    (sum - part("running_mean")[output]) / (part("running_var")[output] + 1e-5).sqrt();
                normal * part("weight")[output] + part("bias")[output]
            };
            (0..64).map(place).collect()
        };
        (0..shape[0]).map(output).collect()
    }

    #[test]
    fn the_network_is_what_its_tensors_say() {
        let artifact = artifact();
        let network = Residual::read::<Othello>(&artifact).unwrap();
        let observation: Vec<u8> = (0..192).map(|at| u8::from(mix(at).is_multiple_of(3))).collect();
        let relu = |planes: Vec<Vec<f32>>| -> Vec<Vec<f32>> {
            planes.into_iter().map(|plane| plane.into_iter().map(|x| x.max(0.0)).collect()).collect()
        };
        let scale = &artifact.tensors["scale"].data;
        let input: Vec<Vec<f32>> = (0..3)
            .map(|plane| {
                observation[64 * plane..][..64].iter().map(|&x| f32::from(x) / scale[plane]).collect()
            })
            .collect();
        let x = relu(convolved(&artifact, "stem.0.weight", "stem.1", &input));
        let y = relu(convolved(&artifact, "body.0.first.weight", "body.0.norms.0", &x));
        let y = convolved(&artifact, "body.0.second.weight", "body.0.norms.1", &y);
        let sum = x.iter().zip(&y).map(|(x, y)| x.iter().zip(y).map(|(x, y)| x + y).collect()).collect();
        let seen: Vec<f32> = relu(convolved(&artifact, "narrow.0.weight", "narrow.1", &relu(sum)))
            .into_iter()
            .flatten()
            .collect();
        let dense = |name: &str, input: &[f32]| -> Vec<f32> {
            let (weights, bias) = (
                &artifact.tensors[&format!("{name}.weight")].data,
                &artifact.tensors[&format!("{name}.bias")].data,
            );
            let rows = weights.chunks_exact(input.len()).zip(bias);
            rows.map(|(row, bias)| bias + row.iter().zip(input).map(|(w, x)| w * x).sum::<f32>()).collect()
        };
        let (logits, values) = network.evaluate(&[&observation[..], &observation[..]].concat());
        let expected = dense("policy", &seen);
        assert_eq!((logits.len(), values.len()), (130, 2));
        for (logit, expected) in logits.iter().zip(expected.iter().chain(&expected)) {
            assert!((logit - expected).abs() < 1e-4 * expected.abs().max(1.0), "{logit} {expected}");
        }
        let hidden: Vec<f32> = dense("value.0", &seen).into_iter().map(|x| x.max(0.0)).collect();
        let value = dense("value.2", &hidden)[0].tanh();
        assert!((values[0] - value).abs() < 1e-4 && values[0] == values[1]);
    }

    #[test]
    fn files_that_do_not_fit_are_refused() {
        let fault = |change: &dyn Fn(&mut Artifact)| {
            let mut changed = artifact();
            change(&mut changed);
            Residual::read::<Othello>(&changed).unwrap_err().to_string()
        };
        assert!(fault(&|file| file.header.game = "morris".into()).contains("game is `morris`"));
        assert!(fault(&|file| drop(file.tensors.remove("policy.bias"))).contains("no tensor `policy.bias`"));
        let shape = |file: &mut Artifact| file.tensors.get_mut("narrow.1.bias").unwrap().shape = vec![1, 2];
        assert!(fault(&shape).contains("shape of tensor narrow.1.bias is `[1, 2]`"));
    }
}
