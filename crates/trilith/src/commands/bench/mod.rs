//! `trilith bench`: the benchmarks of the project, as numbers. One file a benchmark.

mod arena;
mod book;
mod ladder;
mod rules;
mod solver;

use anyhow::bail;
use trilith_base::words;

/// Run the benchmarks, single-threaded, and print numbers
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith bench rules\n  \
    trilith bench solver --json\n  \
    trilith bench ladder morris --depth 5\n\n\
    rules:  leaves per second of perft (no hashing, the last ply counted, not played), positions keyed per second,\n        \
    and whole random games per second, for each game. The best of several rounds is shown, since\n        \
    other work on the machine only ever slows a round down.\n\
    ladder: nodes and time of each search technique by depth, over a fixed set of positions (Morris: random\n        \
    placing and moving positions as in S2, 2.9).\n\
    solver: positions visited and time to solve FFO 40 to 44 (Othello endgames of 20 to 24 empty squares).\n\
    arena:  seconds for 10,000 Othello games of random players, and the share of matches at 1 ms a move that\n        \
    players think.\n\
    book:   seconds for remembering a million positions, and microseconds for asking about one.")]
pub struct Args {
    /// Which benchmark: rules, ladder, solver, arena or book
    #[arg(default_value = "rules")]
    name: String,
    /// For `ladder`: the game
    #[arg(default_value = "morris")]
    game: String,
    /// For `ladder`: the deepest search
    #[arg(long, value_name = "N", default_value_t = 4)]
    depth: u32,
    /// For `ladder`: positions of each kind
    #[arg(long, value_name = "N", default_value_t = 200)]
    positions: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Measures and prints.
pub fn run(args: &Args) -> anyhow::Result<()> {
    macro_rules! show {
        ($name:literal, $measured:expr, $print:path) => {{
            let measured = $measured?;
            match args.json {
                true => println!("{}", serde_json::json!({ $name: measured })),
                false => $print(&measured),
            }
        }};
    }
    match args.name.as_str() {
        "rules" => show!("rules", rules::measure(), rules::print),
        "ladder" => show!("ladder", ladder::measure(&args.game, args.depth, args.positions), ladder::print),
        "solver" => show!("solver", solver::measure(), solver::print),
        "arena" => show!("arena", arena::measure(), arena::print),
        "book" => show!("book", book::measure(), book::print),
        name => {
            let known = ["rules", "ladder", "solver", "arena", "book"];
            bail!("unknown benchmark `{name}`: expected {}", words::expected(name, known))
        }
    }
    Ok(())
}
