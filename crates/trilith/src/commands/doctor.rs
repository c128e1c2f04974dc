//! `trilith doctor`: looks at everything that a server needs, and says what to do about what is wrong.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use serde::Serialize;
use trilith_base::{Artifact, files};
use trilith_server::{Administration, Config, StorePlace};

use super::tablebase;

/// Check home, database, tables, artifacts, space, limits, queue and server, and say what to do
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith doctor\n  \
    trilith doctor --data /var/lib/trilith --queue nats://127.0.0.1:4222\n  \
    trilith doctor --server http://127.0.0.1:4680\n\n\
    With --server only the running server is asked, as health checks do. The exit code is 1 if anything is wrong.")]
pub struct Args {
    /// Where the web app keeps its games [default: $TRILITH_HOME, or the usual place for a program's data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// A PostgreSQL database instead of the embedded one
    #[arg(long, value_name = "URL", env = "TRILITH_DATABASE_URL", hide_env_values = true)]
    database_url: Option<String>,
    /// A queue to ask, too
    #[arg(long, value_name = "URL")]
    queue: Option<String>,
    /// A running server to ask, and nothing else
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Finding {
    what: &'static str,
    ok: bool,
    found: String,
    /// What to do about it.
    advice: String,
}

impl Finding {
    fn good(what: &'static str, found: impl Into<String>) -> Finding {
        Finding { what, ok: true, found: found.into(), advice: String::new() }
    }

    fn bad(what: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding { what, ok: false, found: found.into(), advice: advice.into() }
    }
}

/// Looks and tells.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let data = args.data.clone().unwrap_or_else(files::home);
    let findings = match &args.server {
        Some(server) => vec![running(server)],
        None => {
            let config = Config {
                data: Some(data.clone()),
                database_url: args.database_url.clone(),
                ..Config::default()
            };
            let mut all = vec![home(&data), database(&config.place()), space(&data), artifacts(&data)];
            all.extend([tables(), limits()]);
            all.extend(args.queue.as_deref().map(queue));
            all
        }
    };
    for Finding { what, ok, found, advice } in &findings {
        if args.json {
            continue;
        }
        println!("{} {what:<10} {found}", if *ok { "ok " } else { "BAD" });
        if !advice.is_empty() {
            println!("    {:<10} {advice}", "");
        }
    }
    if args.json {
        println!("{}", serde_json::to_string(&findings)?);
    }
    match findings.iter().filter(|finding| !finding.ok).count() {
        0 => Ok(()),
        count => bail!(std::io::Error::other(format!("{count} of {} are not well", findings.len()))),
    }
}

fn home(data: &Path) -> Finding {
    let shown = data.display().to_string();
    if data.join(".restore.ready").exists() {
        return Finding::bad("home", shown, "a backup is half in place: starting the server ends that");
    }
    let probe = data.join(".doctor");
    let tried = fs::create_dir_all(data).and_then(|()| files::write_whole(&probe, b"x"));
    let _ = fs::remove_file(&probe);
    match tried {
        Ok(()) => Finding::good("home", shown),
        Err(error) => Finding::bad(
            "home",
            format!("{shown}: {error}"),
            "give the folder to the user that runs the server, or name another with --data",
        ),
    }
}

fn database(place: &StorePlace) -> Finding {
    if let StorePlace::File(path) = place
        && !path.exists()
    {
        return Finding::good("database", "none yet: the first start makes it");
    }
    let looked = Administration::open(place).and_then(|mut database| database.examine());
    match looked {
        Ok(found) if found.lost_events > 0 => Finding::bad(
            "database",
            format!("{} events stand after a gap in their game", found.lost_events),
            "they are kept in `events_lost`; the games go on from before the gap",
        ),
        Ok(found) => Finding::good(
            "database",
            format!("version {}, {} tables, {} accounts", found.version, found.tables, found.accounts),
        ),
        Err(error) => {
            Finding::bad("database", error.to_string(), "`trilith restore FILE` puts a backup in its place")
        }
    }
}

/// Bytes that should be free: a day of games, and a backup beside them.
const SPACE: u64 = 1 << 30;

#[cfg(unix)]
fn space(data: &Path) -> Finding {
    let Ok(found) = rustix::fs::statvfs(data) else {
        return Finding::bad("space", "unknown", "the folder cannot be looked at");
    };
    let free = found.f_bavail * found.f_frsize;
    let shown = format!("{} MiB free", free >> 20);
    match free >= SPACE && (found.f_favail != 0 || found.f_files == 0) {
        true => Finding::good("space", shown),
        false => Finding::bad("space", shown, "a full disk stops all games: expected a gibibyte at least"),
    }
}

#[cfg(not(unix))]
fn space(_: &Path) -> Finding {
    Finding::good("space", "not looked at on this system")
}

/// What was learned here must be readable.
fn artifacts(data: &Path) -> Finding {
    let inside = |folder: &str| fs::read_dir(data.join(folder)).into_iter().flatten().flatten();
    let runs = inside("runs").map(|run| run.path().join("artifact.safetensors")).filter(|path| path.exists());
    let made = inside("heuristics").map(|entry| entry.path());
    let made = made.filter(|path| path.extension().is_some_and(|ending| ending == "safetensors"));
    let mut count = 0;
    for path in runs.chain(made) {
        count += 1;
        if let Err(error) = Artifact::load(&path) {
            let advice = "remove it, or put it back from a backup";
            return Finding::bad("artifacts", format!("{}: {error}", path.display()), advice);
        }
    }
    Finding::good("artifacts", format!("{count} learned here, all readable"))
}

fn tables() -> Finding {
    Finding::good("tables", tablebase::found())
}

/// Files that a server with many connections needs.
#[cfg(unix)]
fn limits() -> Finding {
    const LEAST: u64 = 4096;
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    match limit.current {
        Some(files) if files < LEAST => Finding::bad(
            "files",
            format!("{files} open files at most"),
            format!("each connection is one: `ulimit -n {LEAST}`, or LimitNOFILE in the systemd unit"),
        ),
        Some(files) => Finding::good("files", format!("{files} open files at most")),
        None => Finding::good("files", "any number of open files"),
    }
}

#[cfg(not(unix))]
fn limits() -> Finding {
    Finding::good("files", "not looked at on this system")
}

fn queue(address: &str) -> Finding {
    match crate::queue::connect(address) {
        Ok(_) => Finding::good("queue", "answers, with its streams"),
        Err(error) => {
            Finding::bad("queue", format!("{error}: {}", error.source), "docs/queue.md says how to start one")
        }
    }
}

/// Asks `/ready` as a health check would.
fn running(server: &str) -> Finding {
    const PATIENCE: Duration = Duration::from_secs(5);
    let host = server.trim_start_matches("http://").trim_end_matches('/');
    let ask = || -> std::io::Result<String> {
        let address = host.to_socket_addrs()?.next().ok_or(std::io::ErrorKind::NotFound)?;
        let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let request = format!("GET /ready HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes())?;
        let mut answer = String::new();
        stream.take(1 << 16).read_to_string(&mut answer)?;
        Ok(answer)
    };
    match ask() {
        Ok(answer) if answer.starts_with("HTTP/1.1 200") => Finding::good("server", "ready"),
        Ok(answer) => {
            let said = answer.split("\r\n\r\n").nth(1).unwrap_or("it does not answer as expected").to_owned();
            Finding::bad("server", said, "`trilith doctor` on its machine says more")
        }
        Err(error) => {
            Finding::bad("server", format!("{host}: {error}"), "is it running, and is this its address?")
        }
    }
}
