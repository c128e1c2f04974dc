//! The server as a process, and who plays on it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The server; killed when dropped.
pub struct Server {
    pub process: Child,
    pub address: String,
}

impl Server {
    pub fn start(data: &Path) -> Server {
        Server::start_with(data, &[])
    }

    /// With more options.
    pub fn start_with(data: &Path, options: &[&str]) -> Server {
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
            .args(options)
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
pub struct Client {
    stream: BufReader<TcpStream>,
    address: String,
}

impl Client {
    pub fn connect(address: &str) -> Option<Client> {
        let stream = TcpStream::connect(address).ok()?;
        stream.set_nodelay(true).ok()?;
        Some(Client { stream: BufReader::new(stream), address: address.into() })
    }

    /// The answer, or nothing if the server died before it came.
    pub fn ask(&mut self, method: &str, path: &str, token: &str, body: &Value) -> Option<(u16, Value)> {
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
pub struct Game {
    pub path: String,
    pub token: String,
    /// What the server has acknowledged.
    pub moves: Vec<String>,
}

pub const GAMES: [&str; 3] = ["othello", "morris", "abalone"];

impl Game {
    pub fn open(client: &mut Client, game: &str) -> Option<Game> {
        let (_, table) = client.ask("POST", "/api/tables", "", &json!({ "game": game }))?;
        let word = |key: &str| table[key].as_str().unwrap_or_else(|| panic!("{table}")).to_owned();
        Some(Game { path: format!("/api/tables/{}", word("id")), token: word("token"), moves: Vec::new() })
    }

    /// Finds every acknowledged move; one more may be there, whose acknowledgement the kill has swallowed.
    pub fn check(&mut self, client: &mut Client) -> Option<Value> {
        let (status, table) = client.ask("GET", &self.path, &self.token, &Value::Null)?;
        assert_eq!(status, 200, "{} is lost: {table}", self.path);
        let kept: Vec<String> = serde_json::from_value(table["view"]["moves"].clone()).unwrap();
        assert!(kept.starts_with(&self.moves), "acknowledged {:?}, kept {kept:?}", self.moves);
        assert!(kept.len() <= self.moves.len() + 1);
        self.moves = kept;
        Some(table)
    }

    /// Plays until the server dies or the game ends; true if it ended. Counts the moves that are acknowledged.
    pub fn play(&mut self, client: &mut Client, acknowledged: &AtomicU64) -> Option<bool> {
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
            acknowledged.fetch_add(1, Relaxed);
            table = after;
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Sends a signal and waits until the process has ended.
pub fn stop(mut server: Server, signal: &str) {
    let told = Command::new("kill").args([signal, &server.process.id().to_string()]).status().unwrap();
    assert!(told.success());
    let start = Instant::now();
    while server.process.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(30), "it does not stop");
        thread::sleep(Duration::from_millis(10));
    }
    assert!(signal == "-KILL" || server.process.wait().unwrap().success());
}
