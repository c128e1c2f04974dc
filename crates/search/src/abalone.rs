//! What Abalone has of its own for search.

use trilith_eval::abalone::Evaluations;
use trilith_games::abalone::Abalone;

use crate::kit::SearchKit;

impl SearchKit<Abalone> for Evaluations {
    const PRUNING: Option<&'static str> = Some(include_str!("../artifacts/abalone/pruning.toml"));
}
