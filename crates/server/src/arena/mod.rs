//! Where people and programs meet: accounts, challenges, the lobby, ratings and the archive.

mod accounts;
mod archive;
pub(crate) mod challenge;
pub(crate) mod glicko;
mod listed;
pub(crate) mod lobby;

use std::sync::Arc;

use axum::Router;
use axum::routing::{delete, get, post};

use crate::app::App;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/accounts", post(accounts::register))
        .route("/accounts/{name}", get(accounts::look))
        .route("/me", get(accounts::me))
        .route("/me/games", get(archive::mine))
        .route("/me/token", post(accounts::rotate))
        .route("/me/delete", post(accounts::delete))
        .route("/ratings", get(accounts::ratings))
        .route("/archive", get(archive::list))
        .route("/archive/{id}", get(archive::replay))
        .route("/lobby", get(lobby::look))
        .route("/lobby/live", get(lobby::live))
        .route("/challenges", post(challenge::challenge))
        .route("/challenges/{id}", delete(challenge::withdraw))
        .route("/challenges/{id}/accept", post(challenge::accept))
        .route("/challenges/{id}/decline", post(challenge::decline))
}
