//! Othello's evaluations by name.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use trilith_base::{Artifact, ArtifactError, Seed};
use trilith_games::othello::Othello;

use super::engine::EngineEvaluation;
use super::logistello::Combination;
use super::logistello::combination::{CombinationParameters, Form, SETS};
use super::logistello::feature::{LogistelloFeatures, logistello};
use super::logistello::measure::MEASURES;
use super::logistello::probability::PHASES;
use super::network::{
    self, CANONICAL, Canonical, Cnn, Perceptron, ReversiNetwork, SMALLEST_ROWS, SmallestRows,
};
use super::nnue::Nnue;
use super::patterns::OthelloPatterns;
use super::polynomial::{Polynomial, published};
use super::shipped::shipped;
use crate::catalogue::{Boxed, Catalogue, EvaluationEntry, EvaluationError, LeafEvaluator, unknown};
use crate::features::{Described, FeatureSet};
use crate::margin::{self, Margin};
use crate::network::Network;
use crate::speed::{self, SearchStep, Speed};
use crate::value_table::{self, Worth};

/// What Othello offers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluations;

const DISCS: EvaluationEntry = EvaluationEntry {
    name: "discs",
    about: "difference in discs (the minimax yardstick of Reversi (2025))",
    needs_artifact: false,
};
const NNUE: EvaluationEntry = EvaluationEntry {
    name: "nnue",
    about: "what the engine plays with: expected discs by a small network on patterns, the shipped one or a file's",
    needs_artifact: false,
};
const PATTERNS: EvaluationEntry = EvaluationEntry {
    name: "patterns",
    about: "expected discs by pattern weights alone, the shipped ones or a file's: coarser, and faster",
    needs_artifact: false,
};
const BY_HAND: EvaluationEntry = EvaluationEntry {
    name: "by-hand",
    about: "the same patterns with weights made by hand, before anything was learned",
    needs_artifact: false,
};

/// The pattern weights that come with the program.
static SHIPPED_PATTERNS: LazyLock<Arc<OthelloPatterns>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../artifacts/othello/patterns.safetensors.zst");
    let artifact = Artifact::parse(bytes).expect("a test reads the shipped weights");
    Arc::new(OthelloPatterns::from_artifact(&artifact).expect("a test reads the shipped weights"))
});

/// The network that comes with the program. Who needs none does not wait for it.
static SHIPPED_NETWORK: LazyLock<Arc<Nnue>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../artifacts/othello/nnue.safetensors.zst");
    let artifact = Artifact::parse(bytes).expect("a test reads the shipped network");
    Arc::new(Nnue::from_artifact(&artifact).expect("a test reads the shipped network"))
});

const WITH_FILE: [EvaluationEntry; 5] = [
    value_table::ENTRY,
    EvaluationEntry {
        name: "polynomial",
        about: "Othilie's 42 features, weighted by a file",
        needs_artifact: true,
    },
    EvaluationEntry {
        name: "cnn",
        about: "the convolutional network of Reversi (2025): three planes",
        needs_artifact: true,
    },
    EvaluationEntry {
        name: "combination",
        about: "LOGISTELLO's features, combined as FISHER, QUAD, LOG or LOG+",
        needs_artifact: true,
    },
    EvaluationEntry {
        name: "network",
        about: "any network of layers over a feature set of Othello, such as users make",
        needs_artifact: true,
    },
];
/// Evaluations with a shipped file, for which another may be named.
const WITH_SHIPPED: [EvaluationEntry; 4] = [
    EvaluationEntry {
        name: "mlp",
        about: "the perceptron 64-96-34-1 of Reversi (2025), the shipped one or a file's",
        needs_artifact: false,
    },
    EvaluationEntry {
        name: "log",
        about: "LOGISTELLO's LOG+, the shipped one or a file's",
        needs_artifact: false,
    },
    EvaluationEntry {
        name: "fisher",
        about: "LOGISTELLO's FISHER+, the shipped one or a file's",
        needs_artifact: false,
    },
    EvaluationEntry {
        name: "quad",
        about: "LOGISTELLO's QUAD, the shipped one or a file's",
        needs_artifact: false,
    },
];
/// The names of S1's published polynomials.
const PUBLISHED: [&str; 18] = [
    "polynomial-a1",
    "polynomial-a2",
    "polynomial-a3",
    "polynomial-b1",
    "polynomial-b2",
    "polynomial-b3",
    "polynomial-c1",
    "polynomial-c2",
    "polynomial-c3",
    "polynomial-d1",
    "polynomial-d2",
    "polynomial-d3",
    "polynomial-e1",
    "polynomial-e2",
    "polynomial-e3",
    "polynomial-f1",
    "polynomial-f2",
    "polynomial-f3",
];

