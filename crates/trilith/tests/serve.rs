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

use program::schema::hold;
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
fn thirty_kills_lose_no_acknowledged_move() {
    kill_again_and_again(30);
}

#[test]
#[ignore = "minutes"]
fn two_hundred_kills_lose_no_acknowledged_move() {
    kill_again_and_again(200);
}

fn kill_again_and_again(kills: u64) {
    let data = folder(&format!("kills-{kills}"));
    let mut games: Vec<Vec<Game>> = GAMES.iter().map(|_| Vec::new()).collect();
    for life in 0..kills {
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
        acknowledged > kills as usize * 3,
        "only {acknowledged} moves were acknowledged: nothing was tried"
    );
    for game in all {
        game.check(&mut client).unwrap();
    }
    println!("{kills} kills, {acknowledged} acknowledged moves, none lost");
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
    let to = copy.join("monday.tar");
    let arguments = ["backup", "--data", data.to_str().unwrap(), "--to", to.to_str().unwrap(), "--json"];
    hold("backup", &text(&trilith(&arguments)));
    let again = trilith(&arguments);
    assert!(!again.status.success() && String::from_utf8_lossy(&again.stderr).contains("a new name"));
    drop(server);
    let restore = ["restore", to.to_str().unwrap(), "--data", copy.to_str().unwrap(), "--json"];
    hold("restore", &text(&trilith(&restore)));
    let restored = Server::start(&copy);
    game.moves = vec!["f5".into()];
    game.check(&mut Client::connect(&restored.address).unwrap()).unwrap();
}

/// Whether SQLite finds nothing wrong with a file.
fn is_whole(path: &Path) -> bool {
    let connection = rusqlite::Connection::open(path).unwrap();
    let said: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    said == "ok"
}

/// The documented way back, after a kill and after Ctrl-C: everything as it was then, nothing of what came later.
#[test]
fn restoring_after_a_kill_gives_back_what_was_saved() {
    for signal in ["-KILL", "-INT"] {
        let data = folder(&format!("restore{signal}"));
        let copy = folder("restore-copy").join("x.tar");
        let server = Server::start(&data);
        let mut client = Client::connect(&server.address).unwrap();
        let mut games: Vec<Game> = (0..3).map(|_| Game::open(&mut client, "othello").unwrap()).collect();
        for game in &mut games {
            let play = json!({ "move": "f5", "ply": 0 });
            client.ask("POST", &format!("{}/moves", game.path), &game.token, &play).unwrap();
            game.moves = vec!["f5".into()];
        }
        for (path, content) in
            [("books/x.book", "a book"), ("runs/one/config.toml", "a run"), ("artifacts/a/w.bin", "weights")]
        {
            std::fs::create_dir_all(data.join(path).parent().unwrap()).unwrap();
            std::fs::write(data.join(path), content).unwrap();
        }
        text(&trilith(&["backup", "--data", data.to_str().unwrap(), "--to", copy.to_str().unwrap()]));
        // What comes after the backup: more games, so that the write-ahead log is full of pages of the old file.
        for _ in 0..60 {
            Game::open(&mut client, "abalone").unwrap();
        }
        std::fs::write(data.join("books/x.book"), "another book").unwrap();
        let restore = ["restore", copy.to_str().unwrap(), "--data", data.to_str().unwrap()];
        let refused = trilith(&restore);
        assert!(!refused.status.success(), "a server runs");
        assert!(String::from_utf8_lossy(&refused.stderr).contains("stopped first"));
        stop(server, signal);
        assert!(text(&trilith(&restore)).contains("before-restore"));
        assert!(is_whole(&data.join("trilith.db")));
        assert_eq!(std::fs::read_to_string(data.join("books/x.book")).unwrap(), "a book");
        assert_eq!(std::fs::read_to_string(data.join("artifacts/a/w.bin")).unwrap(), "weights");
        let server = Server::start(&data);
        let mut client = Client::connect(&server.address).unwrap();
        for game in &mut games {
            game.check(&mut client).unwrap();
            assert_eq!(game.moves, ["f5"]);
        }
        drop(server);
        assert!(is_whole(&data.join("trilith.db")));
    }
}

