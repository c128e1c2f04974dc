//! `trilith serve`, and `trilith` alone: the web app.

use std::future::{Future, poll_fn};
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::task::Poll;
use std::time::Duration;

use anyhow::Context;
use clap::Parser;
use trilith_base::files;
use trilith_server::{AddressRange, Config, ConnectionBounds, Rates, Server, TrainingProgram};

use crate::commands::tablebase;
use crate::stop;

/// Start the web app and print its address
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith\n  \
    trilith serve --address 127.0.0.1:8080\n  \
    trilith serve --address 0.0.0.0:4680 --host games.example.org --database-url postgres://trilith@localhost/trilith\n  \
    trilith serve --host games.example.org --trusted-proxy 127.0.0.1 --metrics-address 127.0.0.1:9468\n\n\
    It listens on loopback only, unless told otherwise, and stops on Ctrl-C or SIGTERM: what was acknowledged is on disk, and\n\
    training makes a checkpoint. Games are kept in the data folder. docs/server.md says how to run it for others.")]
pub struct Args {
    /// Where to listen; port 0 takes any free one
    #[arg(long, visible_alias = "addr", value_name = "IP:PORT", default_value_t = Config::default().address)]
    address: SocketAddr,
    /// A name under which it may be asked for, besides addresses and localhost; may be given often
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Where games, books and runs are kept [default: $TRILITH_HOME, or the usual place for a program's data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// A PostgreSQL database instead of the embedded one, as in postgres://user@host/database
    #[arg(long, value_name = "URL", env = "TRILITH_DATABASE_URL", hide_env_values = true)]
    database_url: Option<String>,
    /// A reverse proxy that is believed when it says for whom it asks, as an address or a network; may be given often
    #[arg(long, value_name = "IP[/BITS]")]
    trusted_proxy: Vec<AddressRange>,
    /// Let players write freely to each other; without it they have a few phrases
    #[arg(long)]
    chat: bool,
    /// Where the numbers for Prometheus are told, instead of at /metrics
    #[arg(long, value_name = "IP:PORT")]
    metrics_address: Option<SocketAddr>,
    /// Connections at the same time; each needs a file of the process
    #[arg(long, value_name = "N", default_value_t = Config::default().connections.all, value_parser = at_least_one)]
    max_connections: usize,
    /// Hours of engine time that one address or account has in a day; then its engines hardly think
    #[arg(long, value_name = "H", default_value_t = 6.0, value_parser = hours)]
    engine_hours: f64,
    /// The most mebibytes that a training run may take; it runs in a process of its own
    #[arg(long, value_name = "MIB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(64..))]
    training_memory: u64,
    /// How many engines think at the same time
    #[arg(long, value_name = "N", default_value_t = Config::default().max_engines, value_parser = at_least_one)]
    max_engines: usize,
    /// Stones up to which Morris tables are built in the background where they are missing: 10 take some 15 seconds, once
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=11))]
    tables: u32,
    /// A line for each request on the standard error: as text, as JSON, or none
    #[arg(long, value_enum, default_value_t = Log::Off)]
    log: Log,
}

/// How requests are logged.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Log {
    /// One JSON object a line
    Json,
    /// For people
    Text,
    /// Only what goes wrong, for people
    Off,
}

fn hours(text: &str) -> Result<f64, String> {
    let hours = text.parse().ok().filter(|hours| (0.0..=1e6).contains(hours));
    hours.ok_or_else(|| "expected hours from 0 on, such as 1.5".into())
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "expected a whole number from 1 on".into())
}

impl Default for Args {
    fn default() -> Args {
        #[derive(Parser)]
        struct Alone {
            #[command(flatten)]
            args: Args,
        }
        Alone::parse_from(["trilith"]).args
    }
}

/// Serves until Ctrl-C.
pub fn run(args: &Args) -> anyhow::Result<()> {
    start_log(args.log);
    let runtime = tokio::runtime::Runtime::new().context("the runtime of the server")?;
    runtime.block_on(async {
        let config = Config {
            address: args.address,
            hosts: args.host.clone(),
            data: Some(args.data.clone().unwrap_or_else(files::home)),
            database_url: args.database_url.clone(),
            max_engines: args.max_engines,
            trusted_proxies: args.trusted_proxy.clone(),
            chat: args.chat,
            metrics_address: args.metrics_address,
            trainer: Some(TrainingProgram {
                program: std::env::current_exe().context("the program that trains")?,
                memory: args.training_memory,
            }),
            connections: ConnectionBounds { all: args.max_connections, ..ConnectionBounds::default() },
            rates: Rates {
                engine_day: Duration::from_secs_f64(args.engine_hours * 3600.0),
                ..Rates::default()
            },
            ..Config::default()
        };
        let server = Server::bind(config).await.map_err(|error| match error.kind() {
            ErrorKind::AddrInUse | ErrorKind::AddrNotAvailable | ErrorKind::PermissionDenied => {
                let advice = "another program may be there, try `trilith serve --address 127.0.0.1:0`";
                anyhow::Error::new(error).context(format!("cannot serve on {}: {advice}", args.address))
            }
            _ => anyhow::Error::new(error).context("the server cannot start"),
        })?;
        let stones = args.tables;
        std::thread::spawn(move || tablebase::build_for_server(stones));
        // The first look sets it up: who sees the address may stop the server at once.
        let mut told = Box::pin(async {
            let _ = stop::told().await;
        });
        if poll_fn(|context| Poll::Ready(told.as_mut().poll(context))).await.is_ready() {
            return Ok(());
        }
        println!("Trilith is at http://{}/ (Ctrl-C stops it)", server.address());
        if let Some(address) = server.metrics_address() {
            println!("its numbers are at http://{address}/metrics");
        }
        server.run(told).await.context("the server")
    })
}

fn start_log(log: Log) {
    let lines = tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false);
    match log {
        Log::Json => lines.json().flatten_event(true).init(),
        Log::Text => lines.init(),
        Log::Off => lines.with_max_level(tracing_subscriber::filter::LevelFilter::WARN).init(),
    }
}
