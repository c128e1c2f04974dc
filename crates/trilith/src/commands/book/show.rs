//! What a book says: about a position, about itself, and where it is in doubt.

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;
use serde_json::json;
use trilith_arena::book::doubts;
use trilith_arena::contest::{push_moves, read_line};
use trilith_book::values::BookValue;
use trilith_book::{Book, BookMode, BookReader, BookReason, Walk, value_text};
use trilith_games::{Game, Record};

use super::open;
use crate::output::JsonArgs;
use crate::positions::{self, RefusedLines};

/// Show what the book knows of a position
#[derive(clap::Args)]
pub struct BookProbeArgs {
    /// The book
    pub(super) book: PathBuf,
    /// The moves that lead to it
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// The position where they begin, if not the usual start
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    /// Answer each line of a file, `-` for standard input: number, value, the book's move; with --json an object each
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "position"])]
    positions: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was asked, and what is known of it.
#[derive(Serialize)]
struct BookAnswer {
    /// The line it was asked on, if there are many.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    game: &'static str,
    rules: String,
    position: String,
    in_book: bool,
    #[serde(flatten)]
    known: Option<Known>,
    /// For people.
    #[serde(skip)]
    words: String,
}

#[derive(Serialize)]
struct Known {
    value: Shown,
    results: [u32; 3],
    games: u64,
    last_game: u64,
    proved: bool,
    judged: bool,
    successors: Vec<Next>,
    alternative: Option<Out>,
    advice: Option<Choice>,
}

/// Infinite chances are no JSON numbers.
#[derive(Serialize)]
struct Shown {
    tree: i8,
    chance: String,
}

#[derive(Serialize)]
struct Next {
    #[serde(rename = "move")]
    mv: String,
    value: Shown,
    results: [u32; 3],
}

#[derive(Serialize)]
struct Out {
    #[serde(rename = "move")]
    mv: String,
    value: f32,
}

#[derive(Serialize)]
struct Choice {
    #[serde(rename = "move")]
    mv: String,
    chance: String,
    reason: BookReason,
}

fn number_text(chance: f32) -> String {
    match chance {
        f32::INFINITY => "+inf".into(),
        f32::NEG_INFINITY => "-inf".into(),
        chance => format!("{chance:+.2}"),
    }
}

impl From<BookValue> for Shown {
    fn from(value: BookValue) -> Shown {
        Shown { tree: value.tree, chance: number_text(value.chance) }
    }
}

impl BookProbeArgs {
    pub(super) fn run<G: Game>(&self) -> anyhow::Result<()> {
        let (book, game) = open::<G>(&self.book, BookMode::Read)?;
        if let Some(path) = &self.positions {
            return self.many(&book, &game, path);
        }
        let start = match &self.position {
            Some(text) => game.parse_position(text).context("--position")?,
            None => game.start(),
        };
        let mut record = Record::from_position(game.clone(), start)?;
        push_moves(&mut record, &self.moves).context("--moves")?;
        let answer = look(&book, &book.reader()?, &record, None)?;
        match (self.json, &answer.known) {
            (true, _) => println!("{}", serde_json::to_string(&answer)?),
            (false, None) => println!("not in the book"),
            (false, Some(known)) => {
                println!("{}", game.diagram(record.position()));
                print(known, &answer.words);
            }
        }
        Ok(())
    }

    fn many<G: Game>(&self, book: &Book, game: &G, path: &Path) -> anyhow::Result<()> {
        let (reader, mut refused) = (book.reader()?, RefusedLines::default());
        for line in positions::lines(path)? {
            let (number, text) = line?;
            let record = read_line(game, &text).map_err(anyhow::Error::from);
            let answer = match record.and_then(|record| look(book, &reader, &record, Some(number))) {
                Ok(answer) => answer,
                Err(fault) => {
                    refused.add(number, &fault);
                    continue;
                }
            };
            match (self.json, &answer.known) {
                (true, _) => println!("{}", serde_json::to_string(&answer)?),
                (false, None) => println!("{number:>6} not in the book"),
                (false, Some(known)) => {
                    let advice = known.advice.as_ref().map_or("", |advice| advice.mv.as_str());
                    println!("{number:>6} {} {advice}", answer.words);
                }
            }
        }
        refused.finish()
    }
}

/// What the book knows of the last position of `record`.
fn look<G: Game>(
    book: &Book,
    reader: &BookReader<'_>,
    record: &Record<G>,
    number: Option<usize>,
) -> anyhow::Result<BookAnswer> {
    let game = record.game();
    let found = reader.look(record)?;
    let words = found.as_ref().map_or(String::new(), |reading| value_text(reading.value));
    let known = found.map(|reading| {
        let successors = reading.successors.iter().map(|next| Next {
            mv: game.move_text(next.mv),
            // As the side to move here sees it.
            value: BookValue { tree: -next.value.tree, chance: -next.value.chance }.into(),
            results: next.results,
        });
        Known {
            value: reading.value.into(),
            results: reading.node.results,
            games: reading.node.games(),
            last_game: reading.node.last_game,
            proved: reading.node.proved.is_some(),
            judged: reading.node.judged == book.head().evaluation,
            successors: successors.collect(),
            alternative: reading.alternative.map(|(mv, value)| Out { mv: game.move_text(mv), value }),
            advice: reading.advice.map(|advice| Choice {
                mv: game.move_text(advice.mv),
                chance: number_text(advice.chance),
                reason: advice.reason,
            }),
        }
    });
    Ok(BookAnswer {
        number,
        game: G::NAME,
        rules: game.rules().to_string(),
        position: game.position_text(record.position()),
        in_book: known.is_some(),
        known,
        words,
    })
}

