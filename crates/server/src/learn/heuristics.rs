//! Heuristics that people make: a weight for each feature of a set, kept as a network of one layer, playable at once; or a
//! network with layers and rates that begins with weights by lot and learns, by training or from games.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use trilith_base::{Artifact, Seed};
use trilith_eval::dense::{Activation, Dense};
use trilith_eval::network;
use trilith_learn::teaching::{PupilRates, games_learned, new_pupil};

use super::{data, features, heuristic_file, is_name, named, ordered, run_folder};
use crate::analyse::aside;
use crate::api::{Input, Named, Nothing};
use crate::app::App;
use crate::caller::Caller;
use crate::fault::Fault;

/// Heuristics that a server keeps.
const MOST: usize = 500;
/// No weight may be larger.
const LARGEST: f64 = 1000.0;

/// What a person made.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Make {
    name: String,
    game: String,
    /// A feature set of the game.
    features: String,
    /// By the names of the set's numbers; those left out weigh nothing.
    #[serde(default)]
    terms: BTreeMap<String, f64>,
    /// Instead of weights: a network that learns them.
    network: Option<MadeNetwork>,
    /// What one of the game's own count is worth beside them.
    #[serde(default)]
    margin: f64,
    /// Whether another of this name may go.
    #[serde(default)]
    replace: bool,
}

/// A network that is to learn.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MadeNetwork {
    hidden: Vec<HiddenLayer>,
    /// Weights are drawn from minus to plus this.
    spread: f32,
    rate: f32,
    momentum: f32,
    lambda: f32,
}

/// The units between inputs and outputs.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HiddenLayer {
    nodes: usize,
    /// `tanh`, `logistic`, `relu` or `linear`.
    activation: String,
}

/// A network that learns, as it is kept.
#[derive(Serialize)]
struct KeptNetwork {
    hidden: Vec<HiddenLayer>,
    rate: f32,
    momentum: f32,
    lambda: f32,
    /// Games it has learned from.
    games: u64,
}

/// A heuristic as it is kept.
#[derive(Serialize)]
pub(crate) struct StoredHeuristic {
    name: String,
    game: String,
    features: String,
    terms: BTreeMap<String, f64>,
    margin: f64,
    network: Option<KeptNetwork>,
    /// How an engine's wish names it.
    eval: String,
}

/// `GET /api/learn/heuristics`.
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<StoredHeuristic>>, Fault> {
    aside(move || Ok(Json(app.config.data.as_deref().map_or(Vec::new(), all)))).await
}

/// `POST /api/learn/heuristics`.
pub(crate) async fn make(
    State(app): State<Arc<App>>,
    caller: Caller,
    input: Input<Make>,
) -> Result<(StatusCode, Json<StoredHeuristic>), Fault> {
    let Json(make) = input?;
    app.limits.opening(&caller)?;
    aside(move || {
        let data = data(&app)?;
        let path = heuristic_file(data, named(&make.name)?);
        let conflict = |error: String| Fault::new(StatusCode::CONFLICT, error);
        match path.exists() {
            // What others made stays theirs.
            true if make.replace => caller.administrator()?,
            true => return Err(conflict(format!("there is a heuristic `{}` already", make.name))),
            false if names(data).len() >= MOST => {
                return Err(conflict(format!("{MOST} heuristics are enough")));
            }
            false => {}
        }
        let artifact = make.artifact()?;
        let folder = data.join("heuristics");
        fs::create_dir_all(&folder).map_err(|error| broken(&error))?;
        artifact.save(&path).map_err(|error| broken(&error))?;
        let made = read(data, &make.name).ok_or_else(|| broken(&"it cannot be read back"))?;
        Ok((StatusCode::CREATED, Json(made)))
    })
    .await
}

/// `POST /api/learn/heuristics/NAME/delete`.
pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    name: Named,
    input: Input<Nothing>,
) -> Result<Json<Vec<StoredHeuristic>>, Fault> {
    let name = ordered(&caller, name, input)?;
    aside(move || {
        let data = data(&app)?;
        let gone = fs::remove_file(heuristic_file(data, named(&name)?));
        gone.map_err(|_| Fault::new(StatusCode::NOT_FOUND, "no such heuristic"))?;
        Ok(Json(all(data)))
    })
    .await
}

fn broken(error: &dyn std::fmt::Display) -> Fault {
    tracing::error!(%error, "heuristics");
    Fault::new(StatusCode::INTERNAL_SERVER_ERROR, "the heuristic could not be written")
}

