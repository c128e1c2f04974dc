//! The evaluations of Abalone by name.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use trilith_base::{Artifact, ArtifactError, Seed};
use trilith_games::Record;
use trilith_games::abalone::{Abalone, Move};

use super::{AbaPro, AbaloneHandTuned, AbalonePatterns, Heuristics, MyLovelyAbalone, reference};
use crate::catalogue::{Catalogue, EvaluationEntry, EvaluationError, LeafEvaluator, unknown};
use crate::dense::Activation;
use crate::features::{Described, FeatureSet};
use crate::margin::{self, Margin};
use crate::network::Network;
use crate::speed::{self, SearchStep, Speed};

const fn entry(name: &'static str, about: &'static str, needs_artifact: bool) -> EvaluationEntry {
    EvaluationEntry { name, about, needs_artifact }
}

const ENTRIES: [EvaluationEntry; 9] = [
    entry(
        "patterns",
        "what `engine` plays with: learned patterns and counts, the shipped weights or a file's",
        false,
    ),
    entry("by-hand", "the same counts with weights set by hand; with a file, learned ones", false),
    entry(
        "abapro",
        "AbaPro's: steps to a point between both centres of mass and the middle (Abalone TD, 3.1)",
        false,
    ),
    entry("lovely", "MyLovelyAbalone's six heuristics, with weights of our own (Abalone TD, 3.2)", false),
    entry(
        "s4",
        "Abalone TD's network: any of its eleven heuristics, one layer of sigmoid units; its final agent's or a file's",
        false,
    ),
    entry("abalearn", "a network over Abalearn's seven features (Abalone TD, 3.3)", true),
    entry("lee-noh", "a network over Lee & Noh's seven features (Abalone TD, 3.4)", true),
    entry("network", "any network of layers over a feature set of Abalone, such as users make", true),
    margin::ENTRY,
];

/// What Abalone offers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluations;

/// The weights that come with the program.
static SHIPPED: LazyLock<Arc<AbalonePatterns>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../artifacts/abalone/patterns.safetensors.zst");
    let artifact = Artifact::parse(bytes).expect("a test reads the shipped weights");
    Arc::new(AbalonePatterns::from_artifact(&artifact).expect("a test reads the shipped weights"))
});

/// S4's final agent, learned anew.
static FINAL_AGENT: LazyLock<Artifact> = LazyLock::new(|| {
    let bytes = include_bytes!("../../artifacts/abalone/s4.safetensors");
    Artifact::parse(bytes).expect("a test reads the shipped weights")
});

impl Catalogue<Abalone> for Evaluations {
    type EngineEvaluator = Arc<AbalonePatterns>;

    fn engine_evaluator() -> Arc<AbalonePatterns> {
        Arc::clone(&SHIPPED)
    }

    fn engine_evaluator_from(file: &Artifact) -> Result<Arc<AbalonePatterns>, ArtifactError> {
        Ok(Arc::new(AbalonePatterns::from_artifact(file)?))
    }

    fn entries() -> Vec<EvaluationEntry> {
        ENTRIES.to_vec()
    }

    fn named(name: &str, file: Option<&Path>) -> Result<Box<dyn LeafEvaluator<Abalone>>, EvaluationError> {
        let Some(entry) = ENTRIES.iter().find(|entry| entry.name == name) else {
            return Err(unknown::<Abalone>(name, &ENTRIES));
        };
        let Some(file) = file.map(Artifact::load).transpose()? else {
            return without_file(entry);
        };
        let over = |name| Heuristics::named(name).map(Box::new).expect("a fixed name");
        Ok(match name {
            "patterns" => Box::new(AbalonePatterns::from_artifact(&file)?),
            "by-hand" => Box::new(AbaloneHandTuned::load(&file)?),
            "s4" => of_s4(&file)?,
            "network" => Box::new(Network::<Abalone>::load_any(&file)?),
            "abalearn" | "lee-noh" => Box::new(Network::load(&file, over(entry.name))?),
            _ => return without_file(entry),
        })
    }

    fn speeds(game: &Abalone, steps: &[SearchStep<Abalone>]) -> Vec<(&'static str, Speed)> {
        let layers = [(16, Activation::Logistic), (1, Activation::Linear)];
        let names = ["s4-11", "s4-6", "s4-4", "abalearn", "lee-noh", "board-61"];
        names.map(|name| (name, speed::network(game, steps, name, &layers))).to_vec()
    }

    fn reference(record: &Record<Abalone>, seed: Seed) -> Option<Move> {
        reference::choose(record, seed)
    }

    fn feature_sets() -> Vec<Box<dyn FeatureSet<Abalone>>> {
        <Abalone as Described>::feature_sets()
    }

    fn feature_set(name: &str) -> Option<Box<dyn FeatureSet<Abalone>>> {
        <Abalone as Described>::feature_set(name)
    }
}

/// The network of a file over the S4 heuristics that it is for.
fn of_s4(file: &Artifact) -> Result<Box<dyn LeafEvaluator<Abalone>>, ArtifactError> {
    let name = &file.header.features;
    let set = Heuristics::named(name).filter(|_| name.starts_with("s4"));
    let set = set.ok_or_else(|| ArtifactError::Mismatch {
        what: "feature set".into(),
        found: name.clone(),
        expected: "s4-11, s4-6, s4-4 or such as s4:rim+threats".into(),
    })?;
    Ok(Box::new(Network::load(file, Box::new(set))?))
}

fn without_file(entry: &EvaluationEntry) -> Result<Box<dyn LeafEvaluator<Abalone>>, EvaluationError> {
    Ok(match entry.name {
        "patterns" => Box::new(AbalonePatterns::clone(&SHIPPED)),
        "by-hand" => Box::new(AbaloneHandTuned::default()),
        "abapro" => Box::new(AbaPro::default()),
        "lovely" => Box::new(MyLovelyAbalone::default()),
        "s4" => of_s4(&FINAL_AGENT)?,
        "margin" => Box::new(Margin),
        name => return Err(EvaluationError::NoFile { name }),
    })
}
