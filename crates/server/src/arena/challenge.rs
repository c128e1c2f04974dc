//! Challenges: an account wants to play, with everybody or with one.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use serde_json::json;
use trilith_arena::table;
use trilith_games::Colour;

use crate::api::{Found, Input, Named, look_at};
use crate::app::App;
use crate::caller::Caller;
use crate::fault::Fault;
use crate::id;
use crate::opening::{self, NewTable, Refused};
use crate::room::{BoardAnswer, ClockSetup, Holder, Kind, Seat, Sides};
use crate::store::{StoreError, Write, reads};
use crate::time::now_ms;
use crate::token;

/// Which side the challenger wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Side {
    Black,
    White,
    Random,
}

impl Side {
    fn draw(self) -> Result<Colour, Fault> {
        let mut bits = [0];
        getrandom::fill(&mut bits).map_err(Fault::random)?;
        Ok(match self {
            Side::Black => Colour::Black,
            Side::White => Colour::White,
            Side::Random if bits[0] & 1 == 0 => Colour::Black,
            Side::Random => Colour::White,
        })
    }
}

/// What a client asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    game: String,
    #[serde(default)]
    rules: String,
    #[serde(default)]
    clock: Option<ClockSetup>,
    #[serde(default)]
    rated: bool,
    #[serde(default = "any_side")]
    colour: Side,
    #[serde(default)]
    to: Option<String>,
}

fn any_side() -> Side {
    Side::Random
}

/// An open challenge, kept as JSON and shown as it is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Challenge {
    pub(super) id: String,
    /// The challenger's name as its owner writes it.
    from: String,
    pub(super) account: String,
    game: String,
    rules: String,
    clock: Option<ClockSetup>,
    rated: bool,
    colour: Side,
    /// The account that may accept; everybody if none.
    pub(super) to: Option<String>,
    created: u64,
}

/// Open challenges of one account, to one account, and in all.
const MOST: usize = 10;
const WAITING: usize = 50;
const ALL: usize = 2000;
/// How long a challenge stands, in milliseconds.
const STANDS: u64 = 24 * 3_600_000;

/// All challenges that have stood too long at `now`, by their names.
pub(crate) async fn expired(app: &App, now: u64) -> Result<Vec<String>, StoreError> {
    let texts = app.store.read(reads::challenges).await?;
    let all = texts.iter().filter_map(|text| serde_json::from_str::<Challenge>(text).ok());
    Ok(all.filter(|challenge| !challenge.stands(now)).map(|challenge| challenge.id).collect())
}

impl Challenge {
    fn stands(&self, now: u64) -> bool {
        now.saturating_sub(self.created) < STANDS
    }
}

/// All open challenges, oldest first.
pub(super) async fn all(app: &App) -> Result<Vec<Challenge>, StoreError> {
    let texts = app.store.read(reads::challenges).await?;
    let now = now_ms();
    let mut all: Vec<Challenge> = texts.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
    all.retain(|challenge| challenge.stands(now));
    all.sort_by_key(|challenge| challenge.created);
    Ok(all)
}

/// `POST /api/challenges`.
pub(super) async fn challenge(
    State(app): State<Arc<App>>,
    caller: Caller,
    input: Input<Wish>,
) -> Result<impl IntoResponse, Fault> {
    let account = caller.account()?.to_owned();
    caller.expect_heard()?;
    app.limits.opening(&caller)?;
    let Json(wish) = input?;
    let rules = table::open(&wish.game, &wish.rules, None)?.view().rules;
    let usual = table::open(&wish.game, "", None)?.view().rules;
    if wish.rated && rules != usual {
        return Err(Fault::bad_request(format!("rated games have the usual rules: expected `{usual}`")));
    }
    if wish.clock.is_some_and(|clock| !clock.is_sound()) {
        return Err(Fault::bad_request(
            "clock: expected a second to a week, and at most an hour of increment",
        ));
    }
    let to = wish.to.map(|name| name.to_ascii_lowercase());
    if let Some(name) = to.clone() {
        let known = app.store.read(move |db| reads::account(db, &name)).await?;
        known.ok_or_else(|| Fault::new(StatusCode::NOT_FOUND, "nobody has this name"))?;
    }
    if to.as_ref() == Some(&account) {
        return Err(Fault::bad_request("nobody challenges himself"));
    }
    let open = all(&app).await?;
    if open.iter().filter(|open| open.account == account).count() >= MOST {
        return Err(Fault::new(StatusCode::CONFLICT, format!("at most {MOST} challenges may be open")));
    }
    let waiting = open.iter().filter(|open| open.to.is_some() && open.to == to).count();
    if open.len() >= ALL || waiting >= WAITING {
        return Err(Fault::new(
            StatusCode::CONFLICT,
            "too many challenges are open: wait until some are gone",
        ));
    }
    let made = Challenge {
        id: id::unguessable().map_err(Fault::random)?,
        from: caller.asker.shown.unwrap_or_default(),
        account,
        game: wish.game,
        rules,
        clock: wish.clock,
        rated: wish.rated,
        colour: wish.colour,
        to,
        created: now_ms(),
    };
    let body = serde_json::to_string(&made).expect("challenges are plain data");
    app.store.write(vec![Write::Challenge { id: made.id.clone(), body }]).await?;
    if let Some(to) = &made.to {
        app.lobby.tell(to, json!({ "event": "challenge", "challenge": made }));
    }
    app.lobby_changed();
    Ok((StatusCode::CREATED, Json(made)))
}

