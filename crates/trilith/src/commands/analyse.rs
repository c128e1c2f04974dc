//! `trilith analyse`: what a position is worth and what to play.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use serde::Serialize;
use trilith_arena::contest::{OpeningError, push_moves, read_line};
use trilith_arena::player::{self, Player, Turn};
use trilith_arena::{GameKit, PlayerSpec, Visitor, with_game};
use trilith_base::Seed;
use trilith_eval::Explanation;
use trilith_games::{Game, Record};
use trilith_search::analysis::{FAR, plies_to_end};
use trilith_search::{Analysis, Control, Limits, Line};

use crate::choice::Choice;
use crate::positions::{self, RefusedLines};

/// Search a position: value, best line, statistics
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith analyse othello --moves f5d6c3 --depth 12\n  \
    trilith analyse morris --moves \"d6 f4 d2\" --time 2000 --lines 3\n  \
    trilith analyse abalone --layout belgian-daisy --nodes 1000000 --json\n  \
    trilith analyse morris --player engine:eval=margin,threads=2 --depth 8 --verbose\n  \
    trilith analyse othello --moves f5f6e6f4 --depth 8 --explain\n  \
    trilith analyse morris --positions many.txt --nodes 20000 --json > answers.jsonl\n\n\
    Values are for the side to move. Where time or nodes end a search of several lines, the first may be a ply deeper\n\
    than the others: each says its depth. --positions answers a line each as it goes: number, value, depth, nodes,\n\
    seconds and best play, or with --json an object each. Lines that are wrong are named, and the exit code is 2.")]
pub struct Args {
    #[command(flatten)]
    choice: Choice,
    /// Moves from the start, with or without spaces
    #[arg(long, value_name = "MOVES", conflicts_with = "position")]
    moves: Option<String>,
    /// Analyse each line of a file, `-` for standard input: moves, or a position
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves", "explain", "verbose"])]
    positions: Option<PathBuf>,
    /// Plies to search
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Milliseconds to search
    #[arg(long, value_name = "MS")]
    time: Option<u64>,
    /// Positions to visit
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// How many lines to show
    #[arg(long, value_name = "N", default_value_t = 1)]
    lines: usize,
    /// Who searches: an engine or a rung of the ladder
    #[arg(long, value_name = "PLAYER", default_value = "engine")]
    player: String,
    /// List the terms of the evaluation and what each cell adds
    #[arg(long)]
    explain: bool,
    /// Show every iteration
    #[arg(long, short)]
    verbose: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct AnalyseAnswer {
    /// Of the line, for many positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    game: &'static str,
    rules: String,
    /// As it was understood.
    position: String,
    /// As asked.
    player: String,
    value: f64,
    unit: &'static str,
    bound: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies_to_end: Option<i32>,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    hash_permille: u32,
    branching: f64,
    pv: Vec<String>,
    lines: Vec<AnswerLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Explanation>,
}

#[derive(Serialize)]
struct AnswerLine {
    value: f64,
    bound: &'static str,
    depth: u32,
    pv: Vec<String>,
}

/// Searches and prints.
pub fn run(args: &Args) -> anyhow::Result<()> {
    with_game(&args.choice.game, args)?
}

impl Visitor for &Args {
    type Output = anyhow::Result<()>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        let spec = self.spec()?;
        if let Some(path) = &self.positions {
            return self.many::<G, C>(&spec, path);
        }
        let record = self.record::<G>()?;
        if let Some(end) = record.end() {
            bail!("the game has ended ({}): there is nothing to analyse", end.reason);
        }
        let mut player = player::player::<G, C>(&spec, Seed(1))?;
        let analysis = think(&mut *player, &record, &mut |analysis| {
            if self.verbose {
                print_progress(record.game(), analysis);
            }
        })?;
        let explanation = match self.explain {
            true => Some(explain::<G, C>(&spec, &record)?),
            false => None,
        };
        match self.json {
            true => {
                println!("{}", serde_json::to_string(&self.answer(&record, &analysis, None, explanation))?)
            }
            false => print(&record, &analysis, explanation.as_ref()),
        }
        Ok(())
    }
}

fn think<G: Game>(
    player: &mut dyn Player<G>,
    record: &Record<G>,
    report: &mut dyn FnMut(&Analysis<G::Move>),
) -> anyhow::Result<Analysis<G::Move>> {
    let control = Control::default();
    let turn = Turn { control: &control, limits: Limits::default() };
    let decision = player.choose(record, turn, report)?;
    decision.analysis.context("this player does not search: try `--player engine`")
}

impl Args {
    fn record<G: Game>(&self) -> anyhow::Result<Record<G>> {
        let (game, start) = self.choice.parse::<G>()?;
        let mut record = Record::from_position(game, start)?;
        match push_moves(&mut record, self.moves.as_deref().unwrap_or_default()) {
            // People count plies, not letters.
            Err(OpeningError::Move { source, .. }) => {
                Err(source).with_context(|| format!("--moves, ply {}", record.len() + 1))?;
            }
            played => played?,
        }
        Ok(record)
    }

    /// The player with the limits of the command line; they stand before those of its own.
    fn spec(&self) -> anyhow::Result<PlayerSpec> {
        let mut spec: PlayerSpec = self.player.parse()?;
        let mut set = |key: &str, value: Option<String>| {
            spec.options.extend(value.map(|value| (key.to_owned(), value)));
        };
        set("depth", self.depth.map(|depth| depth.to_string()));
        set("time", self.time.map(|time| Duration::from_millis(time).as_millis().to_string()));
        set("nodes", self.nodes.map(|nodes| nodes.to_string()));
        set("lines", (self.lines > 1).then(|| self.lines.to_string()));
        Ok(spec)
    }
}

