//! `trilith book`: remembered games, and what is learned from them.

mod build;
mod expand;
mod import;
mod series;
mod show;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Subcommand;
use serde_json::json;
use trilith_arena::book::{self, Corrected, Correction, Examination, packed};
use trilith_arena::contest::Pace;
use trilith_arena::{GameKit, Visitor, with_game};
use trilith_base::files;
use trilith_book::{Book, BookMode, picture, tree_text};
use trilith_games::{Game, Record, pgn};

use crate::choice::{known_games, rules_with_layout};
use crate::output::JsonArgs;
use crate::{queue, stop};

/// Remember games, learn from them, and look at what was learned
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith book import my.book WTH_2004.wtb games.ggf match.txt --game othello\n  \
    trilith book learn my.book --nodes 50000 --threads 2\n  \
    trilith book probe my.book --moves \"f5 d6\"\n  \
    trilith match othello --a book:my.book+engine --b engine --games 100 --time 100\n  \
    trilith book series morris --games 100 --nodes 2000 --book new.book\n\n\
    A book keeps each game once, symmetric positions as one. `learn` finds the best move that nobody has played at\n  \
    every position, and may be interrupted; `correct` plays doubtful lines out. docs/book.md says more.")]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Add(Add),
    Import(import::Import),
    Build(build::Build),
    Expand(expand::Expand),
    Learn(Learn),
    Reevaluate(Learn),
    Probe(show::BookProbeArgs),
    Suspicious(show::Suspicious),
    Correct(Correct),
    Trim(Trim),
    Export(Export),
    Picture(Picture),
    Stats(show::BookStatsArgs),
    Series(series::SeriesArgs),
}

/// Add one game
#[derive(clap::Args)]
struct Add {
    /// The book; made if it is not there
    book: PathBuf,
    #[command(flatten)]
    game: GameArgs,
    /// Its moves
    #[arg(long, value_name = "MOVES")]
    moves: String,
    /// Who has won, if the moves do not say: `1-0` for the side that begins, `0-1` or `1/2-1/2`
    #[arg(long, value_name = "RESULT")]
    result: Option<String>,
    #[command(flatten)]
    json: JsonArgs,
}

/// The game of a new book.
#[derive(clap::Args, Clone)]
struct GameArgs {
    #[arg(help = format!("The game of a new book: {}", known_games()))]
    #[arg(long, value_name = "GAME", default_value = trilith_arena::GAMES[0])]
    game: String,
    /// Rule switches of a new book
    #[arg(long, value_name = "RULES", default_value = "")]
    rules: String,
    /// Start layout of a new book (Abalone)
    #[arg(long, value_name = "NAME")]
    layout: Option<String>,
    /// In a new book, let drawn games count as lost
    #[arg(long)]
    draws_lose: bool,
}

/// How positions are judged.
#[derive(clap::Args, Clone)]
struct ExaminationArgs {
    /// Plies searched at each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Positions visited by each search [default: 20000, without --depth]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// The evaluation by name [default: that of `engine`]
    #[arg(long, value_name = "NAME")]
    eval: Option<String>,
    /// Solve Othello positions with at most so many empty squares
    #[arg(long, value_name = "N", default_value_t = Examination::USUAL_EXACT, value_parser = clap::value_parser!(u32).range(..=30))]
    exact: u32,
}

impl From<&ExaminationArgs> for Examination {
    fn from(args: &ExaminationArgs) -> Examination {
        Examination { depth: args.depth, nodes: args.nodes, eval: args.eval.clone(), exact: args.exact }
    }
}

/// Who does the work.
#[derive(clap::Args, Clone)]
struct WorkersArgs {
    /// Threads that work
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Let the workers of this queue do it, such as nats://127.0.0.1:4222
    #[arg(long, value_name = "URL", conflicts_with = "threads")]
    queue: Option<String>,
}

/// Find the best unplayed move of every position that has none yet
#[derive(clap::Args)]
struct Learn {
    /// The book
    book: PathBuf,
    /// Only positions seen in so many games
    #[arg(long, value_name = "N", default_value_t = 1)]
    least: u64,
    #[command(flatten)]
    examination: ExaminationArgs,
    #[command(flatten)]
    workers: WorkersArgs,
    #[command(flatten)]
    json: JsonArgs,
}

/// Play doubtful lines out, add the games and learn from them
#[derive(clap::Args)]
struct Correct {
    /// The book
    book: PathBuf,
    /// Positions are doubtful that are not won and have an unplayed move of at least this value
    #[arg(long, value_name = "VALUE", default_value_t = 1.0, allow_hyphen_values = true)]
    margin: f32,
    /// Games to play, the most promising first
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,
    /// Who plays them
    #[arg(long, value_name = "PLAYER", default_value = "engine:nodes=100000")]
    player: String,
    #[command(flatten)]
    examination: ExaminationArgs,
    #[command(flatten)]
    workers: WorkersArgs,
    #[command(flatten)]
    json: JsonArgs,
}

