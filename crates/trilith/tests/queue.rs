//! The queue with a real server and real processes: what is left when any of them is killed, stopped or restarted.

#![allow(clippy::unwrap_used)]
#![cfg(unix)]

mod program;

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use program::{folder, without_times};
use trilith_queue::{Access, Bounds, USUAL_LEASE, Worker};

const PATIENCE: Duration = Duration::from_secs(120);

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A process that does not outlive its test.
struct Process(Child);

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
    fn start(program: &Path, arguments: &[&str]) -> Process {
        let mut command = Command::new(program);
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        Process(command.spawn().unwrap_or_else(|error| panic!("{}: {error}", program.display())))
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.0.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Whether it went well, and what it has printed, once it has ended by itself.
    fn end(mut self) -> (bool, String, String) {
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

    fn text(self) -> String {
        let (is_well, out, error) = self.end();
        assert!(is_well, "{error}");
        out
    }

    fn fault(self) -> String {
        let (is_well, out, error) = self.end();
        assert!(!is_well, "{out}");
        error
    }
}

/// A NATS server with its own folder and ports.
struct Server {
    process: Process,
    folder: PathBuf,
    port: u16,
    monitor: u16,
}

impl Server {
    fn start(name: &str, more: &[&str]) -> Server {
        let (folder, port, monitor) = (folder(name), free_port(), free_port());
        let process = Server::launch(&folder, port, monitor, more);
        Server { process, folder, port, monitor }
    }

    fn launch(folder: &Path, port: u16, monitor: u16, more: &[&str]) -> Process {
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

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// What the server says about its streams.
    fn streams(&self) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.monitor)).unwrap();
        stream.write_all(b"GET /jsz?consumers=true HTTP/1.0\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    /// What the server says about one stream; nothing before it is made.
    fn stream(&self, name: &str) -> Value {
        let all = self.streams();
        let streams = all["account_details"][0]["stream_detail"].as_array().cloned().unwrap_or_default();
        streams.into_iter().find(|stream| stream["name"] == name).unwrap_or_default()
    }

    /// Jobs that workers have now.
    fn in_work(&self) -> u64 {
        self.stream("trilith-jobs")["consumer_detail"][0]["num_ack_pending"].as_u64().unwrap_or(0)
    }

    /// Deliveries of jobs so far, repeated ones among them.
    fn deliveries(&self) -> u64 {
        self.stream("trilith-jobs")["consumer_detail"][0]["delivered"]["consumer_seq"].as_u64().unwrap_or(0)
    }

    /// Coordinators that have asked for answers, those that are gone among them.
    fn listeners(&self) -> usize {
        self.stream("trilith-answers")["consumer_detail"].as_array().map_or(0, Vec::len)
    }

    fn answers(&self) -> u64 {
        self.stream("trilith-answers")["state"]["messages"].as_u64().unwrap_or(0)
    }

    fn wait(&self, what: &str, is_so: impl Fn(&Server) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !is_so(self) {
            assert!(Instant::now() < deadline, "{what}: {}", self.streams());
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn worker(&self) -> Process {
        Process::start(trilith(), &["worker", "--queue", &self.url(), "--lease", "1"])
    }

    fn coordinator(&self, arguments: &[&str]) -> Process {
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

fn trilith() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_trilith"))
}

fn run(arguments: &[&str]) -> Output {
    Command::new(trilith()).args(arguments).output().unwrap()
}

/// Stops a worker as Ctrl-C does; how many jobs it says it has done.
fn jobs_done(worker: Process) -> u64 {
    worker.signal("-INT");
    let text = worker.text();
    text.split(' ').next().unwrap().parse().unwrap_or_else(|_| panic!("{text}"))
}

/// A match whose games take `nodes` a move, as arguments.
fn contest<'a>(games: &'a str, nodes: &'a str, save: &'a str) -> Vec<&'a str> {
    let players = ["--a", "engine", "--b", "engine:eval=margin", "--seed", "5"];
    let rest = ["--games", games, "--nodes", nodes, "--save", save, "--json"];
    [&["match", "othello"][..], &players, &rest].concat()
}

/// The report of a match without what the clock says.
fn timeless(text: &str) -> Value {
    let mut value: Value = serde_json::from_str(text).unwrap();
    value["seconds"] = Value::Null;
    value["thinking"] = Value::Null;
    value
}

/// The games of a file in some order, without times: they are written as they end.
fn games(file: &Path) -> Vec<Vec<String>> {
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
fn local(folder: &Path, count: &str, nodes: &str) -> (Value, Vec<Vec<String>>) {
    let save = folder.join("local.txt");
    let output = run(&contest(count, nodes, save.to_str().unwrap()));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (timeless(&String::from_utf8(output.stdout).unwrap()), games(&save))
}

#[test]
fn a_queue_gives_what_one_machine_gives() {
    let server = Server::start("same", &["-js"]);
    let save = server.folder.join("queue.txt");
    let arguments = contest("40", "300", save.to_str().unwrap());
    let workers = [server.worker(), server.worker()];
    let report = timeless(&server.coordinator(&arguments).text());
    assert_eq!((report, games(&save)), local(&server.folder, "40", "300"));
    assert_eq!(server.answers(), 0, "a finished match leaves nothing behind");
    let sprt = [&arguments[..], &["--sprt", "0,300,0.05,0.05"]].concat();
    let decided = timeless(&server.coordinator(&sprt).text());
    let here = timeless(&String::from_utf8(run(&sprt).stdout).unwrap());
    assert_eq!(decided, here);
    assert!(decided["games"].as_u64() < Some(40), "the test ends the match early: {decided}");
    assert!(workers.map(jobs_done).iter().sum::<u64>() >= 40);
}

/// Nobody is refused while another makes the streams that both ask for.
#[test]
fn many_may_come_at_once_to_a_new_server() {
    for _ in 0..5 {
        let server = Server::start("new", &["-js"]);
        let access = Access::new(&server.url(), None, None).unwrap();
        thread::scope(|scope| {
            for _ in 0..12 {
                scope.spawn(|| drop(Worker::connect(&access, USUAL_LEASE, Bounds::default()).unwrap()));
            }
        });
    }
}

#[test]
fn a_killed_workers_job_is_done_by_another() {
    let server = Server::start("kill-worker", &["-js"]);
    let save = server.folder.join("queue.txt");
    let mut coordinator = server.coordinator(&contest("1", "60000", save.to_str().unwrap()));
    let mut first = server.worker();
    server.wait("a job is begun", |server| server.in_work() == 1);
    thread::sleep(Duration::from_millis(200));
    first.kill();
    assert!(coordinator.is_running() && server.answers() == 0, "it was killed in mid-job");
    let second = server.worker();
    let report = timeless(&coordinator.text());
    assert_eq!((report, games(&save)), local(&server.folder, "1", "60000"));
    assert_eq!(server.deliveries(), 2);
    assert_eq!(jobs_done(second), 1);
}

#[test]
fn a_busy_worker_keeps_its_job_and_a_stopped_one_hands_it_back() {
    let server = Server::start("heart", &["-js"]);
    let save = server.folder.join("queue.txt");
    let mut coordinator = server.coordinator(&contest("1", "5000000", save.to_str().unwrap()));
    let workers = [server.worker(), server.worker()];
    server.wait("a job is begun", |server| server.in_work() == 1);
    thread::sleep(Duration::from_millis(2200));
    assert!(coordinator.is_running(), "the game must last longer than two leases");
    assert_eq!(server.deliveries(), 1, "its worker has said that it is at it");
    let [first, second] = workers;
    let (stopped, began) = (jobs_done(first) + jobs_done(second), Instant::now());
    assert_eq!(stopped, 0);
    let third = server.worker();
    server.wait("it is delivered again", |server| server.deliveries() == 2);
    assert!(began.elapsed() < Duration::from_millis(900), "at once, not after the lease");
    coordinator.kill();
    third.signal("-INT");
}

#[test]
fn a_killed_coordinator_resumes_without_losing_or_repeating_a_game() {
    let server = Server::start("kill-coordinator", &["-js"]);
    let save = server.folder.join("queue.txt");
    let arguments = contest("60", "2000", save.to_str().unwrap());
    let worker = server.worker();
    for count in [5, 20] {
        let mut coordinator = server.coordinator(&arguments);
        server.wait("games are played", |server| server.answers() >= count);
        assert!(coordinator.is_running());
        coordinator.kill();
    }
    let report = timeless(&server.coordinator(&arguments).text());
    // Games are added to the file as they are heard of: those that were killed have added some.
    let mut saved = games(&save);
    saved.dedup();
    assert_eq!((report, saved), local(&server.folder, "60", "2000"));
    assert_eq!(jobs_done(worker), 60, "each game once");
}

#[test]
fn a_job_delivered_twice_and_answered_twice_counts_once() {
    let server = Server::start("twice", &["-js"]);
    let save = server.folder.join("queue.txt");
    let coordinator = server.coordinator(&contest("3", "30000", save.to_str().unwrap()));
    let sleeper = server.worker();
    server.wait("a job is begun", |server| server.in_work() == 1);
    sleeper.signal("-STOP");
    let other = server.worker();
    server.wait("the sleeper's job is delivered again", |server| server.deliveries() > 3);
    sleeper.signal("-CONT");
    let report = timeless(&coordinator.text());
    assert_eq!((report, games(&save)), local(&server.folder, "3", "30000"));
    server.wait("the sleeper has answered, too", |server| server.in_work() == 0);
    assert!(server.deliveries() > 3, "at least one job was delivered twice");
    assert!(jobs_done(sleeper) + jobs_done(other) > 3, "and done twice");
}

#[test]
fn two_coordinators_share_their_games() {
    let server = Server::start("two", &["-js"]);
    let saves = ["one.txt", "two.txt"].map(|name| server.folder.join(name));
    let coordinators =
        saves.each_ref().map(|save| server.coordinator(&contest("30", "1000", save.to_str().unwrap())));
    server.wait("jobs are offered", |server| {
        server.stream("trilith-jobs")["state"]["messages"].as_u64() == Some(30)
    });
    let worker = server.worker();
    let reports = coordinators.map(|coordinator| timeless(&coordinator.text()));
    let (report, expected) = local(&server.folder, "30", "1000");
    assert_eq!(reports, [report.clone(), report]);
    assert_eq!(saves.map(|save| games(&save)), [expected.clone(), expected]);
    assert_eq!(jobs_done(worker), 30);
}

#[test]
fn tournaments_and_data_are_the_same_after_kills_of_everything() {
    let mut server = Server::start("all", &["-js"]);
    let plan = server.folder.join("plan.toml");
    fs::write(&plan, PLAN).unwrap();
    let (here, there) = (server.folder.join("here"), server.folder.join("there"));
    let tournament = |out: &Path| {
        ["tournament", plan.to_str().unwrap(), "--out", out.to_str().unwrap()].map(str::to_owned)
    };
    let data = |out: &Path| {
        let out = out.join("x.games");
        let fixed = "data generate --games 200 --random-least 20 --random-most 40 --depth 3 --exact 10 --out";
        fixed.split(' ').map(str::to_owned).chain([out.to_str().unwrap().to_owned()]).collect::<Vec<_>>()
    };
    fs::create_dir_all(&there).unwrap();
    for arguments in [tournament(&here).to_vec(), data(&here)] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        assert!(run(&arguments).status.success());
    }
    for arguments in [tournament(&there).to_vec(), data(&there)] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut coordinator = server.coordinator(&arguments);
        let mut worker = server.worker();
        server.wait("something is answered", |server| server.answers() >= 2);
        worker.kill();
        coordinator.kill();
        let (deliveries, listeners) = (server.deliveries(), server.listeners());
        let coordinator = server.coordinator(&arguments);
        let _worker = server.worker();
        server.wait("both are at it", |server| {
            server.deliveries() > deliveries && server.listeners() > listeners
        });
        if arguments[0] == "data" {
            server.process.kill();
            server.process = Server::launch(&server.folder, server.port, server.monitor, &["-js"]);
        }
        coordinator.text();
    }
    for name in ["plan.json", "plan.html", "plan.svg", "plan.games.txt", "x.games"] {
        assert!(without_times(&there.join(name)) == without_times(&here.join(name)), "{name}");
    }
}

const GRID: &str = "kind = \"outcomes\"\ngame = \"morris\"\n[parameters]\ngames = 40\nyardstick_games = 2\n\
    [grid]\nseed = [1, 2]\nrate = [0.01, 0.001]\n";

/// Every other command with `--queue` makes the files that one machine makes.
#[test]
fn data_grids_and_books_are_those_of_one_machine() {
    let server = Server::start("rest", &["-js"]);
    let grid = server.folder.join("grid.toml");
    fs::write(&grid, GRID).unwrap();
    let (here, there) = (server.folder.join("here"), server.folder.join("there"));
    let commands = |to: &Path| {
        let at = |name: &str| to.join(name).to_str().unwrap().to_owned();
        let examination = "--nodes 60 --exact 10";
        [
            format!("data generate --game morris --games 30 --depth 2 --longest 60 --out {}", at("m.games")),
            format!(
                "data generate --game abalone --openings 1 --depth 1 --longest 20 --out {}",
                at("a.games")
            ),
            format!("train --grid {} --folder {}", grid.display(), at("grid")),
            format!("book build {} --games 12 --player engine:nodes=60,radius=2 {examination}", at("x.book")),
            format!(
                "book correct {} --games 4 --margin -9 --player engine:nodes=80 {examination}",
                at("x.book")
            ),
            format!("book reevaluate {} --nodes 90 --exact 10", at("x.book")),
            format!(
                "study run muehle-search --scale smoke --folder {} --out {}",
                at("studies"),
                at("reports")
            ),
        ]
    };
    [&here, &there].into_iter().for_each(|folder| fs::create_dir_all(folder).unwrap());
    for command in commands(&here) {
        let output = run(&command.split(' ').collect::<Vec<_>>());
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let worker = server.worker();
    for command in commands(&there) {
        server.coordinator(&command.split(' ').collect::<Vec<_>>()).text();
    }
    assert!(jobs_done(worker) > 100, "the worker has done them");
    for folder in [&here, &there] {
        let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        for (out, more) in [("games.txt", &[][..]), ("tree.txt", &["--tree", "60"])] {
            assert!(run(&[&["book", "export", &at("x.book"), &at(out)], more].concat()).status.success());
        }
    }
    for name in [
        "m.games",
        "a.games",
        "grid/grid.csv",
        "grid/0003/artifact.safetensors",
        "games.txt",
        "tree.txt",
        "reports/muehle-search.smoke/nodes-placing.csv",
        "reports/muehle-search.smoke/tournament.csv",
    ] {
        assert_eq!(fs::read(there.join(name)).unwrap(), fs::read(here.join(name)).unwrap(), "{name}");
    }
}

const PLAN: &str = r#"
name = "by many"
game = "morris"
kind = "round-robin"
games = 10
openings = "random:4"
[pace]
nodes = 1000
[adjudication]
plies = 120
[[players]]
name = "one"
player = "engine"
[[players]]
name = "two"
player = "engine:eval=margin"
[[players]]
name = "lot"
player = "random"
"#;

#[test]
fn what_is_missing_is_said() {
    let fault = |url: &str, more: &[&str]| {
        let output = run(&[more, &["--queue", url]].concat());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let random = ["match", "othello", "--a", "random", "--b", "random", "--games", "2"];
    for arguments in [&random[..], &["worker"]] {
        let (code, text) = fault("nats://127.0.0.1:1", arguments);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("no NATS server answers there"), "{text}");
    }
    let server = Server::start("no-streams", &[]);
    let (code, text) = fault(&server.url(), &random);
    assert!(code == Some(1) && text.contains("nats-server -js"), "{text}");

    let server = Server::start("missing-weights", &["-js"]);
    let weights = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../artifacts/othello");
    let weights = fs::read_dir(weights).unwrap().map(|entry| entry.unwrap().path());
    let original = weights.into_iter().find(|path| path.to_str().unwrap().contains("patterns")).unwrap();
    let copy = server.folder.join(original.file_name().unwrap());
    fs::copy(original, &copy).unwrap();
    let out = server.folder.join("x.games");
    let arguments = [
        "data",
        "generate",
        "--games",
        "1",
        "--weights",
        copy.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ];
    let coordinator = server.coordinator(&arguments);
    server.wait("a job is offered", |server| {
        server.stream("trilith-jobs")["state"]["messages"].as_u64() == Some(1)
    });
    fs::remove_file(&copy).unwrap();
    let _worker = server.worker();
    let output = coordinator.fault();
    assert!(
        output.contains("a worker could not play its games") && output.contains("No such file"),
        "{output}"
    );
}
