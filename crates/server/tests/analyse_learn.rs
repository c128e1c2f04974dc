//! Analysis and learning over HTTP and WebSocket: right answers to right questions, clear errors to wrong ones.

#![allow(clippy::unwrap_used)]

mod client;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use client::Running;
use serde_json::{Value, json};
use trilith_arena::contest::Pace;
use trilith_arena::review::{Judges, ReviewJob, USUAL_NODES};
use trilith_arena::sheets::GameSheet;
use trilith_base::Seed;
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;
use trilith_games::{Game, Record, playout};
use trilith_server::Config;

fn on_disk(name: &str) -> (Config, PathBuf) {
    let folder = std::env::temp_dir().join(format!("trilith-learn-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    (Config { data: Some(folder.clone()), ..Config::default() }, folder)
}

/// Othello with eight empty squares, Black to move.
const ENDGAME: &str = "OXXX--O-XOXXXOOX--OXOOOXOOOOXXOXOOOXXXXXOOOOOOXXXXOOOXXX--OOX-XO X";

async fn refused(server: &Running, path: &str, body: Value, words: &str) {
    let (status, answer) = server.post("", path, body.clone()).await;
    let error = answer["error"].as_str().unwrap_or_default();
    assert!((400..500).contains(&status) && error.contains(words), "{path} {body}: {status} {answer}");
}

/// An engine with this evaluation of Othello answers a move.
async fn it_plays(server: &Running, eval: &str) {
    let engine = json!({ "kind": "engine", "depth": 2, "eval": eval });
    let (path, table) = server
        .open("", json!({ "game": "othello", "players": { "black": { "kind": "human" }, "white": engine } }))
        .await;
    let token = table["tokens"]["black"].as_str().unwrap();
    server.done(token, &format!("{path}/moves"), json!({ "move": "f5", "ply": 0 })).await;
    server.until(token, &path, |table| table["view"]["moves"].as_array().unwrap().len() == 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn live_analysis_finds_lines_deeper_and_deeper_and_stops() {
    let server = Running::start(Config::default()).await;
    let mut live = server.live("/api/analyse/live").await;
    for (nr, game, moves) in
        [(1, "othello", json!(["f5", "d6"])), (2, "morris", json!(["d6"])), (3, "abalone", json!([]))]
    {
        let ask = json!({ "do": "analyse", "game": game, "moves": moves, "lines": 3, "depth": 4, "time_ms": 8000, "nr": nr });
        live.say(ask).await;
        let view = live.until(|event| event["event"] == "view").await;
        assert_eq!((&view["nr"], &view["view"]["moves"]), (&json!(nr), &moves));
        let last = live.until(|event| event["final"] == true).await;
        let lines = last["lines"].as_array().unwrap();
        assert_eq!((lines.len(), &last["nr"]), (3, &json!(nr)), "{last}");
        let values: Vec<f64> = lines.iter().map(|line| line["value"].as_f64().unwrap()).collect();
        assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
        let black = view["view"]["to_move"] == "black";
        for line in lines {
            let (value, for_black) = (line["value"].as_f64().unwrap(), line["black_value"].as_f64().unwrap());
            assert_eq!(for_black, if black { value } else { -value });
            assert_eq!(line["moves"].as_array().unwrap().len(), line["actions"].as_array().unwrap().len());
            let is_legal = |legal: &Value| legal["text"] == line["moves"][0];
            assert!(view["view"]["legal"].as_array().unwrap().iter().any(is_legal), "{line}");
        }
    }
    live.say(json!({ "do": "analyse", "game": "othello", "time_ms": 60_000, "nr": 9 })).await;
    live.until(|event| event["event"] == "analysis").await;
    live.say(json!({ "do": "stop", "nr": 10 })).await;
    live.until(|event| event["event"] == "stopped" && event["for"] == 10).await;
    // The engine is free at once for the next question.
    live.say(json!({ "do": "analyse", "game": "othello", "depth": 2, "nr": 11 })).await;
    live.until(|event| event["final"] == true && event["nr"] == 11).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_messages_are_refused_and_the_connection_goes_on() {
    let server = Running::start(Config::default()).await;
    let mut live = server.live("/api/analyse/live").await;
    for (message, words) in [
        ("nonsense", "expected JSON"),
        ("[]", "expected"),
        (r#"{"do":"dance"}"#, "expected analyse"),
        (r#"{"do":"analyse"}"#, "game"),
        (r#"{"do":"analyse","game":"chess"}"#, "unknown game `chess`"),
        (r#"{"do":"analyse","game":"othello","moves":["a1"]}"#, "ply 1"),
        (r#"{"do":"analyse","game":"othello","lines":99}"#, "1 to 5"),
        (r#"{"do":"analyse","game":"othello","depth":1000}"#, "1 to 100"),
        (r#"{"do":"analyse","game":"othello","rules":"x=y"}"#, "unknown rule"),
        (r#"{"do":"analyse","game":"othello","eval":"run:../../etc"}"#, "run:NAME"),
        (r#"{"do":"analyse","game":"othello","eval":"nothing","depth":1}"#, "unknown evaluation"),
    ] {
        live.say_text(message).await;
        let event = live.until(|event| event["event"] == "error").await;
        assert!(event["error"].as_str().unwrap().contains(words), "{message}: {event}");
    }
    live.say_bytes(vec![0; 10]).await;
    live.until(|event| event["event"] == "error").await;
    live.say(json!({ "do": "ping", "nr": 1 })).await;
    live.until(|event| event["event"] == "ok").await;
    assert_eq!(server.get("", "/api/analyse/live").await.0, 426);
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_positions_and_games_are_read_set_up_and_saved() {
    let server = Running::start(Config::default()).await;
    let game = server.done("", "/api/import", json!({ "text": "f5d6c3" })).await;
    assert_eq!((&game["game"], &game["moves"]), (&json!("othello"), &json!(["f5", "d6", "c3"])));
    let saved = server.done("", "/api/save", json!({ "game": "othello", "moves": game["moves"] })).await;
    let again = server.done("", "/api/import", json!({ "text": saved })).await;
    assert_eq!((&again["moves"], &again["format"]), (&game["moves"], &json!("game text")));
    let view = server.done("", "/api/look", json!({ "game": "othello", "moves": game["moves"] })).await;
    assert_eq!(view["view"]["position"], game["positions"][3]);

    let stones = &view["view"]["stones"];
    let made = json!({ "game": "othello", "stones": stones, "to_move": "white" });
    let made = server.done("", "/api/position", made).await;
    assert_eq!(made["position"], game["positions"][3]);
    let morris = server.done("", "/api/position", json!({ "game": "morris" })).await;
    assert_eq!(morris["counts"], json!({ "black": 9, "white": 9 }));

    refused(&server, "/api/import", json!({ "text": "hello" }), "no position or game").await;
    refused(&server, "/api/import", json!({ "text": "f5", "gaem": "othello" }), "unknown field").await;
    refused(
        &server,
        "/api/position",
        json!({ "game": "othello", "stones": [], "to_move": "black" }),
        "expected 64",
    )
    .await;
    let empty = vec![Value::Null; 64];
    refused(&server, "/api/position", json!({ "game": "othello", "stones": empty }), "to_move").await;
    let crowded = vec![json!("white"); 24];
    refused(&server, "/api/position", json!({ "game": "morris", "stones": crowded, "to_move": "white" }), "")
        .await;
    refused(&server, "/api/look", json!({ "game": "othello", "moves": ["f5", "f5"] }), "ply 2").await;
    refused(&server, "/api/look", json!({ "game": "othello", "moves": vec!["f5"; 3000] }), "at most").await;
    refused(&server, "/api/look", json!([]), "").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_marks_the_blunder_and_shows_what_was_better() {
    let server = Running::start(Config::default()).await;
    // Eight empty squares: every move is judged exactly. Black throws discs away if the worst move is played.
    let known = server.done("", "/api/known", json!({ "game": "othello", "start": ENDGAME })).await;
    let solver = &known["solver"];
    assert_eq!(solver["state"], "known", "{known}");
    let moves = solver["moves"].as_array().unwrap();
    let (best, worst) = (&moves[0], moves.last().unwrap());
    let loss = best["score"].as_i64().unwrap() - worst["score"].as_i64().unwrap();
    let ask = json!({ "game": "othello", "start": ENDGAME, "moves": [worst["move"]], "time_ms": 300 });
    let begun = server.done("", "/api/review", ask).await;
    let path = format!("/api/review/{}", begun["id"].as_str().unwrap());
    let report = server.until("", &path, |report| report["finished"] == true).await;
    assert_eq!((&report["done"], &report["of"], &report["unit"]), (&json!(2), &json!(2), &json!("discs")));
    let judged = &report["plies"][0];
    assert_eq!(judged["loss"].as_f64().unwrap().round() as i64, loss, "{report}");
    assert_eq!(judged["mark"].is_null(), loss < 3, "{report}");
    if loss >= 3 {
        assert_eq!(judged["better"][0], best["move"], "{report}");
    }

    refused(&server, "/api/review", json!({ "game": "othello", "moves": [] }), "no move to review").await;
    refused(&server, "/api/review", json!({ "game": "othello", "moves": ["a1"] }), "ply 1").await;
    assert_eq!(server.get("", "/api/review/0123").await.0, 404);
    assert_eq!(server.post("", "/api/review/0123/stop", json!({})).await.0, 404);
    // A long one can be stopped.
    let ask = json!({ "game": "morris", "moves": ["d6", "f4", "d2", "b4", "d7", "g7"], "time_ms": 2000 });
    let begun = server.done("", "/api/review", ask).await;
    let path = format!("/api/review/{}", begun["id"].as_str().unwrap());
    server.done("", &format!("{path}/stop"), json!({})).await;
    server.until("", &path, |report| report["error"] == "stopped").await;
}

/// A game of random moves, cut off after `plies`.
fn random_game<G: Game>(plies: usize) -> GameSheet {
    let mut record = Record::new(G::new(G::Rules::default()));
    playout::play_on(&mut record, plies, &mut Seed(5).rng());
    GameSheet::of(&record, Vec::new(), Vec::new())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_gets_the_classes_that_the_command_gives_it() {
    let server = Running::start(Config::default()).await;
    let games = [random_game::<Othello>(100), random_game::<Morris>(24), random_game::<Abalone>(12)];
    let mut blunders = 0;
    for (sheet, nodes) in games.into_iter().zip([None, Some(4000), Some(4000)]) {
        let ask = json!({ "game": sheet.game, "rules": sheet.rules, "moves": sheet.moves, "nodes": nodes });
        let begun = server.done("", "/api/review", ask).await;
        let path = format!("/api/review/{}", begun["id"].as_str().unwrap());
        let report = server.until("", &path, |report| report["finished"] == true).await;
        let pace = Pace { nodes: Some(nodes.unwrap_or(USUAL_NODES)), ..Pace::default() };
        let job = ReviewJob { number: 1, sheet, player: "engine".into(), pace };
        let review = Judges::default().review(&job, &AtomicBool::new(false)).unwrap().unwrap();
        let moves = serde_json::to_value(&review.moves).unwrap();
        let fields = ["ply", "move", "side", "class", "loss", "best", "exact", "value_before", "value_after"];
        for (ply, (page, command)) in
            report["plies"].as_array().unwrap().iter().zip(moves.as_array().unwrap()).enumerate()
        {
            fields.iter().for_each(|field| assert_eq!(page[field], command[field], "{ply} {field}: {page}"));
        }
        assert_eq!(report["plies"].as_array().unwrap().len(), review.moves.len());
        assert_eq!(report["black"], serde_json::to_value(&review.black).unwrap());
        assert_eq!(report["white"], serde_json::to_value(&review.white).unwrap());
        blunders += review.black.blunders + review.white.blunders;
    }
    assert!(blunders > 5, "random players blunder: {blunders}");
}

#[tokio::test(flavor = "multi_thread")]
async fn values_are_explained_and_what_is_missing_is_said() {
    let server = Running::start(Config::default()).await;
    for (game, moves) in [("othello", json!(["f5", "d6"])), ("morris", json!(["d6"])), ("abalone", json!([]))]
    {
        let told = server.done("", "/api/explain", json!({ "game": game, "moves": moves })).await;
        let sum: f64 =
            told["terms"].as_array().unwrap().iter().map(|term| term["contribution"].as_f64().unwrap()).sum();
        assert!((sum - told["total"].as_f64().unwrap()).abs() < 0.05, "{told}");
    }
    refused(&server, "/api/explain", json!({ "game": "othello", "eval": "x" }), "unknown evaluation").await;
    refused(&server, "/api/explain", json!({ "game": "othello", "eval": "cnn" }), "needs a file").await;
    refused(&server, "/api/explain", json!({ "game": "othello", "eval": "heuristic:x" }), "heuristic:NAME")
        .await;

    let known = server.done("", "/api/known", json!({ "game": "othello" })).await;
    assert_eq!((&known["solver"]["state"], &known["book"]["state"]), (&json!("missing"), &json!("missing")));
    assert!(known["tablebase"].is_null());
    let known = server.done("", "/api/known", json!({ "game": "abalone" })).await;
    assert!(known["solver"].is_null() && known["tablebase"].is_null());
    refused(&server, "/api/known", json!({ "game": "othello", "start": "x" }), "position").await;
    refused(&server, "/api/known", json!({ "game": "go" }), "unknown game").await;
}

fn corners() -> Value {
    json!({ "name": "corners", "game": "othello", "features": "othilie-42", "terms": {}, "margin": 1.0 })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_heuristic_is_made_listed_explained_and_played() {
    let (config, folder) = on_disk("heuristic");
    let server = Running::start(config).await;
    let (_, features) = server.get("", "/api/learn/features").await;
    let set = &features[0]["sets"][0];
    assert_eq!((&features[0]["game"], &set["name"]), (&json!("othello"), &json!("othilie-42")));
    let term = set["terms"][3].as_str().unwrap();
    let mut wish = corners();
    wish["terms"] = json!({ term: 2.5 });
    let made = server.done("", "/api/learn/heuristics", wish.clone()).await;
    assert_eq!((&made["eval"], &made["terms"][term]), (&json!("heuristic:corners"), &json!(2.5)));
    let (status, _) = server.post("", "/api/learn/heuristics", wish.clone()).await;
    assert_eq!(status, 409);
    wish["replace"] = json!(true);
    server.done("", "/api/learn/heuristics", wish).await;

    let told = server
        .done("", "/api/explain", json!({ "game": "othello", "moves": ["f5"], "eval": "heuristic:corners" }))
        .await;
    let names: Vec<&str> =
        told["terms"].as_array().unwrap().iter().map(|term| term["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"margin"), "{told}");
    let (_, games) = server.get("", "/api/games").await;
    let offered =
        games[0]["evaluations"].as_array().unwrap().iter().any(|one| one["name"] == "heuristic:corners");
    assert!(offered, "{games}");
    it_plays(&server, "heuristic:corners").await;
    let wrong = json!({ "kind": "engine", "depth": 2, "eval": "heuristic:corners" });
    let wish = json!({ "game": "morris", "players": { "black": wrong, "white": { "kind": "human" } } });
    assert_eq!(server.post("", "/api/tables", wish).await.0, 400, "it is for another game");

    for (change, words) in [
        (json!({ "name": "../x" }), "name"),
        (json!({ "name": "x", "game": "chess" }), "no features"),
        (json!({ "name": "x", "features": "none" }), "no features"),
        (json!({ "name": "x", "terms": { "none": 1.0 } }), "no feature `none`"),
        (json!({ "name": "x", "terms": { term: 1e9 } }), "expected a weight"),
        (json!({ "name": "x", "margin": 0.0 }), "all weights are zero"),
        (json!({ "name": "x", "path": "/etc" }), "unknown field"),
    ] {
        let mut wish = corners();
        change.as_object().unwrap().iter().for_each(|(key, value)| wish[key] = value.clone());
        refused(&server, "/api/learn/heuristics", wish, words).await;
    }
    assert_eq!(server.post("", "/api/learn/heuristics/none/delete", json!({})).await.0, 404);
    assert_eq!(server.post("", "/api/learn/heuristics/..%2f..%2fx/delete", json!({})).await.0, 400);
    let left = server.done("", "/api/learn/heuristics/corners/delete", json!({})).await;
    assert_eq!(left, json!([]));
    std::fs::remove_dir_all(folder).unwrap();
}

/// A run of moments, or one without end.
fn run(games: u64) -> String {
    format!(
        "kind = \"outcomes\"\ngame = \"othello\"\n[parameters]\ngames = {games}\nbatch = 2\nyardstick_games = 2\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_are_trained_watched_stopped_resumed_played_and_deleted() {
    let (config, folder) = on_disk("runs");
    let server = Running::start(config.clone()).await;
    let (_, kinds) = server.get("", "/api/learn/kinds").await;
    assert!(kinds.as_array().unwrap().iter().all(|kind| !kind["examples"].as_array().unwrap().is_empty()));

    let begun = server.done("", "/api/learn/runs", json!({ "name": "short", "config": run(40) })).await;
    assert_eq!((&begun["name"], &begun["game"]), (&json!("short"), &json!("othello")));
    let mut live = server.live("/api/learn/runs/short/live").await;
    let ended = live.until(|event| event["run"]["state"] == "finished").await;
    let run_of = &ended["run"];
    assert_eq!((&run_of["eval"], &run_of["columns"][0]), (&json!("run:short"), &json!("step")));
    assert!(
        !run_of["rows"].as_array().unwrap().is_empty() && !run_of["log"].as_array().unwrap().is_empty(),
        "{run_of}"
    );
    it_plays(&server, "run:short").await;

    // One that would go on for hours is stopped, outlives the server, and is resumed.
    let begin = json!({ "name": "long", "config": run(100_000_000) });
    server.done("", "/api/learn/runs", begin.clone()).await;
    assert_eq!(server.post("", "/api/learn/runs", begin).await.0, 409);
    assert_eq!(server.post("", "/api/learn/runs/long/delete", json!({})).await.0, 409);
    server.until("", "/api/learn/runs/long", |run| run["progress"]["steps"].as_u64() > Some(5)).await;
    server.done("", "/api/learn/runs/long/stop", json!({})).await;
    let stopped = server.until("", "/api/learn/runs/long", |run| run["state"] == "stopped").await;
    assert!(stopped["eval"].is_null());
    drop(server);
    let server = Running::start(config).await;
    let (_, runs) = server.get("", "/api/learn/runs").await;
    let states: Vec<_> = runs.as_array().unwrap().iter().map(|run| run["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["stopped", "finished"]);
    let before = stopped["progress"]["steps"].as_u64().unwrap();
    server.done("", "/api/learn/runs/long/resume", json!({})).await;
    server.until("", "/api/learn/runs/long", |run| run["progress"]["steps"].as_u64() > Some(before)).await;
    server.done("", "/api/learn/runs/long/stop", json!({})).await;
    server.until("", "/api/learn/runs/long", |run| run["state"] == "stopped").await;
    let left = server.done("", "/api/learn/runs/long/delete", json!({})).await;
    assert_eq!(left.as_array().unwrap().len(), 1);
    assert_eq!(server.post("", "/api/learn/runs/short/resume", json!({})).await.0, 409, "it is finished");
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_that_cannot_be_are_refused() {
    let (config, folder) = on_disk("refused");
    let server = Running::start(config).await;
    for (name, config, words) in [
        ("../x", run(1), "name"),
        ("X", run(1), "name"),
        ("x", "nonsense".into(), ""),
        ("x", run(1).replace("outcomes", "none"), "expected"),
        ("x", run(1).replace("othello", "chess"), "chess"),
        ("x", run(1) + "yardstick = 'external:gtp:\"touch /tmp/x\"'\n", "cannot be had"),
        ("x", run(1) + "yardstick = 'engine:eval=mlp,file=/etc/passwd'\n", "run:NAME"),
    ] {
        refused(&server, "/api/learn/runs", json!({ "name": name, "config": config }), words).await;
    }
    for path in ["none", "none/live"] {
        assert!(matches!(server.get("", &format!("/api/learn/runs/{path}")).await.0, 404 | 426), "{path}");
    }
    for what in ["stop", "resume"] {
        let (status, _) = server.post("", &format!("/api/learn/runs/none/{what}"), json!({})).await;
        assert!((400..500).contains(&status), "{what}");
    }
    assert!(!folder.join("runs/x").exists());
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_data_folder_nothing_is_kept_and_that_is_said() {
    let server = Running::start(Config::default()).await;
    for path in ["/api/learn/runs", "/api/learn/heuristics", "/api/tournaments"] {
        assert_eq!(server.get("", path).await, (200, json!([])), "{path}");
    }
    refused(&server, "/api/learn/heuristics", corners(), "--data").await;
    refused(&server, "/api/learn/runs", json!({ "name": "x", "config": run(1) }), "--data").await;
    let (status, studies) = server.get("", "/api/studies").await;
    assert_eq!(status, 200);
    let page = studies[0]["page"].as_str().unwrap();
    for (path, status) in [
        (format!("/reports/{page}"), 200),
        ("/reports/index.html".into(), 200),
        ("/reports/othilie-horizon.full/values.csv".into(), 200),
        ("/reports/othilie-horizon.full/none.csv".into(), 404),
        ("/reports/none.html".into(), 404),
    ] {
        assert_eq!(server.get("", &path).await.0, status, "{path}");
    }
    assert_eq!(server.get("", "/reports/..%2findex.json").await.0, 404);
    assert_eq!(server.get("", "/api/tournaments/none").await.0, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn tournaments_of_the_data_folder_are_shown() {
    let (config, folder) = on_disk("tournaments");
    std::fs::create_dir_all(folder.join("tournaments")).unwrap();
    let standings = json!({ "tournament": "Cup", "game": "morris", "games": 2, "planned": 4, "players": [], "cross": [] });
    std::fs::write(folder.join("tournaments/cup.json"), standings.to_string()).unwrap();
    std::fs::write(folder.join("tournaments/broken.json"), "{").unwrap();
    let server = Running::start(config).await;
    let (_, all) = server.get("", "/api/tournaments").await;
    assert_eq!(
        all,
        json!([{ "name": "cup", "title": "Cup", "game": "morris", "games": 2, "planned": 4, "running": false }])
    );
    let (_, cup) = server.get("", "/api/tournaments/cup").await;
    assert_eq!((&cup["standings"], &cup["running"]), (&standings, &json!(false)));
    assert_eq!(server.get("", "/api/tournaments/broken").await.0, 404);
    std::fs::remove_dir_all(folder).unwrap();
}
