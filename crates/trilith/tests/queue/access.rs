//! A queue that strangers can reach: what they can have done, what they can forge, and the configuration that we ship.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::folder;
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(60);

struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A NATS server with this configuration, or with JetStream alone.
struct Nats {
    _process: Process,
    port: u16,
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Nats {
    fn start(home: &Path, configuration: Option<&str>) -> Nats {
        let port = free_port();
        let store = home.join("store");
        let plain = format!("host: 127.0.0.1\njetstream {{ store_dir: \"{}\" }}", store.display());
        let text = configuration.map_or(plain, str::to_owned);
        let text = text.replace("0.0.0.0", "127.0.0.1").replace("port: 4222", "");
        let file = home.join("nats.conf");
        fs::write(&file, format!("{text}\nport: {port}\n")).unwrap();
        let program = ["/usr/sbin/nats-server", "/usr/bin/nats-server"]
            .into_iter()
            .find(|path| Path::new(path).exists());
        let process = Command::new(program.unwrap_or("nats-server"))
            .arg("-c")
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(fs::File::create(home.join("nats.log")).unwrap())
            .spawn()
            .expect("nats-server is installed: ./test installs it");
        let process = Process(process);
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let log = fs::read_to_string(home.join("nats.log")).unwrap_or_default();
            assert!(start.elapsed() < PATIENCE, "the server does not start: {log}");
            thread::sleep(Duration::from_millis(20));
        }
        Nats { _process: process, port }
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

/// The program with this in its environment.
fn trilith(environment: &[(&str, &Path)], arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trilith"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    for (name, value) in environment {
        command.env(name, value);
    }
    command
}

fn key(home: &Path, name: &str) -> PathBuf {
    let path = home.join(name);
    fs::write(&path, format!("{name:x<40}\n")).unwrap();
    path
}

fn contest(player: &str, url: &str) -> Vec<String> {
    let fixed = [
        "match", "othello", "--b", "random", "--games", "2", "--nodes", "50", "--seed", "3", "--json", "--a",
    ];
    fixed.into_iter().chain([player, "--queue", url]).map(str::to_owned).collect()
}

fn words(all: &[String]) -> Vec<&str> {
    all.iter().map(String::as_str).collect()
}

/// What a command says when it has ended; it must do so by itself.
fn end(mut command: Command) -> Output {
    let mut process = command.spawn().unwrap();
    let start = Instant::now();
    while process.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            let _ = process.kill();
            panic!("it does not end");
        }
        thread::sleep(Duration::from_millis(20));
    }
    process.wait_with_output().unwrap()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn a_worker_starts_no_programs_for_others() {
    let home = folder("queue-external");
    let nats = Nats::start(&home, None);
    let (marker, program) = (home.join("it-ran"), home.join("program"));
    fs::write(&program, format!("#!/bin/sh\ntouch {}\ncat > /dev/null\n", marker.display())).unwrap();
    fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let run = program.to_str().unwrap();
    let spec = format!("external:ugi:\"{run}\",startup=1000,timeout=1000");
    let url = nats.url();
    let offer = || trilith(&[], &words(&contest(&spec, &url)));
    let worker = Process(trilith(&[], &["worker", "--queue", &url]).spawn().unwrap());
    let refused = end(offer());
    let text = said(&refused);
    assert!(!refused.status.success() && text.contains("--external"), "{text}");
    assert!(!marker.exists(), "the program ran");
    drop(worker);
    let _worker = Process(trilith(&[], &["worker", "--queue", &url, "--external", run]).spawn().unwrap());
    drop(end(offer()));
    assert!(marker.exists(), "a program that was allowed runs");
}

#[test]
fn a_job_has_a_time_and_a_table_a_size() {
    let home = folder("queue-bounds");
    let nats = Nats::start(&home, None);
    let url = nats.url();
    let _worker = Process(
        trilith(&[], &["worker", "--queue", &url, "--job-time", "1", "--hash", "64"]).spawn().unwrap(),
    );
    let text = said(&end(trilith(&[], &words(&contest("engine:hash=512", &url)))));
    assert!(text.contains("at most 64"), "{text}");
    let long = [
        "match", "othello", "--a", "engine", "--b", "engine", "--games", "1", "--nodes", "50000000",
        "--queue", &url,
    ];
    let text = said(&end(trilith(&[], &long)));
    assert!(text.contains("longer than the 1 s"), "{text}");
}

/// Somebody who talks to the server himself, without the program.
struct Stranger {
    lines: BufReader<TcpStream>,
}

