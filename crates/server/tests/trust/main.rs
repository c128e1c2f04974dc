//! A server that is left alone on the open internet: what strangers may hold, fill, starve or pretend.

#![allow(clippy::unwrap_used)]

mod accounts;
#[path = "../client/mod.rs"]
mod client;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use client::{Running, ask, ask_with};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use trilith_server::{Config, ConnectionBounds, Rate, Rates, new_key};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("trilith-trust-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

async fn register(server: &Running, name: &str) -> String {
    let account = server.done("", "/api/accounts", json!({ "name": name })).await;
    account["token"].as_str().unwrap().to_owned()
}

/// Headers of a request that a proxy hands on for `client`.
fn from(client: &str, token: &str) -> String {
    let bearer = if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") };
    format!("x-forwarded-for: {client}\r\n{bearer}")
}

async fn post_from(server: &Running, client: &str, token: &str, path: &str, body: Value) -> (u16, Value) {
    let (status, text) =
        ask_with(server.address, "POST", path, &from(client, token), &body.to_string()).await;
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

fn behind_a_proxy() -> Config {
    Config { trusted_proxies: vec!["127.0.0.1".parse().unwrap()], ..Config::default() }
}

/// A gauge or counter of `/metrics`.
async fn number(server: &Running, name: &str) -> u64 {
    let (_, text) = ask(server.address, "GET", "/metrics", "", "").await;
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("trilith_{name} ")));
    line.unwrap_or_else(|| panic!("no {name} in {text}")).parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_analyses_hold_no_engines() {
    let server = Running::start(Config { max_engines: 2, ..Config::default() }).await;
    let mut sockets = Vec::new();
    for _ in 0..12 {
        let mut live = server.live("/api/analyse/live").await;
        live.say(json!({ "do": "analyse", "game": "othello", "depth": 1 })).await;
        live.until(|event| event["final"] == true).await;
        sockets.push(live);
    }
    let resting = number(&server, "engines_resting").await;
    assert!(resting <= 2, "{resting} engines rest for twelve idle connections of one address");
}

/// Whether the server closes the connection within the time.
async fn is_closed(stream: &mut TcpStream, time: Duration) -> bool {
    let mut rest = Vec::new();
    tokio::time::timeout(time, stream.read_to_end(&mut rest)).await.is_ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn half_open_requests_are_closed_and_connections_bounded() {
    let connections = ConnectionBounds {
        all: 8,
        each: 6,
        head: Duration::from_millis(400),
        idle: Duration::from_millis(800),
    };
    let config = Config { connections, request_time: Duration::from_secs(2), ..Config::default() };
    let server = Running::start(config).await;
    let halves = [
        String::new(),
        "GET / HTTP/1.1\r\nhost:".into(),
        format!(
            "POST /api/tables HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{{",
            server.address
        ),
        format!("GET /health HTTP/1.1\r\nhost: {}\r\n\r\n", server.address),
    ];
    for half in halves {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(half.as_bytes()).await.unwrap();
        assert!(is_closed(&mut stream, Duration::from_secs(4)).await, "{half:?} stays open");
    }
    let mut held = Vec::new();
    for _ in 0..6 {
        held.push(TcpStream::connect(server.address).await.unwrap());
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    let mut seventh = TcpStream::connect(server.address).await.unwrap();
    let _ = seventh.write_all(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    let mut said = Vec::new();
    let _ = seventh.read_to_end(&mut said).await;
    assert!(!said.starts_with(b"HTTP/1.1 200"), "a seventh connection of one address is served");
    drop(held);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(ask(server.address, "GET", "/health", "", "").await.0, 200);
    many_addresses_together_are_bounded(server.address).await;
    // A WebSocket that answers pings is not idle; one connection more than its bound shows that places come back.
    for _ in 0..8 {
        drop(server.live("/api/lobby/live").await);
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
}

/// Eight in all, however many addresses they come from; the whole network 127/8 is this machine.
#[cfg(target_os = "linux")]
async fn many_addresses_together_are_bounded(server: std::net::SocketAddr) {
    let connect = async |last: u8| {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(([127, 0, 0, last], 0).into()).unwrap();
        socket.connect(server).await.unwrap()
    };
    // On a busy machine the first of them may be closed, since they say nothing, before the ninth comes.
    for _ in 0..20 {
        let mut held = Vec::new();
        for last in 2..10 {
            held.push(connect(last).await);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        let mut ninth = connect(10).await;
        let _ = ninth.write_all(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
        let mut said = Vec::new();
        let _ = ninth.read_to_end(&mut said).await;
        drop(held);
        tokio::time::sleep(Duration::from_millis(100)).await;
        if !said.starts_with(b"HTTP/1.1 200") {
            return;
        }
    }
    panic!("a ninth connection is served, each time");
}

#[cfg(not(target_os = "linux"))]
async fn many_addresses_together_are_bounded(_: std::net::SocketAddr) {}

const RUN: &str = "kind = \"outcomes\"\ngame = \"othello\"\n[parameters]\ngames = 20\nyardstick_games = 2\n";

#[tokio::test(flavor = "multi_thread")]
async fn only_the_administrator_changes_the_machine() {
    let data = folder("admin");
    let config = Config { data: Some(data.clone()), ..behind_a_proxy() };
    let server = Running::start(config).await;
    let run = json!({ "name": "one", "config": RUN });
    for client in ["203.0.113.9", "127.0.0.1"] {
        assert_eq!(post_from(&server, client, "", "/api/learn/runs", run.clone()).await.0, 403, "{client}");
    }
    let (status, said) = server.post("", "/api/learn/runs", run.clone()).await;
    assert_eq!(status, 403, "loopback is no proof behind a proxy: {said}");
    let key = new_key(&data).unwrap();
    for (headers, expected) in
        [("x-trilith-admin: k_wrong\r\n".to_owned(), 403), (format!("x-trilith-admin: {key}\r\n"), 201)]
    {
        let (status, said) =
            ask_with(server.address, "POST", "/api/learn/runs", &headers, &run.to_string()).await;
        assert_eq!(status, expected, "{said}");
    }
    for order in ["stop", "delete"] {
        let path = format!("/api/learn/runs/one/{order}");
        assert_eq!(post_from(&server, "203.0.113.9", "", &path, json!({})).await.0, 403);
    }
    drop(server);
    // At home, without a proxy and a name, whoever sits at the machine needs no key; what a proxy hands on does.
    let home = folder("home");
    let server = Running::start(Config { data: Some(home.clone()), ..Config::default() }).await;
    assert_eq!(post_from(&server, "203.0.113.9", "", "/api/learn/runs", run.clone()).await.0, 403);
    assert_eq!(server.post("", "/api/learn/runs", run).await.0, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_proxy_everybody_is_counted_alone() {
    let rates = Rates { opening: Rate { per_second: 0.001, burst: 2.0 }, ..Rates::default() };
    let server = Running::start(Config { rates, ..behind_a_proxy() }).await;
    let wish = json!({ "game": "othello" });
    let open = async |client: &str| post_from(&server, client, "", "/api/tables", wish.clone()).await.0;
    for client in ["203.0.113.1", "203.0.113.2", "2001:db8:0:1::1"] {
        assert_eq!([open(client).await, open(client).await, open(client).await], [201, 201, 429], "{client}");
    }
    assert_eq!(open("2001:db8:0:1:ffff::7").await, 429, "the same network of IPv6");
    assert_eq!(open("2001:db8:0:2::1").await, 201, "another network");
    // Who pretends to be handed on by a proxy is counted by what the proxy itself has heard.
    assert_eq!(open("198.51.100.77, 203.0.113.1").await, 429);
}

#[tokio::test(flavor = "multi_thread")]
async fn six_accounts_cannot_starve_a_seventh() {
    let config = Config { max_engines: 2, ..behind_a_proxy() };
    let server = Running::start(config).await;
    let greedy = json!({ "black": { "kind": "engine", "time_ms": 60_000 }, "white": { "kind": "human" } });
    for number in 0..6 {
        // Each from an address of its own, as if they were many.
        let client = format!("203.0.113.{number}");
        let name = json!({ "name": format!("greedy-{number}") });
        let (_, account) = post_from(&server, &client, "", "/api/accounts", name).await;
        let token = account["token"].as_str().unwrap().to_owned();
        for _ in 0..3 {
            let wish = json!({ "game": "othello", "players": greedy });
            assert_eq!(post_from(&server, &client, &token, "/api/tables", wish).await.0, 201);
        }
    }
    let start = Instant::now();
    let modest = json!({ "black": { "kind": "engine", "level": 1 }, "white": { "kind": "human" } });
    let wish = json!({ "game": "othello", "players": modest });
    let (_, table) = post_from(&server, "198.51.100.1", "", "/api/tables", wish).await;
    let path = format!("/api/tables/{}", table["id"].as_str().unwrap());
    server
        .until("", &path, |table| table["view"]["moves"].as_array().is_some_and(|moves| moves.len() == 1))
        .await;
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn health_says_what_is_wrong() {
    let data = folder("health");
    let server = Running::start(Config { data: Some(data.clone()), ..Config::default() }).await;
    assert_eq!(server.get("", "/health").await, (200, json!("ok")));
    assert_eq!(server.get("", "/ready").await, (200, json!("ready")));
    let file = data.join("trilith.db");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "others may read the database: {mode:o}");
    }
    std::fs::remove_file(&file).unwrap();
    tokio::time::sleep(Duration::from_millis(600)).await;
    let (status, said) = server.get("", "/health").await;
    assert!(status == 503 && said["error"].as_str().unwrap().contains("gone"), "{status} {said}");
    std::fs::write(&file, "another file").unwrap();
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(server.get("", "/ready").await.0, 503);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn health_tells_of_a_database_that_is_damaged_while_it_runs() {
    use std::os::unix::fs::FileExt;
    let data = folder("damaged");
    let config = Config { data: Some(data.clone()), ..Config::default() };
    let mut first = Running::start(config.clone()).await;
    first.open("", json!({ "game": "othello" })).await;
    first.stop();
    drop(first);
    let file = data.join("trilith.db");
    let log = data.join("trilith.db-wal");
    let wait = Instant::now();
    while log.exists() {
        assert!(wait.elapsed() < Duration::from_secs(20), "the write-ahead log stays");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let server = Running::start(config).await;
    // As a failing disk would do it: the same file with other pages.
    let pages = std::fs::OpenOptions::new().write(true).open(&file).unwrap();
    let length = pages.metadata().unwrap().len() as usize;
    pages.write_all_at(&vec![0x5a; length - 4096], 4096).unwrap();
    for path in ["/health", "/ready"] {
        let (status, said) = server.get("", path).await;
        assert!(status == 503 && said["error"].as_str().unwrap().contains("damaged"), "{status} {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rated_games_are_usual_ones_and_may_be_aborted() {
    let server = Running::start(Config::default()).await;
    let (anna, bert) = (register(&server, "Anna").await, register(&server, "Bert").await);
    let people = json!({ "black": { "kind": "human" }, "white": { "kind": "open" } });
    let (_, other) = server.open("", json!({ "game": "othello", "moves": ["f5"] })).await;
    let rules = json!("score=discs");
    for (key, value) in
        [("moves", json!(["f5"])), ("rules", rules), ("position", other["view"]["position"].clone())]
    {
        let mut wish = json!({ "game": "othello", "players": people, "rated": true });
        wish[key] = value;
        let (status, said) = server.post(&anna, "/api/tables", wish).await;
        assert_eq!(status, 400, "{key}: {said}");
    }
    let challenge = json!({ "game": "morris", "rules": "thesis", "rated": true });
    assert_eq!(server.post(&anna, "/api/challenges", challenge).await.0, 400);

    let wish = json!({ "game": "othello", "players": people, "rated": true });
    for moves in 0..3 {
        let (path, _) = server.open(&anna, wish.clone()).await;
        server.done(&bert, &format!("{path}/join"), json!({})).await;
        for (ply, mv) in ["f5", "d6"].into_iter().enumerate().take(moves) {
            let token = [&anna, &bert][ply % 2];
            server.done(token, &format!("{path}/moves"), json!({ "move": mv, "ply": ply })).await;
        }
        assert_eq!(server.post("", &format!("{path}/abort"), json!({})).await.0, 401);
        let (status, said) = server.post(&bert, &format!("{path}/abort"), json!({})).await;
        match moves {
            2 => assert_eq!(status, 409, "{said}"),
            _ => assert_eq!((status, &said["result"]["reason"]), (200, &json!("aborted"))),
        }
    }
    assert_eq!(server.get("", "/api/ratings?game=othello").await.1, json!([]), "nothing was rated");
}

#[tokio::test(flavor = "multi_thread")]
async fn puppets_are_slowed() {
    let server = Running::start(Config::default()).await;
    let (anna, bert) = (register(&server, "Anna").await, register(&server, "Bert").await);
    for _ in 0..15 {
        let wish = json!({ "game": "othello", "rated": true, "colour": "black", "to": "bert" });
        let challenge = server.done(&anna, "/api/challenges", wish).await;
        let path = format!("/api/challenges/{}/accept", challenge["id"].as_str().unwrap());
        let table = server.done(&bert, &path, json!({})).await;
        let path = format!("/api/tables/{}", table["id"].as_str().unwrap());
        server.done(&anna, &format!("{path}/moves"), json!({ "move": "f5", "ply": 0 })).await;
        server.done(&bert, &format!("{path}/moves"), json!({ "move": "d6", "ply": 1 })).await;
        server.done(&bert, &format!("{path}/resign"), json!({})).await;
    }
    let (_, me) = server.get(&anna, "/api/me").await;
    assert_eq!(me["ratings"]["othello"]["games"], 12, "more games of the same two in a day do not count");
    let made = futures_util::future::join_all((0..60).map(|number| {
        let name = json!({ "name": format!("puppet-{number}") });
        let server = &server;
        async move { server.post("", "/api/accounts", name).await.0 }
    }));
    let made = made.await.into_iter().filter(|&status| status == 201).count();
    assert!(made <= 30, "{made} accounts of one address at once");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lobby_sends_little_and_only_what_has_changed() {
    let rates = Rates { accounts: Rate { per_second: 1e3, burst: 1e3 }, ..Rates::default() };
    let server = Running::start(Config { rates, ..Config::default() }).await;
    for number in 0..12 {
        let token = register(&server, &format!("name-{number}")).await;
        for _ in 0..10 {
            server.done(&token, "/api/challenges", json!({ "game": "othello" })).await;
        }
        assert_eq!(server.post(&token, "/api/challenges", json!({ "game": "othello" })).await.0, 409);
    }
    tokio::time::sleep(Duration::from_millis(800)).await;
    let mut lobby = server.live("/api/lobby/live").await;
    let first = lobby.until(|event| event["challenges"].as_array().is_some_and(|all| !all.is_empty())).await;
    assert_eq!(first["challenges"].as_array().unwrap().len(), 50);
    assert!(first.to_string().len() < 40_000, "{} bytes", first.to_string().len());
    let (path, _) = server.open("", json!({ "game": "morris", "public": true })).await;
    let next = lobby.until(|event| event["event"] == "lobby").await;
    assert_eq!(format!("/api/tables/{}", next["tables"][0]["id"].as_str().unwrap()), path);
    assert!(next.get("challenges").is_none() && next.to_string().len() < 2000, "{next}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_and_goes_is_not_told_to_everybody_each_time() {
    let server = Running::start(Config::default()).await;
    let (path, table) = server.open("", json!({ "game": "abalone" })).await;
    let token = table["token"].as_str().unwrap();
    let mut watcher = server.live(&format!("{path}/live")).await;
    watcher.next().await.unwrap();
    let mut loud = server.live(&format!("{path}/live")).await;
    for _ in 0..60 {
        loud.say(json!({ "token": token })).await;
    }
    for _ in 0..60 {
        loud.until(|event| event["event"] == "table").await;
    }
    let mut heard = 0;
    while let Ok(Some(_)) = tokio::time::timeout(Duration::from_millis(700), watcher.next()).await {
        heard += 1;
    }
    assert!((1..12).contains(&heard), "{heard} events for sixty that say who they are again");
}

/// The first of the FFO test positions, with twenty empty squares.
const HARD: &str = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";

#[tokio::test(flavor = "multi_thread")]
async fn tablebase_questions_are_answered_in_turn() {
    let server = Running::start(behind_a_proxy()).await;
    // Twenty empty squares: seconds of work each, if nobody else waits.
    let hard = json!({ "game": "othello", "position": HARD });
    let flood = (0..12).map(|_| post_from(&server, "203.0.113.1", "", "/api/known", hard.clone()));
    let modest = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let start = Instant::now();
        let (status, said) =
            post_from(&server, "203.0.113.2", "", "/api/known", json!({ "game": "othello" })).await;
        assert_eq!(status, 200, "{said}");
        start.elapsed()
    };
    let (flooded, waited) = tokio::join!(futures_util::future::join_all(flood), modest);
    let refused = flooded.iter().filter(|(status, _)| *status == 429).count();
    assert!(refused >= 8, "{refused} of twelve at once are refused: {flooded:?}");
    assert!(waited < Duration::from_secs(7), "{waited:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_may_be_told_elsewhere() {
    let config = Config { metrics_address: Some(([127, 0, 0, 1], 0).into()), ..Config::default() };
    let server = Running::start(config).await;
    assert_eq!(ask(server.address, "GET", "/metrics", "", "").await.0, 404);
    let (status, text) = ask(server.metrics.unwrap(), "GET", "/metrics", "", "").await;
    assert!(status == 200 && text.contains("trilith_requests_total"), "{text}");
    assert_eq!(ask(server.metrics.unwrap(), "GET", "/api/games", "", "").await.0, 404);
}
