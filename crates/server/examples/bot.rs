//! A bot in Rust that plays random legal moves: the example of `docs/bots.md`.
//!
//! ```text
//! cargo run -p trilith-server --example bot -- --name my-bot --challenge othello --games 1
//! cargo run -p trilith-server --example bot -- --token TOKEN --games 10
//! ```
//! It registers (or comes with its token), challenges or accepts whoever challenges, and plays its games at once.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use trilith_base::Seed;

/// How long to wait when the server says that it was too much at once, and how often.
const PAUSE: Duration = Duration::from_millis(500);
const TRIES: u32 = 20;

type Failure = Box<dyn Error + Send + Sync>;

/// Where the server is and who the bot is.
#[derive(Clone)]
struct Bot {
    /// As in `127.0.0.1:4680`.
    server: String,
    token: String,
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let options = options();
    let option = |name: &str| options.get(name).cloned();
    let server = option("server").unwrap_or("127.0.0.1:4680".into());
    let mut bot = Bot { server, token: option("token").unwrap_or_default() };
    if bot.token.is_empty() {
        let name = option("name").ok_or("expected --token TOKEN, or --name NAME to register")?;
        let account = bot.post("/api/accounts", &json!({ "name": name, "bot": true }))?;
        bot.token = account["token"].as_str().ok_or("no token")?.into();
        println!("registered as {name}; the token is shown only once: {}", bot.token);
    }
    let games: usize = option("games").unwrap_or("1".into()).parse()?;
    bot.serve(option("challenge"), games).await
}

/// `--name value` pairs.
fn options() -> HashMap<String, String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let option = |pair: &[String]| match pair {
        [name, value] => (name.trim_start_matches('-').into(), value.clone()),
        _ => (pair.concat(), String::new()),
    };
    words.chunks(2).map(option).collect()
}

impl Bot {
    /// One HTTP request; an answer that is not a success is an error.
    fn post(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        let (body, server) = (body.to_string(), &self.server);
        let bearer = match self.token.as_str() {
            "" => String::new(),
            token => format!("authorization: Bearer {token}\r\n"),
        };
        let mut tries = 1..=TRIES;
        loop {
            let mut stream = TcpStream::connect(server)?;
            write!(
                stream,
                "POST {path} HTTP/1.1\r\nhost: {server}\r\n{bearer}content-type: application/json\r\n\
                 content-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            )?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            let (head, body) = answer.split_once("\r\n\r\n").ok_or("half an answer")?;
            match head.get(9..12) {
                Some("429") if tries.next().is_some() => std::thread::sleep(PAUSE),
                Some(status) if status.starts_with('2') => {
                    return Ok(serde_json::from_str(body).unwrap_or(Value::Null));
                }
                _ => return Err(format!("{path}: {body}").into()),
            }
        }
    }

    /// A WebSocket that knows who this is.
    async fn connect(&self, path: &str) -> Result<WebSocketStream<tokio::net::TcpStream>, Failure> {
        let stream = tokio::net::TcpStream::connect(&self.server).await?;
        let address = format!("ws://{}{path}", self.server);
        let (mut socket, _) = tokio_tungstenite::client_async(address, stream).await?;
        socket.send(Message::text(json!({ "token": self.token }).to_string())).await?;
        Ok(socket)
    }

    /// Sits in the lobby until so many games have been played.
    async fn serve(self, challenge: Option<String>, games: usize) -> Result<(), Failure> {
        let mut lobby = self.connect("/api/lobby/live").await?;
        if let Some(game) = &challenge {
            let clock = json!({ "initial_ms": 300_000, "increment_ms": 1000 });
            self.post("/api/challenges", &json!({ "game": game, "clock": clock, "rated": true }))?;
        }
        let (mut playing, mut known, mut ended) = (JoinSet::new(), HashSet::new(), 0);
        let mut tried = HashSet::new();
        while ended < games {
            tokio::select! {
                event = lobby.next() => {
                    let Message::Text(text) = event.ok_or("the server is gone")?? else { continue };
                    let event: Value = serde_json::from_str(&text)?;
                    match event["event"].as_str() {
                        Some("challenge") => self.accept(&event["challenge"]["id"]),
                        // Challenges to everybody; who has one of their own waits for it.
                        Some("lobby") if challenge.is_none() && known.len() < games => {
                            let found = event["challenges"].as_array().into_iter().flatten();
                            let found = found.filter(|found| found["to"].is_null());
                            for found in found.filter(|found| tried.insert(found["id"].to_string())) {
                                self.accept(&found["id"]);
                            }
                        }
                        Some("start") => {
                            let table = event["table"].as_str().ok_or("no table")?.to_owned();
                            if known.insert(table.clone()) {
                                playing.spawn(self.clone().play(table));
                            }
                        }
                        _ => {}
                    }
                }
                Some(result) = playing.join_next() => {
                    println!("{}", result??);
                    ended += 1;
                }
            }
        }
        Ok(())
    }

    /// The game then comes as a `start` event; somebody else may have been first.
    fn accept(&self, id: &Value) {
        let path = format!("/api/challenges/{}/accept", id.as_str().unwrap_or_default());
        if let Err(error) = self.post(&path, &json!({})) {
            println!("{error}");
        }
    }

    /// Plays one game to its end and says how it went.
    async fn play(self, table: String) -> Result<String, Failure> {
        let mut live = self.connect(&format!("/api/tables/{table}/live")).await?;
        let mut answered = None;
        while let Some(message) = live.next().await {
            let Message::Text(text) = message? else { continue };
            let event: Value = serde_json::from_str(&text)?;
            if event["event"] == "error" {
                // Not done, mostly because it was too much at once. Who says again who it is sees the table again.
                tokio::time::sleep(PAUSE).await;
                answered = None;
                live.send(Message::text(json!({ "token": self.token }).to_string())).await?;
                continue;
            }
            let seen = &event["table"];
            if !seen["result"].is_null() {
                return Ok(format!("{table}: {}", seen["result"]));
            }
            let view = &seen["view"];
            let ply = view["moves"].as_array().map_or(0, Vec::len);
            let mine = seen["seats"].as_array().is_some_and(|seats| seats.contains(&view["to_move"]));
            if mine && answered != Some(ply) {
                answered = Some(ply);
                let mv = choose(&table, ply, view);
                let command = json!({ "do": "move", "move": mv, "ply": ply, "nr": ply });
                live.send(Message::text(command.to_string())).await?;
            }
        }
        Err("the connection broke".into())
    }
}

/// Any legal move. This is where a real bot thinks.
fn choose(table: &str, ply: usize, view: &Value) -> Value {
    let legal = view["legal"].as_array().cloned().unwrap_or_default();
    let draw = Seed(1).derive(table, ply as u64).0 as usize;
    legal.get(draw % legal.len().max(1)).map_or(Value::Null, |mv| mv["text"].clone())
}