/// Make a small book of what many games went through, packed if its name ends in `.zst`
#[derive(clap::Args)]
struct Trim {
    /// The book
    book: PathBuf,
    /// The new book; `book:OUT+PLAYER` plays from a packed one, too
    #[command(flatten)]
    out: OutArgs,
    /// Cut games at the first position that fewer games went through
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
    least: u64,
    /// Keep the positions that so many games went through and no results: `learn --least 0` then values them by search
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    json: JsonArgs,
}

/// A file to write.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct OutArgs {
    /// The file to write, as --out
    #[arg(value_name = "OUT")]
    place: Option<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl OutArgs {
    fn path(&self) -> &Path {
        self.out.as_deref().or(self.place.as_deref()).unwrap_or(Path::new(""))
    }
}

/// Write all games, or the tree, as text
#[derive(clap::Args)]
struct Export {
    /// The book
    book: PathBuf,
    #[command(flatten)]
    out: OutArgs,
    /// The tree with its values instead of the games, so many plies of it
    #[arg(long, value_name = "PLIES")]
    tree: Option<usize>,
    #[command(flatten)]
    json: JsonArgs,
}

/// Draw the tree as an SVG
#[derive(clap::Args)]
struct Picture {
    /// The book
    book: PathBuf,
    #[command(flatten)]
    out: OutArgs,
    /// Plies shown
    #[arg(long, value_name = "N", default_value_t = 8)]
    plies: usize,
    /// Leave positions out that were seen in fewer games
    #[arg(long, value_name = "N", default_value_t = 1)]
    games: u64,
    #[command(flatten)]
    json: JsonArgs,
}

/// Does what was asked.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let created = |game: &GameArgs, book: &Path| match book.exists() {
        true => Ok(Book::open(book, BookMode::Read)?.head().game.clone()),
        false => anyhow::Ok(game.game.clone()),
    };
    let opened = |book: &Path| anyhow::Ok(Book::open(book, BookMode::Read)?.head().game.clone());
    let game = match &args.action {
        Action::Add(add) => created(&add.game, &add.book)?,
        Action::Import(import) => created(&import.game, &import.book)?,
        Action::Build(build) => created(&build.game, &build.book)?,
        Action::Expand(expand) => created(&expand.game, &expand.book)?,
        Action::Learn(learn) | Action::Reevaluate(learn) => opened(&learn.book)?,
        Action::Probe(probe) => opened(&probe.book)?,
        Action::Suspicious(suspicious) => opened(&suspicious.book)?,
        Action::Correct(correct) => opened(&correct.book)?,
        Action::Trim(trim) => opened(&trim.book)?,
        Action::Export(export) => opened(&export.book)?,
        Action::Picture(picture) => opened(&picture.book)?,
        Action::Stats(stats) => opened(&stats.book)?,
        Action::Series(series) => return series.run(),
    };
    with_game(&game, Act { action: &args.action })?
}

struct Act<'a> {
    action: &'a Action,
}

impl Visitor for Act<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game, C: GameKit<G>>(self) -> anyhow::Result<()> {
        match self.action {
            Action::Add(add) => add.run::<G>(),
            Action::Import(import) => import.run::<G, C>(),
            Action::Build(build) => build.run::<G, C>(),
            Action::Expand(expand) => expand.run::<G, C>(),
            Action::Learn(learn) => learn.run::<G, C>(false),
            Action::Reevaluate(learn) => learn.run::<G, C>(true),
            Action::Probe(probe) => probe.run::<G>(),
            Action::Suspicious(suspicious) => suspicious.run::<G>(),
            Action::Correct(correct) => correct.run::<G, C>(),
            Action::Trim(trim) => trim.run::<G>(),
            Action::Export(export) => export.run::<G>(),
            Action::Picture(picture) => picture.run::<G>(),
            Action::Stats(stats) => stats.run::<G>(),
            Action::Series(_) => unreachable!("it has no book yet"),
        }
    }
}

/// An existing book and its game.
fn open<G: Game>(path: &Path, mode: BookMode) -> anyhow::Result<(Book, G)> {
    let book = Book::open(path, mode)?;
    let rules = book.head().rules.parse().with_context(|| path.display().to_string())?;
    Ok((book, G::new(rules)))
}

impl GameArgs {
    /// The book at `path`, made if it is not there, and its game.
    fn create<G: Game>(&self, path: &Path) -> anyhow::Result<(Book, G)> {
        if path.exists() {
            return open(path, BookMode::Write);
        }
        let game = G::new(rules_with_layout(&self.rules, self.layout.as_deref()).parse()?);
        Ok((Book::create(path, &game, self.draws_lose)?, game))
    }
}

