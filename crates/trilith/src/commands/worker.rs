//! `trilith worker`: does jobs that other commands have put into a queue.

use std::time::Duration;

use trilith_queue::{USUAL_LEASE, Worker};

use crate::{queue, stop};

/// Do jobs that commands with --queue have put into a queue, until Ctrl-C
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    nats-server -js -sd /var/lib/trilith -a 127.0.0.1\n  \
    trilith worker --queue nats://127.0.0.1:4222 --threads 8\n  \
    trilith match othello --a engine --b minimax:depth=4 --games 1000 --depth 6 --queue nats://127.0.0.1:4222\n\n\
    Any number of workers, on any number of machines. Files that players name must be there on each of them. The jobs\n  \
    of a worker that is killed are done by others; Ctrl-C hands them back at once.")]
pub struct Args {
    /// The queue's address
    #[arg(long, value_name = "URL")]
    queue: String,
    /// Jobs at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Seconds without a sign of life after which a worker's job goes to another
    #[arg(long, value_name = "S", default_value_t = USUAL_LEASE.as_secs(), value_parser = clap::value_parser!(u64).range(1..))]
    lease: u64,
}

/// Works until it is interrupted.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let worker = Worker::connect(&args.queue, Duration::from_secs(args.lease))?;
    let stop = stop::on_interrupt();
    eprintln!("waiting for jobs on {} threads", args.threads);
    let done = worker.work(&queue::skills(), args.threads, &stop, &|trouble| eprintln!("{trouble}"));
    println!("{done} jobs done");
    Ok(())
}
