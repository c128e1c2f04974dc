//! Connections that say nothing.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::folder;
use crate::server::{Client, Server};

/// Resident memory of a process in kibibytes.
fn memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

/// A WebSocket to the lobby, which is never used.
fn idle(address: &str) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!(
        "GET /api/lobby/live HTTP/1.1\r\nhost: {address}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    stream.read_line(&mut line).unwrap();
    assert!(line.contains(" 101 "), "{line}");
    stream
}

/// What a stranger can make a server keep for a connection that costs him nothing.
#[test]
#[cfg(target_os = "linux")]
fn an_idle_connection_takes_little_memory() {
    const COUNT: u64 = 400;
    let data = folder("idle");
    let server = Server::start(&data);
    // Until the tables of Morris are built, memory comes and goes.
    let start = Instant::now();
    while !data.join("tablebases/morris-standard/4-3.distance").exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "the tables are never built");
        thread::sleep(Duration::from_millis(20));
    }
    drop(idle(&server.address));
    let before = memory(server.process.id());
    let held: Vec<_> = (0..COUNT).map(|_| idle(&server.address)).collect();
    let each = memory(server.process.id()).saturating_sub(before) / COUNT;
    assert!(each < 64, "{each} KiB each");
    let mut client = Client::connect(&server.address).unwrap();
    assert_eq!(client.ask("GET", "/health", "", &Value::Null).unwrap().0, 200);
    drop(held);
}
