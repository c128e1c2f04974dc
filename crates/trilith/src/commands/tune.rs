//! `trilith tune`: numbers of a player, moved by matches of it against itself.

use std::path::PathBuf;

use anyhow::Context;
use trilith_arena::tune::{TuneSettings, TuneState};

use crate::output::ProgressLine;
use crate::{queue, stop};

/// Tune numbers of a player by matches against itself (SPSA)
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    trilith tune tuning/abalone.toml --out abalone.json --threads 2\n\n\
    The file says what is played and which numbers are moved; see tuning/abalone.toml. The run is kept in --out\n\
    after each step; the same command goes on after whatever happened. With --queue the games are played by\n\
    `trilith worker` processes.")]
pub struct Args {
    /// What to tune, as TOML
    settings: PathBuf,
    /// Where the run is kept
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Let the workers of this queue play, such as nats://127.0.0.1:4222
    #[arg(long, value_name = "URL", conflicts_with = "threads")]
    queue: Option<String>,
    /// Print the run as one JSON object at the end
    #[arg(long)]
    json: bool,
}

/// Tunes and prints.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let name = || args.settings.display().to_string();
    let text = std::fs::read_to_string(&args.settings).with_context(name)?;
    let settings = TuneSettings::parse(&text).with_context(name)?;
    let mut state = TuneState::open(&args.out, settings)?;
    let stop = stop::on_interrupt();
    let workers = queue::workers(args.queue.as_deref(), args.threads)?;
    let mut line = ProgressLine::new();
    state.run(&workers, &stop, |state, rate| {
        line.show(|| format!("step {}/{}  {:.0}%", state.done, state.settings.steps, rate * 100.0));
        state.save(&args.out)
    })?;
    line.clear();
    match args.json {
        true => println!("{}", serde_json::to_string(&state)?),
        false => print(&state),
    }
    Ok(())
}

fn print(state: &TuneState) {
    println!("{} of {} steps", state.done, state.settings.steps);
    println!("{:36} {:>10} {:>10} {:>10}", "number", "began", "now", "mean");
    for ((number, now), mean) in state.settings.numbers.iter().zip(&state.values).zip(&state.mean) {
        println!("{:36} {:>10.4} {now:>10.4} {mean:>10.4}", number.name, number.value);
    }
}