fn explain<G: Game, C: GameKit<G>>(spec: &PlayerSpec, record: &Record<G>) -> anyhow::Result<Explanation> {
    let name = spec.get("eval").unwrap_or(C::entries().first().context("no evaluation to explain")?.name);
    let study = C::named(name, spec.get("file").map(std::path::Path::new))?;
    Ok(study.explain(record.game(), record.position()))
}

fn texts<G: Game>(game: &G, line: &Line<G::Move>) -> Vec<String> {
    line.moves.iter().map(|&mv| game.move_text(mv)).collect()
}

impl Args {
    /// Each line of a file as it comes, nothing remembered from one to the next.
    fn many<G: Game, C: GameKit<G>>(&self, spec: &PlayerSpec, path: &Path) -> anyhow::Result<()> {
        let (game, _) = self.choice.parse::<G>()?;
        let mut player = player::player::<G, C>(spec, Seed(1))?;
        let mut refused = RefusedLines::default();
        for line in positions::lines(path)? {
            let (number, line) = line?;
            if !player.renew(Seed(1)) {
                player = player::player::<G, C>(spec, Seed(1))?;
            }
            let record = read_line(&game, &line).map_err(anyhow::Error::from);
            let analysed = record.and_then(|record| {
                let analysis = think(&mut *player, &record, &mut |_| ())?;
                Ok((record, analysis))
            });
            match analysed {
                Ok((record, analysis)) if self.json => {
                    let answer = self.answer(&record, &analysis, Some(number), None);
                    println!("{}", serde_json::to_string(&answer)?);
                }
                Ok((record, analysis)) => print_line(&record, &analysis, number),
                Err(fault) => refused.add(number, &fault),
            }
        }
        refused.finish()
    }

    fn answer<G: Game>(
        &self,
        record: &Record<G>,
        analysis: &Analysis<G::Move>,
        number: Option<usize>,
        explanation: Option<Explanation>,
    ) -> AnalyseAnswer {
        let game = record.game();
        let scale = f64::from(analysis.unit.one);
        let line = |line: &Line<G::Move>| AnswerLine {
            value: f64::from(line.value) / scale,
            bound: line.bound.name(),
            depth: line.depth,
            pv: texts(game, line),
        };
        AnalyseAnswer {
            number,
            game: G::NAME,
            rules: game.rules().to_string(),
            position: game.position_text(record.position()),
            player: self.player.clone(),
            value: f64::from(analysis.value()) / scale,
            unit: analysis.unit.name,
            bound: analysis.lines.first().map_or("exact", |line| line.bound.name()),
            plies_to_end: plies_to_end(analysis.value()).filter(|plies| plies.unsigned_abs() < FAR),
            depth: analysis.depth,
            seldepth: analysis.seldepth,
            nodes: analysis.nodes,
            seconds: analysis.seconds,
            nodes_per_second: analysis.nodes as f64 / analysis.seconds.max(1e-9),
            hash_permille: analysis.hash_permille,
            branching: analysis.branching(),
            pv: analysis.lines.first().map_or(Vec::new(), |line| texts(game, line)),
            lines: analysis.lines.iter().map(line).collect(),
            explanation,
        }
    }
}

/// One of many: number, value, depth, nodes, seconds, best play.
fn print_line<G: Game>(record: &Record<G>, analysis: &Analysis<G::Move>, number: usize) {
    println!(
        "{number:>6} {:>14} {:>3} {:>12} {:>8.3}  {}",
        value_text(analysis.value(), analysis),
        analysis.depth,
        analysis.nodes,
        analysis.seconds,
        analysis.lines.first().map_or(String::new(), |line| texts(record.game(), line).join(" ")),
    );
}

/// A value as people read it.
fn value_text<M>(value: i32, analysis: &Analysis<M>) -> String {
    match plies_to_end(value) {
        Some(plies) if plies.unsigned_abs() >= FAR => if plies > 0 { "win" } else { "loss" }.into(),
        Some(plies) if plies >= 0 => format!("win in {plies}"),
        Some(plies) => format!("loss in {}", -plies),
        None => format!("{:+.2} {}", f64::from(value) / f64::from(analysis.unit.one), analysis.unit.name),
    }
}

fn print_progress<G: Game>(game: &G, analysis: &Analysis<G::Move>) {
    let Some(line) = analysis.lines.first() else { return };
    println!(
        "depth {:>2}/{:<2} {:>14} {:>12} nodes {:>8.3} s  {}",
        analysis.depth,
        analysis.seldepth,
        value_text(line.value, analysis),
        analysis.nodes,
        analysis.seconds,
        texts(game, line).join(" ")
    );
}

fn print<G: Game>(record: &Record<G>, analysis: &Analysis<G::Move>, explanation: Option<&Explanation>) {
    let game = record.game();
    println!("{}{}\n", game.diagram(record.position()), game.status(record.position()));
    for (number, line) in analysis.lines.iter().enumerate() {
        println!(
            "{:>2}. {:>14} {:>3}  {}",
            number + 1,
            value_text(line.value, analysis),
            line.depth,
            texts(game, line).join(" ")
        );
    }
    println!(
        "\ndepth {}/{}, {} nodes in {:.3} s ({:.2} M/s), branching {:.2}, hash {:.1}%",
        analysis.depth,
        analysis.seldepth,
        analysis.nodes,
        analysis.seconds,
        analysis.nodes as f64 / analysis.seconds.max(1e-9) / 1e6,
        analysis.branching(),
        f64::from(analysis.hash_permille) / 10.0,
    );
    if let Some(explanation) = explanation {
        println!("\n{explanation}");
        if !explanation.cells.is_empty() {
            println!(
                "what each cell adds, in {}:\n{}",
                explanation.unit,
                game.board().numbers(&explanation.cells)
            );
        }
    }
}
