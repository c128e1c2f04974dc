//! `trilith tablebase`: builds, counts, checks and asks the endgame tables of Nine Men's Morris.

mod lessons;
mod probe;
mod prove;
mod sample;
mod server;
mod stats;

pub use server::{build_for_server, found};

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Subcommand;
use trilith_base::Seed;
use trilith_games::Game;
use trilith_games::morris::{Morris, Position, Rules};
use trilith_tablebase::verify::{self, Extent};
use trilith_tablebase::{
    BuildPlan, BuildProgress, Subspace, TableMode, Tables, answer, build, default_folder, ensure,
};

/// Build and ask the endgame tables of Nine Men's Morris
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith tablebase build morris --stones 8\n  \
    trilith tablebase build morris --stones 18 --mode wdl --memory 6G\n  \
    trilith tablebase stats morris --rules thesis --histogram\n  \
    trilith tablebase verify morris --stones 7\n  \
    trilith tablebase probe morris --position \"www/bbb/3/6/3/3/3 w 0 0\"\n  \
    trilith tablebase probe morris --positions many.txt --json\n  \
    trilith tablebase line morris --position \"www/bbb/3/6/3/3/3 w 0 0\"\n  \
    trilith tablebase prove morris --plies 2\n  \
    trilith tablebase lessons morris --games games.txt --out placing.proved\n  \
    trilith tablebase sample morris --subspace 6-5 --count 500 > draws.txt\n\n\
    Values are for best play when nobody counts repetitions or quiet plies.")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Solve all positions with up to N stones; goes on where a stopped build was
    Build(Build),
    /// Show what was built, in numbers
    Stats(stats::TablebaseStatsArgs),
    /// Derive entries again from their successors
    Verify(Verify),
    /// Show the value of a position and of every move
    Probe(probe::TablebaseProbeArgs),
    /// Show best play of both sides
    Line(Line),
    /// Solve the placing phase by search, down to the complete tables; goes on where a stopped proof was
    Prove(prove::ProveArgs),
    /// Prove what could have been played in games, for the engine to know: its book of what loses
    Lessons(lessons::LessonsArgs),
    /// Print positions by lot: drawn ones are fair openings for matches
    Sample(sample::SampleArgs),
}

/// Which tables.
#[derive(clap::Args)]
struct Which {
    /// morris
    game: String,
    /// `standard`, `thesis` or switches such as `standard,flying=off`
    #[arg(long, value_name = "RULES", default_value = "")]
    rules: String,
    /// Where the tables are [default: tablebases/morris-RULES in $TRILITH_HOME or the user's data folder]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct Build {
    #[command(flatten)]
    which: Which,
    /// Stones of both sides together, 6 to 18
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(6..=18))]
    stones: u32,
    /// `distance` (plies to the end) or `wdl` (win, draw, loss)
    #[arg(long, default_value_t = TableMode::Distance)]
    mode: TableMode,
    /// Memory for the tables being solved, such as `512M` or `6G`; what does not fit goes to disk
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = parse_size)]
    memory: u64,
    /// Threads at work at once [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,
}

#[derive(clap::Args)]
struct Verify {
    #[command(flatten)]
    which: Which,
    /// Only tables with at most so many stones
    #[arg(long, value_name = "N", default_value_t = 18)]
    stones: u32,
    /// Only this table, such as `5-3`
    #[arg(long, value_name = "A-B")]
    subspace: Option<Subspace>,
    /// So many entries of each table by lot, instead of all
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
    /// Where the lot comes from
    #[arg(long, value_name = "N", default_value_t = Seed(1))]
    seed: Seed,
    /// Unpack all tables first: 2.6 GB of memory for the complete set, but many times faster
    #[arg(long)]
    unpack: bool,
    /// Threads at work at once [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,
}

#[derive(clap::Args)]
struct Ask {
    #[command(flatten)]
    which: Which,
    /// Stones by rows, side to move, stones in hand: `www/bbb/3/6/3/3/3 w 0 0`
    #[arg(long, value_name = "POSITION")]
    position: String,
}

#[derive(clap::Args)]
struct Line {
    #[command(flatten)]
    ask: Ask,
    /// The longest line to show
    #[arg(long, value_name = "N", default_value_t = 200)]
    plies: usize,
}

/// Does what is asked and prints.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Build(args) => args.run(),
        Command::Stats(args) => args.run(),
        Command::Verify(args) => args.run(),
        Command::Probe(args) => args.run(),
        Command::Line(args) => args.run(),
        Command::Prove(args) => args.run(),
        Command::Lessons(args) => args.run(),
        Command::Sample(args) => args.run(),
    }
}

fn parse_size(text: &str) -> Result<u64, String> {
    let fault = || format!("`{text}` is not a size: expected a number of bytes, or one with K, M or G");
    let digits = text.trim_end_matches("iB").trim_end_matches('B');
    let (digits, shift) = match digits.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&digits[..at], 10),
        Some((at, 'm' | 'M')) => (&digits[..at], 20),
        Some((at, 'g' | 'G')) => (&digits[..at], 30),
        _ => (digits, 0),
    };
    let number: u64 = digits.trim().parse().map_err(|_| fault())?;
    number.checked_mul(1 << shift).ok_or_else(fault)
}

