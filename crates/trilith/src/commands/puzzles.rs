//! `trilith puzzles`: makes puzzles, proves them again and shows them.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use clap::Subcommand;
use serde::Serialize;
use trilith_arena::GAMES;
use trilith_base::{Seed, files};
use trilith_teach::puzzle::{self, MakeOrder, Puzzle, verify};

use crate::output::ProgressLine;
use crate::stop;

/// Make puzzles, prove them and show them
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith puzzles make othello --count 1000 --seed 27 --threads 2 --out puzzles.tsv\n  \
    trilith puzzles verify --sample 50\n  \
    trilith puzzles verify puzzles.tsv\n  \
    trilith puzzles export morris --theme block --json\n  \
    trilith puzzles table\n\n\
    A puzzle has one right first move: in Othello the only one that wins or draws (solver), in Morris likewise (tables, built\n\
    on first use), in Abalone the only one that forces the loss of a marble (every reply tried, and a search to depth 5).\n\
    Its rating is that of an opponent against whom the levels 1 to 9 have the results that they have with the puzzle.")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Let levels play, and take puzzles from their games
    Make(Make),
    /// Prove puzzles again; the last line is `N of N proved`
    Verify(Verify),
    /// Print puzzles, each with the command that proves it
    Export(Export),
    /// Count puzzles by theme and by the level that finds them
    Table(Table),
}

#[derive(clap::Args)]
struct Make {
    /// othello, morris or abalone
    game: String,
    /// How many
    #[arg(long, value_name = "N", default_value_t = 1000)]
    count: usize,
    /// Where all draws come from
    #[arg(long, value_name = "N", default_value_t = Seed(27))]
    seed: Seed,
    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Where Morris has its tables [default: those of the players]
    #[arg(long, value_name = "FOLDER")]
    tables: Option<PathBuf>,
    /// The file to write; FILE.journal keeps the way there, so that a stopped or killed command goes on
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(clap::Args)]
struct Verify {
    /// Files of puzzles; those that come with the program if none
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// So many of each game, evenly over all ratings, instead of all
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Where Morris has its tables [default: those of the players]
    #[arg(long, value_name = "FOLDER")]
    tables: Option<PathBuf>,
}

#[derive(clap::Args)]
struct Export {
    /// othello, morris or abalone; all if none
    game: Option<String>,
    /// Only puzzles about this
    #[arg(long, value_name = "WORD")]
    theme: Option<String>,
    /// Print a JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct Table {
    /// Files of puzzles; those that come with the program if none
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Does what is asked and prints.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Make(args) => args.run(),
        Command::Verify(args) => args.run(),
        Command::Export(args) => args.run(),
        Command::Table(args) => args.run(),
    }
}

impl Make {
    fn run(&self) -> anyhow::Result<()> {
        let Make { game, count, seed, threads, tables, out } = self;
        let mut journal = out.clone().into_os_string();
        journal.push(".journal");
        let journal = PathBuf::from(journal);
        let order = MakeOrder {
            game: game.clone(),
            count: *count,
            seed: *seed,
            threads: *threads,
            tables: tables.clone(),
            journal: Some(journal.clone()),
        };
        let mut line = ProgressLine::new();
        let puzzles = order.make(&stop::on_interrupt(), &mut |made| {
            line.show(|| format!("{}/{count} puzzles of {} games", made.puzzles, made.games));
        })?;
        line.clear();
        if puzzles.len() < *count {
            println!(
                "stopped with {} puzzles in {}; the same command goes on",
                puzzles.len(),
                journal.display()
            );
            return Ok(());
        }
        let text = puzzle::write(game, &order.command(), &puzzles);
        files::write_whole(out, text.as_bytes()).with_context(|| out.display().to_string())?;
        std::fs::remove_file(&journal).with_context(|| journal.display().to_string())?;
        println!("{} puzzles, {} bytes", puzzles.len(), text.len());
        Ok(())
    }
}

/// Puzzles with their game: of files, or what comes with the program.
fn read(files: &[PathBuf]) -> anyhow::Result<Vec<(String, Vec<Puzzle>)>> {
    if files.is_empty() {
        let all = GAMES.iter().map(|game| Ok((game.to_string(), puzzle::shipped(game)?)));
        let all = all.collect::<anyhow::Result<Vec<_>>>()?;
        return Ok(all.into_iter().filter(|(_, puzzles)| !puzzles.is_empty()).collect());
    }
    let read = |path: &PathBuf| {
        let name = || path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(name)?;
        puzzle::parse(&text).with_context(name)
    };
    files.iter().map(read).collect()
}

