//! The same scene again and again, with the database breaking at every single call in turn, as SQLite tests itself:
//! nothing acknowledged is lost, nothing becomes unreadable, and the games go on.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::app::App;
use crate::store::faulty::{BREAKS, Break, Outage, opener};
use crate::store::{Opener, Store, StorePlace, reads};
use crate::{Config, Rate, Rates, tables};

#[cfg(unix)]
#[path = "../tests/postgres/mod.rs"]
mod postgres;

/// A server without sockets, on a database that breaks.
struct Scene {
    app: Arc<App>,
    router: Router,
}

/// A scene takes a fraction of a second; a busy machine may take long to get to it.
const PATIENCE: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(5);
/// What is said only where it is certain.
const UNCHANGED: &str = "nothing was changed";

/// Numbers the tries of something until it has had all the time that it may need.
fn tries() -> impl Iterator<Item = usize> {
    let start = Instant::now();
    (0..).take_while(move |_| start.elapsed() < PATIENCE)
}

/// As much as anybody likes.
fn free() -> Rates {
    let rate = Rate { per_second: 1e6, burst: 1e6 };
    Rates { address: rate, token: rate, opening: rate, ..Rates::default() }
}

impl Scene {
    /// Opens as somebody would who starts the program again and again until it runs.
    async fn open(inner: &Opener, outage: &Arc<Outage>) -> Scene {
        let faulty = opener(Arc::clone(inner), outage);
        for _ in tries() {
            let faulty = Arc::clone(&faulty);
            let opened = tokio::task::spawn_blocking(move || Store::start(faulty, true)).await.unwrap();
            if let Ok(store) = opened {
                // Whoever tries again and again while a database is away must not be slowed for it here.
                let config = Config { max_engines: 2, rates: free(), ..Config::default() };
                let app = App::with_store(config, store, None);
                crate::begin(&app);
                return Scene { router: crate::router(&app), app };
            }
        }
        panic!("it never opens");
    }

