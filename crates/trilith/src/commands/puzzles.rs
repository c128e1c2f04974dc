//! `trilith puzzles`: makes puzzles, proves them again and shows them.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use clap::Subcommand;
use serde::Serialize;
use serde_json::json;
use trilith_arena::GAMES;
use trilith_base::{Seed, files};
use trilith_teach::puzzle::{self, Doubt, MakeOrder, Puzzle, verify};

use crate::choice::known_games;
use crate::output::{JsonArgs, ProgressLine};
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
    #[arg(help = known_games())]
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
    #[command(flatten)]
    json: JsonArgs,
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
    #[command(flatten)]
    json: JsonArgs,
}

#[derive(clap::Args)]
struct Export {
    #[arg(help = format!("{}; all if none", known_games()))]
    game: Option<String>,
    /// A file of puzzles instead of those that come with the program
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
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
    #[command(flatten)]
    json: JsonArgs,
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
        let Make { game, count, seed, threads, tables, out, json } = self;
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
        let (mut line, mut games) = (ProgressLine::new(), 0);
        let puzzles = order.make(&stop::on_interrupt(), &mut |made| {
            games = made.games;
            line.show(|| format!("{}/{count} puzzles of {games} games", made.puzzles));
        })?;
        line.clear();
        if puzzles.len() < *count {
            bail!(
                "stopped with {} puzzles in {}; the same command goes on",
                puzzles.len(),
                journal.display()
            );
        }
        let text = puzzle::write(game, &order.command(), &puzzles);
        files::write_whole(out, text.as_bytes()).with_context(|| out.display().to_string())?;
        std::fs::remove_file(&journal).with_context(|| journal.display().to_string())?;
        let (made, bytes) = (puzzles.len(), text.len());
        match json.json {
            true => println!(
                "{}",
                json!({ "game": game, "seed": seed, "asked": count, "puzzles": made, "games": games,
                    "bytes": bytes, "out": out.display().to_string() })
            ),
            false => println!("{made} puzzles, {bytes} bytes"),
        }
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

/// What came of the puzzles of one game.
#[derive(Serialize)]
struct Proofs {
    game: String,
    puzzles: usize,
    proved: usize,
    /// Those that could not be proved.
    doubts: Vec<DoubtfulPuzzle>,
}

#[derive(Serialize)]
struct DoubtfulPuzzle {
    position: String,
    what: String,
}

impl Verify {
    fn run(&self) -> anyhow::Result<()> {
        let stop = stop::on_interrupt();
        let mut games = Vec::new();
        for (game, puzzles) in read(&self.files)? {
            let proofs = prove(game, &sample(&puzzles, self.sample), self.tables.as_deref(), &stop)?;
            if !self.json.json {
                proofs.print();
            }
            games.push(proofs);
        }
        let proved: usize = games.iter().map(|proofs| proofs.proved).sum();
        let all: usize = games.iter().map(|proofs| proofs.puzzles).sum();
        match self.json.json {
            true => println!("{}", json!({ "puzzles": all, "proved": proved, "games": games })),
            false => println!("{proved} of {all} proved"),
        }
        if proved < all {
            // Not the input's fault but a failure on the way, so that the program ends with 1.
            return Err(io::Error::other(format!("{} puzzles are not proved", all - proved)).into());
        }
        Ok(())
    }
}

impl Proofs {
    fn print(&self) {
        let Proofs { game, puzzles, proved, doubts } = self;
        for DoubtfulPuzzle { position, what } in doubts {
            println!("{game}, {position}: {what}");
        }
        println!("{game}: {proved} of {puzzles} proved");
    }
}

/// Which of these puzzles can be proved.
fn prove(
    game: String,
    puzzles: &[Puzzle],
    tables: Option<&Path>,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<Proofs> {
    let mut line = ProgressLine::new();
    let (done, doubts) = verify(&game, puzzles, tables, stop, &mut |done| {
        line.show(|| format!("{game}: {done}/{} puzzles", puzzles.len()));
    })?;
    line.clear();
    let proved = done - doubts.len();
    let doubtful = |doubt: Doubt| {
        let position = puzzles[doubt.place].position.clone();
        DoubtfulPuzzle { position, what: doubt.what }
    };
    let doubts = doubts.into_iter().map(doubtful).collect();
    Ok(Proofs { game, puzzles: puzzles.len(), proved, doubts })
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
        let games = match (&self.from, &self.game) {
            (Some(file), _) => read(std::slice::from_ref(file))?,
            (None, Some(game)) => vec![(game.clone(), puzzle::shipped(game)?)],
            (None, None) => read(&[])?,
        };
        let is_asked_for = |game: &str| self.game.as_ref().is_none_or(|wanted| wanted == game);
        for (game, puzzles) in games.iter().filter(|(game, _)| is_asked_for(game)) {
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

/// The puzzles of one game, by theme.
#[derive(Serialize)]
struct ThemeTable {
    game: String,
    all: ThemeRow,
    themes: Vec<ThemeRow>,
}

/// One theme: ratings, and how many each level is the first to find.
#[derive(Serialize)]
struct ThemeRow {
    theme: String,
    puzzles: usize,
    least: i32,
    median: i32,
    most: i32,
    /// Of levels 1 to 9.
    levels: Vec<usize>,
    /// Those that no level finds.
    none: usize,
}

impl Table {
    fn run(&self) -> anyhow::Result<()> {
        let tables: Vec<ThemeTable> = read(&self.files)?.into_iter().map(ThemeTable::new).collect();
        match self.json.json {
            true => println!("{}", serde_json::to_string(&tables)?),
            false => tables.iter().for_each(ThemeTable::print),
        }
        Ok(())
    }
}

impl ThemeTable {
    fn new((game, puzzles): (String, Vec<Puzzle>)) -> ThemeTable {
        let mut themes: BTreeMap<&str, Vec<&Puzzle>> = BTreeMap::new();
        for puzzle in &puzzles {
            themes.entry(&puzzle.theme).or_default().push(puzzle);
        }
        let themes = themes.iter().map(|(theme, puzzles)| ThemeRow::new(theme, puzzles)).collect();
        ThemeTable { game, all: ThemeRow::new("all", &puzzles.iter().collect::<Vec<_>>()), themes }
    }

    fn print(&self) {
        println!("{}: {} puzzles", self.game, self.all.puzzles);
        let levels = (1..=9).map(|level| format!("{level:>5}")).collect::<String>();
        println!(
            "{:12} {:>5} {:>6} {:>6} {:>6}{levels} {:>5}",
            "theme", "all", "least", "median", "most", "none"
        );
        for row in self.themes.iter().chain([&self.all]) {
            let ThemeRow { theme, puzzles, least, median, most, levels, none } = row;
            let levels = levels.iter().map(|count| format!("{count:>5}")).collect::<String>();
            println!("{theme:12} {puzzles:>5} {least:>6} {median:>6} {most:>6}{levels} {none:>5}");
        }
    }
}

impl ThemeRow {
    fn new(theme: &str, puzzles: &[&Puzzle]) -> ThemeRow {
        let mut ratings: Vec<i32> = puzzles.iter().map(|puzzle| puzzle.rating).collect();
        ratings.sort_unstable();
        let first = |level: Option<u8>| puzzles.iter().filter(|puzzle| puzzle.level == level).count();
        ThemeRow {
            theme: theme.into(),
            puzzles: puzzles.len(),
            least: ratings.first().copied().unwrap_or(0),
            median: ratings.get(ratings.len() / 2).copied().unwrap_or(0),
            most: ratings.last().copied().unwrap_or(0),
            levels: (1..=9).map(|level| first(Some(level))).collect(),
            none: first(None),
        }
    }
}
