//! S1's polynomial: 42 counts in [0, 1], weighted and divided by 42; ended games are worth -1, 0 or 1.
//!
//! All features but the last two are sums over squares, so at a leaf each row of each side is one table access.
//! Square classes tell rows from columns (S1, figure 3.1b): values are equal on the four images by mirrors only.

mod features;
pub mod published;
mod strategic;

use std::collections::BTreeMap;

use trilith_base::artifact::{ArtifactHeader, FORMAT, Tensor};
use trilith_base::{Artifact, ArtifactError};
use trilith_games::othello::{Othello, Position};
use trilith_games::{Game, Outcome};

use crate::catalogue::LeafEvaluator;
use crate::evaluator::{Unit, Value};
use crate::explanation::{Explanation, Term};
use crate::features::FeatureSet;
pub use features::{FEATURES, features, names};
pub use strategic::{STRATEGIC_SET, StrategicFeatures};

/// The value 1.0, that of a game won.
pub const ONE: Value = 1_000_000;
/// The kind in headers.
pub const KIND: &str = "polynomial";
/// The feature set in headers.
pub const FEATURE_SET: &str = "othilie-42";
const TENSOR: &str = "weights";
const UNIT: Unit = Unit { name: "points", one: ONE };

/// Weights with the tables made from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Polynomial {
    weights: [f64; FEATURES],
    /// What the discs of a row of a side add, by row and content.
    own: Rows,
    other: Rows,
}

type Rows = Box<[[f64; 256]; 8]>;

impl Polynomial {
    /// From one weight a feature, in the order of S1.
    pub fn new(weights: [f64; FEATURES]) -> Polynomial {
        let disc = |position: &Position| weighted(&weights, position);
        let own = rows(|square| disc(&Position { own: 1 << square, other: 0, ..Position::START }));
        let other = rows(|square| disc(&Position { own: 0, other: 1 << square, ..Position::START }));
        Polynomial { weights, own, other }
    }

    /// One weight a feature, in the order of S1.
    pub fn weights(&self) -> &[f64; FEATURES] {
        &self.weights
    }

    /// Reads what [`Polynomial::to_artifact`] makes.
    pub fn from_artifact(artifact: &Artifact) -> Result<Polynomial, ArtifactError> {
        artifact.expect(KIND, Othello::NAME)?;
        let numbers = artifact.tensor(TENSOR, &[FEATURES])?;
        Ok(Polynomial::new(std::array::from_fn(|at| numbers[at].into())))
    }

    /// The weights as a file that says where they come from.
    pub fn to_artifact(&self, provenance: BTreeMap<String, String>) -> Artifact {
        let data = self.weights.iter().map(|&weight| weight as f32).collect();
        let header = ArtifactHeader {
            format: FORMAT,
            kind: KIND.into(),
            game: Othello::NAME.into(),
            features: FEATURE_SET.into(),
            provenance,
            ..ArtifactHeader::default()
        };
        Artifact {
            header,
            tensors: BTreeMap::from([(TENSOR.into(), Tensor { shape: vec![FEATURES], data })]),
            ..Artifact::default()
        }
    }

    /// The value between -1 and 1 of a game that goes on.
    pub fn estimate(&self, position: &Position) -> f64 {
        let (own, other) = (position.own.to_le_bytes(), position.other.to_le_bytes());
        let mut sum = 0.0;
        for row in 0..8 {
            sum += self.own[row][usize::from(own[row])] + self.other[row][usize::from(other[row])];
        }
        let ahead = match position.disc_difference().signum() {
            1 => self.weights[FEATURES - 2],
            -1 => self.weights[FEATURES - 1],
            _ => 0.0,
        };
        (sum + ahead) / FEATURES as f64
    }
}

/// The weighted sum of the features that are sums over squares.
fn weighted(weights: &[f64; FEATURES], position: &Position) -> f64 {
    let sums = features(position).into_iter().take(FEATURES - 2);
    sums.zip(weights).map(|(value, weight)| value * weight).sum()
}

fn rows(disc: impl Fn(usize) -> f64) -> Rows {
    let discs: Vec<f64> = (0..64).map(disc).collect();
    let content = |row: usize, content: usize| -> f64 {
        (0..8).filter(|column| content >> column & 1 == 1).map(|column| discs[8 * row + column]).sum()
    };
    Box::new(std::array::from_fn(|row| std::array::from_fn(|bits| content(row, bits))))
}

/// S1's features as a set by name, `othilie-42`.
#[derive(Clone, Copy, Debug)]
pub struct OthilieFeatures;

impl FeatureSet<Othello> for OthilieFeatures {
    fn name(&self) -> &str {
        FEATURE_SET
    }

    fn names(&self) -> Vec<String> {
        names().collect()
    }

    fn count(&self) -> usize {
        FEATURES
    }

    fn fill(&self, _: &Othello, position: &Position, into: &mut [f32]) {
        for (into, number) in into.iter_mut().zip(features(position)) {
            *into = number as f32;
        }
    }

    fn is_symmetric(&self) -> bool {
        false
    }
}

impl LeafEvaluator<Othello> for Polynomial {
    fn unit(&self) -> Unit {
        UNIT
    }

