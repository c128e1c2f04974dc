//! `trilith data`: games to learn from.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Subcommand;
use trilith_base::Seed;
use trilith_learn::othello::games::{self, Weights};
use trilith_learn::othello::generate::Plan;
use trilith_learn::othello::store::{self, Played};

use crate::{queue, stop};

/// Make and look at data to learn from
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Generate(Generate),
    Show(Show),
}

/// Play Othello games: random moves, then search, then exact play to the end
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith data generate --games 10000 --depth 3 --exact 14 --out first.games\n  \
    trilith data generate --weights patterns.safetensors --depth 6 --exact 20 --seconds 600 --out second.games\n\n\
    If OUT is there already, more games are added to it: a stopped run goes on where it was. With --queue the games\n  \
    are played by `trilith worker` processes; they are the same.")]
struct Generate {
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Games in the file at the end
    #[arg(long, value_name = "N", default_value_t = u64::MAX)]
    games: u64,
    /// Stop after so many seconds
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,
    /// Fewest random moves at the beginning
    #[arg(long, value_name = "N", default_value_t = 1)]
    random_least: u32,
    /// Most random moves at the beginning
    #[arg(long, value_name = "N", default_value_t = 20)]
    random_most: u32,
    /// Plies searched for each move
    #[arg(long, value_name = "N", default_value_t = 4)]
    depth: u32,
    /// Empty squares from which on play is exact
    #[arg(long, value_name = "N", default_value_t = 16)]
    exact: u32,
    /// Pattern weights to play with; a hand-made evaluation without
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Where all draws come from
    #[arg(long, value_name = "N", default_value_t = Seed(1))]
    seed: Seed,
    /// Threads that play
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Let the workers of this queue play, such as nats://127.0.0.1:4222
    #[arg(long, value_name = "URL", conflicts_with = "threads")]
    queue: Option<String>,
}

/// Count games and positions of a file
#[derive(clap::Args)]
struct Show {
    /// The file to read
    file: PathBuf,
}

/// Does what was asked.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.action {
        Action::Generate(args) => args.run(),
        Action::Show(args) => show(&args.file),
    }
}

/// Games are saved after so many seconds, so that little is lost if the program is killed.
const CHECKPOINT: Duration = Duration::from_secs(30);

impl Generate {
    fn run(&self) -> anyhow::Result<()> {
        let plan = Plan {
            random_least: self.random_least,
            random_most: self.random_most.max(self.random_least),
            depth: self.depth.max(1),
            exact: self.exact,
            seed: self.seed,
        };
        let weights = self.weights.as_deref().map(Weights::of).transpose()?;
        let workers = queue::workers(self.queue.as_deref(), self.threads)?;
        let mut kept = Kept::open(&self.out)?;
        let limit = self.seconds.map(Duration::from_secs);
        let numbers = (kept.games.len() as u64, self.games);
        let mut failed = None;
        games::generate(plan, weights.as_ref(), numbers, &workers, &stop::on_interrupt(), |more| {
            let is_over = limit.is_some_and(|limit| kept.began.elapsed() >= limit);
            match kept.add(more) {
                Ok(()) if !is_over => ControlFlow::Continue(()),
                Ok(()) => ControlFlow::Break(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        failed.map_or(Ok(()), Err)?;
        kept.save()?;
        print_counts(&kept.games);
        Ok(())
    }
}

/// The games so far, and the file that they are in.
struct Kept<'a> {
    path: &'a Path,
    games: Vec<Played>,
    began: Instant,
    saved: Instant,
}

impl Kept<'_> {
    fn open(path: &Path) -> anyhow::Result<Kept<'_>> {
        let games = if path.exists() { store::load(path)? } else { Vec::new() };
        Ok(Kept { path, games, began: Instant::now(), saved: Instant::now() })
    }

    fn add(&mut self, more: Vec<Played>) -> anyhow::Result<()> {
        self.games.extend(more);
        if self.saved.elapsed() >= CHECKPOINT { self.save() } else { Ok(()) }
    }

    fn save(&mut self) -> anyhow::Result<()> {
        store::save(self.path, &self.games).with_context(|| self.path.display().to_string())?;
        self.saved = Instant::now();
        eprintln!("{} games, {:.0} s", self.games.len(), self.began.elapsed().as_secs_f64());
        Ok(())
    }
}

fn show(file: &Path) -> anyhow::Result<()> {
    print_counts(&store::load(file)?);
    Ok(())
}

fn print_counts(games: &[Played]) {
    let mut positions = 0_u64;
    games.iter().for_each(|game| game.labelled(|_, _| positions += 1));
    let wins = games.iter().filter(|game| game.margin > 0).count();
    println!("{} games, {positions} positions, Black wins {wins}", games.len());
}
