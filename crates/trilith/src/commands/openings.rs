//! `trilith openings`: finds openings for matches.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Subcommand;
use serde::Serialize;
use trilith_arena::contest::{Balanced, BalancedOpening};
use trilith_base::{Seed, files};

use crate::choice::{known_games, rules_with_layout};
use crate::output::ProgressLine;
use crate::stop;

/// Find openings for matches
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Balanced(BalancedArgs),
}

/// Find short beginnings from which a search sees neither side ahead (LOGISTELLO)
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith openings balanced othello --count 35 --depth 10 --out even.txt\n  \
    trilith openings balanced morris --count 50 --depth 6 --plies 6 --rules thesis > even.txt\n  \
    trilith match othello --a engine --b random --games 70 --openings even.txt\n\n\
    Each line is a list of moves; after # stands the value for the side to move. In Othello 8 plies lead to 12 discs.")]
struct BalancedArgs {
    #[arg(help = known_games())]
    game: String,
    /// How many
    #[arg(long, value_name = "N", default_value_t = 35)]
    count: usize,
    /// Plies to search
    #[arg(long, value_name = "N", default_value_t = 10)]
    depth: u32,
    /// Random plies before the search
    #[arg(long, value_name = "N", default_value_t = 8)]
    plies: usize,
    /// How far from 0 a value may lie, in units of the evaluation
    #[arg(long, value_name = "V", default_value_t = 1.0)]
    within: f64,
    /// Who searches
    #[arg(long, value_name = "PLAYER", default_value = "engine")]
    player: String,
    /// Rule switches, such as `thesis`
    #[arg(long, value_name = "RULES", default_value = "")]
    rules: String,
    /// Start layout (Abalone), such as `belgian-daisy`
    #[arg(long, value_name = "NAME")]
    layout: Option<String>,
    /// Where all draws come from
    #[arg(long, value_name = "N", default_value_t = Seed(1))]
    seed: Seed,
    /// Searches at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Write to this file instead of the terminal
    #[arg(long, value_name = "FILE", alias = "output")]
    out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long, conflicts_with = "out")]
    json: bool,
}

#[derive(Serialize)]
struct OpeningsAnswer<'a> {
    game: &'a str,
    rules: &'a str,
    plies: usize,
    within: f64,
    depth: u32,
    player: &'a str,
    seed: u64,
    openings: Vec<Balance<'a>>,
}

#[derive(Serialize)]
struct Balance<'a> {
    moves: &'a str,
    value: f64,
}

/// Searches and prints.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Balanced(args) => balanced(args),
    }
}

fn balanced(args: &BalancedArgs) -> anyhow::Result<()> {
    let wanted = Balanced {
        game: args.game.clone(),
        rules: rules_with_layout(&args.rules, args.layout.as_deref()),
        count: args.count,
        plies: args.plies,
        depth: args.depth,
        within: args.within,
        player: args.player.clone(),
        seed: args.seed,
        threads: args.threads,
    };
    let mut line = ProgressLine::new();
    let found = wanted.find(&stop::on_interrupt(), &mut |found, looked| {
        line.show(|| format!("{found}/{} openings of {looked} beginnings", args.count));
    })?;
    line.clear();
    if found.is_empty() {
        bail!("no beginning of {} plies lies within {}: try a larger --within", args.plies, args.within);
    }
    if args.json {
        println!("{}", serde_json::to_string(&answer(args, &wanted.rules, &found))?);
        return Ok(());
    }
    let text = text(args, &wanted.rules, &found);
    match &args.out {
        Some(path) => write_file(path, &text)?,
        None => print!("{text}"),
    }
    Ok(())
}

fn answer<'a>(args: &'a BalancedArgs, rules: &'a str, found: &'a [BalancedOpening]) -> OpeningsAnswer<'a> {
    OpeningsAnswer {
        game: &args.game,
        rules,
        plies: args.plies,
        within: args.within,
        depth: args.depth,
        player: &args.player,
        seed: args.seed.0,
        openings: found
            .iter()
            .map(|found| Balance { moves: &found.opening.moves, value: found.value })
            .collect(),
    }
}

fn text(args: &BalancedArgs, rules: &str, found: &[BalancedOpening]) -> String {
    let rules = if rules.is_empty() { String::new() } else { format!(" ({rules})") };
    let mut text = format!(
        "# {}{rules}: {} random plies within {} of even at depth {} ({}), seed {}\n",
        args.game, args.plies, args.within, args.depth, args.player, args.seed
    );
    for BalancedOpening { opening, value } in found {
        let _ = writeln!(text, "{} # {value:+.2}", opening.moves);
    }
    text
}

fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    files::write_whole(path, text.as_bytes()).with_context(|| path.display().to_string())
}