#[test]
fn a_damaged_backup_changes_nothing_and_a_damaged_database_is_not_served() {
    let data = folder("restore-damaged");
    let copy = data.join("x.tar");
    let server = Server::start(&data);
    let mut client = Client::connect(&server.address).unwrap();
    let mut game = Game::open(&mut client, "morris").unwrap();
    text(&trilith(&["backup", "--data", data.to_str().unwrap(), "--to", copy.to_str().unwrap()]));
    stop(server, "-INT");
    assert!(!data.join("trilith.db-wal").exists(), "a stopped server leaves no write-ahead log");
    let whole = std::fs::read(&copy).unwrap();
    for damage in [0, 700] {
        let mut bytes = whole.clone();
        bytes[damage] ^= 0xff;
        std::fs::write(data.join("bad.tar"), &bytes).unwrap();
        std::fs::write(data.join("cut.tar"), &whole[..damage]).unwrap();
        for bad in ["bad.tar", "cut.tar"] {
            let said =
                trilith(&["restore", data.join(bad).to_str().unwrap(), "--data", data.to_str().unwrap()]);
            assert!(!said.status.success(), "{bad} at {damage}");
        }
    }
    let server = Server::start(&data);
    game.check(&mut Client::connect(&server.address).unwrap()).unwrap();
    stop(server, "-INT");
    // Pages of the middle are overwritten, as a foreign write-ahead log would do it.
    let path = data.join("trilith.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[4096..middle].fill(0x5a);
    std::fs::write(&path, bytes).unwrap();
    let said =
        trilith(&["serve", "--address", "127.0.0.1:0", "--data", data.to_str().unwrap(), "--tables", "0"]);
    let error = String::from_utf8_lossy(&said.stderr);
    assert!(
        !said.status.success() && error.contains("damaged") && error.contains("trilith restore"),
        "{error}"
    );
    let doctor = trilith(&["doctor", "--data", data.to_str().unwrap()]);
    assert!(!doctor.status.success() && String::from_utf8_lossy(&doctor.stdout).contains("BAD database"));
    text(&trilith(&["restore", copy.to_str().unwrap(), "--data", data.to_str().unwrap()]));
    let server = Server::start(&data);
    game.check(&mut Client::connect(&server.address).unwrap()).unwrap();
    let healthy = trilith(&["doctor", "--server", &format!("http://{}", server.address)]);
    assert!(text(&healthy).contains("ready"));
}

/// A restoring that was stopped between any two of its steps is ended by the next start.
#[test]
fn a_half_restored_home_is_completed() {
    let data = folder("restore-half");
    let copy = data.join("x.tar");
    let server = Server::start(&data);
    let mut game = Game::open(&mut Client::connect(&server.address).unwrap(), "othello").unwrap();
    std::fs::create_dir_all(data.join("books")).unwrap();
    std::fs::write(data.join("books/a.book"), "new").unwrap();
    text(&trilith(&["backup", "--data", data.to_str().unwrap(), "--to", copy.to_str().unwrap()]));
    stop(server, "-INT");
    // As it lies when everything is checked and nothing has been moved.
    let stage = data.join(".restore");
    std::fs::create_dir_all(stage.join("books")).unwrap();
    std::fs::copy(data.join("trilith.db"), stage.join("trilith.db")).unwrap();
    std::fs::write(stage.join("books/a.book"), "restored").unwrap();
    std::fs::write(data.join("trilith.db-wal"), "the log of another file").unwrap();
    std::fs::write(data.join(".restore.ready"), "before-restore-1\n").unwrap();
    let server = Server::start(&data);
    game.check(&mut Client::connect(&server.address).unwrap()).unwrap();
    assert_eq!(std::fs::read_to_string(data.join("books/a.book")).unwrap(), "restored");
    assert_eq!(std::fs::read_to_string(data.join("before-restore-1/books/a.book")).unwrap(), "new");
    assert!(data.join("before-restore-1/trilith.db-wal").exists() && !data.join(".restore.ready").exists());
}

/// Sends a signal and waits until the process has ended.
fn stop(mut server: Server, signal: &str) {
    let told = Command::new("kill").args([signal, &server.process.id().to_string()]).status().unwrap();
    assert!(told.success());
    let start = Instant::now();
    while server.process.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(30), "it does not stop");
        thread::sleep(Duration::from_millis(10));
    }
    assert!(signal == "-KILL" || server.process.wait().unwrap().success());
}

