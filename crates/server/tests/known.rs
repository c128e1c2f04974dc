//! What the page asks of the server besides moves: tables to build, networks to make, names of openings, phases of a review.

#![allow(clippy::unwrap_used)]

mod client;

use client::Running;
use serde_json::{Value, json};
use trilith_server::Config;

async fn refused(server: &Running, path: &str, body: Value, expected: u16, words: &str) {
    let (status, answer) = server.post("", path, body.clone()).await;
    let error = answer["error"].as_str().unwrap_or_default();
    assert!(status == expected && error.contains(words), "{path} {body}: {status} {answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_are_told_of_and_only_the_administrator_builds_them() {
    let server = Running::start(Config::default()).await;
    let shown = server.done("", "/api/tablebases", json!({ "game": "morris" })).await;
    let sets = shown["sets"].as_array().unwrap();
    let stones: Vec<u64> = sets.iter().map(|set| set["stones"].as_u64().unwrap()).collect();
    assert!(stones.is_sorted() && stones.last() == Some(&18), "{shown}");
    assert_eq!(sets.last().unwrap()["complete"], true);
    assert!(shown["build"].is_null());
    let none = server.done("", "/api/tablebases", json!({ "game": "othello" })).await;
    assert_eq!(none["sets"], json!([]));
    let build = "/api/tablebases/build";
    refused(&server, build, json!({ "game": "othello", "stones": 8 }), 404, "no tables").await;
    refused(&server, build, json!({ "game": "morris", "stones": 7 }), 400, "expected one of").await;
    refused(&server, build, json!({ "game": "chess", "stones": 9 }), 400, "unknown game").await;
    refused(&server, build, json!({ "game": "morris", "rules": "x=y", "stones": 9 }), 400, "rule").await;
    assert_eq!(server.post("", "/api/tablebases/stop", json!({})).await.0, 204);

    // A server that is open to others asks for the key.
    let open = Running::start(Config { hosts: vec!["games.example.org".into()], ..Config::default() }).await;
    refused(&open, build, json!({ "game": "morris", "stones": 9 }), 403, "administrator").await;
    refused(&open, "/api/tablebases/stop", json!({}), 403, "administrator").await;
    assert_eq!(open.done("", "/api/tablebases", json!({ "game": "morris" })).await["build"], json!(null));
}

fn network(change: Value) -> Value {
    let mut network = json!({ "hidden": [{ "nodes": 8, "activation": "tanh" }], "spread": 0.1, "rate": 0.05, "momentum": 0.0, "lambda": 0.7 });
    change.as_object().unwrap().iter().for_each(|(key, value)| network[key] = value.clone());
    json!({ "name": "pupil", "game": "morris", "features": "morris-39", "network": network })
}

#[tokio::test(flavor = "multi_thread")]
async fn networks_are_made_and_impossible_ones_are_refused() {
    let folder = std::env::temp_dir().join(format!("trilith-networks-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let server = Running::start(Config { data: Some(folder.clone()), ..Config::default() }).await;
    let heuristics = "/api/learn/heuristics";
    for (change, words) in [
        (json!({ "hidden": [{ "nodes": 8, "activation": "cosine" }] }), "activation"),
        (json!({ "hidden": [{ "nodes": 0, "activation": "tanh" }] }), "units"),
        (json!({ "hidden": [{ "nodes": 10_000_000, "activation": "tanh" }] }), "units"),
        (json!({ "hidden": vec![json!({ "nodes": 2, "activation": "tanh" }); 50] }), "layers"),
        (json!({ "rate": -1.0 }), "rate"),
        (json!({ "spread": 1e9 }), "spread"),
    ] {
        refused(&server, heuristics, network(change), 400, words).await;
    }
    let made = server.done("", heuristics, network(json!({}))).await;
    assert_eq!(made["network"]["hidden"], json!([{ "nodes": 8, "activation": "tanh" }]));
    assert_eq!((&made["network"]["games"], &made["terms"]), (&json!(0), &json!({})));

    // A run goes on with it, if it has the same layers.
    let run = |hidden: &str, begin: &str| {
        let parameters = format!(
            "features = \"morris-39\"\nhidden = {hidden}\nbegin = \"{begin}\"\ngames = 2\ndepth = 1\nyardstick_games = 0\nfinal_games = 0\n"
        );
        let config = format!("kind = \"teaching\"\ngame = \"morris\"\n[parameters]\n{parameters}");
        json!({ "name": "on", "config": config })
    };
    refused(&server, "/api/learn/runs", run("[9]", "heuristic:pupil"), 400, "other layers").await;
    refused(&server, "/api/learn/runs", run("[8]", "heuristic:none"), 400, "begin").await;
    refused(&server, "/api/learn/runs", run("[8]", "/etc/passwd"), 400, "begin").await;
    server.done("", "/api/learn/runs", run("[8]", "heuristic:pupil")).await;
    server.until("", "/api/learn/runs/on", |run| run["state"] == "finished").await;
    drop(server);
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn openings_counts_and_phases_are_told() {
    let server = Running::start(Config::default()).await;
    let moves = json!(["f5", "d6", "c3", "d3", "c4"]);
    let seen = server.done("", "/api/look", json!({ "game": "othello", "moves": moves })).await;
    assert_eq!(seen["opening"], "Tiger", "{seen}");
    assert_eq!(seen["view"]["counts"], json!(null));
    let seen = server.done("", "/api/look", json!({ "game": "morris", "moves": ["d6"] })).await;
    assert_eq!(seen["view"]["counts"], json!({ "what": "hand", "black": 9, "white": 8 }));
    assert_eq!(seen["opening"], json!(null));

    let ask = json!({ "game": "othello", "moves": moves, "nodes": 200 });
    let begun = server.done("", "/api/review", ask).await;
    let path = format!("/api/review/{}", begun["id"].as_str().unwrap());
    let report = server.until("", &path, |report| report["finished"] == true).await;
    assert_eq!(report["phases"][0]["phase"], "opening", "{report}");
    assert_eq!(report["phases"][0]["black"]["moves"], report["black"]["moves"]);
}
