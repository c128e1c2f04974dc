//! The evaluations of Abalone by name.

use std::path::Path;

use trilith_base::{Artifact, ArtifactError};
use trilith_games::abalone::Abalone;

use super::{AbaPro, Heuristics, Production};
use crate::catalogue::{Catalogue, Entry, EvaluationError, Study, unknown};
use crate::features::{Described, FeatureSet};
use crate::margin::{self, Margin};
use crate::network::Network;

const fn entry(name: &'static str, about: &'static str, needs_artifact: bool) -> Entry {
    Entry { name, about, needs_artifact }
}

const ENTRIES: [Entry; 7] = [
    entry("production", "places, shapes and threats by phase: what `engine` plays with", false),
    entry(
        "abapro",
        "AbaPro's: steps to a point between both centres of mass and the middle (S4, 3.1)",
        false,
    ),
    entry("s4", "S4's network: any of its eleven heuristics, one layer of sigmoid units", true),
    entry("abalearn", "a network over Abalearn's seven features (S4, 3.3)", true),
    entry("lee-noh", "a network over Lee & Noh's seven features (S4, 3.4)", true),
    entry("network", "any network of layers over a feature set of Abalone, such as users make", true),
    margin::ENTRY,
];

impl Catalogue<Abalone> for Production {
    type Production = Production;

    fn production() -> Production {
        Production::default()
    }

    fn entries() -> Vec<Entry> {
        ENTRIES.to_vec()
    }

    fn named(name: &str, file: Option<&Path>) -> Result<Box<dyn Study<Abalone>>, EvaluationError> {
        let Some(entry) = ENTRIES.iter().find(|entry| entry.name == name) else {
            return Err(unknown::<Abalone>(name, &ENTRIES));
        };
        let Some(file) = file.map(Artifact::load).transpose()? else {
            return without_file(entry);
        };
        let over = |name| Heuristics::named(name).map(Box::new).expect("a fixed name");
        Ok(match name {
            "production" => Box::new(Production::load(&file)?),
            "s4" => Box::new(Network::load(&file, Box::new(of_s4(&file)?))?),
            "network" => Box::new(Network::<Abalone>::load_any(&file)?),
            "abalearn" | "lee-noh" => Box::new(Network::load(&file, over(entry.name))?),
            _ => return without_file(entry),
        })
    }

    fn feature_sets() -> Vec<Box<dyn FeatureSet<Abalone>>> {
        <Abalone as Described>::feature_sets()
    }

    fn feature_set(name: &str) -> Option<Box<dyn FeatureSet<Abalone>>> {
        <Abalone as Described>::feature_set(name)
    }
}

/// The set of S4's heuristics that a file is for.
fn of_s4(file: &Artifact) -> Result<Heuristics, ArtifactError> {
    let name = &file.header.features;
    Heuristics::named(name).filter(|_| name.starts_with("s4")).ok_or_else(|| ArtifactError::Mismatch {
        what: "feature set".into(),
        found: name.clone(),
        expected: "s4-11, s4-6, s4-4 or such as s4:rim+threats".into(),
    })
}

fn without_file(entry: &Entry) -> Result<Box<dyn Study<Abalone>>, EvaluationError> {
    Ok(match entry.name {
        "production" => Box::new(Production::default()),
        "abapro" => Box::new(AbaPro::default()),
        "margin" => Box::new(Margin),
        name => return Err(EvaluationError::NoFile { name }),
    })
}
