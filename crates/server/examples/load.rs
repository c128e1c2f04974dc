//! Many games at once between scripted clients over loopback: how long acknowledgements take, and whether memory grows.
//!
//! ```text
//! cargo run --release -p trilith-server --example load -- --games 200 --seconds 120 --pause 250
//! ```
//! The server is a process of its own with a database in a new folder: this program again, or with `--program trilith` the
//! one that is shipped, with its usual limits. Every client sits at its table over a WebSocket and moves `--pause`
//! milliseconds after its turn has come. The time of a move is from sending it until `ok`. `--idle 10000` opens so many
//! connections to the lobby besides, which say nothing; each needs a file of both processes (`ulimit -n`).

use std::borrow::Cow;
use std::collections::HashMap;
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
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
                options.get("program").copied(),
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

/// The process that is measured. What an address may do is more than usual, since outside of Linux all come from one.
async fn serve(data: &str) -> Result<(), Failure> {
    let free = Rate { per_second: 1e6, burst: 1e6 };
    let rates = Rates { address: free, opening: free, sockets: 20_000, requests: 20_000, ..Rates::default() };
    let connections = ConnectionBounds { all: 20_000, each: 20_000, ..ConnectionBounds::default() };
    let address = ([127, 0, 0, 1], 0).into();
    let config = Config { address, data: Some(data.into()), rates, connections, ..Config::default() };
    let server = Server::bind(config).await?;
    println!("http://{}/", server.address());
    Ok(server.run(std::future::pending()).await?)
}

/// Starts the process, and waits for the address that it prints.
fn start(program: Option<&str>, folder: &Path) -> Result<(Process, String), Failure> {
    let mut command = match program {
        Some(program) => {
            let mut command = Command::new(program);
            command.args(["serve", "--address", "127.0.0.1:0", "--tables", "0", "--data"]).arg(folder);
            command
        }
        None => {
            let mut command = Command::new(std::env::current_exe()?);
            command.arg("serve").arg(folder);
            command
        }
    };
    let mut process = Process(command.stdout(Stdio::piped()).spawn()?);
    let mut line = String::new();
    BufReader::new(process.0.stdout.take().ok_or("no output")?).read_line(&mut line)?;
    let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
    let address = address.ok_or_else(|| format!("no address in `{line}`"))?.into();
    Ok((process, address))
}

