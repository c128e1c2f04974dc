//! Evaluations that users define without programming (S2's dialog 'create heuristic'): a TOML file becomes a fresh
//! random network, which can then be trained and played with as `network:FILE`.
//!
//! ```toml
//! game = "morris"
//! features = "morris-39"    # a feature set of the game
//! seed = 7                  # optional, 1 if missing
//! initialisation = 0.01     # optional: weights are drawn from -0.01 to 0.01
//!
//! [[layers]]                # from the inputs to the outputs
//! nodes = 30
//! activation = "tanh"       # linear, logistic, tanh or relu
//!
//! [[layers]]
//! nodes = 3                 # the last layer: 3 for win, draw and loss, or 1 for the value itself
//! activation = "logistic"
//!
//! [learning]                # optional: kept in the file's header for those who train
//! rate = 0.05
//! ```

mod fault;

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::Deserialize;
use toml::Spanned;
use trilith_base::{Artifact, Seed, words};
use trilith_games::Game;
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;

use crate::dense::{Activation, Dense, check_shape};
use crate::features::Described;
use crate::network::OutputReading;

use fault::DefinitionText;
pub use fault::OwnError;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    game: Spanned<String>,
    features: Spanned<String>,
    #[serde(default)]
    rules: Option<Spanned<String>>,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    initialisation: Option<Spanned<f64>>,
    layers: Spanned<Vec<LayerDefinition>>,
    #[serde(default)]
    learning: BTreeMap<String, Spanned<toml::Value>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LayerDefinition {
    nodes: Spanned<usize>,
    activation: Spanned<String>,
}

const GAMES: [&str; 3] = [Othello::NAME, Morris::NAME, Abalone::NAME];
const RANGE: f64 = 0.01;

/// The network that a TOML text defines, with random weights.
pub fn make(text: &str) -> Result<Artifact, OwnError> {
    let source = DefinitionText(text);
    let definition: Definition = toml::from_str(text).map_err(|error| source.syntax(&error))?;
    match definition.game.get_ref().as_str() {
        Othello::NAME => make_for::<Othello>(&source, &definition),
        Morris::NAME => make_for::<Morris>(&source, &definition),
        Abalone::NAME => make_for::<Abalone>(&source, &definition),
        other => Err(source.fault(&definition.game, "game", unknown(other, GAMES.to_vec()))),
    }
}

fn unknown(found: &str, known: Vec<&str>) -> String {
    format!("unknown `{found}`: expected {}", words::expected(found, known.iter().copied()))
}

fn make_for<G: Described>(source: &DefinitionText, definition: &Definition) -> Result<Artifact, OwnError> {
    let features = &definition.features;
    let set = G::feature_set(features.get_ref()).ok_or_else(|| {
        let sets = G::feature_sets();
        let known = sets.iter().map(|set| set.name()).collect();
        source.fault(features, "features", unknown(features.get_ref(), known))
    })?;
    let units = units(source, definition, set.count())?;
    let seed = Seed(definition.seed.unwrap_or(1));
    let range = range(source, definition)?;
    let dense = Dense::random(set.count(), &units, range, seed);
    let mut file = dense.artifact(G::NAME, set.name(), settings(source, definition)?);
    file.header.rules = rules::<G>(source, definition)?;
    file.header.provenance = BTreeMap::from([
        ("source".into(), "random weights from a user's definition".into()),
        ("seed".into(), seed.to_string()),
        ("initialisation".into(), format!("evenly from -{range} to {range}")),
    ]);
    Ok(file)
}

fn units(
    source: &DefinitionText,
    definition: &Definition,
    inputs: usize,
) -> Result<Vec<(usize, Activation)>, OwnError> {
    let layers = definition.layers.get_ref();
    let mut units = Vec::new();
    for layer in layers {
        let nodes = *layer.nodes.get_ref();
        check_shape(inputs, &[nodes]).map_err(|fault| source.fault(&layer.nodes, "nodes", fault))?;
        let activation = layer.activation.get_ref();
        let activation = Activation::from_str(activation).map_err(|known| {
            let fault = format!("unknown `{activation}`: expected {known}");
            source.fault(&layer.activation, "activation", fault)
        })?;
        units.push((nodes, activation));
    }
    let sizes: Vec<_> = units.iter().map(|unit| unit.0).collect();
    check_shape(inputs, &sizes).map_err(|fault| source.fault(&definition.layers, "layers", fault))?;
    if let Some(last) = layers.last()
        && OutputReading::of(*last.nodes.get_ref()).is_none()
    {
        let fault = "the last layer has 3 nodes (win, draw, loss) or 1 (the value)".into();
        return Err(source.fault(&last.nodes, "nodes", fault));
    }
    Ok(units)
}

fn range(source: &DefinitionText, definition: &Definition) -> Result<f32, OwnError> {
    let Some(given) = &definition.initialisation else { return Ok(RANGE as f32) };
    match *given.get_ref() {
        range if range > 0.0 && range <= 10.0 => Ok(range as f32),
        range => {
            let fault = format!("{range} is not a number above 0 and up to 10");
            Err(source.fault(given, "initialisation", fault))
        }
    }
}

fn rules<G: Game>(source: &DefinitionText, definition: &Definition) -> Result<String, OwnError> {
    let Some(rules) = &definition.rules else { return Ok(String::new()) };
    match rules.get_ref().parse::<G::Rules>() {
        Ok(rules) => Ok(rules.to_string()),
        Err(error) => Err(source.fault(rules, "rules", error.to_string())),
    }
}

fn settings(source: &DefinitionText, definition: &Definition) -> Result<BTreeMap<String, String>, OwnError> {
    let mut settings = BTreeMap::new();
    for (key, value) in &definition.learning {
        let text = match value.get_ref() {
            toml::Value::String(text) => text.clone(),
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Float(number) => number.to_string(),
            toml::Value::Boolean(switch) => switch.to_string(),
            _ => {
                let fault = "expected a number, a text or a switch".into();
                return Err(source.fault(value, key, fault));
            }
        };
        settings.insert(format!("learning.{key}"), text);
    }
    Ok(settings)
}
