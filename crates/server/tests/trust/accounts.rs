//! Who is who, and who may do how much.

use std::time::Duration;

use serde_json::json;
use trilith_server::{Config, Rate, Rates};

use crate::client::{Live, Running};
use crate::{folder, register};

#[tokio::test(flavor = "multi_thread")]
async fn accounts_can_be_renewed_and_deleted_and_names_are_their_owners() {
    let data = folder("accounts");
    let server = Running::start(Config { data: Some(data.clone()), ..Config::default() }).await;
    let (anna, bert) = (register(&server, "Anna").await, register(&server, "Bert").await);
    let renewed = server.done(&anna, "/api/me/token", json!({})).await;
    let anna = {
        assert_eq!(server.get(&anna, "/api/me").await.0, 401, "the old token");
        renewed["token"].as_str().unwrap().to_owned()
    };
    assert_eq!(server.get(&anna, "/api/me").await.1["name"], "Anna");

    let guest = |name: &str| json!({ "game": "othello", "players": { "black": { "kind": "human", "name": name }, "white": { "kind": "open" } } });
    for name in ["Anna", "aNNA", " anna "] {
        assert_eq!(server.post("", "/api/tables", guest(name)).await.0, 409, "{name}");
    }
    for name in ["An\u{200b}na", "\u{202e}annA", "a\u{2066}b"] {
        assert_eq!(server.post("", "/api/tables", guest(name)).await.0, 400, "{name:?}");
    }
    let (path, _) = server.open("", guest("Visitor")).await;
    assert_eq!(server.post("", &format!("{path}/join"), json!({ "name": "Bert" })).await.0, 409);
    server.done(&bert, &format!("{path}/join"), json!({ "name": "Bert" })).await;

    let challenge =
        server.done(&anna, "/api/challenges", json!({ "game": "morris", "colour": "white" })).await;
    let accept = format!("/api/challenges/{}/accept", challenge["id"].as_str().unwrap());
    let table = server.done(&bert, &accept, json!({})).await;
    let path = format!("/api/tables/{}", table["id"].as_str().unwrap());
    let waiting = server.done(&anna, "/api/challenges", json!({ "game": "morris" })).await;
    assert_eq!(server.post(&anna, "/api/me/delete", json!({})).await.0, 204);
    assert_eq!(server.get(&anna, "/api/me").await.0, 401);
    assert_eq!(server.get("", "/api/accounts/anna").await.0, 404);
    let ended = server.until("", &path, |table| table["players"]["white"]["name"] == "(deleted)").await;
    assert_eq!(ended["result"]["winner"], "black", "{ended}");
    let (_, lobby) = server.get("", "/api/lobby").await;
    assert!(!lobby.to_string().contains(waiting["id"].as_str().unwrap()));
    let (_, archive) = server.get("", "/api/archive").await;
    assert!(!archive.to_string().to_lowercase().contains("anna"), "{archive}");
    drop(server);
    tokio::time::sleep(Duration::from_millis(500)).await;
    let server = Running::start(Config { data: Some(data), ..Config::default() }).await;
    let (_, again) = server.get("", &path).await;
    assert!(!again.to_string().to_lowercase().contains("anna"), "{again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_has_one_budget_however_many_connections() {
    let rates = Rates { token: Rate { per_second: 0.01, burst: 20.0 }, ..Rates::default() };
    let server = Running::start(Config { rates, ..Config::default() }).await;
    let anna = register(&server, "Anna").await;
    let mut lines: Vec<Live> = Vec::new();
    for _ in 0..5 {
        let mut line = server.live("/api/lobby/live").await;
        line.say(json!({ "token": anna })).await;
        line.until(|event| event["event"] == "ok").await;
        lines.push(line);
    }
    let mut refused = 0;
    for line in &mut lines {
        for number in 0..10 {
            line.say(json!({ "do": "ping", "nr": number })).await;
            let answer = line.until(|event| event["event"] == "ok" || event["event"] == "error").await;
            refused += usize::from(answer["event"] != "ok");
        }
    }
    assert!(refused >= 25, "{refused} of fifty were refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn flooding_connections_are_cut() {
    let rates = Rates { token: Rate { per_second: 1.0, burst: 5.0 }, ..Rates::default() };
    let server = Running::start(Config { rates, ..Config::default() }).await;
    let mut line = server.live("/api/lobby/live").await;
    let mut sent = 0;
    while sent < 5000 && line.try_say("{\"do\":\"ping\"}").await {
        sent += 1;
    }
    let mut heard = 0;
    while line.next().await.is_some() {
        heard += 1;
    }
    assert!(heard < 300, "{heard} answers to {sent} messages, and then it is cut");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_opens_a_table_without_sitting_down_decides_nothing() {
    let server = Running::start(Config::default()).await;
    let open = json!({ "black": { "kind": "open" }, "white": { "kind": "open" } });
    let (path, table) = server.open("", json!({ "game": "othello", "players": open })).await;
    let owner = table["token"].as_str().unwrap();
    let black = server.done("", &format!("{path}/join"), json!({})).await;
    server.done("", &format!("{path}/join"), json!({})).await;
    let black = black["token"].as_str().unwrap();
    server.done(black, &format!("{path}/moves"), json!({ "move": "f5", "ply": 0 })).await;
    server.done(black, &format!("{path}/draw"), json!({})).await;
    for (what, body) in [
        ("undo", json!({ "ply": 1 })),
        ("decline", json!({})),
        ("pause", json!({})),
        ("abort", json!({})),
        ("resign", json!({})),
        ("draw", json!({})),
    ] {
        let (status, said) = server.post(owner, &format!("{path}/{what}"), body).await;
        assert_eq!(status, 403, "{what}: {said}");
    }
    // Where only engines sit, somebody must be able to stop them.
    let engines = json!({ "black": { "kind": "engine", "spec": "random" }, "white": { "kind": "engine", "time_ms": 3000 } });
    let (path, table) = server.open("", json!({ "game": "othello", "players": engines })).await;
    server.done(table["token"].as_str().unwrap(), &format!("{path}/pause"), json!({})).await;
}
