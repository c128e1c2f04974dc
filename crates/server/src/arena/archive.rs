//! Games that have ended, to be found and replayed.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use trilith_arena::table;
use trilith_games::{Board, Colour, Stone};

use super::listed::Entry;
use crate::api::Named;
use crate::app::App;
use crate::caller::Caller;
use crate::fault::Fault;
use crate::room::Room;
use crate::store::reads;
use crate::tables;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Filter {
    #[serde(default)]
    game: String,
    #[serde(default)]
    player: String,
    /// Milliseconds since 1970; the `finished` of the last game of a page gives the next.
    before: Option<u64>,
    limit: Option<u64>,
}

#[derive(Serialize)]
pub(super) struct Games {
    games: Vec<Entry>,
}

/// The most games of one answer.
const MOST: u64 = 100;

/// `GET /api/archive`.
pub(super) async fn list(
    State(app): State<Arc<App>>,
    query: Result<Query<Filter>, QueryRejection>,
) -> Result<Json<Games>, Fault> {
    let Query(Filter { game, player, before, limit }) = query?;
    let (player, before) = (player.to_ascii_lowercase(), before.unwrap_or(i64::MAX as u64));
    let limit = limit.unwrap_or(20).clamp(1, MOST);
    let found = app.store.read(move |db| reads::archive(db, &game, &player, before, limit)).await?;
    Ok(Json(Games { games: found.into_iter().map(Entry::from).collect() }))
}

/// `GET /api/me/games`: all games of an account, those that go on too and those that no list shows, the newest first.
pub(super) async fn mine(
    State(app): State<Arc<App>>,
    caller: Caller,
    query: Result<Query<Page>, QueryRejection>,
) -> Result<Json<Games>, Fault> {
    let Query(Page { before, limit }) = query?;
    let account = caller.account()?.to_owned();
    let (before, limit) = (before.unwrap_or(i64::MAX as u64), limit.unwrap_or(20).clamp(1, MOST));
    let found = app.store.read(move |db| reads::games_of(db, &account, before, limit)).await?;
    Ok(Json(Games { games: found.into_iter().map(Entry::from).collect() }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Page {
    /// Milliseconds since 1970; the `created` of the last game of a page gives the next.
    before: Option<u64>,
    limit: Option<u64>,
}

/// A game with what is seen after each ply, so that a page without rules can replay it.
#[derive(Serialize)]
pub(super) struct Replay {
    #[serde(flatten)]
    entry: Entry,
    rules: String,
    start: String,
    moves: Vec<String>,
    board: Board,
    /// Before the first move and after each.
    positions: Vec<Moment>,
    text: String,
}

#[derive(Serialize)]
struct Moment {
    position: String,
    to_move: Colour,
    stones: Vec<Option<Stone>>,
    status: String,
    last: Vec<usize>,
}

/// `GET /api/archive/ID`.
pub(super) async fn replay(State(app): State<Arc<App>>, path: Named) -> Result<Json<Replay>, Fault> {
    let id = path?.0;
    let missing = || Fault::new(StatusCode::NOT_FOUND, "there is no such game in the archive");
    let key = id.clone();
    let listed = app.store.read(move |db| reads::archived(db, &key)).await?.ok_or_else(missing)?;
    let room = tables::load(&app.store, id).await?.ok_or_else(missing)?;
    Ok(Json(Replay {
        entry: listed.into(),
        rules: room.setup.rules.clone(),
        start: room.setup.start.clone(),
        moves: room.view().moves.clone(),
        board: room.table().board(),
        positions: moments(&room)?,
        text: room.text(),
    }))
}

fn moments(room: &Room) -> Result<Vec<Moment>, Fault> {
    let setup = &room.setup;
    let mut table = table::open(&setup.game, &setup.rules, Some(&setup.start))?;
    let mut moments = Vec::new();
    let mut look = |view: trilith_arena::table::View| {
        let trilith_arena::table::View { position, to_move, stones, status, last, .. } = view;
        moments.push(Moment { position, to_move, stones, status, last });
    };
    look(table.view());
    for mv in &room.view().moves {
        table.play(mv)?;
        look(table.view());
    }
    Ok(moments)
}
