//! Reads a game or position from any text the program knows.

use axum::Json;
use serde::Deserialize;
use trilith_arena::import::{self, Imported};

use super::question::aside;
use crate::api::Input;
use crate::fault::Fault;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImportRequest {
    text: String,
    /// Where it could be several games.
    game: Option<String>,
    rules: Option<String>,
}

/// `POST /api/import`.
pub(crate) async fn import(input: Input<ImportRequest>) -> Result<Json<Imported>, Fault> {
    let Json(ask) = input?;
    aside(move || {
        let imported = import::read(&ask.text, ask.game.as_deref(), ask.rules.as_deref());
        imported.map(Json).map_err(Fault::bad_request)
    })
    .await
}