/// A connection from an address of its own where the whole network 127/8 is this machine, so that limits by address are
/// those of many clients.
async fn connect(address: &str, client: u64) -> Result<TcpStream, Failure> {
    let socket = TcpSocket::new_v4()?;
    if cfg!(target_os = "linux") {
        let [high, low] = (client as u16).to_be_bytes();
        socket.bind(([127, 1 + (client >> 16) as u8 % 250, high, low.max(1)], 0).into())?;
    }
    let stream = socket.connect(address.parse()?).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// What all clients share.
struct Load {
    address: String,
    /// Milliseconds until a client moves, about.
    pause: u64,
    end: Instant,
    tally: Mutex<Tally>,
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

async fn load(
    program: Option<&str>,
    games: u64,
    time: Duration,
    pause: u64,
    idle: u64,
) -> Result<(), Failure> {
    let folder = std::env::temp_dir().join(format!("trilith-load-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let (process, address) = start(program, &folder)?;
    let (begin, before) = (Instant::now(), process.memory());
    let idle = idlers(&address, idle).await?;
    if !idle.is_empty() {
        let each = process.memory().saturating_sub(before) as f64 / idle.len() as f64;
        println!("{} idle connections in {:.1?}, {each:.1} KiB each", idle.len(), begin.elapsed());
    }
    let end = Instant::now() + time;
    let load = Arc::new(Load { address, pause, end, tally: Mutex::default() });
    let clients: Vec<_> = (0..games).map(|number| tokio::spawn(play_on(Arc::clone(&load), number))).collect();
    let mut memory = Vec::new();
    let step = (time / 8).min(Duration::from_secs(60));
    while Instant::now() < end {
        tokio::time::sleep(step.min(end.saturating_duration_since(Instant::now()))).await;
        memory.push(process.memory());
    }
    for client in clients {
        client.await?;
    }
    let left = idle.iter().filter(|connection| !connection.is_finished()).count();
    println!("{left} of {} idle connections are still open", idle.len());
    idle.iter().for_each(tokio::task::JoinHandle::abort);
    let mut tally = load.tally.lock().map_err(|_| "a client broke")?;
    report(&mut tally, time, &memory, process.seconds());
    drop(process);
    std::fs::remove_dir_all(folder)?;
    Ok(())
}

/// Addresses of those who are idle come after those of the players; a hundred share one.
const IDLE_FROM: u64 = 1 << 16;

/// Connections to the lobby that hear and say nothing.
async fn idlers(address: &str, count: u64) -> Result<Vec<tokio::task::JoinHandle<()>>, Failure> {
    let mut all = Vec::new();
    for number in 0..count {
        let stream = connect(address, IDLE_FROM + number / 100).await?;
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
async fn play_on(load: Arc<Load>, number: u64) {
    let mut round = 0;
    while Instant::now() < load.end {
        let seed = Seed(number).derive("round", round);
        let played = play(&load, number, seed).await;
        let mut tally = load.tally.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match played {
            Ok(ended) => tally.games += usize::from(ended),
            Err(error) => tally.errors.push(error.to_string()),
        }
        round += 1;
    }
}

/// One game of two clients; true if it was played to its end.
async fn play(load: &Load, number: u64, seed: Seed) -> Result<bool, Failure> {
    let game = ["othello", "morris", "abalone"][(seed.0 % 3) as usize];
    let players = json!({ "black": { "kind": "human" }, "white": { "kind": "open" } });
    let clock = json!({ "initial_ms": 600_000, "increment_ms": 1000 });
    let wish = json!({ "game": game, "players": players, "clock": clock });
    let (first, second) = (2 * number, 2 * number + 1);
    let table = post(&load.address, first, "/api/tables", &wish).await?;
    let id = table["id"].as_str().ok_or_else(|| table.to_string())?;
    let seat = post(&load.address, second, &format!("/api/tables/{id}/join"), &json!({})).await?;
    let token = |answer: &Value| answer["token"].as_str().unwrap_or_default().to_owned();
    let black = side(load, first, id, token(&table), seed);
    let white = side(load, second, id, token(&seat), seed);
    let (black, white) = tokio::join!(black, white);
    Ok(black? && white?)
}

/// What a client reads of an event: as little as it needs, since it shares the machine with the server.
#[derive(Deserialize)]
struct ServerEvent<'a> {
    #[serde(borrow)]
    event: Cow<'a, str>,
    #[serde(borrow)]
    table: Option<TableEvent<'a>>,
}

#[derive(Deserialize)]
struct TableEvent<'a> {
    result: Option<IgnoredAny>,
    #[serde(borrow, default)]
    seats: Vec<Option<Cow<'a, str>>>,
    #[serde(borrow)]
    view: View<'a>,
}

#[derive(Deserialize)]
struct View<'a> {
    moves: Vec<IgnoredAny>,
    #[serde(borrow)]
    to_move: Option<Cow<'a, str>>,
    #[serde(borrow)]
    legal: Vec<Legal<'a>>,
}

#[derive(Deserialize)]
struct Legal<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

/// Plies after which somebody resigns: random play would go on for ever, and people do not.
const LONGEST: usize = 100;

/// One client at its table.
async fn side(load: &Load, client: u64, id: &str, token: String, seed: Seed) -> Result<bool, Failure> {
    let stream = connect(&load.address, client).await?;
    let address = format!("ws://{}/api/tables/{id}/live", load.address);
    let (mut live, _) = tokio_tungstenite::client_async(address, stream).await?;
    live.send(Message::text(json!({ "token": token }).to_string())).await?;
    let (mut answered, mut sent) = (None, Instant::now());
    while let Some(message) = live.next().await {
        let Message::Text(text) = message? else { continue };
        let heard: ServerEvent = serde_json::from_str(&text)?;
        match &*heard.event {
            "ok" => {
                let micros = sent.elapsed().as_micros() as u32;
                load.tally.lock().map_err(|_| "a client broke")?.times.push(micros);
            }
            "error" => return Err(text.to_string().into()),
            _ => {}
        }
        let Some(seen) = heard.table else { continue };
        if seen.result.is_some() {
            return Ok(true);
        }
        if Instant::now() >= load.end {
            return Ok(false);
        }
        let ply = seen.view.moves.len();
        if seen.seats.contains(&seen.view.to_move) && answered != Some(ply) {
            answered = Some(ply);
            let draw = seed.derive("move", ply as u64).0;
            tokio::time::sleep(Duration::from_millis(load.pause / 2 + draw % load.pause.max(1))).await;
            let legal = &seen.view.legal;
            let mv = &legal.get(draw as usize % legal.len().max(1)).ok_or("no moves")?.text;
            let wish = match ply < LONGEST {
                true => json!({ "do": "move", "move": mv, "ply": ply, "nr": ply }),
                false => json!({ "do": "resign", "nr": ply }),
            };
            sent = Instant::now();
            live.send(Message::text(wish.to_string())).await?;
        }
    }
    Err("the connection broke".into())
}

async fn post(address: &str, client: u64, path: &str, body: &Value) -> Result<Value, Failure> {
    let body = body.to_string();
    let mut stream = connect(address, client).await?;
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(serde_json::from_str(answer.split_once("\r\n\r\n").ok_or("half an answer")?.1)?)
}
