//! Analyse: what positions are worth and why, games read from any text, and what is known for certain.
//!
//! | request | answer |
//! | --- | --- |
//! | `GET /api/analyse/live` | a WebSocket: live analysis with several lines |
//! | `POST /api/import` `{text, game?, rules?}` | the game or position in any text that can be read |
//! | `POST /api/position` `{game, stones, to_move, ...}` or `{game, position}` | a position that was set up |
//! | `POST /api/look` `{game, rules?, start?, moves}` | the view after the moves |
//! | `POST /api/review` `{game, rules?, start?, moves, nodes?, time_ms?}` | a job that judges every move |
//! | `GET /api/review/ID`, `POST /api/review/ID/stop` | how far it is |
//! | `POST /api/explain` `{game, rules?, start?, moves, eval?}` | the terms of the evaluation |
//! | `POST /api/known` `{game, rules?, start?, moves}` | tablebase, book, exact endgame |
//! | `POST /api/tablebases` `{game, rules?}`, `.../build` `{game, rules?, stones}`, `.../stop` | tables that can be built |
//! | `POST /api/save` `{game, rules?, start?, moves}` | the game as text |

mod analyst;
mod closed;
mod explain;
mod import;
mod known;
mod live;
mod question;
mod review;
mod setup;
mod tablebases;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::app::App;

pub(crate) use closed::RatedGames;
pub(crate) use question::{Question, aside};

/// What analyses share: reviews under way, opened tablebases, analysts between two questions.
pub(crate) struct AnalysisDesk {
    reviews: review::Reviews,
    experts: known::Experts,
    pub(crate) analysts: analyst::Analysts,
    /// Of endgame tables.
    pub(crate) builder: tablebases::Builder,
}

/// Analysts that one address may keep.
const EACH: usize = 2;

impl AnalysisDesk {
    /// With so many analysts at rest, at most.
    pub(crate) fn new(analysts: usize) -> AnalysisDesk {
        let (reviews, experts) = (review::Reviews::default(), known::Experts::default());
        let analysts = analyst::Analysts::new(analysts, EACH);
        AnalysisDesk { reviews, experts, analysts, builder: tablebases::Builder::default() }
    }
}

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/analyse/live", get(live::live))
        .route("/import", post(import::import))
        .route("/position", post(setup::position))
        .route("/look", post(question::look))
        .route("/save", post(question::save))
        .route("/review", post(review::begin))
        .route("/review/{id}", get(review::look))
        .route("/review/{id}/stop", post(review::stop))
        .route("/explain", post(explain::explain))
        .route("/known", post(known::known))
        .route("/tablebases", post(tablebases::look))
        .route("/tablebases/build", post(tablebases::build))
        .route("/tablebases/stop", post(tablebases::stop))
}
