//! Accounts: a name, a token, ratings. No passwords, no addresses, nothing personal.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use trilith_arena::GAMES;

use super::glicko::GlickoRating;
use super::listed::Entry;
use crate::api::{Input, Named, Nothing};
use crate::app::App;
use crate::caller::Caller;
use crate::fault::Fault;
use crate::room::Command;
use crate::room::actor::Message;
use crate::store::reads::{self, Account};
use crate::store::{StoreError, Write};
use crate::tables;
use crate::time::now_ms;
use crate::token;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Register {
    name: String,
    #[serde(default)]
    bot: bool,
}

#[derive(Serialize)]
struct Registered {
    name: String,
    bot: bool,
    token: String,
}

/// `POST /api/accounts`.
pub(super) async fn register(
    State(app): State<Arc<App>>,
    caller: Caller,
    input: Input<Register>,
) -> Result<impl IntoResponse, Fault> {
    app.limits.registering(&caller)?;
    let Json(Register { name, bot }) = input?;
    if app.accounts.is_shut(&name.to_ascii_lowercase()) {
        return Err(Fault::new(StatusCode::CONFLICT, format!("the name `{name}` is taken")));
    }
    if !is_name(&name) {
        return Err(Fault::bad_request("name: expected 2 to 20 letters, digits, `-` or `_`"));
    }
    let token = token::for_account().map_err(Fault::random)?;
    let write = Write::Account {
        name: name.to_ascii_lowercase(),
        shown: name.clone(),
        token: token::hash(&token),
        bot,
        created: now_ms(),
    };
    match app.store.write(vec![write]).await {
        Err(StoreError::Taken) => {
            Err(Fault::new(StatusCode::CONFLICT, format!("the name `{name}` is taken")))
        }
        done => {
            done.map(|()| (StatusCode::CREATED, Json(Registered { name, bot, token }))).map_err(Fault::from)
        }
    }
}

#[derive(Serialize)]
pub(super) struct Renewed {
    token: String,
}

/// `POST /api/me/token`: a new token; the one before is good for nothing any more.
pub(super) async fn rotate(
    State(app): State<Arc<App>>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<Renewed>, Fault> {
    let Json(Nothing {}) = input?;
    let account = caller.account()?.to_owned();
    let token = token::for_account().map_err(Fault::random)?;
    let write = Write::Token { account: account.clone(), token: token::hash(&token) };
    app.store.write(vec![write]).await?;
    app.accounts.forget(&account, false);
    Ok(Json(Renewed { token }))
}

/// `POST /api/me/delete`: the account, its ratings and challenges are gone; games that go on are given up.
pub(super) async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<StatusCode, Fault> {
    let Json(Nothing {}) = input?;
    let account = caller.account()?.to_owned();
    let name = account.clone();
    let running = app.store.read(move |db| reads::running_of(db, &name)).await?;
    for (table, _) in &running {
        let resign = |reply| Message::Do {
            asker: caller.asker.clone(),
            command: Command::Resign { side: None },
            reply,
        };
        // A game that cannot be given up ends when nobody plays on.
        drop(tables::ask(&app, table, &caller.client(), resign).await);
    }
    app.store.write(vec![Write::Erase { account: account.clone() }]).await?;
    app.accounts.forget(&account, true);
    for (table, _) in running {
        app.tables.tell(&table, Message::Renew);
    }
    app.lobby_changed();
    Ok(StatusCode::NO_CONTENT)
}

fn is_name(name: &str) -> bool {
    let is_letter = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'-' || letter == b'_';
    (2..=20).contains(&name.len()) && name.bytes().all(is_letter)
}

/// What everybody may know of an account.
#[derive(Serialize)]
pub(super) struct Profile {
    name: String,
    account: String,
    bot: bool,
    ratings: BTreeMap<String, GlickoRating>,
    games: Vec<Entry>,
}

/// Games of a profile.
const RECENT: u64 = 20;

async fn profile(app: &App, name: String) -> Result<Json<Profile>, Fault> {
    let found = app.store.read(move |db| {
        let Some(Account { name, shown, bot, .. }) = reads::account(db, &name)? else { return Ok(None) };
        let ratings = reads::ratings_of(db, &name)?.into_iter().collect();
        let games = reads::archive(db, "", &name, i64::MAX as u64, RECENT)?;
        let games = games.into_iter().map(Entry::from).collect();
        Ok(Some(Profile { name: shown, account: name, bot, ratings, games }))
    });
    found.await?.map(Json).ok_or_else(|| Fault::new(StatusCode::NOT_FOUND, "nobody has this name"))
}

/// `GET /api/accounts/NAME`.
pub(super) async fn look(State(app): State<Arc<App>>, path: Named) -> Result<Json<Profile>, Fault> {
    profile(&app, path?.0.to_ascii_lowercase()).await
}

/// `GET /api/me`.
pub(super) async fn me(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<Profile>, Fault> {
    profile(&app, caller.account()?.to_owned()).await
}

#[derive(Deserialize)]
pub(super) struct OfGame {
    game: String,
}

#[derive(Serialize)]
pub(super) struct Ranked {
    name: String,
    bot: bool,
    #[serde(flatten)]
    rating: GlickoRating,
}

/// How many of the best are listed.
const BEST: u64 = 100;

/// `GET /api/ratings?game=NAME`.
pub(super) async fn ratings(
    State(app): State<Arc<App>>,
    query: Result<Query<OfGame>, QueryRejection>,
) -> Result<Json<Vec<Ranked>>, Fault> {
    let Query(OfGame { game }) = query?;
    if !GAMES.contains(&game.as_str()) {
        return Err(Fault::bad_request(format!("game `{game}`: expected one of {}", GAMES.join(", "))));
    }
    let best = app.store.read(move |db| reads::ratings(db, &game, BEST)).await?;
    let ranked =
        |(account, rating): (Account, GlickoRating)| Ranked { name: account.shown, bot: account.bot, rating };
    Ok(Json(best.into_iter().map(ranked).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        assert!(["Anna", "x_1", "a-b"].into_iter().all(is_name));
        assert!(!["", "a", "a b", "../x", "ä1", &"x".repeat(21)].into_iter().any(is_name));
    }
}
