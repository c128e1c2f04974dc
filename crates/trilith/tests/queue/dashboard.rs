//! A tournament through the queue as the app shows it while it is played: who works, games a second, the curve of its test.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::machines::{PATIENCE, Process, Server, trilith};
use crate::server::{Client, Server as App};

/// Slow enough to be watched, and a test that no game of these decides.
const PLAN: &str = r#"
name = "watched"
game = "morris"
games = 20000
openings = "random:4"
sprt = "0,5,0.001,0.001"
[pace]
nodes = 2000
[adjudication]
plies = 60
[[players]]
name = "patch"
player = "engine:hash=1"
[[players]]
name = "base"
player = "engine:eval=margin,hash=1"
"#;

fn worker(server: &Server, name: &str) -> Process {
    Process::start(trilith(), &["worker", "--queue", &server.url(), "--lease", "1", "--name", name])
}

#[test]
fn the_app_shows_who_works_how_fast_and_the_curve() {
    let server = Server::start("dashboard", &["-js"]);
    let (plan, data) = (server.folder.join("plan.toml"), server.folder.join("data"));
    fs::write(&plan, PLAN).unwrap();
    let out = data.join("tournaments");
    let app = App::start(&data);
    let mut client = Client::connect(&app.address).unwrap();
    let mut north = worker(&server, "north");
    let south = worker(&server, "south");
    let mut coordinator =
        server.coordinator(&["tournament", plan.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    let mut watch = |what: &str, is_so: &dyn Fn(&Value) -> bool| {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let (_, seen) = client.ask("GET", "/api/tournaments/plan", "", &json!(null)).unwrap();
            if is_so(&seen) {
                return seen;
            }
            assert!(Instant::now() < deadline, "{what}: {seen}");
            thread::sleep(Duration::from_millis(100));
        }
    };
    let jobs = |seen: &Value, name: &str| {
        let workers = seen["standings"]["workers"].as_array().cloned().unwrap_or_default();
        let found = workers.iter().find(|worker| worker["name"] == name);
        found.and_then(|worker| worker["jobs"].as_u64()).unwrap_or(0)
    };
    let seen = watch("both work", &|seen| jobs(seen, "north") > 0 && jobs(seen, "south") > 0);
    assert_eq!(seen["running"], true);
    let standings = &seen["standings"];
    assert_eq!(jobs(&seen, "north") + jobs(&seen, "south"), standings["games"].as_u64().unwrap());
    assert!(standings["games_per_second"].as_f64().unwrap() > 0.0, "{standings}");
    assert!(!standings["tests"][0]["curve"].as_array().unwrap().is_empty(), "{standings}");
    // Who has gone falls silent; the other goes on.
    north.kill();
    let (before, after) = (jobs(&seen, "north"), jobs(&seen, "south"));
    let seen = watch("the other works on", &|seen| jobs(seen, "south") > after + 20);
    let workers = seen["standings"]["workers"].as_array().unwrap();
    assert_eq!(workers.len(), 2);
    let silent = |place: usize| workers[place]["silent"].as_f64().unwrap();
    assert!(jobs(&seen, "north") >= before && silent(0) > silent(1), "{workers:?}");
    assert!(coordinator.is_running());
    coordinator.kill();
    let page = fs::read_to_string(out.join("plan.html")).unwrap();
    assert!(page.contains("<td>north</td>") && page.contains("games a second"), "{page}");
    drop(south);
}
