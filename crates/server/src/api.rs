//! Tables over HTTP: open, look, play, take back, end, save.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{FromRequestParts, Path, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use trilith_arena::PlayerSpec;
use trilith_base::Seed;
use trilith_games::Colour;
use trilith_search::Limits;

use crate::app::App;
use crate::at;
use crate::caller::Caller;
use crate::choices;
use crate::engine::{self, Class, Situation, Thought};
use crate::fault::Fault;
use crate::live;
use crate::names;
use crate::opening::{self, Open};
use crate::room::actor::{Actor, Message};
use crate::room::{BoardAnswer, Command, Sides, Words};
use crate::tables;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/games", get(choices::games))
        .route("/tables", post(open))
        .route("/tables/{id}", get(look))
        .route("/tables/{id}/moves", post(play))
        .route("/tables/{id}/undo", post(undo))
        .route("/tables/{id}/redo", post(redo))
        .route("/tables/{id}/draw", post(draw))
        .route("/tables/{id}/decline", post(decline))
        .route("/tables/{id}/resign", post(resign))
        .route("/tables/{id}/abort", post(abort))
        .route("/tables/{id}/takeback", post(takeback))
        .route("/tables/{id}/rematch", post(rematch))
        .route("/tables/{id}/say", post(say))
        .route("/tables/{id}/pause", post(pause))
        .route("/tables/{id}/continue", post(go_on))
        .route("/tables/{id}/join", post(join))
        .route("/tables/{id}/hint", post(hint))
        .route("/tables/{id}/live", get(live::table))
        .route("/tables/{id}/at/{ply}", get(at::at))
        .route("/tables/{id}/game.txt", get(game_text))
        .route("/tables/{id}/board.svg", get(board_svg))
}

/// JSON, or why not; `?` makes it a [`Fault`] like all others.
pub(crate) type Input<T> = Result<Json<T>, JsonRejection>;

/// A body that says nothing: what changes something takes one, so that no other site's page can send it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// A word in the address, or why not.
pub(crate) type Named = Result<Path<String>, PathRejection>;

/// The table that the address names, and who asks for it.
pub(crate) struct Found {
    pub(crate) id: String,
    pub(crate) caller: Caller,
    pub(crate) app: Arc<App>,
}

impl FromRequestParts<Arc<App>> for Found {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Found, Fault> {
        let path = Path::<String>::from_request_parts(parts, app).await;
        let is_id = |id: &String| id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        let id = path.ok().map(|Path(id)| id).filter(is_id);
        let id = id.ok_or_else(|| Fault::new(StatusCode::NOT_FOUND, "no such table"))?;
        let caller = Caller::from_request_parts(parts, app).await?;
        Ok(Found { id, caller, app: Arc::clone(app) })
    }
}

impl Found {
    async fn look<T: Send + 'static>(
        &self,
        look: impl Fn(&Actor) -> T + Clone + Send + 'static,
    ) -> Result<T, Fault> {
        tables::look(&self.app, &self.id, &self.caller.client(), look).await
    }

    /// Has `command` done and answers with the table after it.
    async fn obey(self, command: Command) -> Result<Json<BoardAnswer>, Fault> {
        // Before anything is done: what fails afterwards would be told as if nothing had been.
        let board = self.look(|actor| actor.room.table().board()).await?;
        let client = self.caller.client();
        let snapshot = tables::ask(&self.app, &self.id, &client, |reply| Message::Do {
            asker: self.caller.asker.clone(),
            command: command.clone(),
            reply,
        });
        let snapshot = snapshot.await??;
        self.app.rated.present(&self.id, &self.caller.asker, &self.caller.address);
        Ok(Json(BoardAnswer::new(board, snapshot, &self.caller.asker)))
    }
}