async fn find(app: &App, id: &str) -> Result<Challenge, Fault> {
    let found = all(app).await?.into_iter().find(|challenge| challenge.id == id);
    found.ok_or_else(gone)
}

fn gone() -> Fault {
    Fault::new(StatusCode::NOT_FOUND, "there is no such challenge any more")
}

/// `POST /api/challenges/ID/accept`: the table, with the token of one's seat.
pub(super) async fn accept(
    State(app): State<Arc<App>>,
    path: Named,
    mut caller: Caller,
) -> Result<Json<BoardAnswer>, Fault> {
    let id = path?.0;
    let account = caller.account()?.to_owned();
    app.quota(&caller).await?;
    let challenge = find(&app, &id).await?;
    if challenge.account == account {
        return Err(Fault::new(StatusCode::CONFLICT, "nobody plays against himself"));
    }
    if challenge.to.as_ref().is_some_and(|to| *to != account) {
        return Err(Fault::new(StatusCode::FORBIDDEN, "this challenge is for somebody else"));
    }
    let side = challenge.colour.draw()?;
    let (own, other) = (token::for_seat().map_err(Fault::random)?, token::for_seat().map_err(Fault::random)?);
    let seat = |name: &str, account: &str, token: &str| Seat {
        kind: Kind::Human,
        name: name.into(),
        spec: None,
        holder: Holder { token: Some(token::hash(token)), account: Some(account.into()) },
    };
    let shown = caller.asker.shown.clone().unwrap_or_default();
    let seats = Sides::from_fn(|colour| match colour == side {
        true => seat(&challenge.from, &challenge.account, &other),
        false => seat(&shown, &account, &own),
    });
    let plan = NewTable {
        seats,
        clock: challenge.clock,
        rated: challenge.rated,
        public: true,
        owner: None,
        over: None,
    };
    let board = table::open(&challenge.game, &challenge.rules, None)?;
    let more = vec![Write::Unchallenge { id }];
    let table =
        opening::place(&app, board, plan, caller.client(), more).await.map_err(|fault| match fault {
            Refused::Taken => gone(),
            Refused::Fault(fault) => fault,
        })?;
    app.lobby.tell(
        &challenge.account,
        json!({ "event": "start", "table": table, "seat": side, "token": other, "challenge": challenge.id }),
    );
    app.lobby.tell(
        &account,
        json!({ "event": "start", "table": table, "seat": !side, "challenge": challenge.id }),
    );
    app.lobby_changed();
    caller.asker.hash = Some(token::hash(&own));
    let mut answer = look_at(&Found { id: table, caller, app }).await.map_err(|_| Fault::unseen())?;
    (answer.token, answer.seat) = (Some(own), Some(!side));
    Ok(Json(answer))
}

/// `POST /api/challenges/ID/decline`: for whom it was meant.
pub(super) async fn decline(
    State(app): State<Arc<App>>,
    path: Named,
    caller: Caller,
) -> Result<StatusCode, Fault> {
    let id = path?.0;
    let challenge = find(&app, &id).await?;
    if challenge.to.as_deref() != Some(caller.account()?) {
        return Err(Fault::new(StatusCode::FORBIDDEN, "only who is challenged may decline"));
    }
    remove(&app, id).await?;
    app.lobby.tell(&challenge.account, json!({ "event": "declined", "challenge": challenge.id }));
    Ok(StatusCode::NO_CONTENT)
}

/// `DELETE /api/challenges/ID`: by who has made it.
pub(super) async fn withdraw(
    State(app): State<Arc<App>>,
    path: Named,
    caller: Caller,
) -> Result<StatusCode, Fault> {
    let id = path?.0;
    let challenge = find(&app, &id).await?;
    if challenge.account != caller.account()? {
        return Err(Fault::new(StatusCode::FORBIDDEN, "only who has made a challenge may take it back"));
    }
    remove(&app, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn remove(app: &App, id: String) -> Result<(), Fault> {
    match app.store.write(vec![Write::Unchallenge { id }]).await {
        Err(StoreError::Taken) => return Err(gone()),
        done => done?,
    }
    app.lobby_changed();
    Ok(())
}
