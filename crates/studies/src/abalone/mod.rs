//! S4, Abalone: how complex it is, and what risk-sensitive TD(lambda) learns by parameters, features and rewards.

pub mod complexity;
pub mod features;
pub mod last;
pub mod parameters;
pub mod rewards;

use toml::{Table as Toml, Value};
use trilith_base::Seed;

use crate::conduct::Conduct;
use crate::contest::{From, Match};
use crate::statistics::mean;
use crate::training::{StudyTraining, Trained};

/// A match of Abalone, drawn after `plies`.
fn contest(name: impl Into<String>, a: &str, b: &str, games: u64, openings: From, plies: u32) -> Match {
    Match { plies: Some(plies), per_cell: 10, openings, ..Match::new("abalone", name, a, b, games) }
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

fn training(name: String, seed: Seed, shared: &Toml, own: &[(&str, Value)]) -> StudyTraining {
    let training = StudyTraining::new(name, "risk-td", "abalone", seed.0, &[]).with(shared);
    let own: Toml = own.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    training.with(&own)
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
