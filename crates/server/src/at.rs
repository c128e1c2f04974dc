//! Earlier positions of a table, so that a game can be replayed without rules in the browser.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Serialize;
use trilith_arena::TableError;
use trilith_arena::table::{self, View};

use crate::app::App;
use crate::caller::Caller;
use crate::engine::Situation;
use crate::fault::Fault;
use crate::tables;

/// A position on the way, as everybody saw it then.
#[derive(Serialize)]
pub(crate) struct Then {
    view: View,
}

/// `GET /api/tables/ID/at/PLY`: the view after so many moves.
pub(crate) async fn at(
    State(app): State<Arc<App>>,
    caller: Caller,
    path: Result<Path<(String, usize)>, PathRejection>,
) -> Result<Json<Then>, Fault> {
    let not_there = || Fault::new(StatusCode::NOT_FOUND, "no such table, or not so many moves");
    let Path((id, ply)) = path.map_err(|_| not_there())?;
    let situation = tables::look(&app, &id, &caller.client(), |actor| actor.room.situation()).await?;
    if ply > situation.moves.len() {
        return Err(not_there());
    }
    Ok(Json(Then { view: view(&situation, ply)? }))
}

fn view(situation: &Situation, ply: usize) -> Result<View, TableError> {
    let mut table = table::open(&situation.game, &situation.rules, situation.start.as_deref())?;
    for (number, mv) in situation.moves[..ply].iter().enumerate() {
        table.play(mv).map_err(|source| TableError::Move { ply: number + 1, source })?;
    }
    Ok(table.view())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_of_a_game_can_be_seen_again() {
        let moves: Vec<String> = ["f5", "d6", "c3"].map(Into::into).into();
        let situation = Situation { game: "othello".into(), rules: String::new(), start: None, moves };
        for ply in 0..=3 {
            assert_eq!(view(&situation, ply).unwrap().moves, situation.moves[..ply]);
        }
    }
}