#[test]
fn it_stops_cleanly_when_told_to_and_training_keeps_what_it_has_done() {
    for signal in ["-INT", "-TERM"] {
        let data = folder(&format!("stop{signal}"));
        let server = Server::start(&data);
        let mut client = Client::connect(&server.address).unwrap();
        let config = "kind = \"outcomes\"\ngame = \"othello\"\ncheckpoint = 3600.0\n[parameters]\ngames = 1000000\nyardstick_games = 2\n";
        let (status, said) =
            client.ask("POST", "/api/learn/runs", "", &json!({ "name": "long", "config": config })).unwrap();
        assert_eq!(status, 201, "{said}");
        let progress = |client: &mut Client| {
            client.ask("GET", "/api/learn/runs/long", "", &Value::Null).unwrap().1["progress"]["games"]
                .as_u64()
        };
        let start = Instant::now();
        while progress(&mut client).unwrap_or(0) < 20 {
            assert!(start.elapsed() < Duration::from_secs(60), "it does not train");
            thread::sleep(Duration::from_millis(20));
        }
        stop(server, signal);
        assert!(!data.join("trilith.db-wal").exists());
        let server = Server::start(&data);
        let mut client = Client::connect(&server.address).unwrap();
        let (status, said) = client.ask("POST", "/api/learn/runs/long/resume", "", &json!({})).unwrap();
        assert_eq!(status, 200, "{said}");
        let start = Instant::now();
        while progress(&mut client).is_none() {
            assert!(start.elapsed() < Duration::from_secs(60), "it does not go on");
            thread::sleep(Duration::from_millis(20));
        }
        assert!(progress(&mut client).unwrap() >= 20, "it goes on where it was");
    }
}

#[test]
fn administrators_list_mute_remove_and_export() {
    let data = folder("admin");
    let server = Server::start(&data);
    let mut client = Client::connect(&server.address).unwrap();
    let mut account = |name: &str| {
        let (_, account) = client.ask("POST", "/api/accounts", "", &json!({ "name": name })).unwrap();
        account["token"].as_str().unwrap().to_owned()
    };
    let (anna, bert) = (account("Anna"), account("Bert"));
    let game = Game::open(&mut client, "othello").unwrap();
    let admin =
        |arguments: &[&str]| trilith(&[&["admin", "--data", data.to_str().unwrap()], arguments].concat());
    assert!(text(&admin(&["accounts"])).contains("Anna"));
    hold("admin accounts", &text(&admin(&["accounts", "--json"])));
    hold("admin tables", &text(&admin(&["tables", "--json"])));
    text(&admin(&["mute", "anna"]));
    assert!(text(&admin(&["accounts"])).contains("muted"));
    let wait = Instant::now();
    let challenge = json!({ "game": "othello" });
    while client.ask("POST", "/api/challenges", &anna, &challenge).unwrap().0 != 403 {
        assert!(wait.elapsed() < Duration::from_secs(10), "a muted account is heard");
        thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(client.ask("POST", "/api/challenges", &bert, &challenge).unwrap().0, 201);
    let id = game.path.rsplit('/').next().unwrap();
    assert!(text(&admin(&["tables"])).contains(id));
    let file = data.join("all.jsonl");
    text(&admin(&["export", file.to_str().unwrap()]));
    let exported = std::fs::read_to_string(&file).unwrap();
    assert!(
        exported.contains("\"anna\"") && exported.contains(id) && exported.lines().count() == 3,
        "{exported}"
    );
    for secret in [&anna, &bert, &game.token] {
        assert!(
            !exported.contains(secret)
                && !exported.contains(&blake3::hash(secret.as_bytes()).to_hex().to_string())
        );
    }
    text(&admin(&["remove-table", id]));
    text(&admin(&["remove-account", "anna"]));
    assert!(!text(&admin(&["accounts"])).contains("Anna") && !text(&admin(&["tables"])).contains(id));
    let none = admin(&["mute", "anna"]);
    assert!(!none.status.success() && String::from_utf8_lossy(&none.stderr).contains("no account `anna`"));
    assert!(text(&admin(&["key"])).starts_with("k_"));
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
