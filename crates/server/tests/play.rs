//! Games as they are really played: against engines, by link, with clocks, over connections that break.

#![allow(clippy::unwrap_used)]

mod client;

use std::path::PathBuf;

use client::Running;
use serde_json::{Value, json};
use trilith_server::Config;

/// An empty folder of this test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("trilith-server-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn on_disk(name: &str) -> Config {
    Config { data: Some(folder(name)), ..Config::default() }
}

fn against(spec: &str) -> Value {
    json!({ "black": { "kind": "human" }, "white": { "kind": "engine", "spec": spec } })
}

fn moves(table: &Value) -> usize {
    table["view"]["moves"].as_array().map_or(0, Vec::len)
}

fn first_legal(table: &Value) -> Value {
    table["view"]["legal"][0]["text"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_each_against_the_engine() {
    let server = Running::start(Config::default()).await;
    for (game, rules) in [("othello", ""), ("morris", "quiet-plies=20"), ("abalone", "plies=40")] {
        let wish = json!({ "game": game, "rules": rules, "players": against("engine:depth=1,nodes=200") });
        let (path, mut table) = server.open("", wish).await;
        assert!(table["tokens"]["white"].is_null());
        let token = table["tokens"]["black"].as_str().unwrap().to_owned();
        assert_eq!(table["seats"], json!(["black"]));
        loop {
            table = server
                .until(&token, &path, |table| {
                    !table["result"].is_null() || table["view"]["to_move"] == "black"
                })
                .await;
            if !table["result"].is_null() {
                break;
            }
            let play = json!({ "move": first_legal(&table), "ply": moves(&table) });
            server.done(&token, &format!("{path}/moves"), play).await;
        }
        assert!(table["result"]["reason"].is_string() && moves(&table) > 8, "{game}");
        let (status, _) = server.post(&token, &format!("{path}/hint"), json!({ "ply": moves(&table) })).await;
        assert_eq!(status, 400);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn undo_against_an_engine_goes_back_to_ones_own_turn_and_hints_are_short() {
    let server = Running::start(Config::default()).await;
    let (path, table) =
        server.open("", json!({ "game": "othello", "players": against("engine:level=1") })).await;
    let token = table["token"].as_str().unwrap().to_owned();
    let hint = server.done(&token, &format!("{path}/hint"), json!({ "ply": 0, "time_ms": 50 })).await;
    assert!(hint["line"].is_array() && hint["depth"].as_u64().unwrap() > 0 && hint["unit"].is_string());
    server.done(&token, &format!("{path}/moves"), json!({ "move": hint["move"], "ply": 0 })).await;
    let mine = |table: &Value| table["view"]["to_move"] == "black" && moves(table) == 2;
    let table = server.until(&token, &path, mine).await;
    assert_eq!(table["thinking"], false);
    let undone = server.done(&token, &format!("{path}/undo"), json!({ "ply": 2 })).await;
    assert_eq!((moves(&undone), &undone["view"]["undone"]), (0, &json!(2)));
    let redone = server.done(&token, &format!("{path}/redo"), json!({ "ply": 0 })).await;
    assert_eq!(redone["view"], table["view"]);

    let resigned = server.done(&token, &format!("{path}/resign"), json!({})).await;
    assert_eq!(resigned["result"], json!({ "winner": "white", "reason": "resignation" }));
    let (status, _) = server.post(&token, &format!("{path}/undo"), json!({ "ply": 2 })).await;
    assert_eq!(status, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_meet_by_link_and_neither_moves_for_the_other() {
    let server = Running::start(Config::default()).await;
    let players = json!({ "black": { "kind": "human", "name": "Anna" }, "white": { "kind": "open" } });
    let (path, table) = server.open("", json!({ "game": "othello", "players": players })).await;
    let anna = table["tokens"]["black"].as_str().unwrap().to_owned();
    assert_eq!(table["share"]["white"], table["id"]);
    let moves_path = format!("{path}/moves");
    let (status, _) = server.post(&anna, &moves_path, json!({ "move": "f5", "ply": 0 })).await;
    assert_eq!(status, 409, "nobody sits there yet");

    let joined = server.done("", &format!("{path}/join"), json!({ "name": "Bert" })).await;
    assert_eq!((&joined["seat"], &joined["players"]["white"]["name"]), (&json!("white"), &json!("Bert")));
    let bert = joined["token"].as_str().unwrap().to_owned();
    let (status, _) = server.post("", &format!("{path}/join"), json!({})).await;
    assert_eq!(status, 409, "no seat is open any more");

    for (token, expected) in [(&bert, 403), (&String::new(), 401), (&"0".repeat(32), 403)] {
        let (status, _) = server.post(token, &moves_path, json!({ "move": "f5", "ply": 0 })).await;
        assert_eq!(status, expected);
    }
    server.done(&anna, &moves_path, json!({ "move": "f5", "ply": 0 })).await;
    let (status, _) = server.post(&anna, &moves_path, json!({ "move": "d6", "ply": 1 })).await;
    assert_eq!(status, 403);
    for refused in ["undo", "hint", "pause"] {
        let body = if refused == "pause" { json!({}) } else { json!({ "ply": 1 }) };
        assert_eq!(server.post(&anna, &format!("{path}/{refused}"), body).await.0, 403, "{refused}");
    }
    assert_eq!(server.post(&anna, &format!("{path}/resign"), json!({ "as": "white" })).await.0, 403);

    let offered = server.done(&anna, &format!("{path}/draw"), json!({ "ply": 1 })).await;
    assert_eq!(offered["offer"], "black");
    server.done(&bert, &format!("{path}/decline"), json!({})).await;
    server.done(&bert, &format!("{path}/draw"), json!({ "ply": 1 })).await;
    let agreed = server.done(&anna, &format!("{path}/draw"), json!({ "ply": 1 })).await;
    assert_eq!(agreed["result"], json!({ "winner": null, "reason": "agreement" }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_network_tells_its_outputs_while_it_thinks() {
    let server = Running::start(Config::default()).await;
    let players = against("engine:depth=3,eval=multi");
    let (path, table) = server.open("", json!({ "game": "morris", "players": players })).await;
    let mut live = server.live(&format!("{path}/live")).await;
    live.say(json!({ "token": table["token"] })).await;
    live.command(json!({ "do": "move", "move": first_legal(&table), "ply": 0 }), 1).await;
    let thinking = live.until(|event| event["event"] == "thinking").await;
    let outputs = thinking["outputs"].as_array().unwrap();
    let names: Vec<_> = outputs.iter().map(|output| output["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["win", "draw", "loss"]);
    assert!(
        outputs.iter().all(|output| (-1.0..=1.0).contains(&output["value"].as_f64().unwrap())),
        "{thinking}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_hears_everything_and_may_break_and_come_back() {
    let server = Running::start(Config::default()).await;
    let (path, table) =
        server.open("", json!({ "game": "othello", "players": against("engine:depth=4") })).await;
    let token = table["token"].as_str().unwrap().to_owned();
    let mut live = server.live(&format!("{path}/live")).await;
    let seen = live.until(|event| event["event"] == "table").await;
    assert_eq!(seen["table"]["seats"], json!([]));
    assert!(seen["table"]["board"].is_null());
    live.say(json!({ "token": token })).await;
    live.until(|event| event["table"]["seats"] == json!(["black"])).await;
    live.until(|event| event["table"]["players"]["black"]["connected"] == true).await;

    assert_eq!(live.command(json!({ "do": "move", "move": "f5", "ply": 0 }), 1).await["event"], "ok");
    let thinking = live.until(|event| event["event"] == "thinking").await;
    assert!(thinking["side"] == "white" && thinking["line"].is_array());
    live.until(|event| moves(&event["table"]) == 2).await;
    drop(live);

    let mut again = server.live(&format!("{path}/live")).await;
    let seen = again.until(|event| event["event"] == "table").await;
    assert_eq!(moves(&seen["table"]), 2);
    again.say(json!({ "token": token })).await;
    let seen = again.until(|event| event["table"]["seats"] == json!(["black"])).await;
    let mv = first_legal(&seen["table"]);
    assert_eq!(again.command(json!({ "do": "move", "move": mv, "ply": 2 }), 2).await["event"], "ok");
    let refused = again.command(json!({ "do": "move", "move": mv, "ply": 2 }), 3).await;
    assert!(refused["error"].as_str().unwrap().contains("ply"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_keeps_the_clocks() {
    let server = Running::start(Config::default()).await;
    let clock = json!({ "initial_ms": 1000, "increment_ms": 100 });
    let (path, table) = server.open("", json!({ "game": "morris", "clock": clock })).await;
    let token = table["token"].as_str().unwrap().to_owned();
    let play = json!({ "move": "a1", "ply": 0 });
    let table = server.done(&token, &format!("{path}/moves"), play).await;
    let left = table["clock"]["left_ms"]["white"].as_u64().unwrap();
    assert!((500..=1100).contains(&left) && table["clock"]["running"] == "black", "{}", table["clock"]);
    let over = server.until(&token, &path, |table| !table["result"].is_null()).await;
    assert_eq!(over["result"], json!({ "winner": "white", "reason": "time" }));
    let (status, _) = server.post(&token, &format!("{path}/moves"), json!({ "move": "d6", "ply": 1 })).await;
    assert_eq!(status, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_there_after_a_restart() {
    let config = on_disk("restart");
    let mut first = Running::start(config.clone()).await;
    let clock = json!({ "initial_ms": 600_000 });
    let (path, table) = first.open("", json!({ "game": "othello", "clock": clock })).await;
    let token = table["token"].as_str().unwrap().to_owned();
    for (ply, mv) in ["f5", "d6", "c3"].into_iter().enumerate() {
        first.done(&token, &format!("{path}/moves"), json!({ "move": mv, "ply": ply })).await;
    }
    let before = first.done(&token, &format!("{path}/undo"), json!({ "ply": 3 })).await;
    first.stop();
    let second = Running::start(config).await;
    let (_, after) = second.get(&token, &path).await;
    for same in ["view", "players", "event", "seats", "created"] {
        assert_eq!(before[same], after[same], "{same}");
    }
    let redone = second.done(&token, &format!("{path}/redo"), json!({ "ply": 2 })).await;
    assert_eq!(redone["view"]["moves"], json!(["f5", "d6", "c3"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_learning_opponent_learns_after_each_game() {
    let config = on_disk("learning");
    let data = config.data.clone().unwrap();
    let server = Running::start(config).await;
    let learning = json!({ "kind": "learning", "spec": "engine:depth=1,nodes=100" });
    let players = json!({ "black": { "kind": "human" }, "white": learning });
    for expected in [1, 2] {
        let (path, table) = server.open("", json!({ "game": "othello", "players": players })).await;
        let token = table["token"].as_str().unwrap().to_owned();
        for ply in [0, 2, 4] {
            let mine = |table: &Value| moves(table) == ply && table["view"]["to_move"] == "black";
            let table = server.until(&token, &path, mine).await;
            let mv = table["view"]["legal"].as_array().unwrap().last().unwrap()["text"].clone();
            server.done(&token, &format!("{path}/moves"), json!({ "move": mv, "ply": ply })).await;
        }
        server.until(&token, &path, |table| moves(table) == 6).await;
        server.done(&token, &format!("{path}/resign"), json!({})).await;
        let learnt = format!("trilith_games_learnt_total {expected}");
        server.until("", "/metrics", |text| text.as_str().unwrap().contains(&learnt)).await;
    }
    let books: Vec<_> = std::fs::read_dir(data.join("books")).unwrap().collect();
    assert_eq!(books.len(), 1);
}

/// A game of two people by link: its path and the tokens of Black and White.
async fn two_people(server: &Running, more: Value) -> (String, String, String) {
    let mut wish = json!({ "game": "othello", "players": { "black": { "kind": "human", "name": "Anna" }, "white": { "kind": "open" } } });
    wish.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let (path, table) = server.open("", wish).await;
    let joined = server.done("", &format!("{path}/join"), json!({ "name": "Bert" })).await;
    let token = |table: &Value| table["token"].as_str().unwrap().to_owned();
    (path, token(&table), token(&joined))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resigned_game_is_saved_with_its_result_and_does_not_go_on_when_loaded() {
    let server = Running::start(Config::default()).await;
    let (path, black, white) = two_people(&server, json!({})).await;
    server.done(&black, &format!("{path}/moves"), json!({ "move": "f5", "ply": 0 })).await;
    server.done(&white, &format!("{path}/resign"), json!({})).await;
    let (_, text) = server.get("", &format!("{path}/game.txt")).await;
    let text = text.as_str().unwrap();
    for tag in [
        "[Result \"1-0\"]",
        "[Termination \"resignation\"]",
        "[Black \"Anna\"]",
        "[White \"Bert\"]",
        "[Date \"20",
    ] {
        assert!(text.contains(tag), "{tag} is not in\n{text}");
    }
    let (path, loaded) = server.open("", json!({ "text": text })).await;
    assert_eq!(loaded["result"], json!({ "winner": "black", "reason": "resignation" }));
    let token = loaded["token"].as_str().unwrap();
    let (status, _) = server.post(token, &format!("{path}/moves"), json!({ "move": "d6", "ply": 1 })).await;
    assert_eq!(status, 400);
    let (_, again) = server.get("", &format!("{path}/game.txt")).await;
    assert!(again.as_str().unwrap().contains("[Result \"1-0\"]"), "{again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn clocks_start_with_the_first_move_and_a_game_that_has_hardly_begun_can_be_left() {
    let server = Running::start(Config::default()).await;
    let clock = json!({ "clock": { "initial_ms": 60_000 } });
    let (path, black, white) = two_people(&server, clock).await;
    let (_, table) = server.get(&black, &path).await;
    assert_eq!(
        (&table["clock"]["running"], &table["clock"]["left_ms"]["black"]),
        (&json!(null), &json!(60_000))
    );
    let table = server.done(&black, &format!("{path}/moves"), json!({ "move": "f5", "ply": 0 })).await;
    assert_eq!(
        (&table["clock"]["running"], &table["clock"]["left_ms"]["black"]),
        (&json!("white"), &json!(60_000))
    );
    let table = server.done(&white, &format!("{path}/abort"), json!({})).await;
    assert_eq!(table["result"], json!({ "winner": null, "reason": "aborted" }));
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_are_asked_back_and_a_refusal_is_told() {
    let server = Running::start(Config::default()).await;
    let (path, black, white) = two_people(&server, json!({})).await;
    let at = |what: &str| format!("{path}/{what}");
    assert_eq!(server.post(&black, &at("takeback"), json!({ "ply": 0 })).await.0, 400);
    server.done(&black, &at("moves"), json!({ "move": "f5", "ply": 0 })).await;
    let asked = server.done(&black, &at("takeback"), json!({ "ply": 1 })).await;
    assert_eq!(asked["takeback"], "black");
    let table = server.done(&white, &at("decline"), json!({})).await;
    assert_eq!(
        (&table["takeback"], &table["declined"]),
        (&json!(null), &json!({ "what": "takeback", "by": "black" }))
    );
    server.done(&white, &at("moves"), json!({ "move": "d6", "ply": 1 })).await;
    server.done(&black, &at("takeback"), json!({ "ply": 2 })).await;
    let table = server.done(&white, &at("takeback"), json!({ "ply": 2 })).await;
    assert_eq!((&table["view"]["moves"], &table["takeback"]), (&json!([]), &json!(null)));
    server.done(&white, &at("draw"), json!({})).await;
    let table = server.done(&black, &at("decline"), json!({})).await;
    assert_eq!(table["declined"], json!({ "what": "draw", "by": "white" }));
    let table = server.done(&black, &at("moves"), json!({ "move": "f5", "ply": 0 })).await;
    assert_eq!(table["declined"], json!(null));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_changes_the_colours_and_keeps_the_tokens() {
    let server = Running::start(Config::default()).await;
    let (path, black, white) = two_people(&server, json!({ "clock": { "initial_ms": 60_000 } })).await;
    assert_eq!(server.post(&black, &format!("{path}/rematch"), json!({})).await.0, 409);
    server.done(&black, &format!("{path}/resign"), json!({})).await;
    let table = server.done(&black, &format!("{path}/rematch"), json!({})).await;
    assert_eq!(
        (&table["rematch"], &table["next"]),
        (&json!({ "black": true, "white": false }), &json!(null))
    );
    let table = server.done(&white, &format!("{path}/rematch"), json!({})).await;
    let next = format!("/api/tables/{}", table["next"].as_str().unwrap());
    let (_, table) = server.get(&black, &next).await;
    assert_eq!((&table["seats"], &table["players"]["white"]["name"]), (&json!(["white"]), &json!("Anna")));
    assert_eq!(table["clock"]["initial_ms"], 60_000);
    server.done(&white, &format!("{next}/moves"), json!({ "move": "f5", "ply": 0 })).await;

    // An engine always wants to.
    let (path, table) =
        server.open("", json!({ "game": "morris", "players": against("engine:depth=1") })).await;
    let token = table["token"].as_str().unwrap().to_owned();
    server.done(&token, &format!("{path}/resign"), json!({})).await;
    let table = server.done(&token, &format!("{path}/rematch"), json!({})).await;
    let (_, table) = server.get(&token, &format!("/api/tables/{}", table["next"].as_str().unwrap())).await;
    assert_eq!(
        (&table["players"]["white"]["kind"], &table["players"]["black"]["kind"]),
        (&json!("human"), &json!("engine"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn players_say_phrases_and_write_freely_only_where_the_owner_allows_it() {
    for chat in [false, true] {
        let server = Running::start(Config { chat, ..Config::default() }).await;
        let (path, black, _) = two_people(&server, json!({})).await;
        let mut live = server.live(&format!("{path}/live")).await;
        live.until(|event| event["event"] == "table").await;
        let say = format!("{path}/say");
        assert_eq!(server.post("", &say, json!({ "phrase": "hello" })).await.0, 403);
        assert_eq!(server.post(&black, &say, json!({ "phrase": "insult" })).await.0, 400);
        let free = server.post(&black, &say, json!({ "text": "nice board" })).await.0;
        assert_eq!(free, if chat { 204 } else { 403 });
        if !chat {
            assert_eq!(server.post(&black, &say, json!({ "phrase": "hello" })).await.0, 204);
        }
        let heard = live.until(|event| event["event"] == "said").await;
        let expected = if chat { ("text", "nice board") } else { ("phrase", "hello") };
        assert_eq!((&heard["side"], &heard[expected.0]), (&json!("black"), &json!(expected.1)));
        assert_eq!(server.post(&black, &say, json!({ "phrase": "bye" })).await.0, 429);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_weak_level_shows_what_it_plays() {
    let server = Running::start(Config::default()).await;
    for seed in 0..4 {
        let players = json!({ "black": { "kind": "human" }, "white": { "kind": "engine", "level": 1 } });
        let (path, table) = server.open("", json!({ "game": "othello", "players": players })).await;
        let token = table["token"].as_str().unwrap().to_owned();
        let mut live = server.live(&format!("{path}/live")).await;
        live.until(|event| event["event"] == "table").await;
        let mv = table["view"]["legal"][seed]["text"].clone();
        server.done(&token, &format!("{path}/moves"), json!({ "move": mv, "ply": 0 })).await;
        let thought = live.until(|event| event["event"] == "thinking").await;
        let played = live
            .until(|event| event["table"]["view"]["moves"].as_array().is_some_and(|moves| moves.len() == 2))
            .await;
        assert_eq!(thought["line"][0], played["table"]["view"]["moves"][1]);
    }
}