impl Verify {
    fn run(&self) -> anyhow::Result<()> {
        let stop = stop::on_interrupt();
        let (mut proved, mut all) = (0, 0);
        for (game, puzzles) in read(&self.files)? {
            let chosen = sample(&puzzles, self.sample);
            all += chosen.len();
            proved += prove(&game, &chosen, self.tables.as_deref(), &stop)?;
        }
        println!("{proved} of {all} proved");
        if proved < all {
            // Not the input's fault but a failure on the way, so that the program ends with 1.
            return Err(io::Error::other(format!("{} puzzles are not proved", all - proved)).into());
        }
        Ok(())
    }
}

/// How many of these puzzles could be proved; says which could not.
fn prove(
    game: &str,
    puzzles: &[Puzzle],
    tables: Option<&Path>,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<usize> {
    let mut line = ProgressLine::new();
    let (done, doubts) = verify(game, puzzles, tables, stop, &mut |done| {
        line.show(|| format!("{game}: {done}/{} puzzles", puzzles.len()));
    })?;
    line.clear();
    for doubt in &doubts {
        println!("{game}, {}: {}", puzzles[doubt.place].position, doubt.what);
    }
    println!("{game}: {} of {} proved", done - doubts.len(), puzzles.len());
    Ok(done - doubts.len())
}

/// So many of a list, evenly over it.
fn sample(puzzles: &[Puzzle], count: Option<usize>) -> Vec<Puzzle> {
    match count.filter(|&count| count < puzzles.len()) {
        None => puzzles.to_vec(),
        Some(count) => (0..count).map(|number| puzzles[number * puzzles.len() / count].clone()).collect(),
    }
}

#[derive(Serialize)]
struct Exported<'a> {
    game: &'a str,
    number: usize,
    #[serde(flatten)]
    puzzle: &'a Puzzle,
}

impl Export {
    fn run(&self) -> anyhow::Result<()> {
        let games = match &self.game {
            Some(game) => vec![(game.clone(), puzzle::shipped(game)?)],
            None => read(&[])?,
        };
        for (game, puzzles) in &games {
            for (number, puzzle) in (1..).zip(puzzles) {
                if self.theme.as_ref().is_some_and(|theme| *theme != puzzle.theme) {
                    continue;
                }
                if self.json {
                    println!("{}", serde_json::to_string(&Exported { game, number, puzzle })?);
                } else {
                    let Puzzle { position, goal, theme, rating, line, command, .. } = puzzle;
                    println!("{game} {number} ({goal}, {theme}, {rating}): {position}");
                    println!("  {}\n  {command}", line.join(" "));
                }
            }
        }
        Ok(())
    }
}

impl Table {
    fn run(&self) -> anyhow::Result<()> {
        for (game, puzzles) in read(&self.files)? {
            println!("{game}: {} puzzles", puzzles.len());
            let levels = (1..=9).map(|level| format!("{level:>5}")).collect::<String>();
            println!(
                "{:12} {:>5} {:>6} {:>6} {:>6}{levels} {:>5}",
                "theme", "all", "least", "median", "most", "none"
            );
            let mut themes: BTreeMap<&str, Vec<&Puzzle>> = BTreeMap::new();
            for puzzle in &puzzles {
                themes.entry(&puzzle.theme).or_default().push(puzzle);
            }
            themes.iter().for_each(|(theme, puzzles)| print_row(theme, puzzles));
            print_row("all", &puzzles.iter().collect::<Vec<_>>());
        }
        Ok(())
    }
}

/// One theme: ratings, and how many each level is the first to find.
fn print_row(theme: &str, puzzles: &[&Puzzle]) {
    let mut ratings: Vec<i32> = puzzles.iter().map(|puzzle| puzzle.rating).collect();
    ratings.sort_unstable();
    let first = |level: Option<u8>| puzzles.iter().filter(|puzzle| puzzle.level == level).count();
    let levels = (1..=9).map(|level| format!("{:>5}", first(Some(level)))).collect::<String>();
    println!(
        "{theme:12} {:>5} {:>6} {:>6} {:>6}{levels} {:>5}",
        puzzles.len(),
        ratings.first().unwrap_or(&0),
        ratings.get(ratings.len() / 2).unwrap_or(&0),
        ratings.last().unwrap_or(&0),
        first(None)
    );
}
