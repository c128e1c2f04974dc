//! What nobody may do: move for another, learn a token, reach files, starve the engines, break a table.

#![allow(clippy::unwrap_used)]

mod client;

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use client::{Live, Running, ask};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use trilith_base::Seed;
use trilith_server::{BODY_LIMIT, Config, Rate, Rates};

/// Two people at a table, and a third who watches.
async fn two_and_a_watcher(server: &Running) -> (String, [String; 2]) {
    let players = json!({ "black": { "kind": "human" }, "white": { "kind": "open" } });
    let (path, table) = server.open("", json!({ "game": "othello", "players": players })).await;
    let joined = server.done("", &format!("{path}/join"), json!({})).await;
    let token = |answer: &Value| answer["token"].as_str().unwrap().to_owned();
    (path, [token(&table), token(&joined)])
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_does_anything_for_another_seat() {
    let server = Running::start(Config::default()).await;
    let (path, [black, white]) = two_and_a_watcher(&server).await;
    let (_, elsewhere) = two_and_a_watcher(&server).await;
    server.done(&black, &format!("{path}/moves"), json!({ "move": "f5", "ply": 0 })).await;
    let (_, before) = server.get(&black, &path).await;
    let commands = [
        ("moves", json!({ "move": "d6", "ply": 1 })),
        ("undo", json!({ "ply": 1 })),
        ("redo", json!({ "ply": 1 })),
        ("draw", json!({ "ply": 1 })),
        ("decline", json!({})),
        ("resign", json!({ "as": "white" })),
        ("pause", json!({})),
        ("continue", json!({})),
        ("hint", json!({ "ply": 1 })),
    ];
    for stranger in ["", &elsewhere[0], &elsewhere[1], &"f".repeat(32), &white[..31], &format!("{white}0")] {
        for (what, body) in &commands {
            let (status, said) = server.post(stranger, &format!("{path}/{what}"), body.clone()).await;
            assert!(matches!(status, 401 | 403), "{what}: {status} {said}");
        }
        let mut live = server.live(&format!("{path}/live")).await;
        if !stranger.is_empty() {
            live.say(json!({ "token": stranger })).await;
        }
        for (number, command) in ["move", "draw", "resign"].into_iter().enumerate() {
            let mut message = json!({ "do": command });
            if command == "move" {
                message = json!({ "do": "move", "move": "d6", "ply": 1 });
            }
            assert_eq!(live.command(message, number as u64).await["event"], "error");
        }
    }
    // Black may not move, draw back or give up for White either.
    assert_eq!(server.post(&black, &format!("{path}/moves"), json!({ "move": "d6", "ply": 1 })).await.0, 403);
    assert_eq!(server.post(&black, &format!("{path}/resign"), json!({ "as": "white" })).await.0, 403);
    let (_, after) = server.get(&black, &path).await;
    assert_eq!(before, after);
}

/// Keeps what is logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_token_is_ever_shown_again() {
    let log = Log::default();
    let writer = log.clone();
    tracing_subscriber::fmt()
        .json()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(move || writer.clone())
        .init();
    let folder = std::env::temp_dir().join(format!("trilith-security-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let server = Running::start(Config { data: Some(folder.clone()), ..Config::default() }).await;
    let account = server.done("", "/api/accounts", json!({ "name": "Anna" })).await;
    let anna = account["token"].as_str().unwrap().to_owned();
    let (path, [black, white]) = two_and_a_watcher(&server).await;
    let secrets = [anna.clone(), black.clone(), white.clone()];
    let hashes: Vec<String> =
        secrets.iter().map(|secret| blake3::hash(secret.as_bytes()).to_hex().to_string()).collect();

    let mut seen = String::new();
    let mut watcher = server.live(&format!("{path}/live")).await;
    let mut player = server.live(&format!("{path}/live")).await;
    player.say(json!({ "token": black })).await;
    let answer = player.command(json!({ "do": "move", "move": "f5", "ply": 0 }), 1).await;
    seen.push_str(&answer.to_string());
    seen.push_str(&watcher.until(|event| event["table"]["view"]["moves"] == json!(["f5"])).await.to_string());
    let mut lobby = server.live("/api/lobby/live").await;
    lobby.say(json!({ "token": anna })).await;
    seen.push_str(&lobby.until(|event| event["online"] == json!(["Anna"])).await.to_string());
    server.done(&anna, "/api/challenges", json!({ "game": "morris" })).await;
    for token in ["", &white, &anna] {
        for address in [
            path.clone(),
            format!("{path}/game.txt"),
            format!("{path}/board.svg"),
            "/api/games".into(),
            "/api/lobby".into(),
            "/api/archive".into(),
            "/api/accounts/anna".into(),
            "/metrics".into(),
            "/api/me".into(),
        ] {
            seen.push_str(&server.get(token, &address).await.1.to_string());
        }
    }
    let logged = String::from_utf8_lossy(&log.0.lock().unwrap()).into_owned();
    assert!(logged.contains("/moves") || logged.contains(&path), "nothing was logged");
    for secret in secrets.iter().chain(&hashes) {
        assert!(!seen.contains(secret), "an answer shows a token or its hash");
    }
    for secret in &secrets {
        assert!(!logged.contains(secret), "the log shows a token");
        for file in std::fs::read_dir(&folder).unwrap() {
            let bytes = std::fs::read(file.unwrap().path()).unwrap_or_default();
            let shown = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!shown, "the database holds a token");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_path_of_a_client_reaches_the_file_system() {
    let server = Running::start(Config::default()).await;
    for path in [
        "/../Cargo.toml",
        "/assets/../Cargo.toml",
        "/assets/..%2f..%2fCargo.toml",
        "/assets/%2e%2e/Cargo.toml",
        "/assets//etc/passwd",
        "/assets/%2fetc%2fpasswd",
        "/api/tables/..%2f..%2fetc",
        "/api/archive/..%2fx",
        "/api/accounts/..%2fx",
    ] {
        assert_eq!(ask(server.address, "GET", path, "", "").await.0, 404, "{path}");
    }
    for spec in [
        "external:gtp:\"touch /tmp/x\"",
        "book:/etc/passwd+engine",
        "engine:file=/etc/passwd",
        "engine:eval=mlp,file=run:../../etc/passwd",
        "engine:tables=/etc",
        "engine:probcut=/etc/passwd",
    ] {
        let players = json!({ "black": { "kind": "human" }, "white": { "kind": "engine", "spec": spec } });
        let (status, said) =
            server.post("", "/api/tables", json!({ "game": "othello", "players": players })).await;
        assert_eq!(status, 400, "{spec}: {said}");
        assert!(!said.to_string().contains("root:"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_client_cannot_starve_the_engines() {
    let config = Config { max_engines: 2, engine_time: Duration::from_secs(20), ..Config::default() };
    let server = Running::start(config).await;
    let account = server.done("", "/api/accounts", json!({ "name": "Modest" })).await;
    let modest = account["token"].as_str().unwrap().to_owned();
    // Ten tables of one address, each with an engine that wants a minute.
    let mut greedy = Vec::new();
    for _ in 0..10 {
        let engine = json!({ "kind": "engine", "time_ms": 60_000 });
        let players = json!({ "black": engine, "white": { "kind": "human" } });
        greedy.push(server.open("", json!({ "game": "othello", "players": players })).await.0);
    }
    let players = json!({ "black": { "kind": "engine", "level": 1 }, "white": { "kind": "human" } });
    let (path, _) = server.open(&modest, json!({ "game": "othello", "players": players })).await;
    let moved = |table: &Value| table["view"]["moves"].as_array().is_some_and(|moves| moves.len() == 1);
    server.until(&modest, &path, moved).await;
    // Not by the clock, which says nothing on a busy machine: one after the other all ten would have been served before.
    let mut served = 0;
    for path in &greedy {
        served += usize::from(moved(&server.get("", path).await.1));
    }
    assert!(served <= 3, "{served} of ten were served before");
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_requests_are_refused_and_others_are_served() {
    let slow = |burst| Rate { per_second: 0.01, burst };
    let rates = Rates { token: slow(12.0), opening: slow(3.0), ..Rates::default() };
    let server = Running::start(Config { rates, ..Config::default() }).await;
    let (path, [black, white]) = two_and_a_watcher(&server).await;
    let mut refused = 0;
    for _ in 0..20 {
        let (status, said) =
            server.post(&black, &format!("{path}/moves"), json!({ "move": "a1", "ply": 0 })).await;
        assert!(matches!(status, 400 | 429), "{said}");
        refused += usize::from(status == 429);
    }
    assert_eq!(refused, 8);
    assert_eq!(server.get(&white, &path).await.0, 200);
    let opened: Vec<u16> = futures_util::future::join_all(
        (0..5).map(|_| async { server.post("", "/api/tables", json!({ "game": "morris" })).await.0 }),
    )
    .await;
    assert_eq!(opened.iter().filter(|&&status| status == 201).count(), 2, "{opened:?}");

    let mut live = server.live(&format!("{path}/live")).await;
    live.next().await.unwrap();
    for number in 0..20 {
        live.say(json!({ "do": "ping", "nr": number })).await;
    }
    live.until(|event| event["error"].as_str().is_some_and(|error| error.contains("too many"))).await;
}

/// Messages that are no wishes, or wishes that cannot be met.
const WRONG: [&str; 22] = [
    "",
    "null",
    "[]",
    "7",
    "{",
    "{}",
    "\"do\"",
    "{\"do\":null}",
    "{\"do\":\"move\"}",
    "{\"do\":\"move\",\"move\":7,\"ply\":1}",
    "{\"do\":\"move\",\"move\":\"d6\",\"ply\":-1}",
    "{\"do\":\"move\",\"move\":\"d6\",\"ply\":1e300}",
    "{\"do\":\"move\",\"move\":\"d6\",\"ply\":0}",
    "{\"do\":\"move\",\"move\":\"d6\",\"ply\":2}",
    "{\"do\":\"move\",\"move\":\"a1\",\"ply\":1}",
    "{\"do\":\"move\",\"move\":\"\\u0000\",\"ply\":1}",
    "{\"do\":\"decline\"}",
    "{\"do\":\"continue\"}",
    "{\"do\":\"undo\",\"ply\":1}",
    "{\"do\":\"fly\"}",
    "{\"token\":7}",
    "{\"token\":\"a_x\"}",
];

/// Seeded noise around a good message: never a crash, never a move.
async fn noise(live: &mut Live) {
    let good = b"{\"do\":\"move\",\"move\":\"a1\",\"ply\":1,\"nr\":1}";
    for number in 0..200 {
        let draw = Seed(7).derive("noise", number).0;
        let mut noisy = good.to_vec();
        for part in 0..4 {
            let place = (draw >> (part * 8)) as usize % noisy.len();
            noisy[place] = (draw >> (32 + part * 8)) as u8 & 0x7f;
        }
        live.say_text(std::str::from_utf8(&noisy).unwrap()).await;
        live.until(|event| event["event"] != "table").await;
    }
}

/// What is no request of HTTP, or one that nobody means well.
async fn bad_requests(server: &Running, path: &str) {
    for raw in [
        "GET / HTTP/9.9\r\n\r\n".to_owned(),
        "\r\n\r\n\0\0\0".into(),
        format!("GET /{} HTTP/1.1\r\nhost: localhost\r\n\r\n", "x".repeat(1 << 20)),
        format!(
            "POST {path}/moves HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999999999999999\r\n\r\n"
        ),
        format!("POST {path}/moves HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"),
    ] {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        let _ = stream.write_all(raw.as_bytes()).await;
        let mut answer = Vec::new();
        let _ = tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut answer)).await;
        assert!(!answer.starts_with(b"HTTP/1.1 2"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_messages_are_answered_and_the_table_stays_whole() {
    let rates = Rates { token: Rate { per_second: 1e6, burst: 1e6 }, ..Rates::default() };
    let server = Running::start(Config { rates, ..Config::default() }).await;
    let (path, [black, white]) = two_and_a_watcher(&server).await;
    server.done(&black, &format!("{path}/moves"), json!({ "move": "f5", "ply": 0 })).await;
    let (_, before) = server.get(&white, &path).await;
    let mut live = server.live(&format!("{path}/live")).await;
    live.say(json!({ "token": white })).await;
    live.until(|event| event["table"]["seats"] == json!(["white"])).await;

    for message in WRONG {
        live.say_text(message).await;
        assert_eq!(live.until(|event| event["event"] != "table").await["event"], "error", "{message}");
    }
    live.say_text(&format!("{{\"do\":\"{}\"}}", "x".repeat(10_000))).await;
    live.until(|event| event["error"].as_str().is_some_and(|error| error.contains("4096"))).await;
    live.say_bytes(vec![0, 255, 3]).await;
    live.until(|event| event["error"] == "expected text").await;
    noise(&mut live).await;
    // Longer than the server will ever read: the connection is closed, nothing else.
    let mut huge = server.live(&format!("{path}/live")).await;
    huge.next().await.unwrap();
    huge.say_text(&"x".repeat(BODY_LIMIT + 1)).await;
    while huge.next().await.is_some() {}
    bad_requests(&server, &path).await;
    drop(live);
    let same =
        |after: &Value| ["view", "offer", "result", "event"].iter().all(|key| before[key] == after[key]);
    server.until(&white, &path, same).await;
    server.done(&white, &format!("{path}/moves"), json!({ "move": "d6", "ply": 1 })).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_another_site_cannot_connect() {
    let server = Running::start(Config::default()).await;
    let address = server.address;
    for (origin, expected) in [("http://evil.example", 403), (&*format!("http://{address}"), 101)] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let request = format!(
            "GET /api/lobby/live HTTP/1.1\r\nhost: {address}\r\norigin: {origin}\r\nconnection: upgrade\r\n\
             upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut start = [0; 12];
        stream.read_exact(&mut start).await.unwrap();
        assert_eq!(String::from_utf8_lossy(&start), format!("HTTP/1.1 {expected}"));
    }
}
