//! S4, Abalone: how complex it is, and what risk-sensitive TD(lambda) learns by parameters, features and rewards.

pub mod complexity;
pub mod features;
pub mod last;
pub mod parameters;
pub mod rewards;

use serde::Deserialize;
use toml::{Table as Toml, Value};
use trilith_base::Seed;

use crate::conduct::Conduct;
use crate::contest::{From, Match};
use crate::statistics::mean;
use crate::training::{StudyTraining, Trained};

/// A match of Abalone, stopped at the first cycle (6.4) or after `plies`.
fn contest(name: impl Into<String>, a: &str, b: &str, games: u64, openings: From, plies: u32) -> Match {
    let rules = "thesis".into();
    Match { plies: Some(plies), per_cell: 10, openings, rules, ..Match::new("abalone", name, a, b, games) }
}

/// S4's agent at one ply.
fn agent(training: &StudyTraining, conduct: &Conduct) -> String {
    format!("minimax:depth=1,eval=s4,file={}", training.artifact(&conduct.runs()))
}

fn text(text: &str) -> Value {
    Value::String(text.into())
}

fn number(number: u64) -> Value {
    Value::Integer(number as i64)
}

/// A run of learning with what all share, changed by `own`; `rules` among it are the game's.
fn training(name: String, seed: Seed, shared: &Toml, own: &[(&str, Value)]) -> StudyTraining {
    let mut training = StudyTraining::new(name, "risk-td", "abalone", seed.0, &[]).with(shared);
    training.config.parameters.extend(own.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
    if let Some(Value::String(rules)) = training.config.parameters.remove("rules") {
        training.config.rules = rules;
    }
    training
}

/// What agents learn by: a name for reports, and the parameters that all of them share.
struct LearningProtocol {
    /// Empty for S4's own.
    name: &'static str,
    training: Toml,
    runs: u64,
}

impl LearningProtocol {
    /// S4's to the letter, and the variant of it that a file describes by what is different, if any.
    fn both(training: &Toml, runs: u64, variant: Option<&ProtocolVariant>) -> Vec<LearningProtocol> {
        let text = LearningProtocol { name: "", training: training.clone(), runs };
        let variant = variant.map(|variant| {
            let mut training = training.clone();
            training.extend(variant.training.clone());
            LearningProtocol { name: VARIANT, training, runs: variant.runs }
        });
        [text].into_iter().chain(variant).collect()
    }

    /// A name that says which protocol it is of.
    fn named(&self, name: &str) -> String {
        if self.name.is_empty() { name.to_owned() } else { format!("{name}, {}", self.name) }
    }

    /// A claim that says what moves are chosen by.
    fn claim(&self, claim: &str) -> String {
        format!("Moves {}: {claim}", if self.name.is_empty() { "by value alone" } else { self.name })
    }

    /// Games of each test against the reference player.
    fn test_games(&self) -> u64 {
        let games = self.training.get("yardstick_games").and_then(Value::as_integer);
        games.and_then(|games| u64::try_from(games).ok()).unwrap_or(1)
    }

    /// The same for a table's or a chart's file.
    fn file(&self, name: &str) -> String {
        if self.name.is_empty() { name.to_owned() } else { format!("{name}-variant") }
    }

    /// What findings by this protocol rest on.
    fn differs(&self) -> String {
        let choice = match self.name {
            "" => "Agents choose the move whose successor is worth most, as 4.3 says.",
            _ => {
                "Agents choose by the move's reward and the discounted value of its successor; 4.3 has the value alone."
            }
        };
        format!("{choice} {REFERENCE}")
    }
}

/// How reports call the variant: what differs from 4.3.
const VARIANT: &str = "by reward and value";

/// What a file says of a variant.
#[derive(Clone, Deserialize)]
struct ProtocolVariant {
    /// Runs of each agent.
    runs: u64,
    /// What differs from the protocol of the text.
    #[serde(flatten)]
    training: Toml,
}

/// What S4 leaves open about its reference player, for findings that rest on it.
const REFERENCE: &str = "S4 does not print what its reference player weighs an ejection with; ours counts it as ten \
                         moved marbles, which is our choice.";

/// The shares won in a run's tests, in per cent.
fn tests(run: &Trained) -> Vec<f64> {
    run.column("strength").iter().map(|point| 100.0 * point.1).collect()
}

/// The mean share won while learning, by run.
fn learning_means(runs: &[Trained]) -> Vec<f64> {
    runs.iter().map(|run| mean(&tests(run))).collect()
}

/// The mean share won of several runs after so many games, in per cent.
fn mean_curve(runs: &[Trained]) -> Vec<(f64, f64)> {
    let curves: Vec<Vec<(f64, f64)>> = runs.iter().map(|it| it.curve("games", "strength")).collect();
    let Some(first) = curves.first() else { return Vec::new() };
    let at =
        |place: usize| -> Vec<f64> { curves.iter().filter_map(|curve| Some(curve.get(place)?.1)).collect() };
    first.iter().enumerate().map(|(place, point)| (point.0, 100.0 * mean(&at(place)))).collect()
}