impl Add {
    fn run<G: Game>(&self) -> anyhow::Result<()> {
        let (book, game) = self.game.create::<G>(&self.book)?;
        let mut record = Record::new(game.clone());
        trilith_arena::contest::push_moves(&mut record, &self.moves).context("--moves")?;
        let first = game.to_move(&game.start());
        let result = match &self.result {
            None => pgn::PgnResult::of(&record),
            Some(text) => pgn::PgnResult::read(text, first)
                .with_context(|| format!("--result `{text}`: expected 1-0, 0-1 or 1/2-1/2"))?,
        };
        let winner = match result {
            pgn::PgnResult::Won(winner) => Some(winner),
            pgn::PgnResult::Draw => None,
            pgn::PgnResult::Open => bail!("the game has not ended: say who has won with --result"),
        };
        let (number, is_new) = match book.update(|draft| draft.add(&record, winner))? {
            trilith_book::Added::New(number) => (number, true),
            trilith_book::Added::Known(number) => (number, false),
        };
        let moves: Vec<String> = record.moves().map(|mv| game.move_text(mv)).collect();
        let result = result.text(first);
        let object =
            json!({ "game": G::NAME, "moves": moves, "result": result, "number": number, "is_new": is_new });
        self.json.print(&object, format_args!("{}game {number}", if is_new { "" } else { "known as " }));
        Ok(())
    }
}

impl Learn {
    fn run<G: Game, C: GameKit<G>>(&self, is_anew: bool) -> anyhow::Result<()> {
        let (mut book, game) = open::<G>(&self.book, BookMode::Write)?;
        let examination = Examination::from(&self.examination);
        if is_anew {
            book.renew_evaluation(&examination.to_string())?;
        }
        let workers = queue::workers(self.workers.queue.as_deref(), self.workers.threads)?;
        let stop = stop::on_interrupt();
        build::learn::<G, C>(&mut book, &game, &examination, self.least, &workers, &stop, self.json)
    }
}

impl Correct {
    fn run<G: Game, C: GameKit<G>>(&self) -> anyhow::Result<()> {
        let (mut book, game) = open::<G>(&self.book, BookMode::Write)?;
        let correction = Correction {
            margin: self.margin,
            games: self.games,
            player: self.player.clone(),
            pace: Pace::default(),
            examination: Examination::from(&self.examination),
        };
        let workers = queue::workers(self.workers.queue.as_deref(), self.workers.threads)?;
        let stop = stop::on_interrupt();
        let corrected = book::correct::<G, C>(&mut book, &game, &correction, &workers, &stop, |corrected| {
            eprint!("\r{} games", corrected.played);
        })?;
        eprintln!();
        let Corrected { doubts, played, confirmed } = corrected;
        let result = json!({ "game": G::NAME, "doubts": doubts, "played": played, "confirmed": confirmed });
        let words = format_args!(
            "{doubts} doubtful positions, {played} played out, {confirmed} alternatives confirmed"
        );
        self.json.print(&result, words);
        Ok(())
    }
}

impl Trim {
    fn run<G: Game>(&self) -> anyhow::Result<()> {
        let (book, game) = open::<G>(&self.book, BookMode::Read)?;
        let out = self.out.path();
        let is_packed = out.extension().is_some_and(|ending| ending == "zst");
        let plain = if is_packed { out.with_extension("") } else { out.to_owned() };
        if plain.exists() {
            bail!("{} is there already", plain.display());
        }
        let mut into = Book::create(&plain, &game, book.head().draws_lose)?;
        let shorten = if self.open { trilith_book::skeleton } else { trilith_book::trim };
        shorten(&book.reader()?, &game, self.least, &mut into)?;
        let statistics = into.reader()?.statistics()?;
        drop(into);
        if is_packed {
            packed::pack(&plain, out)?;
        }
        let (games, positions, out) = (statistics.games, statistics.nodes, out.display().to_string());
        let result = json!({ "game": G::NAME, "games": games, "positions": positions, "out": out });
        self.json.print(&result, format_args!("{games} games, {positions} positions in {out}"));
        Ok(())
    }
}

impl Export {
    fn run<G: Game>(&self) -> anyhow::Result<()> {
        let (book, game) = open::<G>(&self.book, BookMode::Read)?;
        let reader = book.reader()?;
        let text = match self.tree {
            Some(plies) => tree_text(&reader, &game, plies)?,
            None => {
                let first = game.to_move(&game.start());
                let games = reader.remembered(&game)?.into_iter().map(|remembered| {
                    let result = remembered.winner.map_or(pgn::PgnResult::Draw, pgn::PgnResult::Won);
                    let tags = match remembered.record.end() {
                        Some(_) => Vec::new(),
                        None => vec![
                            ("Result".to_owned(), result.text(first).to_owned()),
                            ("Termination".to_owned(), "as remembered".to_owned()),
                        ],
                    };
                    pgn::write(&remembered.record, &tags)
                });
                games.collect::<Vec<_>>().join("\n")
            }
        };
        write(self.out.path(), &text, self.json)
    }
}

/// Writes a file; only with --json something is said of it.
fn write(path: &Path, text: &str, json: JsonArgs) -> anyhow::Result<()> {
    let out = path.display().to_string();
    files::write_whole(path, text.as_bytes()).with_context(|| out.clone())?;
    if json.json {
        println!("{}", json!({ "out": out, "bytes": text.len() }));
    }
    Ok(())
}

impl Picture {
    fn run<G: Game>(&self) -> anyhow::Result<()> {
        let (book, game) = open::<G>(&self.book, BookMode::Read)?;
        let svg = picture(&book.reader()?, &game, self.plies, self.games)?;
        write(self.out.path(), &svg, self.json)
    }
}
