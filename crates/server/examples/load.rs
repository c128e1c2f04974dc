//! Many games at once between scripted clients over loopback: how long acknowledgements take, and whether memory grows.
//!
//! ```text
//! cargo run --release -p trilith-server --example load -- --games 200 --seconds 120 --pause 250
//! ```
//! The server is a process of its own with a database in a new folder. Every client sits at its table over a WebSocket and
//! moves `--pause` milliseconds after its turn has come. The time of a move is from sending it until `ok`. `--idle 10000`
//! opens so many connections to the lobby besides, which say nothing; each needs a file of both processes (`ulimit -n`).

use std::collections::HashMap;
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use trilith_base::Seed;
use trilith_server::{Config, ConnectionBounds, Rate, Rates, Server};

type Failure = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Runtime::new()?;
    match words.first().map(String::as_str) {
        Some("serve") => runtime.block_on(serve(&words[1])),
        _ => {
            let options: HashMap<&str, &str> = words.chunks(2).filter_map(pair).collect();
            let number = |name, usual| options.get(name).map_or(Ok(usual), |text| text.parse());
            let (games, seconds) = (number("games", 200)?, number("seconds", 120)?);
            runtime.block_on(load(
                games,
                Duration::from_secs(seconds),
                number("pause", 250)?,
                number("idle", 0)?,
            ))
        }
    }
}

fn pair(words: &[String]) -> Option<(&str, &str)> {
    let [name, value] = words else { return None };
    Some((name.trim_start_matches('-'), value))
}

/// The process that is measured. What an address may do is more than usual, since all come from one.
async fn serve(data: &str) -> Result<(), Failure> {
    let free = Rate { per_second: 1e6, burst: 1e6 };
    let rates = Rates { address: free, opening: free, sockets: 20_000, requests: 20_000, ..Rates::default() };
    let connections = ConnectionBounds { all: 20_000, each: 20_000, ..ConnectionBounds::default() };
    let address = ([127, 0, 0, 1], 0).into();
    let config =
        Config { address, data: Some(data.into()), rates, connections, tables: 4000, ..Config::default() };
    let server = Server::bind(config).await?;
    println!("{}", server.address());
    Ok(server.run(std::future::pending()).await?)
}

/// What was measured.
#[derive(Default)]
struct Tally {
    /// Microseconds of each acknowledgement.
    times: Vec<u32>,
    errors: Vec<String>,
    games: usize,
}

struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    /// Resident memory in kibibytes, as Linux counts it.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    }
}

impl Process {
    /// Processor time so far, in seconds: Linux counts hundredths.
    fn seconds(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0.id())).unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |field: usize| fields.get(field).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
        (ticks(11) + ticks(12)) / 100.0
    }
}

