//! `trilith serve`, and `trilith` alone: the web app.

use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::task::Poll;

use anyhow::Context;
use clap::Parser;
use trilith_base::files;
use trilith_games::morris::Rules;
use trilith_server::{Config, Server};
use trilith_tablebase::{FIRST_STONES, default_folder, ensure};

/// Start the web app and print its address
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith\n  \
    trilith serve --address 127.0.0.1:8080\n  \
    trilith serve --address 0.0.0.0:4680 --host games.example.org --database-url postgres://trilith@localhost/trilith\n\n\
    It listens on loopback only, unless told otherwise, and stops on Ctrl-C. Games are kept in the data folder.")]
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
            ..Config::default()
        };
        let server = Server::bind(config).await.with_context(|| {
            format!(
                "cannot serve on {}: another program may be there, try `trilith serve --address 127.0.0.1:0`",
                args.address
            )
        })?;
        let stones = args.tables;
        std::thread::spawn(move || build_tables(stones));
        // The first look sets it up: who sees the address may stop the server at once.
        let mut told = Box::pin(tokio::signal::ctrl_c());
        if poll_fn(|context| Poll::Ready(told.as_mut().poll(context))).await.is_ready() {
            return Ok(());
        }
        println!("Trilith is at http://{}/ (Ctrl-C stops it)", server.address());
        server.run(async { told.await.unwrap_or(()) }).await.context("the server")
    })
}

/// Builds the tables that Morris is played with. Whoever needs some before they are there plays with those that are.
fn build_tables(stones: u32) {
    let rules = Rules::default();
    let folder = default_folder(&rules);
    // The smallest first: nobody waits for those, or for longer than a second.
    for stones in [stones.min(FIRST_STONES), stones] {
        if let Err(error) = ensure(&folder, &rules, stones) {
            let why = anyhow::Error::from(error);
            eprintln!("Morris is played without its tables of endgames, which cannot be built: {why:#}");
            eprintln!("(TRILITH_HOME names another folder for them)");
            return;
        }
    }
}

fn start_log(log: Log) {
    let lines = tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false);
    match log {
        Log::Json => lines.json().flatten_event(true).init(),
        Log::Text => lines.init(),
        Log::Off => lines.with_max_level(tracing_subscriber::filter::LevelFilter::WARN).init(),
    }
}
