//! A client as small as can be: HTTP requests and a WebSocket to a real server.

#![allow(dead_code, reason = "each test uses a part")]

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use trilith_server::{Config, Server};

/// A server in this process; it stops when this is dropped.
pub struct Running {
    pub address: SocketAddr,
    /// Where its numbers are, if elsewhere.
    pub metrics: Option<SocketAddr>,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
}

impl Running {
    pub async fn start(config: Config) -> Running {
        let address = ([127, 0, 0, 1], 0).into();
        let server = Server::bind(Config { address, ..config }).await.unwrap();
        let (address, metrics) = (server.address(), server.metrics_address());
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        tokio::spawn(server.run(async { drop(stopped.await) }));
        Running { address, metrics, stop: Some(stop) }
    }

    pub fn stop(&mut self) {
        self.stop.take();
    }

    pub async fn get(&self, token: &str, path: &str) -> (u16, Value) {
        let (status, body) = ask(self.address, "GET", path, token, "").await;
        (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
    }

    pub async fn post(&self, token: &str, path: &str, body: Value) -> (u16, Value) {
        let (status, body) = ask(self.address, "POST", path, token, &body.to_string()).await;
        (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
    }

    /// Posts and expects success.
    pub async fn done(&self, token: &str, path: &str, body: Value) -> Value {
        let (status, answer) = self.post(token, path, body).await;
        assert!((200..300).contains(&status), "{path}: {status} {answer}");
        answer
    }

    /// A new table: its path and what was answered.
    pub async fn open(&self, token: &str, body: Value) -> (String, Value) {
        let table = self.done(token, "/api/tables", body).await;
        (format!("/api/tables/{}", table["id"].as_str().unwrap()), table)
    }

    /// Asks again and again until `is_done`.
    pub async fn until(&self, token: &str, path: &str, is_done: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..1_200 {
            let (_, answer) = self.get(token, path).await;
            if is_done(&answer) {
                return answer;
            }
            // More often would be refused after a while: who asks that much is slowed.
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("{path} never was as expected");
    }

    pub async fn live(&self, path: &str) -> Live {
        Live::connect(self.address, path).await
    }
}

/// One request on its own connection; an empty token is none.
pub async fn ask(address: SocketAddr, method: &str, path: &str, token: &str, body: &str) -> (u16, String) {
    let bearer = if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") };
    ask_with(address, method, path, &bearer, body).await
}

/// One request with headers of its own, each ended by a line break.
pub async fn ask_with(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> (u16, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let kind = if method == "POST" { "content-type: application/json\r\n" } else { "" };
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\n{headers}{kind}content-length: {length}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, body.to_owned())
}

/// A WebSocket.
pub struct Live(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Live {
    pub async fn connect(address: SocketAddr, path: &str) -> Live {
        let request = format!("ws://{address}{path}").into_client_request().unwrap();
        Live(
            tokio_tungstenite::client_async(
                request,
                MaybeTlsStream::Plain(TcpStream::connect(address).await.unwrap()),
            )
            .await
            .unwrap()
            .0,
        )
    }

    pub async fn say(&mut self, message: Value) {
        self.say_text(&message.to_string()).await;
    }

    pub async fn say_text(&mut self, text: &str) {
        self.0.send(Message::text(text)).await.unwrap();
    }

    /// Sends a message; false if the server has closed.
    pub async fn try_say(&mut self, text: &str) -> bool {
        self.0.send(Message::text(text)).await.is_ok()
    }

    pub async fn say_bytes(&mut self, bytes: Vec<u8>) {
        self.0.send(Message::binary(bytes)).await.unwrap();
    }

    /// The next event, or none if the server has closed.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            let message =
                tokio::time::timeout(Duration::from_secs(30), self.0.next()).await.expect("an event");
            match message? {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next event that is as expected; others are passed over.
    pub async fn until(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let event = self.next().await.expect("the connection is open");
            if is_it(&event) {
                return event;
            }
        }
    }

    /// Sends a command and waits until it is acknowledged or refused.
    pub async fn command(&mut self, mut message: Value, nr: u64) -> Value {
        message["nr"] = json!(nr);
        self.say(message).await;
        self.until(|event| event["for"] == nr).await
    }
}
