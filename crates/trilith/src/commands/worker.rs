//! `trilith worker`: does jobs that other commands have put into a queue.

use std::path::PathBuf;
use std::time::Duration;

use trilith_arena::player::{self, Permission};
use trilith_queue::{Access, CA_VARIABLE, JobBounds, KEY_VARIABLE, USUAL_LEASE, Worker};

use crate::{queue, stop};

/// Do jobs that commands with --queue have put into a queue, until Ctrl-C
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    nats-server -js -sd /var/lib/trilith -a 127.0.0.1\n  \
    trilith worker --queue nats://127.0.0.1:4222 --threads 8\n  \
    trilith worker --queue tls://worker:password@queue.example.org --key queue.key --external 'edax -gtp'\n  \
    trilith match othello --a engine --b minimax:depth=4 --games 1000 --depth 6 --queue nats://127.0.0.1:4222\n\n\
    Any number of workers, on any number of machines. Files that players name must be there on each of them. The jobs\n  \
    of a worker that is killed are done by others; Ctrl-C hands them back at once. A worker starts no programs for\n  \
    others but those named with --external, and writes no files for them.")]
pub struct Args {
    /// The queue's address
    #[arg(long, value_name = "URL")]
    queue: String,
    /// What those who watch a tournament know this worker by [default: the machine's name and the process]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Jobs at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Seconds without a sign of life after which a worker's job goes to another
    #[arg(long, value_name = "S", default_value_t = USUAL_LEASE.as_secs(), value_parser = clap::value_parser!(u64).range(1..))]
    lease: u64,
    /// The file with the key that jobs and answers are sealed with; a queue on another machine needs one
    #[arg(long, value_name = "FILE", env = KEY_VARIABLE)]
    key: Option<PathBuf>,
    /// Certificates to believe besides the system's, for tls:// addresses
    #[arg(long, value_name = "FILE", env = CA_VARIABLE)]
    ca: Option<PathBuf>,
    /// A command that players `external` may run, word for word; may be given often [default: none]
    #[arg(long, value_name = "COMMAND")]
    external: Vec<String>,
    /// The most mebibytes a player may ask for its transposition table
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    hash: u64,
    /// The most seconds a job may take
    #[arg(long, value_name = "S", default_value_t = JobBounds::default().time.as_secs(), value_parser = clap::value_parser!(u64).range(1..))]
    job_time: u64,
}

/// Works until it is interrupted.
pub fn run(args: &Args) -> anyhow::Result<()> {
    player::restrict(Permission { commands: args.external.clone(), hash: args.hash });
    let access = Access::new(&args.queue, args.key.as_deref(), args.ca.clone())?;
    let bounds = JobBounds { time: Duration::from_secs(args.job_time), ..JobBounds::default() };
    let name = args.name.clone().unwrap_or_else(usual_name);
    let worker = Worker::connect(&access, &name, Duration::from_secs(args.lease), bounds)?;
    let stop = stop::on_interrupt();
    eprintln!("{name}: waiting for jobs on {} threads", args.threads);
    let done = worker.work(&queue::skills(), args.threads, &stop, &|trouble| eprintln!("{trouble}"));
    println!("{done} jobs done");
    Ok(())
}

/// The machine and the process, such as `bench-4711`.
fn usual_name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let host = host.or_else(|| std::env::var("HOSTNAME").ok()).or_else(|| std::env::var("COMPUTERNAME").ok());
    let host = host.as_deref().map_or("worker", str::trim);
    format!("{host}-{}", std::process::id())
}
