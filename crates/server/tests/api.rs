//! The HTTP interface, request by request: what it answers, what it refuses, and that it says why.

#![allow(clippy::unwrap_used)]

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::{AUTHORIZATION, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, HOST, IF_NONE_MATCH};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use serde_json::{Value, json};
use tower::ServiceExt;
use trilith_server::{BODY_LIMIT, Config, Server, app};

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("not JSON: {:?}", self.text()))
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    fn header(&self, name: impl axum::http::header::AsHeaderName) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

async fn send(app: &Router, request: Request<Body>) -> Answer {
    let (parts, body) = app.clone().oneshot(request).await.unwrap().into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap().to_vec();
    assert!(parts.headers["content-security-policy"].to_str().unwrap().starts_with("default-src 'none'"));
    assert_eq!(parts.headers["x-content-type-options"], "nosniff");
    assert_eq!(parts.headers["referrer-policy"], "no-referrer");
    Answer { status: parts.status, headers: parts.headers, body }
}

fn request(method: Method, path: &str) -> axum::http::request::Builder {
    Request::builder().method(method).uri(path).header(HOST, "localhost:4680")
}

async fn get(app: &Router, path: &str) -> Answer {
    send(app, request(Method::GET, path).body(Body::empty()).unwrap()).await
}

async fn post(app: &Router, path: &str, body: impl ToString) -> Answer {
    let request = request(Method::POST, path).header(CONTENT_TYPE, "application/json");
    send(app, request.body(Body::from(body.to_string())).unwrap()).await
}

/// Sends with a token.
async fn post_as(app: &Router, token: &str, path: &str, body: impl ToString) -> Answer {
    let request = request(Method::POST, path).header(CONTENT_TYPE, "application/json");
    let request = request.header(AUTHORIZATION, format!("Bearer {token}"));
    send(app, request.body(Body::from(body.to_string())).unwrap()).await
}

async fn get_as(app: &Router, token: &str, path: &str) -> Answer {
    let request = request(Method::GET, path).header(AUTHORIZATION, format!("Bearer {token}"));
    send(app, request.body(Body::empty()).unwrap()).await
}

/// A new table for two at one screen: its path, the token for both seats, and what was answered.
async fn open(app: &Router, game: &str) -> (String, String, Value) {
    let answer = post(app, "/api/tables", json!({ "game": game })).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
    let mut table = answer.json();
    let token = table["tokens"]["black"].as_str().unwrap().to_owned();
    assert_eq!(table["tokens"]["white"], token);
    table.as_object_mut().unwrap().retain(|key, _| key != "token" && key != "tokens");
    (format!("/api/tables/{}", table["id"].as_str().unwrap()), token, table)
}

#[tokio::test]
async fn every_game_is_offered_opened_played_saved_and_loaded() {
    let app = app(Config::default()).await.unwrap();
    let games = get(&app, "/api/games").await.json();
    assert_eq!(games.as_array().unwrap().len(), trilith_arena::GAMES.len());
    // The fourth game of the tests ends before ten plies.
    for game in games.as_array().unwrap().iter().take(3) {
        let (path, token, mut table) = open(&app, game["name"].as_str().unwrap()).await;
        assert_eq!(table["board"], game["board"]);
        assert_eq!(table["view"]["rules"], game["rules"]);
        for ply in 0..10 {
            let mv = &table["view"]["legal"][0]["text"];
            table = post_as(&app, &token, &format!("{path}/moves"), json!({ "move": mv, "ply": ply }))
                .await
                .json();
        }
        assert_eq!(get_as(&app, &token, &path).await.json(), table);

        let undone = post_as(&app, &token, &format!("{path}/undo"), json!({ "ply": 10 })).await.json();
        assert_eq!(undone["view"]["moves"].as_array().unwrap().len(), 9);
        let mut redone = post_as(&app, &token, &format!("{path}/redo"), json!({ "ply": 9 })).await.json();
        assert_eq!(redone["event"], 12);
        redone["event"] = table["event"].clone();
        assert_eq!(redone, table);

        let saved = get(&app, &format!("{path}/game.txt")).await;
        assert!(saved.header(CONTENT_DISPOSITION).starts_with("attachment; filename="));
        let loaded = post(&app, "/api/tables", json!({ "text": saved.text() })).await;
        assert_eq!(loaded.status, StatusCode::CREATED);
        assert_eq!(loaded.json()["view"], table["view"]);
        assert_ne!(loaded.json()["id"], table["id"]);

        let picture = get(&app, &format!("{path}/board.svg")).await;
        assert_eq!(picture.header(CONTENT_TYPE), "image/svg+xml");
        assert!(picture.text().starts_with("<svg"));
    }
}