impl Evaluations {
    /// The shipped pattern weights: fast, for what needs an estimate only to order moves.
    pub fn patterns() -> Arc<OthelloPatterns> {
        Arc::clone(&SHIPPED_PATTERNS)
    }

    /// The shipped network on patterns: what the engine plays with.
    pub fn network() -> Arc<Nnue> {
        Arc::clone(&SHIPPED_NETWORK)
    }
}

impl Catalogue<Othello> for Evaluations {
    type EngineEvaluator = EngineEvaluation;

    fn engine_evaluator() -> EngineEvaluation {
        EngineEvaluation::Nnue(Evaluations::network())
    }

    fn engine_evaluator_from(file: &Artifact) -> Result<EngineEvaluation, ArtifactError> {
        EngineEvaluation::from_artifact(file)
    }

    fn engine_evaluator_named(name: &str) -> Option<fn() -> EngineEvaluation> {
        match name {
            "nnue" => Some(Evaluations::engine_evaluator),
            "patterns" => Some(|| EngineEvaluation::Patterns(Evaluations::patterns())),
            _ => None,
        }
    }

    fn entries() -> Vec<EvaluationEntry> {
        let about = "a result polynomial of Othilie, appendix B; those of group A lack feature 2";
        let published = PUBLISHED.map(|name| EvaluationEntry { name, about, needs_artifact: false });
        let measures =
            MEASURES.map(|(name, _, about)| EvaluationEntry { name, about, needs_artifact: false });
        [NNUE, PATTERNS, BY_HAND, DISCS, margin::ENTRY]
            .into_iter()
            .chain(WITH_FILE)
            .chain(WITH_SHIPPED)
            .chain(measures)
            .chain(published)
            .collect()
    }

    fn named(name: &str, file: Option<&Path>) -> Result<Box<dyn LeafEvaluator<Othello>>, EvaluationError> {
        if let Some(entry) = WITH_FILE.iter().find(|entry| entry.name == name) {
            let file = file.ok_or(EvaluationError::NoFile { name: entry.name })?;
            return match name {
                "table" => Ok(Box::new(Worth::open::<Othello>(file)?)),
                "cnn" => from_artifact(name, &network::load(name, file)?),
                _ => from_artifact(name, &Artifact::load(file)?),
            };
        }
        if let Some(artifact) = shipped(name) {
            return match file {
                None => from_artifact(name, artifact),
                Some(file) if name == "mlp" => from_artifact(name, &network::load(name, file)?),
                Some(file) => from_artifact(name, &Artifact::load(file)?),
            };
        }
        if let Some((_, measure, _)) = MEASURES.iter().find(|(known, _, _)| *known == name) {
            return Ok(Box::new(*measure));
        }
        match (name, file) {
            ("patterns", Some(file)) => Ok(Box::new(OthelloPatterns::from_artifact(&Artifact::load(file)?)?)),
            ("patterns", None) => Ok(Box::new(Evaluations::patterns())),
            ("nnue", Some(file)) => Ok(Box::new(Nnue::from_artifact(&Artifact::load(file)?)?)),
            ("nnue", None) => Ok(Box::new(Evaluations::network())),
            ("by-hand", _) => Ok(Box::new(OthelloPatterns::by_hand())),
            ("discs" | "margin", _) => Ok(Box::new(Margin)),
            _ => match published_polynomial(name) {
                Some(artifact) => Ok(Box::new(Polynomial::from_artifact(&artifact)?)),
                None => Err(unknown::<Othello>(name, &Evaluations::entries())),
            },
        }
    }

