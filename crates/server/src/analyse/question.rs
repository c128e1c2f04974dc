//! What is asked about: a game so far, checked before anybody thinks about it.

use axum::Json;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use trilith_arena::table::{self, Table, View};
use trilith_arena::{GameKit, Visitor, with_game};
use trilith_games::Game;

use crate::api::Input;
use crate::engine::Situation;
use crate::fault::Fault;

/// The most moves that are looked at; no rule set with limits has longer games.
const LONGEST: usize = 2000;

/// A position by how it came to be.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Question {
    game: String,
    #[serde(default)]
    rules: String,
    /// Where it begins; the usual start if none.
    #[serde(alias = "position")]
    start: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
}

impl Question {
    /// The same, unless it is too long to be looked at.
    pub(crate) fn situation(self) -> Result<Situation, Fault> {
        let Question { game, rules, start, moves } = self;
        if moves.len() > LONGEST {
            return Err(Fault::bad_request(format!("{} moves: expected at most {LONGEST}", moves.len())));
        }
        Ok(Situation { game, rules, start, moves })
    }
}

/// A table at the end of the situation's moves.
pub(crate) fn table(situation: &Situation) -> Result<Box<dyn Table>, Fault> {
    let mut table = table::open(&situation.game, &situation.rules, situation.start.as_deref())?;
    for (number, mv) in situation.moves.iter().enumerate() {
        let fault = |source| Fault::bad_request(format!("ply {}: {source}", number + 1));
        table.play(mv).map_err(fault)?;
    }
    Ok(table)
}

/// Does what takes milliseconds where nobody waits for it.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    let broken = |_| Fault::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, "it could not be worked out");
    tokio::task::spawn_blocking(work).await.map_err(broken)?
}

#[derive(Serialize)]
pub(crate) struct PositionView {
    view: View,
    /// What players call the opening.
    opening: Option<&'static str>,
}

/// What players call the opening of a game.
struct Opening<'a>(&'a Situation);

impl Visitor for Opening<'_> {
    type Output = Option<&'static str>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let game = G::new(self.0.rules.parse().ok()?);
        let start =
            self.0.start.as_deref().map_or_else(|| Ok(game.start()), |text| game.parse_position(text));
        (start.ok()? == game.start()).then(|| C::opening_name(&self.0.moves)).flatten()
    }
}

/// `POST /api/look`.
pub(crate) async fn look(input: Input<Question>) -> Result<Json<PositionView>, Fault> {
    let situation = input?.0.situation()?;
    aside(move || {
        let view = table(&situation)?.view();
        let opening = with_game(&situation.game, Opening(&situation)).ok().flatten();
        Ok(Json(PositionView { view, opening }))
    })
    .await
}

/// `POST /api/save`: the game in the text form that everything here reads.
pub(crate) async fn save(input: Input<Question>) -> Result<impl IntoResponse, Fault> {
    let situation = input?.0.situation()?;
    let text = aside(move || Ok(table(&situation)?.text())).await?;
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text))
}
