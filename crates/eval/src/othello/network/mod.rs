//! S3's networks: a multilayer perceptron and a convolutional network, inference only.
//!
//! Both see the board from the side to move and expect the points (0 to 64, empty squares to the winner) of the side
//! that is *not* to move, `p`; the value here is `64 - 2 p` discs for the side to move. Neither is symmetric; those
//! trained on canonical positions alone (setting `form` is `canonical`) are asked about the canonical image.
//!
//! Files hold tensors as PyTorch names and shapes them. Sums run in the same order for every CPU technique, without
//! fused operations, so that all give the same bits.

mod canonical;
mod cnn;
mod mlp;
mod perceptron;

pub use canonical::{CANONICAL, Canonical, FORM, SMALLEST_ROWS, SmallestRows, form};
pub use cnn::Cnn;
pub use mlp::Mlp;
pub use perceptron::{ACTIVATION, HIDDEN, Perceptron, ShapedPerceptron};

use std::collections::BTreeMap;
use std::path::Path;

use rand::RngExt;
use trilith_base::artifact::{ArtifactHeader, FORMAT, Tensor};
use trilith_base::{Artifact, ArtifactError, Seed};
use trilith_games::othello::{Othello, Position, square_name, squares};
use trilith_games::{Game, Outcome};

use crate::catalogue::LeafEvaluator;
use crate::evaluator::{Unit, Value};
use crate::explanation::{Explanation, Term};

/// The value of one disc.
pub const ONE: Value = 100;
const UNIT: Unit = Unit { name: "discs", one: ONE };

/// A network that expects the points of the side not to move.
pub trait ReversiNetwork: Send + Sync {
    /// The points expected, as the network says: about 0 to 64.
    fn points(&self, position: &Position) -> f32;

    /// The derivative of the points by the content of each square: by its own disc and by the other side's.
    fn gradient(&self, position: &Position) -> [(f32, f32); 64];

    /// Whether symmetric positions are sure to get equal points.
    fn is_symmetric(&self) -> bool {
        false
    }
}

/// The value for the side to move in discs.
fn discs(points: f32) -> f32 {
    64.0 - 2.0 * points
}

impl<N: ReversiNetwork> LeafEvaluator<Othello> for N {
    fn unit(&self) -> Unit {
        UNIT
    }

    fn value(&self, _: &Othello, position: &Position) -> Value {
        (discs(self.points(position)) * ONE as f32).round().clamp(-MOST, MOST) as Value
    }

    fn ended(&self, game: &Othello, position: &Position, _: Outcome) -> Value {
        game.margin(position) * ONE
    }

    /// Each disc adds its input times the derivative there; `rest` is what that leaves, so the sum is exact.
    fn explain(&self, _: &Othello, position: &Position) -> Explanation {
        let gradient = self.gradient(position);
        let mut cells = vec![0.0; 64];
        let mut terms = Vec::new();
        for square in squares(!position.empties()) {
            let (own, other) = gradient[usize::from(square)];
            let (side, slope) = match position.own >> square & 1 {
                1 => ("own", own),
                _ => ("other", other),
            };
            let worth = -2.0 * f64::from(slope);
            cells[usize::from(square)] = worth;
            terms.push(Term::weighted(format!("{side} disc on {}", square_name(square)), 1.0, worth));
        }
        let total = f64::from(discs(self.points(position)));
        let rest = total - terms.iter().map(|term| term.contribution).sum::<f64>();
        terms.push(Term::weighted("rest", 1.0, rest));
        Explanation { cells, total, ..Explanation::sum(UNIT.name, terms) }
    }

    fn outputs(&self, _: &Othello, position: &Position) -> Vec<(&'static str, f64)> {
        vec![("points of the other side", f64::from(self.points(position)))]
    }

    fn is_symmetric(&self) -> bool {
        ReversiNetwork::is_symmetric(self)
    }
}

/// Networks may say anything before they are trained; search wants values far from won games.
const MOST: f32 = 1000.0 * ONE as f32;

/// A vector filled up with zeros.
fn filled<const LENGTH: usize>(numbers: &[f32]) -> [f32; LENGTH] {
    std::array::from_fn(|at| numbers.get(at).copied().unwrap_or(0.0))
}

/// The file of a network, ours or one that PyTorch wrote: with the names of a module that has its layers in a field, or
/// of a bare `nn.Sequential` (`0.weight`), as far as that says which layer is meant.
pub fn load(kind: &str, path: &Path) -> Result<Artifact, ArtifactError> {
    let mut artifact = Artifact::load_plain(path, header(kind))?;
    let bare = |name: &String| name.starts_with(|letter: char| letter.is_ascii_digit());
    if kind == mlp::KIND {
        let tensors = std::mem::take(&mut artifact.tensors).into_iter();
        let named = |(name, tensor)| (if bare(&name) { format!("layers.{name}") } else { name }, tensor);
        artifact.tensors = tensors.map(named).collect();
    }
    Ok(artifact)
}

