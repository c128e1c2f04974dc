//! First steps and lessons, as the page plays them.

use axum::Json;
use axum::http::StatusCode;
use trilith_teach::lesson::{self, Lesson};

use crate::api::Named;
use crate::fault::Fault;

/// `GET /api/lessons/GAME`: all lessons of a game in their order; none if it has none.
pub(crate) async fn lessons(game: Named) -> Result<Json<Vec<Lesson>>, Fault> {
    let game = game?.0;
    let lessons =
        lesson::shipped(&game).map_err(|error| Fault::new(StatusCode::NOT_FOUND, error.to_string()))?;
    Ok(Json(lessons))
}
