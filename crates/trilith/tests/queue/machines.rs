//! A NATS server and processes that use it, each of which does not outlive its test.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{folder, without_times};

pub const PATIENCE: Duration = Duration::from_secs(120);

pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A process that does not outlive its test.
pub struct Process(pub Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
        if thread::panicking()
            && let Some(mut said) = self.0.stderr.take()
        {
            let _ = std::io::copy(&mut said, &mut std::io::stderr());
        }
    }
}

impl Process {
    pub fn start(program: &Path, arguments: &[&str]) -> Process {
        let mut command = Command::new(program);
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        Process(command.spawn().unwrap_or_else(|error| panic!("{}: {error}", program.display())))
    }

    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.0.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    pub fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    pub fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Whether it went well, and what it has printed, once it has ended by itself.
    pub fn end(mut self) -> (bool, String, String) {
        let deadline = Instant::now() + PATIENCE;
        while self.is_running() {
            assert!(Instant::now() < deadline, "it does not end");
            thread::sleep(Duration::from_millis(10));
        }
        let (mut out, mut error) = (String::new(), String::new());
        self.0.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        self.0.stderr.take().unwrap().read_to_string(&mut error).unwrap();
        (self.0.wait().unwrap().success(), out, error)
    }

    pub fn text(self) -> String {
        let (is_well, out, error) = self.end();
        assert!(is_well, "{error}");
        out
    }

    pub fn fault(self) -> String {
        let (is_well, out, error) = self.end();
        assert!(!is_well, "{out}");
        error
    }
}

/// A NATS server with its own folder and ports.
pub struct Server {
    pub process: Process,
    pub folder: PathBuf,
    pub port: u16,
    pub monitor: u16,
}

impl Server {
    pub fn start(name: &str, more: &[&str]) -> Server {
        let (folder, port, monitor) = (folder(name), free_port(), free_port());
        let process = Server::launch(&folder, port, monitor, more);
        Server { process, folder, port, monitor }
    }

    pub fn launch(folder: &Path, port: u16, monitor: u16, more: &[&str]) -> Process {
        let program = ["/usr/sbin/nats-server", "/usr/bin/nats-server"].map(Path::new);
        let program = program.into_iter().find(|path| path.exists()).unwrap_or(Path::new("nats-server"));
        let (store, port_text, monitor_text) = (folder.join("store"), port.to_string(), monitor.to_string());
        let arguments =
            ["-a", "127.0.0.1", "-p", &port_text, "-m", &monitor_text, "-sd", store.to_str().unwrap()];
        let process = Process::start(program, &[&arguments, more].concat());
        let deadline = Instant::now() + PATIENCE;
        while [port, monitor].iter().any(|&port| TcpStream::connect(("127.0.0.1", port)).is_err()) {
            assert!(Instant::now() < deadline, "no server");
            thread::sleep(Duration::from_millis(20));
        }
        process
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// What the server says about its streams.
    pub fn streams(&self) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.monitor)).unwrap();
        stream.write_all(b"GET /jsz?consumers=true HTTP/1.0\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    /// What the server says about one stream; nothing before it is made.
    pub fn stream(&self, name: &str) -> Value {
        let all = self.streams();
        let streams = all["account_details"][0]["stream_detail"].as_array().cloned().unwrap_or_default();
        streams.into_iter().find(|stream| stream["name"] == name).unwrap_or_default()
    }

    /// Jobs that workers have now.
    pub fn in_work(&self) -> u64 {
        self.stream("trilith-jobs")["consumer_detail"][0]["num_ack_pending"].as_u64().unwrap_or(0)
    }

    /// Deliveries of jobs so far, repeated ones among them.
    pub fn deliveries(&self) -> u64 {
        self.stream("trilith-jobs")["consumer_detail"][0]["delivered"]["consumer_seq"].as_u64().unwrap_or(0)
    }

    /// Coordinators that have asked for answers, those that are gone among them.
    pub fn listeners(&self) -> usize {
        self.stream("trilith-answers")["consumer_detail"].as_array().map_or(0, Vec::len)
    }

    pub fn answers(&self) -> u64 {
        self.stream("trilith-answers")["state"]["messages"].as_u64().unwrap_or(0)
    }

    pub fn wait(&self, what: &str, is_so: impl Fn(&Server) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !is_so(self) {
            assert!(Instant::now() < deadline, "{what}: {}", self.streams());
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn worker(&self) -> Process {
        Process::start(trilith(), &["worker", "--queue", &self.url(), "--lease", "1"])
    }

    pub fn coordinator(&self, arguments: &[&str]) -> Process {
        Process::start(trilith(), &[arguments, &["--queue", &self.url()]].concat())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.0.kill();
        let _ = self.process.0.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

pub fn trilith() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_trilith"))
}

pub fn run(arguments: &[&str]) -> Output {
    Command::new(trilith()).args(arguments).output().unwrap()
}

/// Stops a worker as Ctrl-C does; how many jobs it says it has done.
pub fn jobs_done(worker: Process) -> u64 {
    worker.signal("-INT");
    let text = worker.text();
    text.split(' ').next().unwrap().parse().unwrap_or_else(|_| panic!("{text}"))
}

/// A match whose games take `nodes` a move, as arguments.
pub fn contest<'a>(games: &'a str, nodes: &'a str, save: &'a str) -> Vec<&'a str> {
    let players = ["--a", "engine", "--b", "engine:eval=margin", "--seed", "5"];
    let rest = ["--games", games, "--nodes", nodes, "--save", save, "--json"];
    [&["match", "othello"][..], &players, &rest].concat()
}

/// The report of a match without what the clock says.
pub fn timeless(text: &str) -> Value {
    let mut value: Value = serde_json::from_str(text).unwrap();
    value["seconds"] = Value::Null;
    value["thinking"] = Value::Null;
    value
}

/// The games of a file in some order, without times: they are written as they end.
pub fn games(file: &Path) -> Vec<Vec<String>> {
    let words = without_times(file);
    let mut games: Vec<Vec<String>> = Vec::new();
    for word in words {
        if word == "[Game" || games.is_empty() {
            games.push(Vec::new());
        }
        games.last_mut().unwrap().push(word);
    }
    games.sort();
    games
}

/// The same match on this machine's threads: report and games.
pub fn local(folder: &Path, count: &str, nodes: &str) -> (Value, Vec<Vec<String>>) {
    let save = folder.join("local.txt");
    let output = run(&contest(count, nodes, save.to_str().unwrap()));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (timeless(&String::from_utf8(output.stdout).unwrap()), games(&save))
}
