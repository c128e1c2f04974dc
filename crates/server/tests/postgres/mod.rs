//! A real PostgreSQL of the test's own: a folder, a port, a process that ends with the test.

#![allow(dead_code, reason = "each test uses a part")]

use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub struct Postgres {
    folder: PathBuf,
    port: u16,
    process: Option<Child>,
}

/// Debian keeps the programs of the server out of the path.
fn programs() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    folders.sort();
    let folder = folders.into_iter().rfind(|folder| folder.join("initdb").exists());
    folder.expect("PostgreSQL is not installed: ./test installs it")
}

fn number(what: &str, user: &str) -> Option<u32> {
    let said = Command::new("id").args([what, user]).output().ok()?;
    String::from_utf8(said.stdout).ok()?.trim().parse().ok()
}

/// PostgreSQL refuses to run as root; then it runs as its own user, or as nobody.
fn command(program: &str) -> Command {
    let mut command = Command::new(programs().join(program));
    command.current_dir("/").stdout(Stdio::null()).stderr(Stdio::null());
    let is_root = number("-u", "root") == Some(0)
        && std::fs::metadata("/proc/self").is_ok_and(|own| {
            use std::os::unix::fs::MetadataExt;
            own.uid() == 0
        });
    if is_root {
        let user = if number("-u", "postgres").is_some() { "postgres" } else { "nobody" };
        command.uid(number("-u", user).unwrap()).gid(number("-g", user).unwrap());
    }
    command
}

fn give_away(folder: &Path) {
    for user in ["postgres", "nobody"] {
        if Command::new("chown").arg(user).arg(folder).status().is_ok_and(|done| done.success()) {
            return;
        }
    }
}

impl Postgres {
    pub fn start(name: &str) -> Postgres {
        let folder = std::env::temp_dir().join(format!("trilith-postgres-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        give_away(&folder);
        let made = command("initdb")
            .args(["--auth=trust", "--username=trilith", "--encoding=UTF8", "--locale=C", "--no-sync", "-D"])
            .arg(folder.join("data"))
            .status();
        assert!(made.unwrap().success(), "initdb");
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut postgres = Postgres { folder, port, process: None };
        postgres.run();
        postgres
    }

    /// Starts the process and waits until it answers.
    pub fn run(&mut self) {
        let process = command("postgres")
            .args(["-c", "listen_addresses=127.0.0.1", "-p", &self.port.to_string(), "-k"])
            .arg(&self.folder)
            .arg("-D")
            .arg(self.folder.join("data"))
            .spawn();
        self.process = Some(process.unwrap());
        let start = Instant::now();
        let port = self.port.to_string();
        let is_ready = || {
            let asked = command("pg_isready").args(["-h", "127.0.0.1", "-p", &port]).status();
            asked.is_ok_and(|answer| answer.success())
        };
        while !is_ready() {
            assert!(start.elapsed() < Duration::from_secs(60), "PostgreSQL does not start");
            std::thread::sleep(Duration::from_millis(50));
        }
        TcpStream::connect(("127.0.0.1", self.port)).unwrap();
    }

    /// As a crash would end it, but for the shared memory: its children notice and go too.
    pub fn crash(&mut self) {
        self.signal("-QUIT");
    }

    fn signal(&mut self, signal: &str) {
        if let Some(mut process) = self.process.take() {
            let _ = Command::new("kill").args([signal, &process.id().to_string()]).status();
            let _ = process.wait();
        }
    }

    pub fn url(&self) -> String {
        format!("postgres://trilith@127.0.0.1:{}/postgres", self.port)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.signal("-INT");
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