#[tokio::test]
async fn rules_and_position_can_be_chosen() {
    let app = app(Config::default()).await.unwrap();
    let body = json!({ "game": "abalone", "rules": "belgian-daisy,princess=on" });
    let table = post(&app, "/api/tables", body).await.json();
    assert_eq!(table["view"]["rules"], "belgian-daisy,princess=on");
    let position = &table["view"]["position"];
    let body = json!({ "game": "abalone", "rules": "princess=on", "position": position });
    assert_eq!(post(&app, "/api/tables", body).await.json()["view"]["stones"], table["view"]["stones"]);
    let body = json!({ "game": "othello", "moves": ["f5", "d6"] });
    assert_eq!(post(&app, "/api/tables", body).await.json()["view"]["moves"], json!(["f5", "d6"]));
}

#[tokio::test]
async fn wrong_input_is_answered_with_what_would_be_right() {
    let app = app(Config::default()).await.unwrap();
    let (path, token, _) = open(&app, "othello").await;
    let moves = format!("{path}/moves");
    let cases = [
        ("/api/tables", json!({ "game": "otello" }), "expected `othello`?"),
        ("/api/tables", json!({ "game": "morris", "rules": "flyin=on" }), "`flying`?"),
        ("/api/tables", json!({ "game": "othello", "position": "XXXX" }), "position, column 5"),
        ("/api/tables", json!({ "text": "hello" }), "expected"),
        ("/api/tables", json!({ "game": "othello", "moves": ["f5", "f5"] }), "ply 2: `f5` is not legal"),
        ("/api/tables", json!({}), "expected `game`"),
        ("/api/tables", json!({ "game": "othello", "text": "" }), "expected `game`"),
        ("/api/tables", json!({ "game": "othello", "layout": "x" }), "unknown field `layout`"),
        ("/api/tables", json!({ "game": 7 }), "expected a string"),
        (&moves, json!({ "move": "a1", "ply": 0 }), "`a1` is not legal here; legal: "),
        (&moves, json!({ "move": "", "ply": 0 }), "expected"),
        (&moves, json!({ "move": "f5" }), "missing field `ply`"),
        (&moves, json!({ "move": "f5", "ply": -1 }), "invalid value"),
        (&format!("{path}/undo"), json!({ "ply": 0 }), "no move has been played"),
        (&format!("{path}/redo"), json!({ "ply": 0 }), "no move has been taken back"),
    ];
    for (path, body, expected) in cases {
        let answer = post_as(&app, &token, path, &body).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}");
        let error = answer.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains(expected), "{body}: {error}");
    }
    let answer = post(&app, "/api/tables", "{\"game\":").await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert!(answer.json()["error"].is_string());
}

