//! An evaluation of one's own: corners, mobility and discs, with three weights from a file.

use std::collections::BTreeMap;
use std::path::Path;

use trilith_arena::GameKit;
use trilith_base::artifact::{ArtifactHeader, FORMAT, Tensor};
use trilith_base::{Artifact, ArtifactError};
use trilith_eval::catalogue::EvaluationEntry;
use trilith_eval::othello::Evaluations;
use trilith_eval::{Catalogue, EvaluationError, Explanation, LeafEvaluator, Term, Unit, Unknowing, Value};
use trilith_games::othello::{Othello, Position};
use trilith_search::SearchKit;

/// What is counted, for the side to move.
pub const FEATURES: [&str; 3] = ["corners", "mobility", "discs"];
/// The name of the evaluation, and of the files with its weights.
pub const NAME: &str = "three";
const CORNERS: u64 = 0x8100_0000_0000_0081;
/// Values count the chance of winning: 1 is a won game.
const UNIT: Unit = Unit { name: "wins", one: 1000 };

/// Own less other, each about as large as 1.
pub fn features(position: &Position) -> [f32; 3] {
    let turned = Position { own: position.other, other: position.own, ..*position };
    let difference = |own: u64, other: u64| own.count_ones() as f32 - other.count_ones() as f32;
    [
        difference(position.own & CORNERS, position.other & CORNERS),
        difference(position.mobility(), turned.mobility()) / 10.0,
        difference(position.own, position.other) / 32.0,
    ]
}

/// The evaluation.
pub struct Three {
    weights: [f32; 3],
}

impl Three {
    /// Reads its weights.
    pub fn load(file: &Path) -> Result<Three, ArtifactError> {
        let artifact = Artifact::load(file)?;
        artifact.expect(NAME, "othello")?;
        let tensor = artifact.tensor("weights", &[FEATURES.len()])?;
        Ok(Three { weights: [tensor[0], tensor[1], tensor[2]] })
    }

    /// Weights as a file.
    pub fn artifact(weights: [f32; 3]) -> Artifact {
        let header = ArtifactHeader {
            format: FORMAT,
            kind: NAME.into(),
            game: "othello".into(),
            ..ArtifactHeader::default()
        };
        let tensor = Tensor { shape: vec![FEATURES.len()], data: weights.into() };
        let tensors = BTreeMap::from([("weights".to_owned(), tensor)]);
        Artifact { header, tensors, ..Artifact::default() }
    }
}

impl LeafEvaluator<Othello> for Three {
    fn unit(&self) -> Unit {
        UNIT
    }

    fn value(&self, _: &Othello, position: &Position) -> Value {
        let sum: f32 =
            features(position).iter().zip(self.weights).map(|(value, weight)| value * weight).sum();
        (sum * UNIT.one as f32) as Value
    }

    fn explain(&self, _: &Othello, position: &Position) -> Explanation {
        let values = features(position).into_iter().zip(self.weights);
        let terms = FEATURES
            .into_iter()
            .zip(values)
            .map(|(name, (value, weight))| Term::weighted(name, f64::from(value), f64::from(weight)));
        Explanation::sum(UNIT.name, terms.collect())
    }
}

/// Othello's evaluations, and this one among them: players made with it know `eval=three`.
pub struct OwnEvaluations;

impl Catalogue<Othello> for OwnEvaluations {
    type EngineEvaluator = <Evaluations as Catalogue<Othello>>::EngineEvaluator;

    fn engine_evaluator() -> Self::EngineEvaluator {
        Evaluations::engine_evaluator()
    }

    fn engine_evaluator_from(file: &Artifact) -> Result<Self::EngineEvaluator, ArtifactError> {
        Evaluations::engine_evaluator_from(file)
    }

    fn entries() -> Vec<EvaluationEntry> {
        let about = "corners, mobility and discs, learned by the example own-learner";
        let mut entries = Evaluations::entries();
        entries.push(EvaluationEntry { name: NAME, about, needs_artifact: true });
        entries
    }

    fn named(name: &str, file: Option<&Path>) -> Result<Box<dyn LeafEvaluator<Othello>>, EvaluationError> {
        match (name, file) {
            (NAME, Some(file)) => Ok(Box::new(Three::load(file)?)),
            (NAME, None) => Err(EvaluationError::NoFile { name: NAME }),
            (name, file) => Evaluations::named(name, file),
        }
    }
}

impl SearchKit<Othello> for OwnEvaluations {}

impl GameKit<Othello> for OwnEvaluations {
    type Endgames = Unknowing;
}
