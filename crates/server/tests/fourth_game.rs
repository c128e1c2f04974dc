//! A game that is nothing but its rules and one line in the registry, over HTTP: offered, played, set up, analysed, learned.
//!
//! `cargo test -p trilith-server --features tictactoe --test fourth_game`.

#![allow(clippy::unwrap_used)]

mod client;

use client::Running;
use serde_json::{Value, json};
use trilith_server::Config;

const GAME: &str = "tictactoe";

/// Black is human and begins; the engine answers.
async fn open(server: &Running, engine: Value) -> (String, String) {
    let players = json!({ "black": { "kind": "human" }, "white": engine });
    let (path, table) = server.open("", json!({ "game": GAME, "players": players })).await;
    (path, table["tokens"]["black"].as_str().unwrap().to_owned())
}

fn plies(table: &Value) -> usize {
    table["view"]["moves"].as_array().unwrap().len()
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_offered_with_everything_that_the_page_draws() {
    let server = Running::start(Config::default()).await;
    let (_, games) = server.get("", "/api/games").await;
    let offer = games.as_array().unwrap().iter().find(|offer| offer["name"] == GAME).unwrap();
    assert_eq!((&offer["first"], &offer["kinds"]), (&json!("black"), &json!(["black", "white"])));
    assert_eq!((&offer["counted"], &offer["choices"]), (&Value::Null, &json!([])));
    let lengths = ["stones", "levels"].map(|key| offer[key].as_array().unwrap().len());
    assert_eq!((lengths, offer["board"]["cells"].as_array().unwrap().len()), ([9, 10], 9));
    assert!(offer["evaluations"].as_array().unwrap().iter().any(|evaluation| evaluation["name"] == "margin"));
    let (_, features) = server.get("", "/api/learn/features").await;
    let features = features.as_array().unwrap().iter().find(|features| features["game"] == GAME).unwrap();
    assert_eq!(features["random_games_end"], true);
    assert!(!features["sets"][0]["terms"].as_array().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_plays_it_to_a_draw_and_the_game_is_saved_and_loaded() {
    let server = Running::start(Config::default()).await;
    let (path, token) = open(&server, json!({ "kind": "engine", "depth": 9 })).await;
    let (_, mut table) = server.get(&token, &path).await;
    while table["view"]["end"].is_null() {
        // Who plays perfectly draws with who answers every threat: a hint is the engine's own move.
        let ply = plies(&table);
        let hint = server.done(&token, &format!("{path}/hint"), json!({ "ply": ply })).await;
        let mv = hint["move"].as_str().unwrap_or_else(|| panic!("{hint}"));
        server.done(&token, &format!("{path}/moves"), json!({ "move": mv, "ply": ply })).await;
        let answered = |table: &Value| plies(table) > ply + 1 || !table["view"]["end"].is_null();
        table = server.until(&token, &path, answered).await;
    }
    assert!(table["view"]["end"]["winner"].is_null(), "{}", table["view"]["end"]);
    let (_, text) = server.get(&token, &format!("{path}/game.txt")).await;
    let (_, again) = server.open("", json!({ "text": text })).await;
    assert_eq!(again["view"]["moves"], table["view"]["moves"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_are_set_up_analysed_explained_and_games_reviewed() {
    let server = Running::start(Config::default()).await;
    let mut stones = vec![Value::Null; 9];
    for (cell, side) in [(0, "black"), (1, "black"), (3, "white"), (4, "white")] {
        stones[cell] = json!(side);
    }
    let set_up = json!({ "game": GAME, "stones": stones, "to_move": "black" });
    let position = server.done("", "/api/position", set_up).await;
    assert_eq!((&position["position"], &position["counts"]), (&json!("XX-OO----"), &Value::Null));

    let mut live = server.live("/api/analyse/live").await;
    live.say(
        json!({ "do": "analyse", "game": GAME, "position": "XX-OO----", "lines": 2, "depth": 5, "nr": 1 }),
    )
    .await;
    let last = live.until(|event| event["final"] == true).await;
    assert_eq!(last["lines"][0]["moves"][0], "c1", "{last}");
    let explained = server.done("", "/api/explain", json!({ "game": GAME, "position": "XX-OO----" })).await;
    assert_eq!(explained["to_move"], "black", "{explained}");
    let known = server.done("", "/api/known", json!({ "game": GAME, "position": "XX-OO----" })).await;
    assert!(known["tablebase"].is_null() && known["solver"].is_null(), "{known}");

    let ask = json!({ "game": GAME, "moves": ["b2", "b1", "a1", "c3", "a3", "a2", "c1"], "time_ms": 20 });
    let begun = server.done("", "/api/review", ask).await;
    let path = format!("/api/review/{}", begun["id"].as_str().unwrap_or_else(|| panic!("{begun}")));
    let review = server.until("", &path, |review| review["finished"] == true).await;
    let losing = |judged: &Value| judged["move"] == "b1" && !judged["mark"].is_null();
    assert!(review["plies"].as_array().unwrap().iter().any(losing), "{review}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_learners_train_it_and_their_files_play() {
    let folder = std::env::temp_dir().join(format!("trilith-fourth-server-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let server = Running::start(Config { data: Some(folder.clone()), ..Config::default() }).await;
    let (_, kinds) = server.get("", "/api/learn/kinds").await;
    let learns = |kind: &str| {
        let kind = kinds.as_array().unwrap().iter().find(|entry| entry["name"] == kind).unwrap();
        kind["games"].as_array().unwrap().contains(&json!(GAME))
    };
    for kind in ["outcomes", "risk-td"] {
        assert!(learns(kind), "{kind}");
        let config =
            format!("kind = \"{kind}\"\ngame = \"{GAME}\"\n[parameters]\ngames = 40\nyardstick_games = 2\n");
        server.done("", "/api/learn/runs", json!({ "name": kind, "config": config })).await;
        let path = format!("/api/learn/runs/{kind}");
        let run = server.until("", &path, |run| run["state"] != "running").await;
        assert_eq!(run["state"], "finished", "{run}");
        let eval = run["eval"].as_str().unwrap();
        let (path, token) = open(&server, json!({ "kind": "engine", "depth": 2, "eval": eval })).await;
        server.done(&token, &format!("{path}/moves"), json!({ "move": "b2", "ply": 0 })).await;
        server.until(&token, &path, |table| plies(table) == 2).await;
    }
    drop(server);
    std::fs::remove_dir_all(folder).unwrap();
}
