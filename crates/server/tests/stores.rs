//! What storage must keep, on SQLite and on a real PostgreSQL: the same checks on both.

#![allow(clippy::unwrap_used)]
#![cfg(unix)]

mod client;
mod postgres;

use std::sync::Arc;

use client::Running;
use postgres::Postgres;
use serde_json::json;
use trilith_server::Config;

/// Everything that is written is read back by another server on the same store.
async fn keeps_the_contract(config: Config) {
    let mut first = Running::start(config.clone()).await;
    assert_eq!(first.get("", "/health").await.0, 200);
    names_have_one_owner(&first).await;
    let (_, anna) = account(&first, "Anna").await;
    let (_, bert) = account(&first, "Bert").await;

    let players = json!({ "black": { "kind": "human" }, "white": { "kind": "open" } });
    let wish =
        json!({ "game": "abalone", "players": players, "clock": { "initial_ms": 600_000 }, "public": true });
    let (path, table) = first.open(&anna, wish).await;
    let seat = first.done(&bert, &format!("{path}/join"), json!({})).await;
    let tokens = [table["token"].as_str().unwrap(), seat["token"].as_str().unwrap()];
    for ply in 0..6 {
        let (_, seen) = first.get("", &path).await;
        let play = json!({ "move": seen["view"]["legal"][ply]["text"], "ply": ply });
        first.done(tokens[ply % 2], &format!("{path}/moves"), play).await;
    }
    first.done(&anna, &format!("{path}/draw"), json!({})).await;
    let rated = one_accepts(&first, &anna, &bert).await;
    first.done(&anna, &format!("{rated}/resign"), json!({})).await;
    let (_, before) = first.get(&anna, &path).await;
    let open = first.done(&anna, "/api/challenges", json!({ "game": "morris", "to": "bert" })).await;
    first.stop();

    let second = Running::start(config).await;
    let (_, after) = second.get(&anna, &path).await;
    for same in ["view", "players", "offer", "event", "seats", "created", "result"] {
        assert_eq!(before[same], after[same], "{same}");
    }
    assert_eq!(after["offer"], "black");
    let agreed = second.done(&bert, &format!("{path}/draw"), json!({})).await;
    assert_eq!(agreed["result"]["reason"], "agreement");
    let (_, me) = second.get(&bert, "/api/me").await;
    assert_eq!(me["ratings"]["othello"]["games"], 1);
    assert_eq!(me["games"].as_array().unwrap().len(), 2, "{me}");
    let (_, lobby) = second.get("", "/api/lobby").await;
    assert_eq!(lobby["challenges"], json!([open]));
}

async fn account(server: &Running, name: &str) -> (u16, String) {
    let (status, account) = server.post("", "/api/accounts", json!({ "name": name })).await;
    (status, account["token"].as_str().unwrap_or_default().to_owned())
}

/// Of many who want a name at once one gets it, and the writes of all the others are not disturbed.
async fn names_have_one_owner(server: &Running) {
    let asked = (0..20).map(|number| {
        let name = if number % 2 == 0 { "Same".into() } else { format!("own-{number}") };
        async move { account(server, &name).await.0 }
    });
    let answers = futures_util::future::join_all(asked).await;
    let counted = |status: u16| answers.iter().filter(|&&answer| answer == status).count();
    assert_eq!((counted(201), counted(409)), (11, 9), "{answers:?}");
}

/// Of two who accept at once one gets the game.
async fn one_accepts(server: &Running, anna: &str, bert: &str) -> String {
    let (_, carl) = account(server, "Carl").await;
    let wish = json!({ "game": "othello", "rated": true, "colour": "black" });
    let challenge = server.done(anna, "/api/challenges", wish).await;
    let path = format!("/api/challenges/{}/accept", challenge["id"].as_str().unwrap());
    let (one, two) = tokio::join!(server.post(bert, &path, json!({})), server.post(&carl, &path, json!({})));
    let (won, lost) = if one.0 == 200 { (one, two) } else { (two, one) };
    assert_eq!((won.0, lost.0), (200, 404));
    let table = format!("/api/tables/{}", won.1["id"].as_str().unwrap());
    if won.1["players"]["white"]["name"] == "Carl" {
        // The checks that follow look at Bert's games.
        server.done(&carl, &format!("{table}/resign"), json!({})).await;
        let again = server
            .done(anna, "/api/challenges", json!({ "game": "othello", "rated": true, "to": "bert" }))
            .await;
        let path = format!("/api/challenges/{}/accept", again["id"].as_str().unwrap());
        let table = server.done(bert, &path, json!({})).await;
        return format!("/api/tables/{}", table["id"].as_str().unwrap());
    }
    table
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_keeps_the_contract() {
    let folder = std::env::temp_dir().join(format!("trilith-stores-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    keeps_the_contract(Config { data: Some(folder.clone()), ..Config::default() }).await;
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql_keeps_the_contract_and_may_crash() {
    let mut postgres = tokio::task::spawn_blocking(|| Postgres::start("stores")).await.unwrap();
    let config = Config { database_url: Some(postgres.url()), ..Config::default() };
    keeps_the_contract(config.clone()).await;

    let server = Arc::new(Running::start(config).await);
    let (path, table) = server.open("", json!({ "game": "othello" })).await;
    let token = table["token"].as_str().unwrap();
    server.done(token, &format!("{path}/moves"), json!({ "move": "f5", "ply": 0 })).await;
    postgres = tokio::task::spawn_blocking(move || {
        postgres.crash();
        postgres
    })
    .await
    .unwrap();
    let second = json!({ "move": "d6", "ply": 1 });
    let (status, said) = server.post(token, &format!("{path}/moves"), second.clone()).await;
    assert_eq!(status, 503, "{said}");
    assert_eq!(server.get("", "/health").await.0, 503);
    let _postgres = tokio::task::spawn_blocking(move || {
        postgres.run();
        postgres
    })
    .await
    .unwrap();
    server.until("", "/health", |said| said == "ok").await;
    let (_, seen) = server.get(token, &path).await;
    assert_eq!(seen["view"]["moves"], json!(["f5"]));
    server.done(token, &format!("{path}/moves"), second).await;
}
