//! A disk that is full for a while, and what `trilith doctor` finds.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::program::{folder, trilith};
use crate::server::{Client, Server};

const PATIENCE: Duration = Duration::from_secs(60);

/// A server whose data lie on a disk of four mebibytes that nobody else sees; none where the system does not lend one.
#[cfg(target_os = "linux")]
fn on_a_small_disk(data: &Path) -> Option<Server> {
    let small = "mount -t tmpfs -o size=4m none \"$1\" && head -c 2097152 /dev/zero > \"$1/ballast\" && \
        exec \"$0\" serve --address 127.0.0.1:0 --tables 0 --max-engines 1 --data \"$1\"";
    let mut process = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", small])
        .args([Path::new(env!("CARGO_BIN_EXE_trilith")), data])
        .env("TRILITH_HOME", data)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).map(str::to_owned);
    // Dropped without an address as well: then it has ended.
    let server = Server { address: address.clone().unwrap_or_default(), process };
    address.map(|_| server)
}

/// A table and the moves of it that were acknowledged.
struct Played {
    path: String,
    token: String,
    moves: Vec<Value>,
}

/// Plays the first legal move; the answer if it was none.
fn play(client: &mut Client, game: &mut Played) -> Option<(u16, Value)> {
    let (status, seen) = client.ask("GET", &game.path, "", &Value::Null).unwrap();
    if status != 200 {
        return Some((status, seen));
    }
    let ply = seen["view"]["moves"].as_array().unwrap().len();
    let wish = json!({ "move": seen["view"]["legal"][0]["text"], "ply": ply });
    let (status, after) = client.ask("POST", &format!("{}/moves", game.path), &game.token, &wish).unwrap();
    if status != 200 {
        return Some((status, after));
    }
    game.moves = after["view"]["moves"].as_array().unwrap()[..=ply].to_vec();
    None
}

fn open(client: &mut Client) -> Result<Played, (u16, Value)> {
    let (status, table) = client.ask("POST", "/api/tables", "", &json!({ "game": "abalone" })).unwrap();
    let word = |key: &str| table[key].as_str().map(str::to_owned);
    match (status, word("id"), word("token")) {
        (201, Some(id), Some(token)) => {
            Ok(Played { path: format!("/api/tables/{id}"), token, moves: Vec::new() })
        }
        _ => Err((status, table)),
    }
}

/// Opens tables and plays on them until the disk has no room left; what was answered then.
fn fill(client: &mut Client, games: &mut Vec<Played>) -> (u16, Value) {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        let refused = match open(client) {
            Ok(mut game) => {
                let refused = (0..4).find_map(|_| play(client, &mut game));
                games.push(game);
                refused
            }
            Err(refused) => Some(refused),
        };
        match refused {
            // Who opens many tables is told to wait: then the moves go on.
            Some((429, _)) => match games.iter_mut().find_map(|game| play(client, game)) {
                Some((429, _)) | None => thread::sleep(Duration::from_millis(20)),
                Some(refused) => return refused,
            },
            Some(refused) => return refused,
            None => {}
        }
    }
    panic!("the disk is never full");
}

/// Everything acknowledged is there and can be read.
fn check(client: &mut Client, games: &[Played]) {
    for game in games {
        let start = Instant::now();
        let (status, seen) = loop {
            let (status, seen) = client.ask("GET", &game.path, "", &Value::Null).unwrap();
            if status != 429 || start.elapsed() > PATIENCE {
                break (status, seen);
            }
            thread::sleep(Duration::from_millis(50));
        };
        assert_eq!(status, 200, "{}: {seen}", game.path);
        assert!(seen["view"]["moves"].as_array().unwrap().starts_with(&game.moves), "{}: {seen}", game.path);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_said_and_loses_nothing_acknowledged() {
    let data = folder("full-disk");
    let Some(server) = on_a_small_disk(&data) else {
        eprintln!("skipped: this system lends no small disk (unshare, tmpfs)");
        return;
    };
    let mut client = Client::connect(&server.address).unwrap();
    let mut games = Vec::new();
    let (status, said) = fill(&mut client, &mut games);
    assert!(status == 503 && said["error"].as_str().unwrap().contains("disk is full"), "{status} {said}");
    assert!(games.len() > 20, "{} tables", games.len());
    // The log begins again from its start as soon as it can, and small rows find room for a while: not the last byte is left.
    let seen: PathBuf = format!("/proc/{}/root{}/ballast", server.process.id(), data.display()).into();
    let mut ballast = fs::OpenOptions::new().append(true).open(&seen).unwrap();
    while ballast.write_all(&[0; 1024]).is_ok() {}
    drop(ballast);
    let start = Instant::now();
    let said = loop {
        let (status, said) = client.ask("GET", "/health", "", &Value::Null).unwrap();
        if status != 200 {
            break said;
        }
        assert!(start.elapsed() < PATIENCE, "it is never said");
        for game in &mut games {
            play(&mut client, game);
        }
    };
    assert!(said["error"].as_str().unwrap().contains("disk is full"), "{said}");
    assert_eq!(client.ask("GET", "/ready", "", &Value::Null).unwrap().0, 503);
    check(&mut client, &games);
    // Somebody makes room: the server goes on by itself.
    fs::remove_file(seen).unwrap();
    let start = Instant::now();
    while client.ask("GET", "/health", "", &Value::Null).unwrap().0 != 200 {
        assert!(start.elapsed() < PATIENCE, "it stays ill");
        thread::sleep(Duration::from_millis(100));
    }
    while let Some(refused) = play(&mut client, &mut games[0]) {
        assert!(start.elapsed() < PATIENCE, "{refused:?}");
        thread::sleep(Duration::from_millis(100));
    }
    check(&mut client, &games);
}

/// What the doctor says of one thing, as a line.
fn finding(output: &std::process::Output, what: &str) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| line.split_whitespace().nth(1) == Some(what));
    line.unwrap_or_else(|| panic!("nothing about {what}: {text}")).to_owned()
}

#[test]
fn the_doctor_finds_what_is_wrong_and_says_what_to_do() {
    let data = folder("doctor");
    let home = data.to_str().unwrap();
    // With few files, whatever the limit here is.
    let few = || {
        let limited = "ulimit -n 256 && exec \"$0\" doctor --data \"$1\"";
        Command::new("sh").args(["-c", limited, env!("CARGO_BIN_EXE_trilith"), home]).output().unwrap()
    };
    assert!(finding(&few(), "files").starts_with("BAD"));
    let well = trilith(&["doctor", "--data", home]);
    for what in ["home", "database", "space", "artifacts", "tables"] {
        assert!(finding(&well, what).starts_with("ok"), "{}", finding(&well, what));
    }
    fs::create_dir_all(data.join("heuristics")).unwrap();
    fs::write(data.join("heuristics/mine.safetensors"), "no artifact").unwrap();
    fs::write(data.join("trilith.db"), "no database, but long enough to be taken for one").unwrap();
    fs::write(data.join(".restore.ready"), "before-restore-1\n").unwrap();
    let ill = trilith(&["doctor", "--data", home, "--queue", "nats://127.0.0.1:1"]);
    assert_eq!(ill.status.code(), Some(1));
    for what in ["home", "database", "artifacts", "queue"] {
        assert!(finding(&ill, what).starts_with("BAD"), "{}", finding(&ill, what));
    }
    let said = String::from_utf8_lossy(&ill.stdout).into_owned();
    for advice in ["starting the server ends that", "trilith restore FILE", "remove it", "docs/queue.md"] {
        assert!(said.contains(advice), "{advice}: {said}");
    }
}
