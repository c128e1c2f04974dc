//! Tables over HTTP: open, look, play, take back, save.

use std::sync::Arc;

use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use trilith_arena::offer::{Offer, offers};
use trilith_arena::table::{self, Table, View};
use trilith_games::Board;

use crate::fault::Fault;
use crate::id;
use crate::tables::{Shared, Tables, lock};

pub(crate) fn routes(tables: Arc<Tables>) -> Router {
    Router::new()
        .route("/games", get(games))
        .route("/tables", post(open))
        .route("/tables/{id}", get(look))
        .route("/tables/{id}/moves", post(play))
        .route("/tables/{id}/undo", post(undo))
        .route("/tables/{id}/redo", post(redo))
        .route("/tables/{id}/game.txt", get(game_text))
        .route("/tables/{id}/board.svg", get(board_svg))
        .with_state(tables)
}

/// JSON, or why not; `?` makes it a [`Fault`] like all others.
type Input<T> = Result<Json<T>, JsonRejection>;

/// What a client knows about a table after each request.
#[derive(Serialize)]
struct Seat {
    id: String,
    board: Board,
    view: View,
}

impl Seat {
    fn new(id: String, table: &dyn Table) -> Json<Seat> {
        Json(Seat { id, board: table.board(), view: table.view() })
    }
}

type Answer = Result<Json<Seat>, Fault>;

async fn games() -> Json<Vec<Offer>> {
    Json(offers())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Open {
    game: Option<String>,
    rules: Option<String>,
    position: Option<String>,
    text: Option<String>,
}

async fn open(State(tables): State<Arc<Tables>>, input: Input<Open>) -> Result<impl IntoResponse, Fault> {
    let table = match input?.0 {
        Open { game: Some(game), rules, position, text: None } => {
            table::open(&game, rules.as_deref().unwrap_or(""), position.as_deref())?
        }
        Open { game: None, rules: None, position: None, text: Some(text) } => table::load(&text)?,
        _ => {
            return Err(Fault::bad_request(
                "expected `game` with `rules` and `position` if wanted, or `text`",
            ));
        }
    };
    let id =
        id::unguessable().map_err(|error| Fault::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string()))?;
    let table = tables.insert(id.clone(), table);
    Ok((StatusCode::CREATED, Seat::new(id, &**lock(&table))))
}

/// The table that the address names.
struct Found {
    id: String,
    table: Shared,
}

impl FromRequestParts<Arc<Tables>> for Found {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, tables: &Arc<Tables>) -> Result<Found, Fault> {
        let path = Path::<String>::from_request_parts(parts, tables).await;
        let found = path.ok().and_then(|Path(id)| Some(Found { table: tables.get(&id)?, id }));
        found.ok_or_else(|| {
            Fault::new(StatusCode::NOT_FOUND, "no such table: never opened, or it made room for others")
        })
    }
}

async fn look(Found { id, table }: Found) -> Json<Seat> {
    Seat::new(id, &**lock(&table))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Play {
    #[serde(rename = "move")]
    mv: String,
    ply: usize,
}

async fn play(found: Found, input: Input<Play>) -> Answer {
    let Json(play) = input?;
    change(found, play.ply, |table| Ok(table.play(&play.mv)?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    ply: usize,
}

async fn undo(found: Found, input: Input<Step>) -> Answer {
    change(found, input?.ply, |table| done(table.undo(), "no move has been played"))
}

async fn redo(found: Found, input: Input<Step>) -> Answer {
    change(found, input?.ply, |table| done(table.redo(), "no move has been taken back"))
}

fn done(done: bool, otherwise: &str) -> Result<(), Fault> {
    if done { Ok(()) } else { Err(Fault::bad_request(otherwise)) }
}

/// Changes the table unless it has gone on since the client saw `ply` moves.
fn change(found: Found, ply: usize, change: impl FnOnce(&mut dyn Table) -> Result<(), Fault>) -> Answer {
    let mut table = lock(&found.table);
    let now = table.view().moves.len();
    if ply != now {
        return Err(Fault::new(StatusCode::CONFLICT, format!("the table is at ply {now}, not {ply}")));
    }
    change(&mut **table)?;
    Ok(Seat::new(found.id, &**table))
}

async fn game_text(Found { table, .. }: Found) -> impl IntoResponse {
    let table = lock(&table);
    let name = format!("attachment; filename=\"{}.txt\"", table.view().game);
    ([(CONTENT_TYPE, "text/plain; charset=utf-8".into()), (CONTENT_DISPOSITION, name)], table.text())
}

async fn board_svg(Found { table, .. }: Found) -> impl IntoResponse {
    ([(CONTENT_TYPE, "image/svg+xml")], lock(&table).svg())
}
