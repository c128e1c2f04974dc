//! What storage must keep, on SQLite and on a real PostgreSQL: the same checks on both.

#![allow(clippy::unwrap_used)]
#![cfg(unix)]

mod client;
mod postgres;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use client::Running;
use postgres::Postgres;
use serde_json::{Value, json};
use trilith_server::{Config, Rate, Rates};

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
    for (ply, mv) in ["f5", "d6"].into_iter().enumerate() {
        // Whose turn it is depends on who has accepted.
        let play = json!({ "move": mv, "ply": ply });
        if first.post(&anna, &format!("{rated}/moves"), play.clone()).await.0 != 200 {
            first.done(&bert, &format!("{rated}/moves"), play).await;
        }
    }
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

/// The file and its secrets were made by release 0.1.0 (see `data/`).
#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_an_earlier_release_is_migrated() {
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let secrets = std::fs::read_to_string(data.join("release-0.1.0.json")).unwrap();
    let known: serde_json::Value = serde_json::from_str(&secrets).unwrap();
    let word = |key: &str| known[key].as_str().unwrap().to_owned();
    let folder = std::env::temp_dir().join(format!("trilith-migrated-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy(data.join("release-0.1.0.db"), folder.join("trilith.db")).unwrap();
    let config = Config { data: Some(folder.clone()), ..Config::default() };
    for _ in 0..2 {
        let mut server = Running::start(config.clone()).await;
        let (_, me) = server.get(&word("anna"), "/api/me").await;
        assert_eq!((&me["name"], &me["ratings"]["othello"]["games"]), (&json!("Anna"), &json!(1)));
        let (_, rated) = server.get("", &format!("/api/tables/{}", word("rated"))).await;
        assert_eq!(
            (&rated["view"]["moves"], &rated["result"]["reason"]),
            (&json!(["f5", "d6"]), &json!("resignation"))
        );
        let running = format!("/api/tables/{}", word("running"));
        let (_, seen) = server.get(&word("anna"), &running).await;
        let plies = seen["view"]["moves"].as_array().unwrap().len();
        assert_eq!(seen["view"]["moves"].as_array().unwrap()[..4], known["moves"].as_array().unwrap()[..]);
        let play = json!({ "move": seen["view"]["legal"][0]["text"], "ply": plies });
        let token = word(["anna", "bert"][plies % 2]);
        server.done(&token, &format!("{running}/moves"), play).await;
        let (status, engine) = server.get("", &format!("/api/tables/{}", word("engine"))).await;
        assert!(status == 200 && engine["view"]["moves"].as_array().unwrap().len() >= 6);
        // The game with a gap goes on from before it.
        let gap = format!("/api/tables/{}", word("gap"));
        let (status, seen) = server.get("", &gap).await;
        assert_eq!(status, 200, "{seen}");
        assert_eq!(seen["view"]["moves"].as_array().unwrap()[..2], [json!("f5"), json!("d6")]);
        let ply = seen["view"]["moves"].as_array().unwrap().len();
        let play = json!({ "move": seen["view"]["legal"][0]["text"], "ply": ply });
        server.done(&word("gap_token"), &format!("{gap}/moves"), play).await;
        server.stop();
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    }
    let database = rusqlite::Connection::open(folder.join("trilith.db")).unwrap();
    let lost: i64 = database.query_row("SELECT COUNT(*) FROM events_lost", [], |row| row.get(0)).unwrap();
    assert_eq!(lost, 1, "what stood after the gap is kept aside");
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

/// Where a game is, and which moves of it were acknowledged.
type Acknowledged = (String, Vec<Value>);

/// What the players and who breaks the database know of each other.
#[derive(Default)]
struct Course {
    is_over: AtomicBool,
    /// Moves acknowledged so far.
    moves: AtomicU64,
}

/// Moves between two outages.
const BETWEEN: u64 = 30;

/// Plays game after game, both sides or against an engine, however often the database goes away.
async fn play_on(server: Arc<Running>, game: &str, engine: bool, course: Arc<Course>) -> Vec<Acknowledged> {
    let white =
        if engine { json!({ "kind": "engine", "spec": "random" }) } else { json!({ "kind": "human" }) };
    let wish = json!({ "game": game, "players": { "black": { "kind": "human" }, "white": white } });
    let mut games = Vec::new();
    while !course.is_over.load(Relaxed) {
        let (status, table) = server.post("", "/api/tables", wish.clone()).await;
        if status == 201 {
            let word = |key: &str| table[key].as_str().unwrap().to_owned();
            let path = format!("/api/tables/{}", word("id"));
            let moves = play_one(&server, &path, &word("token"), engine, &course).await;
            games.push((path, moves));
        } else {
            assert!(matches!(status, 429 | 503), "{status} {table}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    games
}

/// One game to its end, or until all is over; what was acknowledged is there whenever the table can be read.
async fn play_one(server: &Running, path: &str, token: &str, engine: bool, course: &Course) -> Vec<Value> {
    let mut acknowledged = Vec::new();
    while !course.is_over.load(Relaxed) {
        tokio::time::sleep(Duration::from_millis(2)).await;
        let (status, seen) = server.get("", path).await;
        assert!(matches!(status, 200 | 429 | 503), "{path}: {status} {seen}");
        if status != 200 {
            continue;
        }
        let moves = seen["view"]["moves"].as_array().unwrap();
        assert!(moves.starts_with(&acknowledged), "{path}: acknowledged {acknowledged:?}, kept {moves:?}");
        let legal = seen["view"]["legal"].as_array().unwrap();
        if !seen["result"].is_null() || legal.is_empty() {
            break;
        }
        if engine && seen["view"]["to_move"] == "white" {
            continue;
        }
        let ply = moves.len();
        let play = json!({ "move": legal[ply * 7 % legal.len()]["text"], "ply": ply });
        let (status, after) = server.post(token, &format!("{path}/moves"), play).await;
        match status {
            200 => {
                acknowledged = after["view"]["moves"].as_array().unwrap()[..=ply].to_vec();
                course.moves.fetch_add(1, Relaxed);
            }
            // It may stand there all the same: the next look shows it.
            403 | 409 | 429 | 503 => {}
            _ => panic!("{path}: {status} {after}"),
        }
    }
    acknowledged
}

/// People and engines play while PostgreSQL crashes and comes back so many times.
async fn outages(count: u64) {
    let mut postgres =
        tokio::task::spawn_blocking(move || Postgres::start(&format!("outages-{count}"))).await.unwrap();
    // All come from one address, and a table may be opened at any moment.
    let free = Rate { per_second: 1e6, burst: 1e6 };
    let rates = Rates { address: free, opening: free, token: free, ..Rates::default() };
    let config = Config { database_url: Some(postgres.url()), rates, ..Config::default() };
    let server = Arc::new(Running::start(config.clone()).await);
    let course = Arc::<Course>::default();
    let kinds = ["othello", "morris", "abalone"].into_iter().flat_map(|game| [(game, false), (game, true)]);
    let players: Vec<_> = kinds
        .map(|(game, engine)| tokio::spawn(play_on(Arc::clone(&server), game, engine, Arc::clone(&course))))
        .collect();
    for number in 0..count {
        // Also a busy machine has something to lose each time.
        while course.moves.load(Relaxed) < (number + 1) * BETWEEN {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::sleep(Duration::from_millis(number * 37 % 300)).await;
        postgres = tokio::task::spawn_blocking(move || {
            postgres.crash();
            std::thread::sleep(Duration::from_millis(number * 61 % 400));
            postgres.run();
            postgres
        })
        .await
        .unwrap();
    }
    server.until("", "/health", |said| said == "ok").await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    course.is_over.store(true, Relaxed);
    let mut games = Vec::new();
    for player in players {
        games.extend(player.await.unwrap());
    }
    drop(server);
    // Another server reads all of it from the database.
    let again = Running::start(config).await;
    for (path, acknowledged) in &games {
        let seen = again.until("", path, |seen| seen["view"].is_object()).await;
        let moves = seen["view"]["moves"].as_array().unwrap();
        assert!(moves.starts_with(acknowledged), "{path}: acknowledged {acknowledged:?}, kept {moves:?}");
    }
    let moves: usize = games.iter().map(|(_, moves)| moves.len()).sum();
    println!("{count} outages, {} games, {moves} acknowledged moves, none lost", games.len());
    tokio::task::spawn_blocking(move || drop(postgres)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn three_outages_of_the_database_lose_no_acknowledged_move() {
    outages(3).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "minutes"]
async fn fifty_outages_of_the_database_lose_no_acknowledged_move() {
    outages(50).await;
}