impl Stranger {
    fn enter(nats: &Nats) -> Stranger {
        let mut stream = TcpStream::connect(("127.0.0.1", nats.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(b"CONNECT {\"verbose\":false}\r\nSUB trilith.answers.> 1\r\n").unwrap();
        Stranger { lines: BufReader::new(stream) }
    }

    /// Offers a job under a name of its own, again and again until there are workers; what comes of it.
    fn offer(&mut self, name: &str, job: &Value) -> String {
        let job = job.to_string();
        let put = format!("PUB trilith.jobs.strange.{name} {}\r\n{job}\r\n", job.len());
        let start = Instant::now();
        self.lines.get_ref().set_read_timeout(Some(Duration::from_millis(500))).unwrap();
        self.lines.get_mut().write_all(put.as_bytes()).unwrap();
        let mut heard = String::new();
        while !heard.contains(&format!("trilith.answers.strange.{name} ")) || !heard.ends_with("}\r\n") {
            assert!(start.elapsed() < PATIENCE, "nobody answers `{name}`: {heard}");
            if self.lines.read_line(&mut heard).is_err() {
                self.lines.get_mut().write_all(put.as_bytes()).unwrap();
            }
        }
        heard
    }
}

/// The same holds for every kind of job that names a player, however it was put there.
#[test]
fn a_review_starts_no_programs_for_others() {
    let home = folder("queue-review");
    let nats = Nats::start(&home, None);
    let marker = home.join("it-ran");
    let url = nats.url();
    let _worker = Process(trilith(&[], &["worker", "--queue", &url]).spawn().unwrap());
    let review = |player: &str| {
        json!({ "kind": "review", "job": {
            "number": 1, "player": player, "pace": { "nodes": 100 },
            "sheet": { "game": "othello", "rules": "", "moves": ["f5", "d6"], "tags": [] },
        } })
    };
    let mut stranger = Stranger::enter(&nats);
    let refused = stranger.offer("program", &review(&format!("external:ugi:\"touch {}\"", marker.display())));
    assert!(refused.contains("failed") && refused.contains("--external"), "{refused}");
    let refused = stranger.offer("memory", &review("engine:hash=999999"));
    assert!(refused.contains("failed") && refused.contains("at most"), "{refused}");
    assert!(stranger.offer("usual", &review("engine")).contains("\"done\""), "what is allowed is done");
    assert!(!marker.exists(), "the program ran");
}

/// Also where the server lets larger messages through.
#[test]
fn a_job_has_a_size() {
    let home = folder("queue-size");
    let store = home.join("store");
    let large =
        format!("host: 127.0.0.1\nmax_payload: 4194304\njetstream {{ store_dir: \"{}\" }}", store.display());
    let nats = Nats::start(&home, Some(&large));
    let _worker = Process(trilith(&[], &["worker", "--queue", &nats.url()]).spawn().unwrap());
    let job = json!({ "kind": "review", "job": "x".repeat(2 << 20) });
    let text = Stranger::enter(&nats).offer("large", &job);
    assert!(text.contains("this worker takes up to 1048576"), "{text}");
}

/// A job that does not look whether it should stop is answered all the same, and takes its worker with it.
#[test]
fn a_job_that_does_not_stop_is_answered() {
    let home = folder("queue-stuck");
    let nats = Nats::start(&home, None);
    let url = nats.url();
    let mut worker = Process(trilith(&[], &["worker", "--queue", &url, "--job-time", "1"]).spawn().unwrap());
    let start = "---------------------------OX------XO--------------------------- X";
    let judge = json!({ "kind": "judge", "job": {
        "game": "othello", "rules": "", "position": start, "layer": 0, "inside": [],
        "examination": { "depth": 60, "nodes": null, "eval": null, "exact": 0 },
    } });
    let text = Stranger::enter(&nats).offer("endless", &judge);
    assert!(text.contains("longer than the 1 s"), "{text}");
    let waited = Instant::now();
    while worker.0.try_wait().unwrap().is_none() {
        assert!(waited.elapsed() < PATIENCE, "the worker holds on to it");
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(worker.0.wait().unwrap().code(), Some(75));
}

#[test]
fn jobs_and_answers_are_believed_only_with_the_key() {
    let home = folder("queue-key");
    let nats = Nats::start(&home, None);
    let url = nats.url();
    let (right, wrong) = (key(&home, "right"), key(&home, "wrong"));
    let offer = |environment: &[(&str, &Path)]| trilith(environment, &words(&contest("random", &url)));
    let here: Value = {
        let mut arguments = contest("random", &url);
        arguments.truncate(arguments.len() - 2);
        serde_json::from_slice(&end(trilith(&[], &words(&arguments))).stdout).unwrap()
    };
    let _worker =
        Process(trilith(&[("TRILITH_QUEUE_KEY", &right)], &["worker", "--queue", &url]).spawn().unwrap());
    let keys = [(vec![], "there is no key here"), (vec![("TRILITH_QUEUE_KEY", &*wrong)], "another key")];
    for (environment, why) in keys {
        let refused = end(offer(&environment));
        let text = said(&refused);
        assert!(!refused.status.success() && !text.contains("\"wins\""), "{text}");
        assert!(
            text.contains("the workers have another key than this command") && text.contains(why),
            "{text}"
        );
    }
    let believed = end(offer(&[("TRILITH_QUEUE_KEY", &right)]));
    let report: Value =
        serde_json::from_slice(&believed.stdout).unwrap_or_else(|_| panic!("{}", said(&believed)));
    for same in ["wins", "draws", "losses", "games"] {
        assert_eq!(report[same], here[same], "{same}");
    }
}

/// Answers put there in advance by somebody who can publish are neither counted nor do they keep the true ones away.
#[test]
fn forged_answers_change_nothing() {
    let home = folder("queue-forged");
    let nats = Nats::start(&home, None);
    let url = nats.url();
    let right = key(&home, "right");
    let mut spy = TcpStream::connect(("127.0.0.1", nats.port)).unwrap();
    spy.set_read_timeout(Some(PATIENCE)).unwrap();
    spy.write_all(b"CONNECT {\"verbose\":false}\r\nSUB trilith.jobs.> 1\r\n").unwrap();
    let environment = [("TRILITH_QUEUE_KEY", &*right)];
    let coordinator = trilith(&environment, &words(&contest("random", &url))).spawn().unwrap();
    let mut lines = BufReader::new(spy.try_clone().unwrap());
    let mut forged = Vec::new();
    while forged.len() < 2 {
        let mut line = Vec::new();
        lines.read_until(b'\n', &mut line).unwrap();
        let line = String::from_utf8_lossy(&line).into_owned();
        let mut parts = line.split_whitespace();
        if parts.next() != Some("MSG") {
            continue;
        }
        let (subject, size) =
            (parts.next().unwrap().to_owned(), parts.last().unwrap().parse::<usize>().unwrap());
        lines.read_exact(&mut vec![0; size + 2]).unwrap();
        forged.push(subject.replace("trilith.jobs", "trilith.answers"));
    }
    for subject in &forged {
        let answer = "{\"failed\":\"forged\"}";
        spy.write_all(format!("PUB {subject} {}\r\n{answer}\r\n", answer.len()).as_bytes()).unwrap();
    }
    spy.write_all(b"PING\r\n").unwrap();
    thread::sleep(Duration::from_millis(300));
    let _worker = Process(trilith(&environment, &["worker", "--queue", &url]).spawn().unwrap());
    let output = coordinator.wait_with_output().unwrap();
    let text = said(&output);
    assert!(output.status.success() && text.contains("\"wins\"") && !text.contains("forged"), "{text}");
}

fn openssl(arguments: &str) {
    let command = Command::new("openssl").args(arguments.split_whitespace()).output();
    let made = command.expect("openssl is installed");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

/// An authority `ca.pem`, and a key and a certificate `queue.pem` by it for this machine, in `home`.
fn make_certificates(home: &Path) {
    let at = home.display();
    openssl(&format!(
        "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test -keyout {at}/ca-key.pem -out {at}/ca.pem"
    ));
    openssl(&format!("req -newkey rsa:2048 -nodes -subj /CN=queue -keyout {at}/queue-key.pem -out {at}/csr"));
    fs::write(home.join("san"), "subjectAltName=IP:127.0.0.1").unwrap();
    openssl(&format!(
        "x509 -req -in {at}/csr -CA {at}/ca.pem -CAkey {at}/ca-key.pem -CAcreateserial -days 2 -extfile {at}/san \
         -out {at}/queue.pem"
    ));
}

#[test]
fn the_shipped_configuration_of_nats_works() {
    if Command::new("openssl").arg("version").output().is_err() {
        eprintln!("skipped: openssl is not installed");
        return;
    }
    let home = folder("queue-tls");
    let at = |name: &str| home.join(name).to_str().unwrap().to_owned();
    make_certificates(&home);
    let shipped =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/nats.conf")).unwrap();
    let text = shipped
        .replace("/etc/trilith/queue.pem", &at("queue.pem"))
        .replace("/etc/trilith/queue-key.pem", &at("queue-key.pem"))
        .replace("/var/lib/trilith-queue", &at("store"));
    let nats = Nats::start(&home, Some(&text));
    let secret = key(&home, "right");
    let ca = home.join("ca.pem");
    let environment = [("TRILITH_QUEUE_KEY", &*secret), ("TRILITH_QUEUE_CA", &*ca)];
    let url = |user: &str| format!("tls://{user}:change-this-{user}-password@127.0.0.1:{}", nats.port);
    let _worker = Process(trilith(&environment, &["worker", "--queue", &url("worker")]).spawn().unwrap());
    let done = end(trilith(&environment, &words(&contest("random", &url("coordinator")))));
    assert!(done.status.success(), "{}\n{}", said(&done), fs::read_to_string(home.join("nats.log")).unwrap());
    // A worker's password offers no jobs, and without one nobody gets in.
    let mut stolen = trilith(&environment, &words(&contest("random", &url("worker")))).spawn().unwrap();
    thread::sleep(Duration::from_secs(3));
    let _ = stolen.kill();
    let text = said(&stolen.wait_with_output().unwrap());
    assert!(!text.contains("\"wins\""), "{text}");
    let stranger = format!("tls://127.0.0.1:{}", nats.port);
    let refused = end(trilith(&environment, &words(&contest("random", &stranger))));
    assert!(!refused.status.success(), "{}", said(&refused));
    let unencrypted = format!("nats://coordinator:x@127.0.0.1:{}", nats.port);
    assert!(!end(trilith(&environment[..1], &words(&contest("random", &unencrypted)))).status.success());
}