    fn speeds(game: &Othello, steps: &[SearchStep<Othello>]) -> Vec<(&'static str, Speed)> {
        let boxed = |study: Box<dyn LeafEvaluator<Othello>>| speed::measure(game, &Boxed(study), steps);
        vec![
            ("combination, log", speed::measure(game, &untrained(Form::Log), steps)),
            ("combination, quad", speed::measure(game, &untrained(Form::Quad), steps)),
            ("patterns, kept", speed::measure(game, &*Evaluations::patterns(), steps)),
            ("cnn", boxed(Box::new(Cnn::from_artifact(&Cnn::fresh(Seed(1))).expect("weights just made")))),
        ]
    }

    fn feature_sets() -> Vec<Box<dyn FeatureSet<Othello>>> {
        <Othello as Described>::feature_sets()
    }

    fn feature_set(name: &str) -> Option<Box<dyn FeatureSet<Othello>>> {
        <Othello as Described>::feature_set(name)
    }
}

/// An evaluation that reads files, from one.
fn from_artifact(
    name: &str,
    artifact: &Artifact,
) -> Result<Box<dyn LeafEvaluator<Othello>>, EvaluationError> {
    Ok(match name {
        "polynomial" => Box::new(Polynomial::from_artifact(artifact)?),
        "mlp" => asked(artifact, Perceptron::from_artifact(artifact)?),
        "cnn" => asked(artifact, Cnn::from_artifact(artifact)?),
        "combination" | "log" | "fisher" | "quad" => Box::new(Combination::from_artifact(artifact)?),
        "network" => Box::new(Network::<Othello>::load_any(artifact)?),
        _ => return Err(unknown::<Othello>(name, &WITH_FILE)),
    })
}

/// A network that is asked about the images it was trained on.
fn asked<N: ReversiNetwork + 'static>(artifact: &Artifact, network: N) -> Box<dyn LeafEvaluator<Othello>> {
    match network::form(artifact) {
        CANONICAL => Box::new(Canonical(network)),
        SMALLEST_ROWS => Box::new(SmallestRows(network)),
        _ => Box::new(network),
    }
}

fn published_polynomial(name: &str) -> Option<Artifact> {
    let wanted = name.strip_prefix("polynomial-")?;
    published::all().into_iter().find(|(name, _)| name == wanted).map(|(_, artifact)| artifact)
}

/// S5's Logistello without knowledge: all tables and parameters zero.
pub fn untrained(form: Form) -> Combination {
    let tables = logistello(|shape| vec![0; PHASES * shape.codes()]);
    let features = LogistelloFeatures::new(tables).expect("Logistello's features fit");
    let count = features.len();
    let square = if form == Form::Quad { count * count } else { 0 };
    let set =
        CombinationParameters { constant: 0.0, weights: vec![0.0; count], quadratic: vec![0.0; square] };
    Combination::new(form, features, vec![set; SETS])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::sample::positions;
    use trilith_games::Game;

    #[test]
    fn every_entry_can_be_had_and_explains_its_value() {
        let game = Othello::default();
        for entry in Evaluations::entries() {
            let named = Evaluations::named(entry.name, None);
            if entry.needs_artifact {
                assert!(matches!(named, Err(EvaluationError::NoFile { name }) if name == entry.name));
                continue;
            }
            let study = named.unwrap();
            for position in positions(Seed(7), 60) {
                let one = f64::from(study.unit().one);
                let value = f64::from(study.value(&game, &position)) / one;
                let explanation = study.explain(&game, &position);
                assert!((explanation.total - value).abs() <= 0.51 / one, "{}", entry.name);
                let images = (1..8).map(|symmetry| game.image(&position, symmetry));
                if study.is_symmetric() {
                    assert!(
                        images
                            .map(|image| study.value(&game, &image))
                            .all(|image| f64::from(image) / one == value)
                    );
                }
            }
        }
    }

    #[test]
    fn slips_are_answered_with_the_right_name() {
        let error = Evaluations::named("polynomial-e4", None).err().unwrap().to_string();
        assert!(
            error.starts_with("unknown evaluation `polynomial-e4` for othello: expected `polynomial-e1`?"),
            "{error}"
        );
        let error = Evaluations::named("mlp", Some(Path::new("no such file"))).err().unwrap().to_string();
        assert!(error.starts_with("no such file: "), "{error}");
    }

    #[test]
    fn published_names_are_those_of_the_tables() {
        let names: Vec<String> =
            published::all().into_iter().map(|(name, _)| format!("polynomial-{name}")).collect();
        assert_eq!(names, PUBLISHED);
    }
}
