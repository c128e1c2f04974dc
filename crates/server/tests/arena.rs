//! Accounts, challenges, lobby, ratings and archive; and the example bots against each other.

#![allow(clippy::unwrap_used)]

mod client;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use client::Running;
use serde_json::{Value, json};
use trilith_server::{Config, Rate, Rates};

async fn register(server: &Running, name: &str) -> String {
    let account = server.done("", "/api/accounts", json!({ "name": name })).await;
    account["token"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_unique_and_tokens_are_secret() {
    let server = Running::start(Config::default()).await;
    let token = register(&server, "Anna").await;
    assert_eq!(server.post("", "/api/accounts", json!({ "name": "aNNa" })).await.0, 409);
    assert_eq!(server.post("", "/api/accounts", json!({ "name": "../x" })).await.0, 400);
    let (_, me) = server.get(&token, "/api/me").await;
    assert_eq!((&me["name"], &me["bot"], &me["ratings"]), (&json!("Anna"), &json!(false), &json!({})));
    assert_eq!(server.get("", "/api/me").await.0, 401);
    assert_eq!(server.get("a_0123", "/api/me").await.0, 401);
    let (_, seen) = server.get("", "/api/accounts/anna").await;
    assert_eq!(seen, me);
    assert!(!seen.to_string().contains(&token));
    assert_eq!(server.get("", "/api/accounts/bert").await.0, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_becomes_a_rated_game_in_the_archive() {
    let server = Running::start(Config::default()).await;
    let (anna, bert) = (register(&server, "Anna").await, register(&server, "Bert").await);
    let carl = register(&server, "Carl").await;
    let mut lobby = server.live("/api/lobby/live").await;
    lobby.say(json!({ "token": bert })).await;
    lobby.until(|event| event["online"] == json!(["Bert"])).await;

    let clock = json!({ "initial_ms": 60_000 });
    let wish = json!({ "game": "othello", "clock": clock, "rated": true, "colour": "black", "to": "bert" });
    let challenge = server.done(&anna, "/api/challenges", wish).await;
    let heard = lobby.until(|event| event["event"] == "challenge").await;
    assert_eq!(heard["challenge"], challenge);
    let path = format!("/api/challenges/{}", challenge["id"].as_str().unwrap());
    assert_eq!(server.post(&carl, &format!("{path}/accept"), json!({})).await.0, 403);
    assert_eq!(server.post(&anna, &format!("{path}/accept"), json!({})).await.0, 409);
    assert_eq!(server.post(&carl, &format!("{path}/decline"), json!({})).await.0, 403);

    let table = server.done(&bert, &format!("{path}/accept"), json!({})).await;
    assert_eq!(server.post(&bert, &format!("{path}/accept"), json!({})).await.0, 404);
    assert_eq!((&table["seat"], &table["seats"]), (&json!("white"), &json!(["white"])));
    assert_eq!(table["players"]["black"]["rating"]["rating"], 1500.0);
    let path = format!("/api/tables/{}", table["id"].as_str().unwrap());
    let start = lobby.until(|event| event["event"] == "start").await;
    assert_eq!(start["table"], table["id"]);
    lobby.until(|event| event["tables"][0]["id"] == table["id"]).await;

    assert_eq!(server.post(&carl, &format!("{path}/moves"), json!({ "move": "f5", "ply": 0 })).await.0, 403);
    server.done(&anna, &format!("{path}/moves"), json!({ "move": "f5", "ply": 0 })).await;
    server
        .done(table["token"].as_str().unwrap(), &format!("{path}/moves"), json!({ "move": "d6", "ply": 1 }))
        .await;
    assert_eq!(server.post(&anna, &format!("{path}/undo"), json!({ "ply": 2 })).await.0, 403);
    server.done(&bert, &format!("{path}/resign"), json!({})).await;

    let (_, ratings) = server.get("", "/api/ratings?game=othello").await;
    assert_eq!((&ratings[0]["name"], &ratings[1]["name"]), (&json!("Anna"), &json!("Bert")));
    assert!(ratings[0]["rating"].as_f64().unwrap() > 1600.0 && ratings[0]["games"] == 1);
    let (_, archive) = server.get("", "/api/archive?game=othello&player=Anna").await;
    let game = &archive["games"][0];
    assert_eq!((&game["id"], &game["plies"]), (&table["id"], &json!(2)));
    assert_eq!(game["result"], json!({ "winner": "black", "reason": "resignation" }));
    assert_eq!(server.get("", "/api/archive?player=carl").await.1["games"], json!([]));
    let (_, replay) = server.get("", &format!("/api/archive/{}", game["id"].as_str().unwrap())).await;
    assert_eq!((&replay["moves"], replay["positions"].as_array().unwrap().len()), (&json!(["f5", "d6"]), 3));
    let (_, profile) = server.get("", "/api/accounts/bert").await;
    assert_eq!(profile["games"][0]["id"], game["id"]);
    assert_eq!(profile["ratings"]["othello"]["games"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_comes_back_is_told_what_waits() {
    let server = Running::start(Config::default()).await;
    let (anna, bert) = (register(&server, "Anna").await, register(&server, "Bert").await);
    let challenge = server.done(&anna, "/api/challenges", json!({ "game": "morris" })).await;
    let path = format!("/api/challenges/{}", challenge["id"].as_str().unwrap());
    let table = server.done(&bert, &format!("{path}/accept"), json!({})).await;
    server.done(&bert, "/api/challenges", json!({ "game": "morris", "to": "anna" })).await;
    let mut lobby = server.live("/api/lobby/live").await;
    lobby.say(json!({ "token": anna })).await;
    assert_eq!(lobby.until(|event| event["event"] == "start").await["table"], table["id"]);
    let waiting = lobby.until(|event| event["event"] == "challenge").await;
    let path = format!("/api/challenges/{}", waiting["challenge"]["id"].as_str().unwrap());
    assert_eq!(server.post(&anna, &format!("{path}/decline"), json!({})).await.0, 204);
    let (_, lobby) = server.get("", "/api/lobby").await;
    assert_eq!(lobby["challenges"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rated_game_that_goes_on_is_closed_to_analysis_by_its_players() {
    let server = Running::start(Config::default()).await;
    let (anna, bert) = (register(&server, "Anna").await, register(&server, "Bert").await);
    let carl = register(&server, "Carl").await;
    let wish = json!({ "game": "othello", "rated": true, "colour": "black" });
    let challenge = server.done(&anna, "/api/challenges", wish).await;
    let path = format!("/api/challenges/{}/accept", challenge["id"].as_str().unwrap());
    let table = server.done(&bert, &path, json!({})).await;
    let seat = table["token"].as_str().unwrap().to_owned();
    let path = format!("/api/tables/{}", table["id"].as_str().unwrap());
    let moves = ["f5", "d6", "c3"];
    // A rated game without a clock: both may take days, and an account that is elsewhere is told that it is its turn.
    let mut lobby = server.live("/api/lobby/live").await;
    lobby.say(json!({ "token": anna })).await;
    lobby.until(|event| event["event"] == "ok").await;
    for (ply, mv) in moves.into_iter().enumerate() {
        let token = if ply % 2 == 0 { &anna } else { &bert };
        server.done(token, &format!("{path}/moves"), json!({ "move": mv, "ply": ply })).await;
    }
    assert_eq!(lobby.until(|event| event["event"] == "turn").await["table"], table["id"]);
    let (_, now) = server.get("", &path).await;
    let game = json!({ "game": "othello", "moves": moves });
    let longer = json!({ "game": "othello", "moves": ["f5", "d6", "c3", "d3"] });
    let set_up = json!({ "game": "othello", "position": now["view"]["position"] });
    for token in [&anna, &bert, &seat] {
        for question in [&game, &longer, &set_up] {
            for what in ["explain", "known"] {
                let (status, answer) = server.post(token, &format!("/api/{what}"), question.clone()).await;
                assert_eq!(status, 403, "{what} {question} {answer}");
            }
        }
        assert_eq!(server.post(token, "/api/review", game.clone()).await.0, 403);
        let mut live = server.live("/api/analyse/live").await;
        live.say(json!({ "token": token })).await;
        live.say(json!({ "do": "analyse", "game": "othello", "moves": moves, "nr": 1 })).await;
        let answer = live.next().await.unwrap();
        assert!(answer["error"].as_str().is_some_and(|error| error.contains("rated")), "{answer}");
    }
    // Other games are open to them, and every game is once it has ended.
    let other = json!({ "game": "othello", "moves": ["f5", "f6", "e6"] });
    assert_eq!(server.post(&anna, "/api/explain", other).await.0, 200);
    assert_eq!(server.post(&anna, "/api/explain", json!({ "game": "morris", "moves": [] })).await.0, 200);
    let ended = server.done(&anna, &format!("{path}/resign"), json!({})).await;
    assert!(ended["players"]["black"]["rating_change"].as_f64().unwrap() < -10.0, "{}", ended["players"]);
    assert_eq!(server.post(&anna, "/api/explain", game).await.0, 200);

    let (_, mine) = server.get(&anna, "/api/me/games").await;
    assert_eq!(
        (&mine["games"][0]["id"], &mine["games"][0]["result"]["winner"]),
        (&table["id"], &json!("white"))
    );
    assert_eq!(server.get(&carl, "/api/me/games").await.1["games"], json!([]));
    assert_eq!(server.get("", "/api/me/games").await.0, 401);
}

/// The example in Rust. Cargo builds examples together with all tests; for this test alone it must be asked.
fn rust_bot() -> PathBuf {
    let bot = std::env::current_exe().unwrap().parent().unwrap().with_file_name("examples").join("bot");
    if !bot.exists() {
        let build = ["build", "--quiet", "-p", "trilith-server", "--example", "bot"];
        assert!(Command::new(env!("CARGO")).args(build).status().unwrap().success());
    }
    bot
}

/// What a bot has said when it has played its games. One that never ends fails this test instead of stopping all.
async fn ended(mut bot: Child) -> String {
    let patience = Instant::now() + Duration::from_secs(120);
    while bot.try_wait().unwrap().is_none() && Instant::now() < patience {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    drop(bot.kill());
    let said = tokio::task::spawn_blocking(move || bot.wait_with_output().unwrap()).await.unwrap();
    let [out, fault] = [&said.stdout, &said.stderr].map(|said| String::from_utf8_lossy(said).into_owned());
    assert!(said.status.success(), "{}\n{out}\n{fault}", said.status);
    out
}

/// On a server where they say more than they may: what is refused is said again.
#[tokio::test(flavor = "multi_thread")]
async fn the_example_bots_play_each_other() {
    let rates = Rates { token: Rate { per_second: 60.0, burst: 10.0 }, ..Rates::default() };
    let server = Running::start(Config { rates, ..Config::default() }).await;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let rust = rust_bot();
    let python = root.join("examples/bots/bot.py");
    let (one, two) = (register(&server, "bot-rs").await, register(&server, "bot-py").await);
    let address = server.address.to_string();
    let start = |program: &mut Command, token: &str| {
        let arguments = ["--server", &address, "--token", token, "--games", "2"];
        program.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let has_python =
        Command::new("python3").arg("--version").output().is_ok_and(|said| said.status.success());
    let first = start(&mut Command::new(&rust), &one);
    let second = match has_python {
        true => start(Command::new("python3").arg(&python), &two),
        false => start(&mut Command::new(&rust), &two),
    };
    for (token, game, to) in [(&one, "othello", "bot-py"), (&two, "morris", "bot-rs")] {
        let wish = json!({ "game": game, "rated": true, "to": to });
        server.done(token, "/api/challenges", wish).await;
    }
    for bot in [first, second] {
        let out = ended(bot).await;
        assert_eq!(out.matches("reason").count(), 2, "{out}");
    }
    let (_, archive) = server.get("", "/api/archive").await;
    let reasons: Vec<&Value> =
        archive["games"].as_array().unwrap().iter().map(|game| &game["result"]["reason"]).collect();
    assert_eq!(reasons.len(), 2, "{archive}");
}

/// The commands of docs/bots.md as they stand: one bot challenges everybody, the other takes the challenge up.
#[tokio::test(flavor = "multi_thread")]
async fn the_example_bots_meet_out_of_the_box() {
    let server = Running::start(Config::default()).await;
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots/bot.py");
    let address = server.address.to_string();
    let start = |program: &mut Command, words: &[&str]| {
        let program = program.args(["--server", &address]).args(words);
        program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let rust = rust_bot();
    for turn in 0..2 {
        let names = [format!("rust-{turn}"), format!("python-{turn}")];
        let challenges: [&[&str]; 2] =
            if turn == 0 { [&["--challenge", "othello"], &[]] } else { [&[], &["--challenge", "morris"]] };
        let one = start(&mut Command::new(&rust), &[&["--name", &names[0]], challenges[0]].concat());
        let two =
            start(Command::new("python3").arg(&python), &[&["--name", &names[1]], challenges[1]].concat());
        for bot in [one, two] {
            let out = ended(bot).await;
            assert!(out.contains("reason"), "{out}");
        }
    }
}
