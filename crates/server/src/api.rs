//! Tables over HTTP: open, look, play, take back, save.

use std::sync::Arc;

use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use trilith_arena::catalogue::{self, Entry};
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

async fn games() -> Json<Vec<Entry>> {
    Json(catalogue::games())
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

fn find(tables: &Tables, id: &str) -> Result<Shared, Fault> {
    let unknown =
        || Fault::new(StatusCode::NOT_FOUND, "no such table: it was never opened or made room for others");
    tables.get(id).ok_or_else(unknown)
}

async fn look(State(tables): State<Arc<Tables>>, Path(id): Path<String>) -> Answer {
    let table = find(&tables, &id)?;
    Ok(Seat::new(id, &**lock(&table)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Play {
    #[serde(rename = "move")]
    mv: String,
    ply: usize,
}

async fn play(State(tables): State<Arc<Tables>>, Path(id): Path<String>, input: Input<Play>) -> Answer {
    let Json(play) = input?;
    change(&tables, id, play.ply, |table| Ok(table.play(&play.mv)?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    ply: usize,
}

async fn undo(State(tables): State<Arc<Tables>>, Path(id): Path<String>, input: Input<Step>) -> Answer {
    change(&tables, id, input?.ply, |table| done(table.undo(), "no move has been played"))
}

async fn redo(State(tables): State<Arc<Tables>>, Path(id): Path<String>, input: Input<Step>) -> Answer {
    change(&tables, id, input?.ply, |table| done(table.redo(), "no move has been taken back"))
}

fn done(done: bool, otherwise: &str) -> Result<(), Fault> {
    if done { Ok(()) } else { Err(Fault::bad_request(otherwise)) }
}

/// Changes the table unless it has gone on since the client saw `ply` moves.
fn change(
    tables: &Tables,
    id: String,
    ply: usize,
    change: impl FnOnce(&mut dyn Table) -> Result<(), Fault>,
) -> Answer {
    let table = find(tables, &id)?;
    let mut table = lock(&table);
    let now = table.view().moves.len();
    if ply != now {
        return Err(Fault::new(StatusCode::CONFLICT, format!("the table is at ply {now}, not {ply}")));
    }
    change(&mut **table)?;
    Ok(Seat::new(id, &**table))
}

async fn game_text(
    State(tables): State<Arc<Tables>>,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Fault> {
    let table = find(&tables, &id)?;
    let (game, text) = {
        let table = lock(&table);
        (table.view().game, table.text())
    };
    let headers = [
        (CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{game}.txt\"")),
    ];
    Ok((headers, text))
}

async fn board_svg(
    State(tables): State<Arc<Tables>>,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Fault> {
    let table = find(&tables, &id)?;
    let svg = lock(&table).svg();
    Ok(([(CONTENT_TYPE, "image/svg+xml")], svg))
}
