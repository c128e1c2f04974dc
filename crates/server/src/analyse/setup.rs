//! The set-up editor: stones on cells become the text of a position, and back. What the rules do not allow is said.

use axum::Json;
use serde::{Deserialize, Serialize};
use trilith_arena::table::{self, Table, View};
use trilith_games::{Arrangement, Colour, SideCounts, Stone};

use super::question::aside;
use crate::api::Input;
use crate::fault::Fault;

/// Stones, or the text of a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetupRequest {
    game: String,
    #[serde(default)]
    rules: String,
    position: Option<String>,
    /// By cell, as in a view.
    stones: Option<Vec<Option<Stone>>>,
    to_move: Option<Colour>,
    #[serde(default)]
    counts: SideCounts,
}

#[derive(Serialize)]
pub(crate) struct SetupAnswer {
    position: String,
    /// None in games that count nothing beside the board.
    counts: Option<SideCounts>,
    view: View,
}

/// `POST /api/position`.
pub(crate) async fn position(input: Input<SetupRequest>) -> Result<Json<SetupAnswer>, Fault> {
    let Json(ask) = input?;
    aside(move || answer(&ask).map(Json)).await
}

fn answer(ask: &SetupRequest) -> Result<SetupAnswer, Fault> {
    let table = table::open(&ask.game, &ask.rules, None)?;
    let text = match (&ask.position, &ask.stones) {
        (Some(text), None) => Some(text.clone()),
        (None, Some(stones)) => Some(text(&*table, ask, stones)?),
        (None, None) => None,
        _ => return Err(Fault::bad_request("expected `position` or `stones`, not both")),
    };
    let table = table::open(&ask.game, &ask.rules, text.as_deref())?;
    let view = table.view();
    Ok(SetupAnswer { position: view.position.clone(), counts: table.counts(), view })
}

/// The stones as the game puts them into words.
fn text(table: &dyn Table, ask: &SetupRequest, stones: &[Option<Stone>]) -> Result<String, Fault> {
    let (given, cells) = (stones.len(), table.board().cells.len());
    if given != cells {
        let wrong = format!("{given} stones: expected {cells}, one for each cell or null");
        return Err(Fault::bad_request(wrong));
    }
    let to_move = ask.to_move.ok_or_else(|| Fault::bad_request("expected `to_move`: black or white"))?;
    Ok(table.arrangement_text(&Arrangement { stones, to_move, counts: ask.counts }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_arena::GAMES;

    #[test]
    fn every_start_can_be_set_up_by_hand() {
        for game in GAMES {
            let table = table::open(game, "", None).unwrap();
            let view = table.view();
            let ask = SetupRequest {
                game: (*game).into(),
                rules: String::new(),
                position: None,
                stones: Some(view.stones.clone()),
                to_move: Some(view.to_move),
                counts: table.counts().unwrap_or_default(),
            };
            assert_eq!(answer(&ask).unwrap().position, view.position, "{game}");
        }
    }
}
