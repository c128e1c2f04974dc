//! `trilith data generate`: self-play, into a file that a stopped run goes on with.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use trilith_arena::UnknownGame;
use trilith_base::Seed;
use trilith_games::Game;
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;
use trilith_learn::blocks::check_settings;
use trilith_learn::othello::games;
use trilith_learn::othello::generate::Plan;
use trilith_learn::othello::store::{self, Played};
use trilith_learn::portions::Weights;
use trilith_learn::selfplay;
use trilith_learn::selfplay::store::Writer;

use super::{Until, go_on, print_counts, warn_of_unknown, weights_setting};
use crate::{queue, stop};

/// Play games to learn from: random moves, then search; in Othello exact play to the end
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith data generate --games 10000 --depth 3 --exact 14 --out first.games\n  \
    trilith data generate --weights patterns.safetensors --depth 6 --exact 20 --seconds 600 --out second.games\n  \
    trilith data generate --openings 6 --depth 6 --exact 20 --out openings.games\n  \
    trilith data generate --game abalone --rules standard --rules belgian-daisy --depth 3 --games 5000 --out a.games\n\n\
    If OUT is there already, more games are added to it: a stopped run goes on where it was. All that the games depend on\n  \
    must be as it was begun with; --games, --seconds and --threads may differ. With --queue the games are played by\n  \
    `trilith worker` processes; they are the same.")]
pub struct Generate {
    /// othello, morris or abalone
    #[arg(long, value_name = "GAME", default_value = Othello::NAME)]
    game: String,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Rules of the games, drawn from if there are several (Morris, Abalone)
    #[arg(long, value_name = "RULES", default_value = "standard")]
    rules: Vec<String>,
    /// A game that lasts longer is scored by its last search (Morris, Abalone)
    #[arg(long, value_name = "PLIES", default_value_t = 250)]
    longest: usize,
    /// So is one in which nothing irreversible has happened for so many plies; 0 for none (Morris, Abalone)
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    still: usize,
    /// How restless a side is in one game of two, as the option of `engine` says (Abalone)
    #[arg(long, value_name = "PERCENT", default_value_t = 0)]
    restless: u32,
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
    /// Begin with all openings of so many plies, one a game, instead of random moves (S5); symmetric ones come once
    #[arg(long, value_name = "PLIES", default_value_t = 0, conflicts_with_all = ["random_least", "random_most"], value_parser = clap::value_parser!(u32).range(..=10))]
    openings: u32,
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

/// Games are saved after so many seconds, so that little is lost if the program is killed.
const CHECKPOINT: Duration = Duration::from_secs(30);
/// Games that are written at a time.
const BLOCK: usize = 512;

impl Generate {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        match self.game.as_str() {
            Othello::NAME => self.run_othello(),
            Morris::NAME => self.run_selfplay::<Morris>(),
            Abalone::NAME => self.run_selfplay::<Abalone>(),
            other => Err(UnknownGame::new(other).into()),
        }
    }

    fn run_othello(&self) -> anyhow::Result<()> {
        let plan = Plan {
            random_least: self.random_least,
            random_most: self.random_most.max(self.random_least),
            all: self.openings,
            depth: self.depth.max(1),
            exact: self.exact,
            seed: self.seed,
        };
        let weights = self.weights.as_deref().map(Weights::of).transpose()?;
        let workers = queue::workers(self.queue.as_deref(), self.threads)?;
        let mut settings = self.settings(weights.as_ref());
        settings.push(format!("--exact {}", plan.exact));
        let mut kept = Kept::open(&self.out, settings)?;
        let (mut until, stop) = (Until::new(self.seconds), stop::on_interrupt());
        let numbers = (kept.games.len() as u64, self.games);
        games::generate(plan, weights.as_ref(), numbers, &workers, &stop, |more| {
            until.after(kept.add(more))
        })?;
        until.end()?;
        kept.save()?;
        print_counts(&kept.games);
        Ok(())
    }