fn threads(given: Option<u64>) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, |threads| threads.get());
    given.map_or_else(all, |threads| threads as usize)
}

impl Which {
    fn game(&self) -> anyhow::Result<Morris> {
        if self.game != Morris::NAME {
            bail!("no tables for `{}`: expected `{}`", self.game, Morris::NAME);
        }
        Ok(Morris::new(self.rules.parse::<Rules>().context("--rules")?))
    }

    fn folder(&self, game: &Morris) -> PathBuf {
        self.folder.clone().unwrap_or_else(|| default_folder(game.rules()))
    }

    fn open(&self) -> anyhow::Result<(Morris, Tables)> {
        let game = self.game()?;
        let tables = Tables::open(&self.folder(&game), game.rules())?;
        if tables.iter().next().is_none() {
            let (folder, rules) = (self.folder(&game), game.rules());
            bail!(
                "no tables in {}; `trilith tablebase build morris --rules {rules}` makes them",
                folder.display()
            );
        }
        Ok((game, tables))
    }
}

impl Build {
    fn run(&self) -> anyhow::Result<()> {
        let game = self.which.game()?;
        let folder = self.which.folder(&game);
        let plan = BuildPlan {
            stones: self.stones,
            mode: self.mode,
            threads: threads(self.threads),
            memory: self.memory,
        };
        let mut bar = Bar { shown: io::stderr().is_terminal(), last: String::new() };
        build(&folder, game.rules(), &plan, |progress| bar.show(progress))?;
        bar.clear();
        if self.which.json {
            return stats::print(&self.which, false);
        }
        println!("{}", folder.display());
        Ok(())
    }
}

/// The line that says how far a build has come; only on a terminal.
struct Bar {
    shown: bool,
    last: String,
}

impl Bar {
    fn show(&mut self, progress: &BuildProgress) {
        let done = 100.0 * progress.done as f64 / progress.all.max(1) as f64;
        let left = progress.remaining().map_or("?".into(), |left| format!("{:.0} s", left));
        let text =
            format!("{} round {}, {done:.0} % of all slots, {left} left", progress.subspace, progress.round);
        if self.shown && text != self.last {
            eprint!("\r{text:<70}");
            let _ = io::stderr().flush();
            self.last = text;
        }
    }

    fn clear(&self) {
        if self.shown {
            eprint!("\r{:<70}\r", "");
        }
    }
}

impl Verify {
    fn run(&self) -> anyhow::Result<()> {
        let (game, tables) = self.which.open()?;
        if self.unpack {
            tables.keep_in_memory(threads(self.threads))?;
        }
        let extent = self.sample.map_or(Extent::Complete, |number| Extent::Sample(number, self.seed));
        let is_wanted = |subspace: Subspace| {
            subspace.stones() <= self.stones && self.subspace.is_none_or(|wanted| wanted == subspace)
        };
        let mut results = Vec::new();
        for table in tables.iter().filter(|table| is_wanted(table.subspace())) {
            let result = verify::verify(&tables, &game, table, extent, threads(self.threads))?;
            if !self.which.json {
                let fault = result.fault.as_deref().unwrap_or("right");
                println!(
                    "{:8} {:>12} checked {:>8} wrong: {fault}",
                    result.subspace, result.checked, result.wrong
                );
            }
            results.push(result);
        }
        if self.which.json {
            println!("{}", serde_json::to_string(&results)?);
        }
        match results.iter().find(|result| result.fault.is_some()) {
            Some(result) => bail!("the table {} is wrong; build it again", result.subspace),
            None => Ok(()),
        }
    }
}

/// Stones up to which tables are built on first use.
const FIRST: u32 = 8;

impl Ask {
    /// The tables, built on first use as far as the engine needs them, and the position.
    fn open(&self) -> anyhow::Result<(Morris, Tables, Position)> {
        let game = self.which.game()?;
        let position = game.parse_position(&self.position).context("--position")?;
        let tables = ensure(&self.which.folder(&game), game.rules(), FIRST)?;
        Ok((game, tables, position))
    }
}

impl Line {
    fn run(&self) -> anyhow::Result<()> {
        let (game, tables, position) = self.ask.open()?;
        let line = answer::line(&tables, &game, &position, self.plies)?;
        let moves: Vec<_> = line.into_iter().map(|mv| game.move_text(mv)).collect();
        let value = tables.value(&position)?;
        if self.ask.which.json {
            let word = answer::word(value.outcome);
            let (rules, position) = (game.rules().to_string(), game.position_text(&position));
            let answer = serde_json::json!({
                "rules": rules,
                "position": position,
                "value": word,
                "plies": value.plies,
                "line": moves,
            });
            println!("{answer}");
        } else {
            println!("{}", moves.join(" "));
        }
        Ok(())
    }
}