async fn open(
    State(app): State<Arc<App>>,
    caller: Caller,
    input: Input<Open>,
) -> Result<impl IntoResponse, Fault> {
    app.limits.opening(&caller)?;
    let Json(wish) = input?;
    let mut caller = caller;
    let opened = opening::open(&app, &caller, wish).await?;
    caller.asker.hash = Some(crate::token::hash(&opened.token));
    let found = Found { id: opened.id, caller, app };
    let mut shown = look_at(&found).await.map_err(|_| Fault::unseen())?;
    shown.tokens = Some(Sides::from_fn(|side| opened.seats[side].then(|| opened.token.clone())));
    shown.token = Some(opened.token);
    Ok((StatusCode::CREATED, Json(shown)))
}

async fn look(found: Found) -> Result<Json<BoardAnswer>, Fault> {
    look_at(&found).await.map(Json)
}

/// The table as the caller sees it.
pub(crate) async fn look_at(found: &Found) -> Result<BoardAnswer, Fault> {
    let (board, snapshot) = found.look(|actor| (actor.room.table().board(), actor.snapshot())).await?;
    Ok(BoardAnswer::new(board, snapshot, &found.caller.asker))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Play {
    #[serde(rename = "move")]
    mv: String,
    ply: usize,
}

async fn play(found: Found, input: Input<Play>) -> Result<Json<BoardAnswer>, Fault> {
    let Json(Play { mv, ply }) = input?;
    found.obey(Command::Move { mv, ply }).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    ply: usize,
}

async fn undo(found: Found, input: Input<Step>) -> Result<Json<BoardAnswer>, Fault> {
    found.obey(Command::Undo { ply: input?.ply }).await
}

async fn redo(found: Found, input: Input<Step>) -> Result<Json<BoardAnswer>, Fault> {
    found.obey(Command::Redo { ply: input?.ply }).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OptionalPly {
    ply: Option<usize>,
}

async fn draw(found: Found, input: Input<OptionalPly>) -> Result<Json<BoardAnswer>, Fault> {
    found.obey(Command::Draw { ply: input?.ply }).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Resign {
    #[serde(rename = "as")]
    side: Option<Colour>,
    /// Taken, but not needed: who resigns does so at any ply.
    #[serde(rename = "ply")]
    _ply: Option<usize>,
}

async fn resign(found: Found, input: Input<Resign>) -> Result<Json<BoardAnswer>, Fault> {
    found.obey(Command::Resign { side: input?.side }).await
}

async fn abort(found: Found, input: Input<OptionalPly>) -> Result<Json<BoardAnswer>, Fault> {
    let Json(OptionalPly { .. }) = input?;
    found.obey(Command::Abort {}).await
}

async fn decline(found: Found, input: Input<OptionalPly>) -> Result<Json<BoardAnswer>, Fault> {
    let Json(OptionalPly { .. }) = input?;
    found.obey(Command::Decline {}).await
}

async fn takeback(found: Found, input: Input<Step>) -> Result<Json<BoardAnswer>, Fault> {
    found.obey(Command::Takeback { ply: input?.ply }).await
}

async fn rematch(found: Found, input: Input<Nothing>) -> Result<Json<BoardAnswer>, Fault> {
    let Json(Nothing {}) = input?;
    found.app.limits.opening(&found.caller)?;
    found.app.quota(&found.caller).await?;
    found.obey(Command::Rematch {}).await
}

/// Says something at the table; it is heard over the socket and kept nowhere.
async fn say(found: Found, input: Input<Words>) -> Result<StatusCode, Fault> {
    let Json(words) = input?;
    found.caller.expect_heard()?;
    let client = found.caller.client();
    let said = tables::ask(&found.app, &found.id, &client, |reply| Message::Say {
        asker: found.caller.asker.clone(),
        words: words.clone(),
        reply,
    });
    said.await??;
    Ok(StatusCode::NO_CONTENT)
}

async fn pause(found: Found, input: Input<OptionalPly>) -> Result<Json<BoardAnswer>, Fault> {
    let Json(OptionalPly { .. }) = input?;
    found.obey(Command::Pause {}).await
}

async fn go_on(found: Found, input: Input<OptionalPly>) -> Result<Json<BoardAnswer>, Fault> {
    let Json(OptionalPly { .. }) = input?;
    found.obey(Command::Continue {}).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Join {
    seat: Option<Colour>,
    name: Option<String>,
}

async fn join(found: Found, input: Input<Join>) -> Result<Json<BoardAnswer>, Fault> {
    let Json(Join { seat, name }) = input?;
    names::check_owner(&found.app, &found.caller.asker, name.as_deref()).await?;
    // Before the seat is taken: nobody would have its token.
    let board = found.look(|actor| actor.room.table().board()).await?;
    let client = found.caller.client();
    let joined = tables::ask(&found.app, &found.id, &client, |reply| Message::Join {
        asker: found.caller.asker.clone(),
        seat,
        name: name.clone(),
        reply,
    });
    let joined = joined.await??;
    let mut caller = found.caller;
    caller.asker.hash = Some(crate::token::hash(&joined.token));
    let mut shown = BoardAnswer::new(board, joined.snapshot, &caller.asker);
    (shown.token, shown.seat) = (Some(joined.token), Some(joined.seat));
    Ok(Json(shown))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AskHint {
    ply: usize,
    time_ms: Option<u64>,
}

#[derive(Serialize)]
struct Hint {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    thought: Option<Thought>,
}

/// The longest and the usual time of a hint.
const HINT_MS: [u64; 2] = [5000, 1000];

async fn hint(found: Found, input: Input<AskHint>) -> Result<Json<Hint>, Fault> {
    let Json(AskHint { ply, time_ms }) = input?;
    let asker = found.caller.asker.clone();
    let situation = found.look(move |actor| hintable(actor, &asker, ply)).await??;
    let time = Duration::from_millis(time_ms.unwrap_or(HINT_MS[1]).clamp(1, HINT_MS[0]));
    let client = found.caller.client();
    let work = move |control: &trilith_search::Control| {
        let spec: PlayerSpec = "engine".parse().map_err(|_| "no engine")?;
        let mut mind = engine::make(&situation.game, &spec, Seed(1), None).map_err(|_| "no engine")?;
        let chosen = mind.choose(&situation, Limits::time(time), control, &mut |_| ());
        chosen.map_err(|_| "the engine knows nothing")
    };
    let chosen = found.app.pool.run(&client, Class::Move, time, work).await;
    let fault = |error: &str| Fault::new(StatusCode::SERVICE_UNAVAILABLE, error);
    let (mv, thought) = chosen.ok_or_else(|| fault("the engine broke down"))?.map_err(fault)?;
    Ok(Json(Hint { mv, thought }))
}

/// The game so far, if `asker` may have a hint.
fn hintable(actor: &Actor, asker: &crate::token::Asker, ply: usize) -> Result<Situation, Fault> {
    let room = &actor.room;
    let forbidden = |error| Err(Fault::new(StatusCode::FORBIDDEN, error));
    if room.sides_of(asker).is_empty() {
        return forbidden("hints are for those who play here");
    }
    if room.setup.rated || room.has_two_people() {
        return forbidden("there are no hints against another person");
    }
    if room.result().is_some() {
        return Err(Fault::bad_request("the game has ended"));
    }
    let situation = room.situation();
    match situation.moves.len() {
        now if now != ply => {
            Err(Fault::new(StatusCode::CONFLICT, format!("the table is at ply {now}, not {ply}")))
        }
        _ => Ok(situation),
    }
}

async fn game_text(found: Found) -> Result<impl IntoResponse, Fault> {
    let (game, text) = found.look(|actor| (actor.room.setup.game.clone(), actor.room.text())).await?;
    let name = format!("attachment; filename=\"{game}.txt\"");
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8".into()), (CONTENT_DISPOSITION, name)], text))
}

async fn board_svg(found: Found) -> Result<impl IntoResponse, Fault> {
    let svg = found.look(|actor| actor.room.table().svg()).await?;
    Ok(([(CONTENT_TYPE, "image/svg+xml")], svg))
}
