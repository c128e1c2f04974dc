//! `trilith data`: games to learn from.

mod label;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Subcommand;
use trilith_arena::GAMES;
use trilith_base::{Seed, words};
use trilith_eval::Catalogue;
use trilith_eval::othello::Evaluations;
use trilith_eval::othello::logistello::discordance::by_discs;
use trilith_eval::othello::logistello::labelled::parse_labelled;
use trilith_games::Game;
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;
use trilith_learn::othello::games::{self, Weights};
use trilith_learn::othello::generate::Plan;
use trilith_learn::othello::store::{self, Played};
use trilith_learn::othello::{judge, positions};
use trilith_learn::selfplay;
use trilith_learn::selfplay::store::Writer;

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
    Judge(Judge),
    Label(label::Label),
    Show(Show),
    Discordance(Discordance),
}

/// Play games to learn from: random moves, then search; in Othello exact play to the end
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith data generate --games 10000 --depth 3 --exact 14 --out first.games\n  \
    trilith data generate --weights patterns.safetensors --depth 6 --exact 20 --seconds 600 --out second.games\n  \
    trilith data generate --openings 6 --depth 6 --exact 20 --out openings.games\n  \
    trilith data generate --game abalone --rules standard --rules belgian-daisy --depth 3 --games 5000 --out a.games\n\n\
    If OUT is there already, more games are added to it: a stopped run goes on where it was. With --queue the games\n  \
    are played by `trilith worker` processes; they are the same.")]