#[tokio::test]
async fn requests_of_the_wrong_kind_are_refused_in_json() {
    let app = app(Config::default()).await.unwrap();
    let (path, _, _) = open(&app, "othello").await;
    let long = json!({ "text": "x".repeat(BODY_LIMIT) });
    let answer = post(&app, "/api/tables", long).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(answer.json()["error"].as_str().unwrap().contains("65536 bytes"));

    let form = request(Method::POST, &format!("{path}/undo")).header(CONTENT_TYPE, "text/plain");
    let answer = send(&app, form.body(Body::from("{\"ply\":0}")).unwrap()).await;
    assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert!(answer.json()["error"].as_str().unwrap().contains("application/json"));

    let cases = [
        (Method::GET, "/api/tables".to_owned(), StatusCode::METHOD_NOT_ALLOWED),
        (Method::DELETE, path.clone(), StatusCode::METHOD_NOT_ALLOWED),
        (Method::GET, format!("{path}0"), StatusCode::NOT_FOUND),
        (Method::GET, "/api/tables/%ff".to_owned(), StatusCode::NOT_FOUND),
        (Method::GET, "/api/tables/%ff/board.svg".to_owned(), StatusCode::NOT_FOUND),
        (Method::GET, "/api/accounts/%ff".to_owned(), StatusCode::NOT_FOUND),
        (Method::GET, "/api/archive/%ff".to_owned(), StatusCode::NOT_FOUND),
        (Method::GET, "/api/archive?limit=x".to_owned(), StatusCode::BAD_REQUEST),
        (Method::GET, "/api/ratings?game=go".to_owned(), StatusCode::BAD_REQUEST),
        (Method::GET, format!("{path}/live"), StatusCode::UPGRADE_REQUIRED),
        (Method::GET, "/api/nothing".to_owned(), StatusCode::NOT_FOUND),
        (Method::GET, "/nothing".to_owned(), StatusCode::NOT_FOUND),
        (Method::GET, "/assets/../Cargo.toml".to_owned(), StatusCode::NOT_FOUND),
        (Method::GET, "/assets/..%2f..%2fCargo.toml".to_owned(), StatusCode::NOT_FOUND),
        (Method::GET, "/assets/%ff".to_owned(), StatusCode::NOT_FOUND),
    ];
    for (method, path, status) in cases {
        let answer = send(&app, request(method, &path).body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, status, "{path}");
        assert!(answer.json()["error"].is_string(), "{path}");
    }
}

#[tokio::test]
async fn a_stale_client_changes_nothing() {
    let app = app(Config::default()).await.unwrap();
    let (path, token, _) = open(&app, "othello").await;
    let moves = format!("{path}/moves");
    let played = post_as(&app, &token, &moves, json!({ "move": "f5", "ply": 0 })).await;
    assert_eq!(played.status, StatusCode::OK);
    for (what, body) in [("moves", json!({ "move": "f5", "ply": 0 })), ("undo", json!({ "ply": 0 }))] {
        let answer = post_as(&app, &token, &format!("{path}/{what}"), body).await;
        assert_eq!(answer.status, StatusCode::CONFLICT);
        assert_eq!(answer.json()["error"], "the table is at ply 1, not 0");
    }
    assert_eq!(get_as(&app, &token, &path).await.json(), played.json());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_play_at_once_one_does() {
    let app = app(Config::default()).await.unwrap();
    let (path, token, _) = open(&app, "morris").await;
    let play = |mv: &'static str| {
        let (app, token, path) = (app.clone(), token.clone(), format!("{path}/moves"));
        tokio::spawn(
            async move { post_as(&app, &token, &path, json!({ "move": mv, "ply": 0 })).await.status },
        )
    };
    let racers: Vec<_> = ["a1", "d6", "g7", "b4"].into_iter().cycle().take(32).map(play).collect();
    let mut played = 0;
    for racer in racers {
        match racer.await.unwrap() {
            StatusCode::OK => played += 1,
            status => assert_eq!(status, StatusCode::CONFLICT),
        }
    }
    assert_eq!(played, 1);
}

#[tokio::test]
async fn tables_beyond_those_in_memory_wait_on_disk() {
    let app = app(Config { tables: 2, ..Config::default() }).await.unwrap();
    let (first, token, _) = open(&app, "othello").await;
    let played = post_as(&app, &token, &format!("{first}/moves"), json!({ "move": "f5", "ply": 0 })).await;
    for _ in 0..5 {
        open(&app, "morris").await;
    }
    let metrics = get(&app, "/metrics").await.text();
    let kept = metrics.lines().find_map(|line| line.strip_prefix("trilith_tables ")).unwrap();
    assert!(kept.parse::<u32>().unwrap() <= 4, "{kept} tables in memory");
    assert_eq!(get_as(&app, &token, &first).await.json(), played.json());
}

