//! Training that was begun on the page: in a process of its own, which the server survives and which survives the server.

use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::program::folder;
use crate::server::{Client, Server, stop};

const PATIENCE: Duration = Duration::from_secs(120);
const LONG: &str = "kind = \"outcomes\"\ngame = \"othello\"\ncheckpoint = 3600.0\n[parameters]\ngames = 1000000\nyardstick_games = 2\n";

fn begin(client: &mut Client, config: &str) {
    let (status, said) =
        client.ask("POST", "/api/learn/runs", "", &json!({ "name": "long", "config": config })).unwrap();
    assert_eq!(status, 201, "{said}");
}

fn look(client: &mut Client) -> Value {
    client.ask("GET", "/api/learn/runs/long", "", &Value::Null).unwrap().1
}

/// Looks until the run is as hoped.
fn until(client: &mut Client, is_so: impl Fn(&Value) -> bool) -> Value {
    let start = Instant::now();
    loop {
        let run = look(client);
        if is_so(&run) {
            return run;
        }
        assert!(start.elapsed() < PATIENCE, "the run is never as hoped: {run}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn has_played(games: u64) -> impl Fn(&Value) -> bool {
    move |run| run["progress"]["games"].as_u64().is_some_and(|played| played >= games)
}

/// The processes that train in a folder.
fn trainers(data: &Path) -> Vec<u32> {
    let folder = data.join("runs/long").display().to_string();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    ids.filter(|id| {
        let words = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        let words = String::from_utf8_lossy(&words).into_owned();
        words.contains("--attended") && words.contains(&folder)
    })
    .collect()
}

#[test]
fn it_stops_cleanly_when_told_to_and_training_keeps_what_it_has_done() {
    for signal in ["-INT", "-TERM"] {
        let data = folder(&format!("stop{signal}"));
        let server = Server::start(&data);
        let mut client = Client::connect(&server.address).unwrap();
        begin(&mut client, LONG);
        until(&mut client, has_played(20));
        stop(server, signal);
        assert!(!data.join("trilith.db-wal").exists());
        let server = Server::start(&data);
        let mut client = Client::connect(&server.address).unwrap();
        let (status, said) = client.ask("POST", "/api/learn/runs/long/resume", "", &json!({})).unwrap();
        assert_eq!(status, 200, "{said}");
        let run = until(&mut client, |run| run["progress"]["games"].is_u64());
        assert!(run["progress"]["games"].as_u64() >= Some(20), "it goes on where it was: {run}");
    }
}

/// What kills the process that trains is told, and the server goes on; so does the run from its last checkpoint.
#[test]
#[cfg(target_os = "linux")]
fn training_runs_in_a_process_that_can_die_alone() {
    let data = folder("train-alone");
    let server = Server::start(&data);
    let mut client = Client::connect(&server.address).unwrap();
    begin(&mut client, LONG);
    until(&mut client, has_played(20));
    let [process] = trainers(&data)[..] else { panic!("{:?} train", trainers(&data)) };
    assert_ne!(process, server.process.id());
    assert!(Command::new("kill").args(["-KILL", &process.to_string()]).status().unwrap().success());
    let run = until(&mut client, |run| run["state"] == "failed");
    assert!(run["error"].as_str().unwrap().contains("was ended (signal: 9"), "{run}");
    let (status, said) = client.ask("POST", "/api/learn/runs/long/resume", "", &json!({})).unwrap();
    assert_eq!(status, 200, "{said}");
    until(&mut client, has_played(1));
    let (status, _) = client.ask("POST", "/api/learn/runs/long/stop", "", &json!({})).unwrap();
    assert_eq!(status, 200);
    let run = until(&mut client, |run| run["state"] == "stopped");
    assert_eq!(run["error"], Value::Null);
    assert!(trainers(&data).is_empty());
}

/// A server that is killed leaves nobody training behind it, and the run has its checkpoint.
#[test]
#[cfg(target_os = "linux")]
fn a_killed_server_leaves_a_checkpoint_and_no_process() {
    let data = folder("train-orphan");
    let server = Server::start(&data);
    let mut client = Client::connect(&server.address).unwrap();
    begin(&mut client, LONG);
    let run = until(&mut client, has_played(20));
    stop(server, "-KILL");
    let start = Instant::now();
    while !trainers(&data).is_empty() {
        assert!(start.elapsed() < PATIENCE, "it goes on without its server");
        thread::sleep(Duration::from_millis(20));
    }
    let server = Server::start(&data);
    let mut client = Client::connect(&server.address).unwrap();
    assert_eq!(client.ask("POST", "/api/learn/runs/long/resume", "", &json!({})).unwrap().0, 200);
    let again = until(&mut client, |run| run["progress"]["games"].is_u64());
    assert!(again["progress"]["games"].as_u64() >= run["progress"]["games"].as_u64(), "{again}");
}

/// A run that wants more memory than it may have ends, and says so; the server does not.
#[test]
#[cfg(target_os = "linux")]
fn a_run_that_wants_too_much_memory_ends_alone() {
    let data = folder("train-memory");
    let server = Server::start_with(&data, &["--training-memory", "64"]);
    let mut client = Client::connect(&server.address).unwrap();
    // The largest network that there can be takes 47 MiB while it learns, and as much again for the way back from a step.
    let large = "kind = \"teaching\"\ngame = \"morris\"\n[parameters]\nfeatures = \"morris-39x39\"\n\
                 hidden = [512, 512, 512, 512, 512, 512, 512]\nbatch = 1\ndepth = 1\nplies = 4\nyardstick_games = 0\n";
    begin(&mut client, large);
    let run = until(&mut client, |run| run["state"] == "failed");
    assert!(run["error"].as_str().unwrap().contains("64 MiB"), "{run}");
    assert_eq!(client.ask("GET", "/health", "", &Value::Null).unwrap().0, 200);
}