struct Generate {
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

/// Have the positions of Othello games judged by search, to learn from
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    trilith data judge --games g1.games g2.games --weights patterns.safetensors --depth 6 --out p1.positions --threads 2\n\n\
    If OUT is there already, the run goes on after its last whole block.")]
struct Judge {
    /// Files of games, as `trilith data generate` writes them
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Pattern weights to search with
    #[arg(long, value_name = "FILE")]
    weights: PathBuf,
    /// Plies searched
    #[arg(long, value_name = "N", default_value_t = 6)]
    depth: u32,
    /// Empty squares from which on the solver judges
    #[arg(long, value_name = "N", default_value_t = 16)]
    exact: u32,
    /// Which part of the positions is judged, and for which part one after a random move
    #[arg(long, value_name = "X", default_value_t = 0.5)]
    share: f64,
    /// Stop after so many seconds
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,
    /// Where all draws come from
    #[arg(long, value_name = "N", default_value_t = Seed(1))]
    seed: Seed,
    /// Threads that judge
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Let the workers of this queue judge, such as nats://127.0.0.1:4222
    #[arg(long, value_name = "URL", conflicts_with = "threads")]
    queue: Option<String>,
}

/// Count the games, or judged positions, of a file
#[derive(clap::Args)]
struct Show {
    /// The file to read
    file: PathBuf,
}

/// How often Othello evaluations rank two positions the wrong way round, by disc number (S5, chapter 2)
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    trilith data discordance positions.txt --eval patterns --eval mobility --eval potential\n\n\
    FILE has a position and what came of it for the side to move in each line:\n  \
    ---------------------------OX------XO--------------------------- X -4")]
struct Discordance {
    /// Labelled positions
    file: PathBuf,
    /// The evaluations or features to measure, `NAME` or `NAME:FILE`; `trilith players othello` lists them
    #[arg(long, value_name = "NAME", required = true)]
    eval: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Does what was asked.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.action {
        Action::Generate(args) => match args.game.as_str() {
            Othello::NAME => args.run(),
            Morris::NAME => args.run_selfplay::<Morris>(),
            Abalone::NAME => args.run_selfplay::<Abalone>(),
            other => {
                bail!("unknown game `{other}`: expected {}", words::expected(other, GAMES.iter().copied()))
            }
        },
        Action::Judge(args) => args.run(),
        Action::Label(args) => args.run(),
        Action::Show(args) => show(&args.file),
        Action::Discordance(args) => args.run(),
    }
}

/// Games are saved after so many seconds, so that little is lost if the program is killed.
const CHECKPOINT: Duration = Duration::from_secs(30);
/// Progress is told after so long.
const TOLD: Duration = Duration::from_secs(10);
/// Games that are written at a time.
const BLOCK: usize = 512;

impl Generate {
    fn run(&self) -> anyhow::Result<()> {
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

impl Generate {
    fn run_selfplay<G: Game>(&self) -> anyhow::Result<()> {
        let plan = selfplay::generate::Plan {
            rules: self.rules.clone(),
            random_least: self.random_least,
            random_most: self.random_most.max(self.random_least),
            all: self.openings,
            depth: self.depth.max(1),
            longest: self.longest,
            seed: self.seed,
        };
        let weights = self.weights.as_deref().map(Weights::of).transpose()?;
        let workers = queue::workers(self.queue.as_deref(), self.threads)?;
        let (writer, there) = Writer::open(&self.out, G::NAME)?;
        let mut blocks = Blocks { writer, there, open: Vec::new(), began: Instant::now() };
        let limit = self.seconds.map(Duration::from_secs);
        let mut failed = None;
        let (numbers, stop) = ((there, self.games), stop::on_interrupt());
        selfplay::games::generate::<G>(&plan, weights.as_ref(), numbers, &workers, &stop, |more| {
            let is_over = limit.is_some_and(|limit| blocks.began.elapsed() >= limit);
            match blocks.add(more) {
                Ok(()) if !is_over => ControlFlow::Continue(()),
                result => {
                    failed = result.err();
                    ControlFlow::Break(())
                }
            }
        })?;
        failed.map_or(Ok(()), Err)?;
        blocks.write(1)?;
        println!("{} games in {}", blocks.there, self.out.display());
        Ok(())
    }
}

/// Games that are written in whole blocks.
struct Blocks {
    writer: Writer,
    /// In the file.
    there: u64,
    /// Not yet.
    open: Vec<selfplay::store::Played>,
    began: Instant,
}

impl Blocks {
    fn add(&mut self, more: Vec<selfplay::store::Played>) -> anyhow::Result<()> {
        self.open.extend(more);
        if self.open.len() >= BLOCK { self.write(BLOCK) } else { Ok(()) }
    }

    /// Writes blocks as long as at least so many games are open.
    fn write(&mut self, least: usize) -> anyhow::Result<()> {
        while self.open.len() >= least {
            let block: Vec<_> = self.open.drain(..BLOCK.min(self.open.len())).collect();
            self.writer.push(&block)?;
            self.there += block.len() as u64;
            eprintln!("{} games, {:.0} s", self.there, self.began.elapsed().as_secs_f64());
        }
        Ok(())
    }
}

impl Judge {
    fn run(&self) -> anyhow::Result<()> {
        if !(0.0..=1.0).contains(&self.share) {
            bail!("--share {}: expected a part from 0 to 1", self.share);
        }
        let mut games = Vec::new();
        for path in &self.games {
            games.extend(store::load(path)?);
        }
        let plan =
            judge::Plan { depth: self.depth.max(1), exact: self.exact, share: self.share, seed: self.seed };
        let weights = Weights::of(&self.weights)?;
        let workers = queue::workers(self.queue.as_deref(), self.threads)?;
        let (mut writer, mut blocks, mut positions) = positions::Writer::open(&self.out)?;
        let (began, limit) = (Instant::now(), self.seconds.map(Duration::from_secs));
        let (mut told, mut failed) = (began, None);
        let all = games.len().div_ceil(judge::PER_JOB) as u64;
        let first = judge::PER_JOB * blocks as usize;
        judge::judge(&games, first, plan, &weights, &workers, &stop::on_interrupt(), |block| {
            blocks += 1;
            positions += block.len() as u64;
            failed = writer.push(&block).err();
            if told.elapsed() >= TOLD {
                told = Instant::now();
                let seconds = began.elapsed().as_secs();
                eprintln!("{positions} positions of {blocks}/{all} blocks, {seconds} s");
            }
            match failed.is_some() || limit.is_some_and(|limit| began.elapsed() >= limit) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        failed.map_or(Ok(()), Err)?;
        println!("{positions} positions in {}", self.out.display());
        Ok(())
    }
}

impl Discordance {
    fn run(&self) -> anyhow::Result<()> {
        let text = std::fs::read_to_string(&self.file).with_context(|| self.file.display().to_string())?;
        let positions = parse_labelled(&text).with_context(|| self.file.display().to_string())?;
        let game = Othello::default();
        let mut columns = Vec::new();
        for eval in &self.eval {
            let (name, file) =
                eval.split_once(':').map_or((&eval[..], None), |(name, file)| (name, Some(file)));
            let study = Evaluations::named(name, file.map(Path::new))?;
            columns.push(by_discs(&positions, |position| f64::from(study.value(&game, position))));
        }
        let discs: Vec<u32> = columns[0].keys().copied().collect();
        if self.json {
            let row = |discs: &u32| {
                let values = self
                    .eval
                    .iter()
                    .zip(&columns)
                    .map(|(name, column)| (name.clone(), serde_json::json!(column[discs].value)));
                serde_json::json!({
                    "discs": discs,
                    "positions": columns[0][discs].positions,
                    "discordance": values.collect::<serde_json::Map<_, _>>(),
                })
            };
            println!("{}", serde_json::Value::from(discs.iter().map(row).collect::<Vec<_>>()));
            return Ok(());
        }
        println!(
            "discs positions {}",
            self.eval.iter().map(|name| format!("{name:>18}")).collect::<String>()
        );
        for discs in discs {
            let values = columns.iter().map(|column| format!("{:18.4}", column[&discs].value));
            println!("{discs:5} {:9} {}", columns[0][&discs].positions, values.collect::<String>());
        }
        Ok(())
    }
}

fn show(file: &Path) -> anyhow::Result<()> {
    match positions::Reader::open(file) {
        Ok(mut reader) => {
            let (mut blocks, mut positions) = (0_u64, 0_u64);
            while let Some(block) = reader.next_block()? {
                blocks += 1;
                positions += block.len() as u64;
            }
            println!("{positions} judged positions of {} games at most", blocks * judge::PER_JOB as u64);
        }
        Err(_) => print_counts(&store::load(file)?),
    }
    Ok(())
}

fn print_counts(games: &[Played]) {
    let mut positions = 0_u64;
    games.iter().for_each(|game| game.labelled(|_, _| positions += 1));
    let wins = games.iter().filter(|game| game.margin > 0).count();
    println!("{} games, {positions} positions, Black wins {wins}", games.len());
}
