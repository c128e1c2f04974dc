//! The server as a process of its own: killed in mid-game again and again, backed up, told to stop.

#![allow(clippy::unwrap_used)]
#![cfg(unix)]

mod program;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use program::{folder, text, trilith};
use serde_json::{Value, json};

/// The server; killed when dropped.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(data: &Path) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_trilith"))
            .args([
                "serve",
                "--address",
                "127.0.0.1:0",
                "--max-engines",
                "1",
                "--log",
                "json",
                "--tables",
                "7",
            ])
            .arg("--data")
            .arg(data)
            .env("TRILITH_HOME", data)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.unwrap_or_else(|| panic!("no address in `{line}`")).to_owned();
        Server { process, address }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A connection that is kept open, as long as the server lives.
struct Client {
    stream: BufReader<TcpStream>,
    address: String,
}

impl Client {
    fn connect(address: &str) -> Option<Client> {
        let stream = TcpStream::connect(address).ok()?;
        stream.set_nodelay(true).ok()?;
        Some(Client { stream: BufReader::new(stream), address: address.into() })
    }

    /// The answer, or nothing if the server died before it came.
    fn ask(&mut self, method: &str, path: &str, token: &str, body: &Value) -> Option<(u16, Value)> {
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let bearer =
            if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\n{bearer}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes()).ok()?;
        let (mut status, mut length, mut line) = (0, 0, String::new());
        loop {
            line.clear();
            if self.stream.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let line = line.trim().to_ascii_lowercase();
            if let Some(rest) = line.strip_prefix("http/1.1 ") {
                status = rest.split(' ').next()?.parse().ok()?;
            } else if let Some(rest) = line.strip_prefix("content-length: ") {
                length = rest.parse().ok()?;
            } else if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).ok()?;
        Some((status, serde_json::from_slice(&body).unwrap_or(Value::Null)))
    }
}

/// A game that one client plays on both sides, across all lives of the server.
struct Game {
    path: String,
    token: String,
    /// What the server has acknowledged.
    moves: Vec<String>,
}

const GAMES: [&str; 3] = ["othello", "morris", "abalone"];

impl Game {
    fn open(client: &mut Client, game: &str) -> Option<Game> {
        let (_, table) = client.ask("POST", "/api/tables", "", &json!({ "game": game }))?;
        let word = |key: &str| table[key].as_str().unwrap_or_else(|| panic!("{table}")).to_owned();
        Some(Game { path: format!("/api/tables/{}", word("id")), token: word("token"), moves: Vec::new() })
    }

    /// Finds every acknowledged move; one more may be there, whose acknowledgement the kill has swallowed.
    fn check(&mut self, client: &mut Client) -> Option<Value> {
        let (status, table) = client.ask("GET", &self.path, &self.token, &Value::Null)?;
        assert_eq!(status, 200, "{} is lost: {table}", self.path);
        let kept: Vec<String> = serde_json::from_value(table["view"]["moves"].clone()).unwrap();
        assert!(kept.starts_with(&self.moves), "acknowledged {:?}, kept {kept:?}", self.moves);
        assert!(kept.len() <= self.moves.len() + 1);
        self.moves = kept;
        Some(table)
    }

    /// Plays until the server dies or the game ends; true if it ended.
    fn play(&mut self, client: &mut Client) -> Option<bool> {
        let mut table = self.check(client)?;
        loop {
            let legal = table["view"]["legal"].as_array().unwrap().clone();
            if legal.is_empty() {
                return Some(true);
            }
            let mv = &legal[self.moves.len() * 7 % legal.len()]["text"];
            let play = json!({ "move": mv, "ply": self.moves.len() });
            let (status, after) = client.ask("POST", &format!("{}/moves", self.path), &self.token, &play)?;
            assert_eq!(status, 200, "{after}");
            self.moves
                .push(after["view"]["moves"].as_array().unwrap().last().unwrap().as_str().unwrap().into());
            table = after;
            thread::sleep(Duration::from_millis(2));
        }
    }
}

#[test]
fn fifty_kills_lose_no_acknowledged_move() {
    const KILLS: u64 = 50;
    let data = folder("kills");
    let mut games: Vec<Vec<Game>> = GAMES.iter().map(|_| Vec::new()).collect();
    for life in 0..KILLS {
        let mut server = Server::start(&data);
        let address = server.address.clone();
        let is_dying = AtomicBool::new(false);
        thread::scope(|scope| {
            for (game, own) in GAMES.iter().zip(&mut games) {
                let (address, is_dying) = (&address, &is_dying);
                scope.spawn(move || {
                    let survived =
                        Client::connect(address).and_then(|mut client| live(&mut client, game, own));
                    assert!(survived.is_some() || is_dying.load(Relaxed), "the server died by itself");
                });
            }
            thread::sleep(Duration::from_millis(40 + life * 13 % 120));
            is_dying.store(true, Relaxed);
            server.process.kill().unwrap();
        });
    }
    let server = Server::start(&data);
    let mut client = Client::connect(&server.address).unwrap();
    let all: Vec<&mut Game> = games.iter_mut().flatten().collect();
    let acknowledged: usize = all.iter().map(|game| game.moves.len()).sum();
    assert!(
        acknowledged > KILLS as usize * 3,
        "only {acknowledged} moves were acknowledged: nothing was tried"
    );
    for game in all {
        game.check(&mut client).unwrap();
    }
    println!("{KILLS} kills, {acknowledged} acknowledged moves, none lost");
}

/// One client's games, until the server dies.
fn live(client: &mut Client, name: &str, own: &mut Vec<Game>) -> Option<()> {
    loop {
        if own.is_empty() || own.last_mut()?.play(client)? {
            own.push(Game::open(client, name)?);
        }
    }
}

#[test]
fn a_backup_is_made_while_the_server_runs_and_can_be_served() {
    let (data, copy) = (folder("backup"), folder("backup-copy"));
    let server = Server::start(&data);
    let mut client = Client::connect(&server.address).unwrap();
    let mut game = Game::open(&mut client, "othello").unwrap();
    let play = json!({ "move": "f5", "ply": 0 });
    client.ask("POST", &format!("{}/moves", game.path), &game.token, &play).unwrap();
    let to = copy.join("trilith.db");
    let arguments = ["backup", "--data", data.to_str().unwrap(), "--to", to.to_str().unwrap()];
    assert!(text(&trilith(&arguments)).contains("bytes"));
    let again = trilith(&arguments);
    assert!(!again.status.success() && String::from_utf8_lossy(&again.stderr).contains("a new name"));
    drop(server);
    let restored = Server::start(&copy);
    game.moves = vec!["f5".into()];
    game.check(&mut Client::connect(&restored.address).unwrap()).unwrap();
}

#[test]
fn it_stops_cleanly_when_told_to() {
    let data = folder("stop");
    let mut server = Server::start(&data);
    let told = Command::new("kill").args(["-INT", &server.process.id().to_string()]).status().unwrap();
    assert!(told.success());
    let start = Instant::now();
    while server.process.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(20), "it does not stop");
        thread::sleep(Duration::from_millis(10));
    }
    assert!(server.process.wait().unwrap().success());
}

#[test]
fn tables_of_morris_are_built_while_it_serves() {
    let data = folder("serve-tables");
    let server = Server::start(&data);
    let last = data.join("tablebases/morris-standard/4-3.distance");
    let start = Instant::now();
    while !last.exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "{} is not there", last.display());
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(server);
    std::fs::remove_dir_all(&data).unwrap();
}