async fn load(games: u64, time: Duration, pause: u64, idle: u64) -> Result<(), Failure> {
    let folder = std::env::temp_dir().join(format!("trilith-load-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let child =
        Command::new(std::env::current_exe()?).arg("serve").arg(&folder).stdout(Stdio::piped()).spawn()?;
    let mut process = Process(child);
    let mut line = String::new();
    BufReader::new(process.0.stdout.take().ok_or("no output")?).read_line(&mut line)?;
    let (address, tally) = (Arc::<str>::from(line.trim()), Arc::new(Mutex::new(Tally::default())));
    let idle = idlers(&address, idle).await?;
    let end = Instant::now() + time;
    let clients: Vec<_> = (0..games)
        .map(|number| tokio::spawn(play_on(Arc::clone(&address), number, pause, end, Arc::clone(&tally))))
        .collect();
    let mut memory = Vec::new();
    while Instant::now() < end {
        tokio::time::sleep((time / 8).min(end.saturating_duration_since(Instant::now()))).await;
        memory.push(process.memory());
    }
    for client in clients {
        client.await?;
    }
    idle.iter().for_each(tokio::task::JoinHandle::abort);
    let mut tally = tally.lock().map_err(|_| "a client broke")?;
    report(&mut tally, time, &memory, process.seconds());
    drop(process);
    std::fs::remove_dir_all(folder)?;
    Ok(())
}

/// Connections to the lobby that hear and say nothing.
async fn idlers(address: &str, count: u64) -> Result<Vec<tokio::task::JoinHandle<()>>, Failure> {
    let mut all = Vec::new();
    for _ in 0..count {
        let stream = TcpStream::connect(address).await?;
        let (mut line, _) =
            tokio_tungstenite::client_async(format!("ws://{address}/api/lobby/live"), stream).await?;
        all.push(tokio::spawn(async move { while line.next().await.is_some_and(|heard| heard.is_ok()) {} }));
    }
    Ok(all)
}

fn report(tally: &mut Tally, time: Duration, memory: &[u64], processor: f64) {
    tally.times.sort_unstable();
    let at = |part: f64| {
        let place = (tally.times.len() as f64 * part) as usize;
        f64::from(tally.times.get(place.min(tally.times.len().saturating_sub(1))).copied().unwrap_or(0))
            / 1000.0
    };
    println!(
        "{}",
        json!({
            "games_finished": tally.games, "moves": tally.times.len(), "errors": tally.errors.len(),
            "moves_per_second": tally.times.len() as f64 / time.as_secs_f64(),
            "p50_ms": at(0.5), "p90_ms": at(0.9), "p99_ms": at(0.99), "max_ms": at(1.0),
            "memory_kib": memory, "server_cpu_seconds": processor,
        })
    );
    for error in tally.errors.iter().take(5) {
        println!("{error}");
    }
}

/// One place in the load: game after game until the end.
async fn play_on(address: Arc<str>, number: u64, pause: u64, end: Instant, tally: Arc<Mutex<Tally>>) {
    let mut round = 0;
    while Instant::now() < end {
        let seed = Seed(number).derive("round", round);
        let played = play(&address, seed, pause, end, &tally).await;
        let mut tally = tally.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match played {
            Ok(ended) => tally.games += usize::from(ended),
            Err(error) => tally.errors.push(error.to_string()),
        }
        round += 1;
    }
}

/// One game of two clients; true if it was played to its end.
async fn play(
    address: &str,
    seed: Seed,
    pause: u64,
    end: Instant,
    tally: &Mutex<Tally>,
) -> Result<bool, Failure> {
    let game = ["othello", "morris", "abalone"][(seed.0 % 3) as usize];
    let players = json!({ "black": { "kind": "human" }, "white": { "kind": "open" } });
    let clock = json!({ "initial_ms": 600_000, "increment_ms": 1000 });
    let table =
        post(address, "/api/tables", &json!({ "game": game, "players": players, "clock": clock })).await?;
    let id = table["id"].as_str().ok_or_else(|| table.to_string())?;
    let seat = post(address, &format!("/api/tables/{id}/join"), &json!({})).await?;
    let sides = [&table, &seat].map(|answer| {
        let token = answer["token"].as_str().unwrap_or_default().to_owned();
        side(address, id, token, seed, pause, end, tally)
    });
    let [black, white] = sides;
    let (black, white) = tokio::join!(black, white);
    Ok(black? && white?)
}

/// One client at its table.
async fn side(
    address: &str,
    id: &str,
    token: String,
    seed: Seed,
    pause: u64,
    end: Instant,
    tally: &Mutex<Tally>,
) -> Result<bool, Failure> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (mut live, _) =
        tokio_tungstenite::client_async(format!("ws://{address}/api/tables/{id}/live"), stream).await?;
    live.send(Message::text(json!({ "token": token }).to_string())).await?;
    let (mut answered, mut sent) = (None, Instant::now());
    while let Some(message) = live.next().await {
        let Message::Text(text) = message? else { continue };
        let event: Value = serde_json::from_str(&text)?;
        match event["event"].as_str() {
            Some("ok") => {
                let micros = sent.elapsed().as_micros() as u32;
                tally.lock().map_err(|_| "a client broke")?.times.push(micros);
            }
            Some("error") => return Err(event.to_string().into()),
            _ => {}
        }
        let seen = &event["table"];
        if !seen["result"].is_null() {
            return Ok(true);
        }
        if Instant::now() >= end {
            return Ok(false);
        }
        let view = &seen["view"];
        let ply = view["moves"].as_array().map_or(0, Vec::len);
        let mine = seen["seats"].as_array().is_some_and(|seats| seats.contains(&view["to_move"]));
        if mine && answered != Some(ply) {
            answered = Some(ply);
            let draw = seed.derive("move", ply as u64).0;
            tokio::time::sleep(Duration::from_millis(pause / 2 + draw % pause.max(1))).await;
            let legal = view["legal"].as_array().ok_or("no moves")?;
            let mv = &legal[draw as usize % legal.len().max(1)]["text"];
            sent = Instant::now();
            live.send(Message::text(json!({ "do": "move", "move": mv, "ply": ply, "nr": ply }).to_string()))
                .await?;
        }
    }
    Err("the connection broke".into())
}

async fn post(address: &str, path: &str, body: &Value) -> Result<Value, Failure> {
    let body = body.to_string();
    let mut stream = TcpStream::connect(address).await?;
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(serde_json::from_str(answer.split_once("\r\n\r\n").ok_or("half an answer")?.1)?)
}