    async fn ask(&self, method: &str, path: &str, token: &str, body: Value) -> (u16, Value) {
        let mut request = Request::builder().method(method).uri(path).header(HOST, "localhost");
        if !token.is_empty() {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = request.header(CONTENT_TYPE, "application/json").body(Body::from(body.to_string()));
        let response = self.router.clone().oneshot(request.unwrap()).await.unwrap();
        let status = response.status().as_u16();
        let bytes = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    }

    /// Asks until it is answered as hoped; what may have been done unconfirmed is for `body` to avoid.
    async fn insist(&self, path: &str, token: &str, body: impl Fn(usize) -> Value) -> Value {
        for number in tries() {
            let (status, answer) = self.ask("POST", path, token, body(number)).await;
            if (200..300).contains(&status) {
                return answer;
            }
            assert!(matches!(status, 503 | 409 | 404), "{path}: {status} {answer}");
            tokio::time::sleep(PAUSE).await;
        }
        panic!("{path} is never done");
    }

    /// Looks until the table is as hoped.
    async fn until(&self, path: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let mut seen = Value::Null;
        for _ in tries() {
            let (status, table) = self.ask("GET", path, "", Value::Null).await;
            assert!(matches!(status, 200 | 503), "{path}: {status} {table}");
            if status == 200 && is_so(&table) {
                return table;
            }
            seen = table;
            tokio::time::sleep(PAUSE).await;
        }
        panic!("{path} is never as hoped: {seen}");
    }

    async fn account(&self, name: &str) -> String {
        // A name that was taken unconfirmed is gone.
        let account =
            self.insist("/api/accounts", "", |number| json!({ "name": format!("{name}-{number}") }));
        account.await["token"].as_str().unwrap().to_owned()
    }

    async fn table(&self, token: &str, wish: Value) -> (String, String) {
        let table = self.insist("/api/tables", token, |_| wish.clone()).await;
        let word = |key: &str| table[key].as_str().unwrap().to_owned();
        (format!("/api/tables/{}", word("id")), word("token"))
    }

    /// Plays the move numbered `ply`, whichever is first in the list, until it stands there.
    async fn play(&self, path: &str, token: &str, ply: usize) {
        let mut is_unchanged = false;
        for _ in tries() {
            let table = self.until(path, |table| moves(table) >= ply).await;
            if moves(&table) > ply {
                assert!(!is_unchanged, "it was said that nothing was changed: {table}");
                return;
            }
            let play = json!({ "move": table["view"]["legal"][0]["text"], "ply": ply });
            let (status, answer) = self.ask("POST", &format!("{path}/moves"), token, play.clone()).await;
            match status {
                200 => return assert_eq!(answer["view"]["moves"][ply], play["move"], "{answer}"),
                // Also if the move stands there already, unconfirmed: then it is the other's turn.
                403 | 409 | 503 => {
                    is_unchanged = answer["error"].as_str().is_some_and(|error| error.contains(UNCHANGED));
                    tokio::time::sleep(PAUSE).await;
                }
                _ => panic!("{path}: {status} {answer}"),
            }
        }
        panic!("{path}: ply {ply} is never played");
    }
}

/// What was acknowledged: tables, and how many moves each has at least.
type Acknowledged = Vec<(String, usize)>;

fn moves(table: &Value) -> usize {
    table["view"]["moves"].as_array().map_or(0, Vec::len)
}

/// A game against an engine, a rated game that is resigned, a challenge that is accepted.
async fn play(scene: &Scene) -> Acknowledged {
    let (anna, bert) = (scene.account("anna").await, scene.account("bert").await);
    let engine = json!({ "black": { "kind": "human" }, "white": { "kind": "engine", "spec": "random" } });
    let (computer, own) = scene.table("", json!({ "game": "othello", "players": engine })).await;
    for ply in [0, 2, 4] {
        scene.play(&computer, &own, ply).await;
    }
    let people = json!({ "black": { "kind": "human" }, "white": { "kind": "open" } });
    let wish =
        json!({ "game": "morris", "players": people, "rated": true, "clock": { "initial_ms": 600_000 } });
    let (rated, _) = scene.table(&anna, wish).await;
    let is_full = |table: &Value| table["players"]["white"]["kind"] == "human";
    for _ in tries() {
        scene.ask("POST", &format!("{rated}/join"), &bert, json!({})).await;
        if is_full(&scene.until(&rated, |_| true).await) {
            break;
        }
        tokio::time::sleep(PAUSE).await;
    }
    // Who begins is for the game to say.
    let begins = scene.until(&rated, |_| true).await["view"]["to_move"].clone();
    let [first, second] = if begins == "black" { [&anna, &bert] } else { [&bert, &anna] };
    scene.play(&rated, first, 0).await;
    scene.play(&rated, second, 1).await;
    for _ in tries() {
        scene.ask("POST", &format!("{rated}/resign"), &bert, json!({})).await;
        if scene.until(&rated, |_| true).await["result"]["winner"] == "black" {
            break;
        }
        tokio::time::sleep(PAUSE).await;
    }
    let challenge = scene.insist("/api/challenges", &anna, |_| json!({ "game": "abalone" })).await;
    let path = format!("/api/challenges/{}/accept", challenge["id"].as_str().unwrap());
    let mut accepted = (0, Value::Null);
    for _ in tries() {
        accepted = scene.ask("POST", &path, &bert, json!({})).await;
        // What is gone was accepted without being confirmed.
        if matches!(accepted.0, 200 | 404) {
            break;
        }
        tokio::time::sleep(PAUSE).await;
    }
    let met = accepted.1["id"].as_str().map(|id| (format!("/api/tables/{id}"), 0));
    [(computer, 5), (rated, 2)].into_iter().chain(met).collect()
}

/// After the outage: everything acknowledged is there, everything on disk can be read, the engine's game goes on.
async fn check(scene: &Scene, acknowledged: Acknowledged) {
    for (path, least) in &acknowledged {
        scene.until(path, |table| moves(table) >= *least).await;
    }
    let (computer, _) = &acknowledged[0];
    scene.until(computer, |table| moves(table) >= 6).await;
    let ids = scene.app.store.read(|db| {
        let rows = db.query("SELECT id FROM tables", &[])?;
        rows.iter().map(|row| row.text(0)).collect::<Result<Vec<_>, _>>()
    });
    for id in ids.await.unwrap() {
        tables::load(&scene.app.store, id).await.unwrap().expect("a table can be read");
    }
    let rated = scene.app.store.read(|db| reads::ratings(db, "morris", 10)).await.unwrap();
    let games: Vec<u64> = rated.iter().map(|(_, rating)| rating.games).collect();
    assert_eq!(games, [1, 1], "a rated game counts once");
    assert_eq!(scene.app.store.check().await, Ok(()));
}

/// One scene with one outage; whether anything broke.
async fn run(inner: &Opener, how: Break, first: u64, length: u64) -> bool {
    let outage = Outage::new(how, first, length);
    let scene = Scene::open(inner, &outage).await;
    let acknowledged = play(&scene).await;
    let has_broken = outage.end();
    check(&scene, acknowledged).await;
    let app = Arc::clone(&scene.app);
    tokio::task::spawn_blocking(move || app.close()).await.unwrap();
    has_broken
}

/// Every call in turn, `step` apart, in every way of `ways`; how many scenes were played.
async fn every_call(fresh: impl Fn() -> Opener, ways: &[(Break, u64)], all_ways: bool) -> u64 {
    let mut scenes = 0;
    for first in 1.. {
        let mut has_broken = false;
        let turn = first as usize % ways.len();
        let chosen = if all_ways { ways } else { &ways[turn..=turn] };
        for &(how, length) in chosen {
            let inner = fresh();
            let played = run(&inner, how, first, length);
            let played = tokio::time::timeout(2 * PATIENCE, played).await;
            has_broken |= played.unwrap_or_else(|_| panic!("{how:?} at call {first}, {length} long: stuck"));
            scenes += 1;
        }
        if !has_broken {
            break;
        }
    }
    scenes
}

const WAYS: [(Break, u64); 6] = {
    let [refuse, lose, swallow] = BREAKS;
    [(refuse, 1), (lose, 1), (swallow, 1), (refuse, 7), (lose, 7), (swallow, 7)]
};

async fn in_memory(config: Config) -> Scene {
    let store = Store::open(&StorePlace::Memory).unwrap();
    let app = App::with_store(config, store, None);
    crate::begin(&app);
    Scene { router: crate::router(&app), app }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_old_ends_and_goes() {
    let scene = in_memory(Config::default()).await;
    let anna = scene.account("anna").await;
    let (old, token) = scene.table("", json!({ "game": "othello" })).await;
    scene.play(&old, &token, 0).await;
    scene.insist("/api/challenges", &anna, |_| json!({ "game": "morris" })).await;
    let day = 24 * 3_600_000;
    let now = crate::time::now_ms();
    let challenges = async || scene.app.store.read(reads::challenges).await.unwrap().len();
    crate::retention::tidy(&scene.app, now + day - 60_000).await.unwrap();
    assert_eq!(challenges().await, 1);
    crate::retention::tidy(&scene.app, now + day + 60_000).await.unwrap();
    assert_eq!(challenges().await, 0, "a challenge stands for a day");
    crate::retention::tidy(&scene.app, now + 89 * day).await.unwrap();
    assert_eq!(scene.until(&old, |_| true).await["result"], Value::Null);
    crate::retention::tidy(&scene.app, now + 91 * day).await.unwrap();
    let ended = scene.until(&old, |table| table["result"] != Value::Null).await;
    assert_eq!(ended["result"]["reason"], "abandoned");
    crate::retention::tidy(&scene.app, now + 182 * day).await.unwrap();
    let gone = async || scene.ask("GET", &old, "", Value::Null).await.0 == 404;
    for _ in tries() {
        if gone().await {
            break;
        }
        tokio::time::sleep(PAUSE).await;
    }
    assert!(gone().await, "a private game that has ended long ago is removed");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_has_a_bounded_number_of_games_that_go_on() {
    let scene = in_memory(Config { rates: free(), ..Config::default() }).await;
    let anna = scene.account("anna").await;
    let people = json!({ "black": { "kind": "human" }, "white": { "kind": "open" } });
    let wish = json!({ "game": "morris", "players": people });
    for _ in 0..500 {
        scene.table(&anna, wish.clone()).await;
    }
    let (status, said) = scene.ask("POST", "/api/tables", &anna, wish.clone()).await;
    assert!(status == 409 && said["error"].as_str().unwrap().contains("end some"), "{status} {said}");
    let bert = scene.account("bert").await;
    scene.table(&bert, wish).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_with_a_running_clock_rests_and_loses_no_time_by_it() {
    let scene = in_memory(Config { tables: 1, ..Config::default() }).await;
    let wish = json!({ "game": "othello", "clock": { "initial_ms": 600_000 } });
    let (first, token) = scene.table("", wish.clone()).await;
    let start = Instant::now();
    scene.play(&first, &token, 0).await;
    let began = Instant::now();
    for _ in 0..20 {
        scene.table("", wish.clone()).await;
    }
    for _ in tries() {
        if scene.app.tables.len() <= 2 {
            break;
        }
        tokio::time::sleep(PAUSE).await;
    }
    assert!(scene.app.tables.len() <= 2, "{} tables in memory", scene.app.tables.len());
    tokio::time::sleep(Duration::from_millis(300)).await;
    // Between the move and its acknowledgement the clock began.
    let least = began.elapsed().as_millis() as u64;
    let clock = &scene.until(&first, |_| true).await["clock"];
    let most = start.elapsed().as_millis() as u64;
    let gone = 600_000 - clock["left_ms"]["white"].as_u64().unwrap();
    assert!(
        clock["running"] == "white" && (least - 50..=most + 50).contains(&gone),
        "{least} {most}: {clock}"
    );
}

fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("trilith-faults-{name}-{}", std::process::id()))
}

fn fresh_file(folder: &Path) -> Opener {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).unwrap();
    StorePlace::File(folder.join("trilith.db")).opener()
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_may_fail_at_every_call() {
    let folder = folder("one-way");
    let scenes = every_call(|| fresh_file(&folder), &WAYS, false).await;
    assert!(scenes > 60, "{scenes}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "minutes"]
async fn sqlite_may_fail_at_every_call_in_every_way() {
    let folder = folder("every-way");
    let scenes = every_call(|| fresh_file(&folder), &WAYS, true).await;
    println!("{scenes} scenes, each with one outage");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[cfg(unix)]
async fn postgresql(all_ways: bool) -> u64 {
    let postgres = tokio::task::spawn_blocking(|| postgres::Postgres::start("faults")).await.unwrap();
    let inner = StorePlace::Url(postgres.url()).opener();
    let scenes = every_call(
        || {
            let inner = Arc::clone(&inner);
            // The driver waits for the database, which asynchronous code must not.
            let wiped = std::thread::spawn(move || {
                inner()?.script("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
            });
            wiped.join().unwrap().unwrap();
            StorePlace::Url(postgres.url()).opener()
        },
        &WAYS,
        all_ways,
    );
    let scenes = scenes.await;
    tokio::task::spawn_blocking(move || drop(postgres)).await.unwrap();
    scenes
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn postgresql_may_fail_at_every_call() {
    let scenes = postgresql(false).await;
    assert!(scenes > 60, "{scenes}");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
#[ignore = "minutes"]
async fn postgresql_may_fail_at_every_call_in_every_way() {
    println!("{} scenes, each with one outage", postgresql(true).await);
}
