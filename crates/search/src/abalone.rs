//! What Abalone has of its own for search: nothing.

use trilith_eval::abalone::Evaluations;
use trilith_games::abalone::Abalone;

use crate::kit::SearchKit;

impl SearchKit<Abalone> for Evaluations {}
