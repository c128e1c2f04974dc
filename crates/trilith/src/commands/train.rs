//! `trilith train`: carries out a training run.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::json;
use trilith_learn::run::database::Place;
use trilith_learn::run::grid::{self, Grid, GridOptions};
use trilith_learn::run::{
    self, Folder, KINDS, LearnerKind, RunConfig, RunEnd, RunError, RunOptions, RunStatus,
};

use crate::output::JsonArgs;
use crate::{queue, stop};

/// Learn from games, as a run file says
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith train configs/outcomes.toml\n  \
    trilith train configs/outcomes.toml --resume --threads 2\n  \
    trilith train --grid configs/risk-grid.toml --threads 2\n  \
    trilith train --list\n  \
    trilith train --weights 500 --folder RUN --out p500.safetensors\n\n\
    The run's folder holds config, log, curves, checkpoints and, in the end, artifact.safetensors. Ctrl-C stops after \
    the step at hand; --resume goes on where a stopped or killed run was. A grid is a run file with lists of values: one \
    run for each combination, and grid.csv with what came of them; run the command again to go on.")]
pub struct Args {
    /// The run file
    #[arg(required_unless_present_any = ["list", "weights", "grid"])]
    run: Option<PathBuf>,
    /// Go on with the run in the folder
    #[arg(long)]
    resume: bool,
    /// Where the run lives [default: runs/NAME in $TRILITH_HOME or the user's data folder, NAME of the run file]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Threads that work, instead of the run file's; 0 for all cores. In a grid: runs at the same time
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Do all runs of a grid
    #[arg(long, value_name = "FILE", conflicts_with_all = ["run", "resume", "weights", "list"])]
    grid: Option<PathBuf>,
    /// Let the workers of this queue do the runs of the grid, such as nats://127.0.0.1:4222
    #[arg(long, value_name = "URL", requires = "grid", conflicts_with = "threads")]
    queue: Option<String>,
    /// List what can be trained
    #[arg(long)]
    list: bool,
    /// Write weights that the run in FOLDER kept, those after game N, to OUT
    #[arg(long, value_name = "N", requires = "folder", requires = "out", conflicts_with_all = ["run", "resume"])]
    weights: Option<u32>,
    /// Of which experiment, from 1
    #[arg(long, value_name = "K", default_value_t = 1, requires = "weights")]
    series: u32,
    /// The file for --weights
    #[arg(long, value_name = "FILE", requires = "weights")]
    out: Option<PathBuf>,
    /// The most mebibytes it may take; it ends when it asks for more
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(64..))]
    memory: Option<u64>,
    /// Say how far it is in JSON, and stop with a checkpoint when the input ends: for programs that train
    #[arg(long, hide = true, requires = "run")]
    attended: bool,
    #[command(flatten)]
    json: JsonArgs,
}

/// Does what was asked.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if let (Some(number), Some(folder), Some(out)) = (args.weights, &args.folder, &args.out) {
        let artifact = run::extract(folder, Place { series: args.series, number }, REVISION)?;
        let shown = out.display().to_string();
        artifact.save(out).with_context(|| shown.clone())?;
        if args.json.json {
            println!("{}", json!({ "folder": folder.display().to_string(), "artifact": shown }));
        }
        return Ok(());
    }
    if let Some(path) = &args.grid {
        return run_grid(args, path);
    }
    let Some(path) = args.run.as_deref().filter(|_| !args.list) else {
        list(args.json);
        return Ok(());
    };
    let named = || path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(named)?;
    let config = RunConfig::parse(&text).with_context(named)?;
    let folder = args.folder.clone().unwrap_or_else(|| Folder::usual(&stem(path)));
    let stop = stop::on_interrupt();
    args.memory.map_or(Ok(()), limit)?;
    if args.attended {
        // If the system runs out of memory, better this process than the one that began it; only Linux can be told.
        let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
        stop_with_input(Arc::clone(&stop));
    }
    let options = RunOptions {
        folder: &folder,
        base: path.parent().unwrap_or(Path::new("")),
        resume: args.resume,
        threads: args.threads,
        revision: REVISION,
        stop: &stop,
    };
    if args.attended {
        return attended(&config, &options).with_context(named);
    }
    let mut line = ProgressLine::new();
    let ended = run::train(&config, &options, |status| line.show(status));
    line.end();
    match ended.with_context(named)? {
        RunEnd::Stopped => bail!("stopped; `trilith train {} --resume` goes on", path.display()),
        RunEnd::Finished(artifact) => {
            let file = folder.join(Folder::ARTIFACT).display().to_string();
            let is_strength = |key: &String| key.starts_with("strength");
            let strength: BTreeMap<_, _> =
                artifact.header.provenance.into_iter().filter(|(key, _)| is_strength(key)).collect();
            let words = strength.iter().map(|(key, text)| format!("\n{key}: {text}")).collect::<String>();
            let (run, folder) = (path.display().to_string(), folder.display().to_string());
            let result = json!({ "run": run, "folder": folder, "artifact": file, "strength": strength });
            args.json.print(&result, format_args!("{file}{words}"));
            Ok(())
        }
    }
}