fn header(kind: &str) -> ArtifactHeader {
    ArtifactHeader {
        format: FORMAT,
        kind: kind.into(),
        game: Othello::NAME.into(),
        features: "squares".into(),
        ..ArtifactHeader::default()
    }
}

/// Layers as PyTorch begins with them: weights and biases drawn evenly within one by the root of the inputs.
fn fresh(kind: &str, layers: &[(&str, &[usize])], seed: Seed) -> Artifact {
    let mut rng = seed.rng();
    let header = ArtifactHeader {
        provenance: BTreeMap::from([
            ("seed".into(), seed.to_string()),
            ("source".into(), "untrained".into()),
        ]),
        ..header(kind)
    };
    let mut artifact = Artifact { header, ..Artifact::default() };
    for pair in layers.chunks_exact(2) {
        let inputs: usize = pair[0].1[1..].iter().product();
        let bound = 1.0 / (inputs as f32).sqrt();
        for (name, shape) in pair {
            let data = (0..shape.iter().product()).map(|_| rng.random_range(-bound..bound)).collect();
            artifact.tensors.insert((*name).into(), Tensor { shape: shape.to_vec(), data });
        }
    }
    artifact
}

/// Refuses files of another kind and reads the tensors that a network names.
fn read<'a, const N: usize>(
    artifact: &'a Artifact,
    kind: &str,
    layers: [(&str, &[usize]); N],
) -> Result<[&'a [f32]; N], ArtifactError> {
    artifact.expect(kind, Othello::NAME)?;
    let mut tensors: [&[f32]; N] = [&[]; N];
    for (tensor, (name, shape)) in tensors.iter_mut().zip(layers) {
        *tensor = artifact.tensor(name, shape)?;
    }
    Ok(tensors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::sample::positions;

    #[test]
    fn values_are_for_the_side_to_move_and_explanations_add_up() {
        let game = Othello::default();
        let mlp = Mlp::from_artifact(&Mlp::fresh(Seed(5))).unwrap();
        let cnn = Cnn::from_artifact(&Cnn::fresh(Seed(6))).unwrap();
        for position in positions(Seed(8), 60) {
            for (network, points) in
                [(&mlp as &dyn LeafEvaluator<Othello>, mlp.points(&position)), (&cnn, cnn.points(&position))]
            {
                let value = network.value(&game, &position);
                assert_eq!(value, ((64.0 - 2.0 * points) * 100.0).round() as Value);
                let explanation = network.explain(&game, &position);
                let sum: f64 = explanation.terms.iter().map(|term| term.contribution).sum();
                assert!((sum - f64::from(value) / 100.0).abs() < 0.006, "rounded to a hundredth of a disc");
            }
        }
    }

    /// A file byte by byte as PyTorch writes a bare `nn.Sequential`.
    #[test]
    fn files_of_pytorch_are_played_with() {
        let ours = Mlp::fresh(Seed(5));
        let bare = |name: &str| name.trim_start_matches("layers.").to_owned();
        let (mut names, mut numbers) = (Vec::new(), Vec::new());
        for (name, tensor) in &ours.tensors {
            let start = numbers.len();
            numbers.extend(tensor.data.iter().flat_map(|number| number.to_le_bytes()));
            let (name, shape, end) = (bare(name), &tensor.shape, numbers.len());
            names.push(format!(
                r#""{name}":{{"dtype":"F32","shape":{shape:?},"data_offsets":[{start},{end}]}}"#
            ));
        }
        let mut text = format!("{{{}}}", names.join(","));
        text.push_str(&" ".repeat(8 - text.len() % 8));
        let path = std::env::temp_dir().join(format!("trilith-pytorch-{}.safetensors", std::process::id()));
        let bytes = [&(text.len() as u64).to_le_bytes()[..], text.as_bytes(), &numbers].concat();
        std::fs::write(&path, bytes).unwrap();
        let read = Mlp::from_artifact(&load("mlp", &path).unwrap()).unwrap();
        let expected = Mlp::from_artifact(&ours).unwrap();
        for position in positions(Seed(8), 10) {
            assert_eq!(read.points(&position), expected.points(&position));
        }
        let refused = Cnn::from_artifact(&load("cnn", &path).unwrap()).unwrap_err().to_string();
        assert_eq!(refused, "no tensor `conv.0.weight` in it");
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn ended_games_count_as_the_game_does() {
        let game = Othello::default();
        let mlp = Mlp::from_artifact(&Mlp::fresh(Seed(5))).unwrap();
        let end = Position { own: !0, other: 0, to_move: trilith_games::Colour::White };
        assert_eq!(LeafEvaluator::ended(&mlp, &game, &end, Outcome::Win), 64 * ONE);
    }
}