fn print(known: &Known, value: &str) {
    let [wins, draws, losses] = known.results;
    let proved = if known.proved { ", proved" } else { "" };
    println!("{value}{proved}, {} games +{wins} ={draws} -{losses}, last {}", known.games, known.last_game);
    for next in &known.successors {
        let tree = ["loses", "draws", "wins"][(next.value.tree + 1) as usize];
        let [wins, draws, losses] = next.results;
        println!("  {:<8} {tree:<5} {:>7}   +{wins} ={draws} -{losses}", next.mv, next.value.chance);
    }
    match &known.alternative {
        Some(out) => println!("  {:<8} new   {:>+7.2}", out.mv, out.value),
        None if known.judged => println!("  no move leads out of the book"),
        None => println!("  nobody has looked for alternatives: trilith book learn"),
    }
    if let Some(choice) = &known.advice {
        println!("plays {} for {} ({:?})", choice.mv, choice.chance, choice.reason);
    }
}

/// Show positions that are not won, but have a promising unplayed move
#[derive(clap::Args)]
pub struct Suspicious {
    /// The book
    pub(super) book: PathBuf,
    /// The least value of the unplayed move
    #[arg(long, value_name = "VALUE", default_value_t = 1.0, allow_hyphen_values = true)]
    margin: f32,
    /// At most so many, the most promising first
    #[arg(long, value_name = "N", default_value_t = 20)]
    most: usize,
    #[command(flatten)]
    json: JsonArgs,
}

impl Suspicious {
    pub(super) fn run<G: Game>(&self) -> anyhow::Result<()> {
        let (book, game) = open::<G>(&self.book, BookMode::Read)?;
        let doubts = doubts(&book, &game, self.margin)?;
        if self.json.json {
            let shown = doubts.iter().take(self.most).map(|doubt| {
                let moves: Vec<String> = doubt.moves.iter().map(|&mv| game.move_text(mv)).collect();
                let alternative = game.move_text(doubt.alternative);
                let tree = if doubt.tree < 0 { "lost" } else { "drawn" };
                json!({ "moves": moves, "tree": tree, "alternative": alternative, "value": doubt.value })
            });
            let shown: Vec<_> = shown.collect();
            let result =
                json!({ "game": G::NAME, "margin": self.margin, "all": doubts.len(), "doubts": shown });
            println!("{result}");
            return Ok(());
        }
        for doubt in doubts.iter().take(self.most) {
            let tree = if doubt.tree < 0 { "lost" } else { "drawn" };
            let moves: Vec<String> = doubt.moves.iter().map(|&mv| game.move_text(mv)).collect();
            println!(
                "{tree}, but {} for {:+.2} after {}",
                game.move_text(doubt.alternative),
                doubt.value,
                moves.join(" ")
            );
        }
        println!("{} doubtful positions", doubts.len());
        Ok(())
    }
}

/// Count positions and games, and check that all can be reached and read
#[derive(clap::Args)]
pub struct BookStatsArgs {
    /// The book
    pub(super) book: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Default, Serialize)]
struct Counts {
    game: String,
    rules: String,
    draws_lose: bool,
    games: u64,
    positions: u64,
    reached: u64,
    inner: u64,
    judged: u64,
    proved: u64,
    merged: u64,
    deepest: usize,
    judge: String,
}

impl BookStatsArgs {
    pub(super) fn run<G: Game>(&self) -> anyhow::Result<()> {
        let (book, game) = open::<G>(&self.book, BookMode::Read)?;
        let reader = book.reader()?;
        let (size, head) = (reader.statistics()?, book.head());
        let mut counts = Counts {
            game: head.game.clone(),
            rules: head.rules.clone(),
            draws_lose: head.draws_lose,
            games: size.games,
            positions: size.nodes,
            judge: head.judge.clone(),
            ..Counts::default()
        };
        Walk::all(&reader, &game, &mut |visit| {
            counts.reached += 1;
            counts.inner += u64::from(!visit.node.edges.is_empty() && visit.node.proved.is_none());
            counts.judged += u64::from(visit.node.judged == head.evaluation && visit.node.proved.is_none());
            counts.proved += u64::from(visit.node.proved.is_some());
            counts.merged += u64::from(visit.node.parents.len() > 1);
            counts.deepest = counts.deepest.max(visit.moves.len());
            true
        })?;
        anyhow::ensure!(
            counts.reached == counts.positions,
            "{} of {} positions can be reached",
            counts.reached,
            counts.positions
        );
        match self.json {
            true => println!("{}", serde_json::to_string(&counts)?),
            false => {
                println!(
                    "{} {}: {} games, {} positions",
                    counts.game, counts.rules, counts.games, counts.positions
                );
                println!("{} inner, {} judged ({})", counts.inner, counts.judged, counts.judge);
                println!(
                    "{} proved, {} merged from several lines, deepest {}",
                    counts.proved, counts.merged, counts.deepest
                );
            }
        }
        Ok(())
    }
}