const REVISION: &str = env!("TRILITH_REVISION");

/// Lets the process have no more memory than so many mebibytes.
#[cfg(unix)]
fn limit(mebibytes: u64) -> anyhow::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let bytes = Some(mebibytes << 20);
    setrlimit(Resource::Data, Rlimit { current: bytes, maximum: bytes }).context("--memory")
}

#[cfg(not(unix))]
fn limit(_: u64) -> anyhow::Result<()> {
    bail!("--memory: this system has no such limit")
}

/// Stops when whoever began this has closed the input, or has died.
fn stop_with_input(stop: Arc<AtomicBool>) {
    std::thread::spawn(move || {
        // An input that cannot be read has ended too.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        stop.store(true, Relaxed);
    });
}

/// Trains and says how far it is, a line of JSON at a time: at once if something was measured, else now and then.
fn attended(config: &RunConfig, options: &RunOptions) -> Result<(), RunError> {
    let mut said: Option<Instant> = None;
    let mut measured = Vec::new();
    let ended = run::train(config, options, |status| {
        let is_new = measured != status.measures;
        if is_new || said.is_none_or(|said| said.elapsed() >= PAUSE) {
            said = Some(Instant::now());
            measured = status.measures.to_vec();
            say(status);
        }
    })?;
    let ended = if matches!(ended, RunEnd::Finished(_)) { "finished" } else { "stopped" };
    say(&serde_json::json!({ "ended": ended }));
    Ok(())
}

/// A line for whoever attends. One that has died hears nothing, and the checkpoint is made all the same.
fn say(what: &impl serde::Serialize) {
    if let Ok(line) = serde_json::to_string(what) {
        let mut output = io::stdout().lock();
        let _ = writeln!(output, "{line}").and_then(|()| output.flush());
    }
}

fn run_grid(args: &Args, path: &Path) -> anyhow::Result<()> {
    let named = || path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(named)?;
    let grid = Grid::parse(&text).with_context(named)?;
    let folder = args.folder.clone().unwrap_or_else(|| Folder::usual(&stem(path)));
    let threads = match args.threads.unwrap_or(1) {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let workers = queue::workers(args.queue.as_deref(), threads)?;
    let stop = stop::on_interrupt();
    let options = GridOptions {
        folder: &folder,
        base: path.parent().unwrap_or(Path::new("")),
        revision: REVISION,
        workers: &workers,
        stop: &stop,
    };
    let is_done = grid::train_grid(&grid, &options, |there, all| eprintln!("{there} of {all} runs"));
    if !is_done.with_context(named)? {
        bail!("stopped; the same command goes on");
    }
    let table = folder.join("grid.csv").display().to_string();
    args.json.print(&json!({ "grid": path.display().to_string(), "table": table }), &table);
    Ok(())
}

fn list(json: JsonArgs) {
    let line = |kind: &LearnerKind| format!("{:20} {} ({})", kind.name, kind.about, kind.games.join(", "));
    let object = |kind: &LearnerKind| json!({ "name": kind.name, "about": kind.about, "games": kind.games });
    let result = json!({ "learners": KINDS.iter().map(object).collect::<Vec<_>>() });
    json.print(&result, KINDS.iter().map(line).collect::<Vec<_>>().join("\n"));
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// One line that is written over; nothing where nobody looks.
struct ProgressLine {
    terminal: bool,
    shown: Option<Instant>,
}

const PAUSE: Duration = Duration::from_millis(250);

impl ProgressLine {
    fn new() -> ProgressLine {
        ProgressLine { terminal: io::stderr().is_terminal(), shown: None }
    }

    fn show(&mut self, status: &RunStatus) {
        if !self.terminal || self.shown.is_some_and(|shown| shown.elapsed() < PAUSE) {
            return;
        }
        self.shown = Some(Instant::now());
        let mut text = format!(
            "{:5.1}% {} games, {:.0} games/s, {:.0} positions/s",
            100.0 * status.done,
            status.games,
            status.games_per_second,
            status.positions_per_second
        );
        if let Some(loss) = status.loss {
            text += &format!(", loss {loss:.4}");
        }
        if let Some((_, strength)) = status.measures.iter().find(|(name, _)| *name == "strength") {
            text += &format!(", strength {strength:.2}");
        }
        if let Some(left) = status.remaining {
            text += &format!(", {left:.0} s to go");
        }
        eprint!("\r{text:110}");
        io::stderr().flush().ok();
    }

    fn end(&self) {
        if self.shown.is_some() {
            eprintln!();
        }
    }
}
