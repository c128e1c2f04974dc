//! The evaluations of Morris by name.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use trilith_base::Artifact;
use trilith_base::artifact::ArtifactError;
use trilith_games::morris::Morris;

use super::thesis::{self, MuehleFeaturePairs};
use super::{ByHand, MorrisHandTuned, MorrisPatterns};
use crate::catalogue::{Catalogue, EvaluationEntry, EvaluationError, LeafEvaluator, unknown};
use crate::dense::Activation;
use crate::features::{Described, FeatureSet};
use crate::margin::{self, Margin};
use crate::network::Network;
use crate::speed::{self, SearchStep, Speed};
use crate::value_table::{self, Worth};

const fn entry(name: &'static str, about: &'static str, needs_artifact: bool) -> EvaluationEntry {
    EvaluationEntry { name, about, needs_artifact }
}

const ENTRIES: [EvaluationEntry; 13] = [
    entry(
        "patterns",
        "what `engine` plays with: learned patterns and counts, the shipped weights or a file's",
        false,
    ),
    entry("by-hand", "the same counts with weights set by hand; with a file, learned ones", false),
    entry("standard", "Mühle's Standard: the 39 features of Table 4.1 with its hand weights", false),
    entry("minimal", "Mühle's Minimal: only the stones of Standard", false),
    entry("klein", "Mühle's Klein: the stones and moves of Standard", false),
    entry("small", "Mühle's Small: Standard without mills; with a file, learned weights", false),
    entry(
        "single",
        "Mühle's Single: 39 features to win, draw and loss, learned by play; ours or a file's",
        false,
    ),
    entry("singleperf", "Mühle's SinglePerf: as Single, learned from perfect values", true),
    entry("multi", "Mühle's Multi: 39-30-3, learned by play; ours or a file's", false),
    entry("combi", "Mühle's Combi: all 1521 pairs of features to win, draw and loss", true),
    entry("network", "any network of layers over a feature set of Morris, such as users make", true),
    value_table::ENTRY,
    margin::ENTRY,
];

/// Layers of S2's networks, inputs first.
const SINGLE: &str = "39 3";
const MULTI: &str = "39 30 3";
const COMBI: &str = "1521 3";
const SMALL: &str = "31 3";

/// What Morris offers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluations;

/// The weights that come with the program.
static SHIPPED: LazyLock<Arc<MorrisPatterns>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../artifacts/morris/patterns.safetensors.zst");
    let artifact = Artifact::parse(bytes).expect("a test reads the shipped weights");
    Arc::new(MorrisPatterns::from_artifact(&artifact).expect("a test reads the shipped weights"))
});

/// Our Single and Multi.
static SINGLE_FILE: LazyLock<Artifact> = LazyLock::new(|| {
    let bytes = include_bytes!("../../artifacts/morris/single.safetensors");
    Artifact::parse(bytes).expect("a test reads the shipped weights")
});
static MULTI_FILE: LazyLock<Artifact> = LazyLock::new(|| {
    let bytes = include_bytes!("../../artifacts/morris/multi.safetensors");
    Artifact::parse(bytes).expect("a test reads the shipped weights")
});

impl Catalogue<Morris> for Evaluations {
    type EngineEvaluator = Arc<MorrisPatterns>;

    fn engine_evaluator() -> Arc<MorrisPatterns> {
        Arc::clone(&SHIPPED)
    }

    fn engine_evaluator_from(file: &Artifact) -> Result<Arc<MorrisPatterns>, ArtifactError> {
        Ok(Arc::new(MorrisPatterns::from_artifact(file)?))
    }

    fn entries() -> Vec<EvaluationEntry> {
        ENTRIES.to_vec()
    }

    fn named(name: &str, file: Option<&Path>) -> Result<Box<dyn LeafEvaluator<Morris>>, EvaluationError> {
        let Some(entry) = ENTRIES.iter().find(|entry| entry.name == name) else {
            return Err(unknown::<Morris>(name, &ENTRIES));
        };
        if let ("table", Some(file)) = (name, file) {
            return Ok(Box::new(Worth::open::<Morris>(file)?));
        }
        let file = file.map(Artifact::load).transpose()?;
        let Some(file) = file else {
            return without_file(entry);
        };
        let standard = || Box::new(thesis::STANDARD);
        Ok(match name {
            "patterns" => Box::new(MorrisPatterns::from_artifact(&file)?),
            "by-hand" => Box::new(MorrisHandTuned::load(&file)?),
            "small" => layered(&file, Box::new(thesis::SMALL), SMALL)?,
            "single" | "singleperf" => layered(&file, standard(), SINGLE)?,
            "multi" => layered(&file, standard(), MULTI)?,
            "combi" => layered(&file, Box::new(MuehleFeaturePairs), COMBI)?,
            "network" => Box::new(Network::<Morris>::load_any(&file)?),
            _ => return without_file(entry),
        })
    }

    fn speeds(game: &Morris, steps: &[SearchStep<Morris>]) -> Vec<(&'static str, Speed)> {
        vec![("combi", speed::network(game, steps, "morris-39x39", &[(3, Activation::Logistic)]))]
    }

    fn feature_sets() -> Vec<Box<dyn FeatureSet<Morris>>> {
        <Morris as Described>::feature_sets()
    }

    fn feature_set(name: &str) -> Option<Box<dyn FeatureSet<Morris>>> {
        <Morris as Described>::feature_set(name)
    }
}

fn without_file(entry: &EvaluationEntry) -> Result<Box<dyn LeafEvaluator<Morris>>, EvaluationError> {
    Ok(match entry.name {
        "patterns" => Box::new(MorrisPatterns::clone(&SHIPPED)),
        "by-hand" => Box::new(MorrisHandTuned::default()),
        "standard" => Box::new(ByHand::of(&thesis::STANDARD)),
        "minimal" => Box::new(ByHand::of(&thesis::MINIMAL)),
        "klein" => Box::new(ByHand::of(&thesis::KLEIN)),
        "small" => Box::new(ByHand::of(&thesis::SMALL)),
        "single" => layered(&SINGLE_FILE, Box::new(thesis::STANDARD), SINGLE)?,
        "multi" => layered(&MULTI_FILE, Box::new(thesis::STANDARD), MULTI)?,
        "margin" => Box::new(Margin),
        name => return Err(EvaluationError::NoFile { name }),
    })
}

/// A network that must have these layers.
fn layered(
    file: &Artifact,
    set: Box<dyn FeatureSet<Morris>>,
    layers: &str,
) -> Result<Box<dyn LeafEvaluator<Morris>>, EvaluationError> {
    let network = Network::load(file, set)?;
    let found = file.header.settings.get("layers").map_or("", String::as_str);
    if found != layers {
        return Err(EvaluationError::Artifact(ArtifactError::Mismatch {
            what: "layers".into(),
            found: found.into(),
            expected: layers.into(),
        }));
    }
    Ok(Box::new(network))
}