#[tokio::test]
async fn a_name_that_somebody_else_controls_is_refused() {
    let app = app(Config::default()).await.unwrap();
    for host in ["evil.example", "evil.example:4680", "localhost.evil.example", "10.0.0.1"] {
        let request = Request::builder().uri("/api/games").header(HOST, host).body(Body::empty()).unwrap();
        let answer = send(&app, request).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{host}");
        assert!(answer.json()["error"].as_str().unwrap().contains("localhost"));
    }
}

#[tokio::test]
async fn the_page_is_typed_and_kept_until_it_changes() {
    let app = app(Config::default()).await.unwrap();
    let cases = [
        ("/", "text/html; charset=utf-8"),
        ("/assets/style.css", "text/css; charset=utf-8"),
        ("/assets/main.js", "text/javascript; charset=utf-8"),
        ("/assets/icon.svg", "image/svg+xml"),
    ];
    for (path, kind) in cases {
        let first = get(&app, path).await;
        assert_eq!((first.status, first.header(CONTENT_TYPE)), (StatusCode::OK, kind));
        let again = request(Method::GET, path).header(IF_NONE_MATCH, first.header(ETAG));
        let again = send(&app, again.body(Body::empty()).unwrap()).await;
        assert_eq!((again.status, again.body.len()), (StatusCode::NOT_MODIFIED, 0));
        let other = request(Method::GET, path).header(IF_NONE_MATCH, "\"other\"");
        assert_eq!(send(&app, other.body(Body::empty()).unwrap()).await.status, StatusCode::OK);
    }
    assert_eq!(get(&app, "/api/games").await.header("cache-control"), "no-store");
}

#[tokio::test]
async fn the_page_comes_in_few_short_files_that_are_kept_for_ever() {
    let app = app(Config::default()).await.unwrap();
    let zipped = |path: &str| {
        request(Method::GET, path).header("accept-encoding", "gzip").body(Body::empty()).unwrap()
    };
    let page = get(&app, "/").await;
    assert_eq!(page.header("cache-control"), "no-cache");
    let text = String::from_utf8(page.body.to_vec()).unwrap();
    let addresses: Vec<&str> =
        text.split(['"', '\'']).filter(|part| part.starts_with("/assets/v-")).collect();
    assert!(addresses.iter().any(|path| path.ends_with("/app.js")), "{addresses:?}");
    let mut bytes = 0;
    for path in addresses.iter().filter(|path| path.ends_with(".js") || path.ends_with(".css")) {
        let file = send(&app, zipped(path)).await;
        assert_eq!((file.status, file.header("content-encoding")), (StatusCode::OK, "gzip"), "{path}");
        assert!(file.header("cache-control").contains("immutable"), "{path}");
        bytes += file.body.len();
    }
    assert!(bytes < 130_000, "{bytes} bytes of script and style");
    // The page of another version still works, but nothing of it is kept.
    let old = get(&app, "/assets/v-0123/app.js").await;
    assert_eq!((old.status, old.header("cache-control")), (StatusCode::OK, "no-cache"));
    assert_eq!(get(&app, "/sw.js").await.status, StatusCode::OK);
    let games = send(&app, zipped("/api/games")).await;
    assert_eq!(games.header("content-encoding"), "gzip");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_answers_on_its_port_until_it_is_told_to_stop() {
    use std::io::{Read, Write};
    let address = ([127, 0, 0, 1], 0).into();
    let server = Server::bind(Config { address, ..Config::default() }).await.unwrap();
    let address = server.address();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(server.run(async { stopped.await.unwrap() }));
    let ask = move || {
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        write!(stream, "GET /health HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let answer = tokio::task::spawn_blocking(ask).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("\r\n\r\nok"), "{answer}");
    stop.send(()).unwrap();
    running.await.unwrap().unwrap();
    assert!(std::net::TcpStream::connect(address).is_err());
}