    /// What games of all kinds depend on, one setting a line.
    fn settings(&self, weights: Option<&Weights>) -> Vec<String> {
        vec![
            "trilith data generate".into(),
            format!("--random-least {}", self.random_least),
            format!("--random-most {}", self.random_most.max(self.random_least)),
            format!("--openings {}", self.openings),
            format!("--depth {}", self.depth.max(1)),
            format!("--seed {}", self.seed),
            weights_setting(weights),
        ]
    }
}

/// The games so far, and the file that they are in.
struct Kept<'a> {
    path: &'a Path,
    games: Vec<Played>,
    settings: Vec<String>,
    began: Instant,
    saved: Instant,
}

impl Kept<'_> {
    /// Makes a file, or goes on with one that was begun with the same settings or does not say with which.
    fn open(path: &Path, mut settings: Vec<String>) -> anyhow::Result<Kept<'_>> {
        let (games, then) = if path.exists() { store::load_with(path)? } else { Default::default() };
        if !games.is_empty() && then.is_empty() {
            warn_of_unknown(path);
            settings = then;
        } else if !games.is_empty() {
            check_settings(path, &then, &settings)?;
        }
        Ok(Kept { path, games, settings, began: Instant::now(), saved: Instant::now() })
    }

    fn add(&mut self, more: Vec<Played>) -> anyhow::Result<()> {
        self.games.extend(more);
        if self.saved.elapsed() >= CHECKPOINT { self.save() } else { Ok(()) }
    }

    fn save(&mut self) -> anyhow::Result<()> {
        let saved = store::save_with(self.path, &self.games, &self.settings);
        saved.with_context(|| self.path.display().to_string())?;
        self.saved = Instant::now();
        eprintln!("{} games, {:.0} s", self.games.len(), self.began.elapsed().as_secs_f64());
        Ok(())
    }
}

impl Generate {
    fn run_selfplay<G: Game>(&self) -> anyhow::Result<()> {
        let plan = selfplay::generate::Plan {
            rules: self.rules.clone(),
            random_least: self.random_least,
            random_most: self.random_most.max(self.random_least),
            all: self.openings,
            depth: self.depth.max(1),
            longest: self.longest,
            still: self.still,
            restless: self.restless,
            seed: self.seed,
        };
        let weights = self.weights.as_deref().map(Weights::of).transpose()?;
        let workers = queue::workers(self.queue.as_deref(), self.threads)?;
        let mut settings = self.settings(weights.as_ref());
        settings.push(format!("--rules {:?}", plan.rules));
        settings.push(format!("--longest {}", plan.longest));
        settings.push(format!("--still {}", plan.still));
        settings.push(format!("--restless {}", plan.restless));
        let writer = go_on(&self.out, G::NAME, &settings)?;
        let mut blocks = Blocks { writer, open: Vec::new(), began: Instant::now() };
        let (mut until, stop) = (Until::new(self.seconds), stop::on_interrupt());
        let numbers = (blocks.games(), self.games);
        selfplay::games::generate::<G>(&plan, weights.as_ref(), numbers, &workers, &stop, |more| {
            until.after(blocks.add(more))
        })?;
        until.end()?;
        blocks.write(1)?;
        println!("{} games in {}", blocks.games(), self.out.display());
        Ok(())
    }
}

/// Games that are written in whole blocks.
struct Blocks {
    writer: Writer,
    /// Not in the file yet.
    open: Vec<selfplay::store::Played>,
    began: Instant,
}

impl Blocks {
    /// Games in the file.
    fn games(&self) -> u64 {
        self.writer.count()
    }

    fn add(&mut self, more: Vec<selfplay::store::Played>) -> anyhow::Result<()> {
        self.open.extend(more);
        if self.open.len() >= BLOCK { self.write(BLOCK) } else { Ok(()) }
    }

    /// Writes blocks as long as at least so many games are open.
    fn write(&mut self, least: usize) -> anyhow::Result<()> {
        while self.open.len() >= least {
            let block: Vec<_> = self.open.drain(..BLOCK.min(self.open.len())).collect();
            self.writer.push(&block)?;
            eprintln!("{} games, {:.0} s", self.games(), self.began.elapsed().as_secs_f64());
        }
        Ok(())
    }
}