impl Make {
    fn artifact(&self) -> Result<Artifact, Fault> {
        let set = features::find(&self.game, &self.features).ok_or_else(|| {
            Fault::bad_request(format!("{} has no features `{}` for heuristics", self.game, self.features))
        })?;
        if let Some(network) = &self.network {
            return self.pupil(network, set.terms.len());
        }
        let is_sound = |weight: f64| weight.is_finite() && weight.abs() <= LARGEST;
        for (term, weight) in &self.terms {
            if !set.terms.contains(term) {
                return Err(Fault::bad_request(format!("`{}` has no feature `{term}`", self.features)));
            }
            if !is_sound(*weight) {
                return Err(Fault::bad_request(format!(
                    "`{term}`: expected a weight from -{LARGEST} to {LARGEST}"
                )));
            }
        }
        if !is_sound(self.margin) {
            return Err(Fault::bad_request(format!(
                "margin: expected a weight from -{LARGEST} to {LARGEST}"
            )));
        }
        if self.margin == 0.0 && self.terms.values().all(|weight| *weight == 0.0) {
            return Err(Fault::bad_request("all weights are zero: it would not care how a game goes"));
        }
        let mut dense = Dense::random(set.terms.len(), &[(1, Activation::Linear)], 0.0, Seed(1));
        let layer = &mut dense.layers_mut()[0];
        layer.biases.fill(0.0);
        for (weight, term) in layer.weights.iter_mut().zip(&set.terms) {
            *weight = self.terms.get(term).copied().unwrap_or(0.0) as f32;
        }
        let mut artifact = network::write(&self.game, &self.features, &[dense], &[], self.margin as f32);
        artifact.header.provenance.insert("source".into(), "weights set by hand in the app".into());
        Ok(artifact)
    }
}

impl Make {
    /// A network with weights by lot.
    fn pupil(&self, made: &MadeNetwork, inputs: usize) -> Result<Artifact, Fault> {
        if !self.terms.is_empty() || self.margin != 0.0 {
            return Err(Fault::bad_request(
                "a network learns its weights: expected no `terms` and no `margin`",
            ));
        }
        if !(0.0..=10.0).contains(&made.spread) {
            return Err(Fault::bad_request("spread: expected a number from 0 to 10"));
        }
        let layer = |layer: &HiddenLayer| Ok((layer.nodes, layer.activation.parse::<Activation>()?));
        let hidden = made.hidden.iter().map(layer).collect::<Result<Vec<_>, String>>();
        let hidden = hidden.map_err(|error| Fault::bad_request(format!("activation: {error}")))?;
        let rates = PupilRates { rate: made.rate, momentum: made.momentum, lambda: made.lambda };
        let seed = Seed(crate::time::now_ms());
        let artifact = new_pupil(&self.game, &self.features, inputs, &hidden, made.spread, &rates, seed);
        let mut artifact = artifact.map_err(|error| Fault::bad_request(format!("network: {error}")))?;
        artifact.header.provenance.insert("source".into(), "a network made in the app".into());
        Ok(artifact)
    }
}

/// The network that learns in a file, if there is one.
fn network_of(artifact: &Artifact, dense: &Dense) -> Option<KeptNetwork> {
    let PupilRates { rate, momentum, lambda } = PupilRates::of(artifact)?;
    let (_, hidden) = dense.layers().split_last()?;
    let layer = |layer: &trilith_eval::dense::Layer| HiddenLayer {
        nodes: layer.biases.len(),
        activation: layer.activation.to_string(),
    };
    let hidden = hidden.iter().map(layer).collect();
    Some(KeptNetwork { hidden, rate, momentum, lambda, games: games_learned(artifact) })
}

/// The names of all heuristics, in order.
fn names(data: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(data.join("heuristics")) else { return Vec::new() };
    let name =
        |entry: fs::DirEntry| Some(entry.file_name().to_str()?.strip_suffix(".safetensors")?.to_owned());
    let mut names: Vec<_> = entries.flatten().filter_map(name).filter(|name| is_name(name)).collect();
    names.sort();
    names
}

fn all(data: &Path) -> Vec<StoredHeuristic> {
    names(data).iter().filter_map(|name| read(data, name)).collect()
}

fn read(data: &Path, name: &str) -> Option<StoredHeuristic> {
    let artifact = Artifact::load(&heuristic_file(data, name)).ok()?;
    let header = &artifact.header;
    let set = features::find(&header.game, &header.features)?;
    let dense = Dense::load(&artifact, &header.game, &header.features, set.terms.len()).ok()?;
    let network = network_of(&artifact, &dense);
    let weights = dense.layers().first()?.weights.iter().map(|weight| f64::from(*weight));
    let weighed = set.terms.into_iter().zip(weights).filter(|(_, weight)| *weight != 0.0);
    Some(StoredHeuristic {
        name: name.into(),
        game: header.game.clone(),
        features: header.features.clone(),
        terms: if network.is_some() { BTreeMap::new() } else { weighed.collect() },
        network,
        margin: header.settings.get("margin").and_then(|margin| margin.parse().ok()).unwrap_or(0.0),
        eval: format!("heuristic:{name}"),
    })
}

/// What was learned or made here and can play: as an engine's wish names it, for which game, and what it is.
pub(crate) fn learned(data: &Path) -> Vec<(String, String, String)> {
    let made = all(data).into_iter().map(|heuristic| {
        let about = match &heuristic.network {
            Some(network) => {
                format!("made here: a network of {}, {} games learned", heuristic.features, network.games)
            }
            None => format!("made here: weights of {}", heuristic.features),
        };
        (heuristic.game, heuristic.eval, about)
    });
    let runs = super::runs::names(data).into_iter().filter_map(|name| {
        let path = run_folder(data, &name).join(trilith_learn::run::Folder::ARTIFACT);
        let header = Artifact::load(&path).ok()?.header;
        super::evaluation(&header.kind)?;
        let learner = header.provenance.get("learner").map_or("", String::as_str);
        Some((header.game, format!("run:{name}"), format!("learned here: {learner}")))
    });
    made.chain(runs).collect()
}