    fn value(&self, _: &Othello, position: &Position) -> Value {
        (self.estimate(position) * f64::from(ONE)).round() as Value
    }

    fn ended(&self, _: &Othello, _: &Position, outcome: Outcome) -> Value {
        match outcome {
            Outcome::Win => ONE,
            Outcome::Draw => 0,
            Outcome::Loss => -ONE,
        }
    }

    /// One term a feature; each cell shows what its disc adds.
    fn explain(&self, _: &Othello, position: &Position) -> Explanation {
        let weights = self.weights.map(|weight| weight / FEATURES as f64);
        let terms = features(position).into_iter().zip(names()).zip(weights);
        let terms = terms.map(|((value, name), weight)| Term::weighted(name, value, weight)).collect();
        let disc = |square: usize| {
            let bits = |side: u64| usize::from(side.to_le_bytes()[square / 8]) & 1 << (square % 8);
            let (own, other) = (bits(position.own), bits(position.other));
            (self.own[square / 8][own] + self.other[square / 8][other]) / FEATURES as f64
        };
        Explanation { cells: (0..64).map(disc).collect(), ..Explanation::sum(UNIT.name, terms) }
    }

    fn is_symmetric(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::sample::positions;
    use trilith_base::Seed;
    use trilith_games::Record;

    fn e1() -> Polynomial {
        let (_, artifact) = published::all().into_iter().find(|(name, _)| name == "e1").unwrap();
        Polynomial::from_artifact(&artifact).unwrap()
    }

    #[test]
    fn tables_give_the_weighted_sum_of_the_features() {
        let polynomial = e1();
        for position in positions(Seed(1), 300) {
            let terms = features(&position).into_iter().zip(polynomial.weights);
            let slowly = terms.map(|(value, weight)| value * weight).sum::<f64>() / 42.0;
            assert!((polynomial.estimate(&position) - slowly).abs() < 1e-12);
            let explanation = polynomial.explain(&Othello::default(), &position);
            assert!((explanation.total - slowly).abs() < 1e-12);
        }
    }

    #[test]
    fn mirrors_keep_the_value_and_quarter_turns_need_not() {
        let (game, polynomial) = (Othello::default(), e1());
        let mut turned = 0;
        for position in positions(Seed(2), 100) {
            let value = |symmetry| polynomial.value(&game, &game.image(&position, symmetry));
            assert!((1..4).all(|symmetry| value(symmetry) == value(0)));
            turned += usize::from(value(4) != value(0));
        }
        assert!(turned > 50);
    }

    /// S1, appendix E. The moves and the counts agree with the print; see the data file.
    #[test]
    fn horizon_game_of_the_thesis() {
        let (game, polynomial) = (Othello::default(), e1());
        let text = include_str!("../../../data/othilie/horizon.txt");
        let mut record: Option<Record<Othello>> = None;
        let mut offsets = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = line.split(' ').collect();
            let position = game.parse_position(&format!("{} {}", words[0], words[1])).unwrap();
            let record = record.get_or_insert_with(|| Record::from_position(game.clone(), position).unwrap());
            assert_eq!(record.position().colours(), position.colours(), "{line}");
            let printed: f64 = words[2].parse().unwrap();
            if words[3] == "end" {
                let outcome = game.outcome(record.position()).unwrap();
                let value = polynomial.ended(&game, record.position(), outcome);
                let white =
                    if record.position().to_move == trilith_games::Colour::White { value } else { -value };
                assert_eq!(f64::from(white) / f64::from(ONE), printed);
                continue;
            }
            let (black, white) = position.colours();
            let seen = Position::from_colours(black, white, trilith_games::Colour::White);
            offsets.push(printed - polynomial.estimate(&seen));
            if record.position().to_move != position.to_move {
                record.push_text("pass").unwrap();
            }
            record.push_text(words[3]).unwrap();
        }
        // Every step between neighbours agrees with the print but the second; the level is off by a constant.
        for (offset, constant) in
            offsets.iter().zip([-0.0037, -0.0037, -0.0051, -0.0051, -0.0051, -0.0051, -0.0051])
        {
            assert!((offset - constant).abs() < 1.2e-4, "{offsets:?}");
        }
        assert_eq!(offsets.len(), 7);
    }

    #[test]
    fn files_are_refused_with_the_reason() {
        let artifact = e1().to_artifact(BTreeMap::new());
        let refusal = |change: fn(&mut Artifact)| {
            let mut artifact = artifact.clone();
            change(&mut artifact);
            Polynomial::from_artifact(&artifact).unwrap_err().to_string()
        };
        assert_eq!(refusal(|a| a.header.game = "abalone".into()), "game is `abalone`, expected `othello`");
        assert_eq!(refusal(|a| a.header.kind = "mlp".into()), "kind is `mlp`, expected `polynomial`");
        assert_eq!(
            refusal(|a| a.tensors.get_mut("weights").unwrap().shape = vec![6, 7]),
            "shape of tensor weights is `[6, 7]`, expected `[42]`"
        );
        let mut bytes = artifact.bytes().unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        assert!(Artifact::parse(&bytes).unwrap_err().to_string().contains("checksum"));
    }
}
