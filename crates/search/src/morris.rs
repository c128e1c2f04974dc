//! What Morris has of its own for search.

use trilith_eval::morris::Evaluations;
use trilith_games::morris::Morris;

use crate::kit::SearchKit;

impl SearchKit<Morris> for Evaluations {
    const PROBCUT: &'static [&'static str] = &[include_str!("../artifacts/morris/probcut.toml")];
    const PRUNING: Option<&'static str> = Some(include_str!("../artifacts/morris/pruning.toml"));
}
