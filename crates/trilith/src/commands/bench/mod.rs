//! `trilith bench`: the benchmarks of the project, as numbers. One file a benchmark.

mod arena;
mod depth;
mod eval;
mod ladder;
mod learn;
mod morris;
mod othello;
mod rules;
mod time;
mod truth;

use std::path::PathBuf;

use anyhow::bail;
use morris::tablebase;
use othello::{accuracy, book, endcut, solver};
use trilith_arena::GAMES;
use trilith_base::words;

/// Run the benchmarks, single-threaded, and print numbers
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith bench rules\n  \
    trilith bench solver --json\n  \
    trilith bench solver --positions 10 --threads 1,4,16\n  \
    trilith bench ladder morris --depth 5\n  \
    trilith bench depth othello --depth 12 --threads 2 --against engine:selectivity=off\n  \
    trilith bench depth abalone --depth 14 --threads 2,4,16\n  \
    trilith bench time --moves 1000 --time 50\n  \
    trilith bench accuracy othello hard-30.obf --depth 15 --threads 2\n\n\
    rules:  leaves per second of perft (no hashing, the last ply counted, not played), positions keyed per second,\n        \
    and whole random games per second, for each game. The best of several rounds is shown, since\n        \
    other work on the machine only ever slows a round down.\n\
    ladder: nodes and time of each search technique by depth, over a fixed set of positions (Morris: random\n        \
    placing and moving positions as in Mühle, 2.9).\n\
    eval:   leaf evaluations per second of every evaluation of every game, from nothing (fresh) and kept up to date\n        \
    from the position before; those that need a file run with untrained weights.\n\
    depth:  time to a depth in middle-game positions with one thread and with more, and of other players.\n\
    time:   by how much moves of a given time come late.\n\
    accuracy: share of best moves, discs lost and error of the value in the positions of a file with scored moves (OBF),\n        \
    for any player, each position on its own.\n\
    truth:  share of moves that keep the proved outcome of positions that tables know, for the engine without tables\n        \
    and any other player, at --time a move.\n\
    endcut: nodes of LOGISTELLO's selective search for the winner, and how often it errs, by level.\n\
    solver: positions visited and time to solve FFO 40 to 44 (Othello endgames of 20 to 24 empty squares), or as many as\n        \
    --positions says, with each number of threads.\n\
    arena:  seconds for 10,000 games of random players, and the share of matches at 1 ms a move that\n        \
    players think.\n\
    tablebase: microseconds to ask the Morris tables by standard rules that are there, and to find a right move.\n\
    book:   seconds for remembering a million positions, and microseconds for asking about one.\n\
    learn:  samples per second that the networks of Reversi (2025) are trained with, the time of one forward pass, and memory, filling,\n        \
    writing and reading of a table of 51.5 million positions (needs 2 GiB of memory and of temporary disk).\n\
    signature: node counts and values of fixed searches as one number, the same on every machine.")]
pub struct Args {
    /// Which benchmark: rules, eval, ladder, depth, time, accuracy, truth, solver, endcut, arena, book, tablebase, learn or signature
    #[arg(default_value = "rules")]
    name: String,
    /// For `ladder`, `depth`, `time`, `accuracy` and `truth`: the game
    #[arg(default_value = GAMES[0])]
    game: String,
    /// For `accuracy`: positions with scored moves
    file: Option<PathBuf>,
    /// For `accuracy` and `truth`: the player [default: engine]
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,
    /// For `ladder`, `depth` and `accuracy`: the deepest search [default: 4, 10 and 15]
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// For `ladder`, `depth`, `truth`, `endcut` and `solver`: positions of each kind [default: 200, 10, 100, 40 and 5]
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// For `ladder`: the evaluation [default: Mühle's Standard for Morris, else what `engine` plays with]
    #[arg(long, value_name = "NAME")]
    eval: Option<String>,
    /// For `depth`, `time`, `accuracy` and `solver`: threads; for `depth` and `solver` several numbers too, such as 1,4,16 [default: 2,
    /// for `solver` 1]
    #[arg(long, value_name = "N", value_delimiter = ',')]
    threads: Vec<usize>,
    /// For `depth`, `accuracy` and `truth`: another player beside the engine, such as `external:uci-mill:"tgf mill uci"`
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,
    /// For `time`: how many moves
    #[arg(long, value_name = "N", default_value_t = 1000)]
    moves: u64,
    /// For `time` and `truth`: milliseconds for each move
    #[arg(long, value_name = "MS", default_value_t = 50)]
    time: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Threads of a benchmark that works with one number of them.
    fn threads(&self) -> usize {
        self.threads.first().copied().unwrap_or(2)
    }
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
        "eval" => show!("eval", eval::measure(), eval::print),
        "ladder" => show!("ladder", ladder::measure(args), ladder::print),
        "depth" => show!("depth", depth::measure(args), depth::print),
        "time" => show!("time", time::measure(args), time::print),
        "accuracy" => show!("accuracy", accuracy::measure(args), accuracy::print),
        "truth" => show!("truth", truth::measure(args), truth::print),
        "endcut" => show!("endcut", endcut::measure(args), endcut::print),
        "solver" => show!("solver", solver::measure(args), solver::print),
        "arena" => show!("arena", arena::measure(), arena::print),
        "book" => show!("book", book::measure(), book::print),
        "tablebase" => show!("tablebase", tablebase::measure(), tablebase::print),
        "learn" => show!("learn", learn::measure(), learn::print),
        "signature" => {
            show!("signature", trilith_arena::signature::signature(GAMES), signature)
        }
        name => {
            let known = [
                "rules",
                "eval",
                "ladder",
                "depth",
                "time",
                "accuracy",
                "truth",
                "solver",
                "endcut",
                "arena",
                "book",
                "tablebase",
                "learn",
                "signature",
            ];
            bail!("unknown benchmark `{name}`: expected {}", words::expected(name, known))
        }
    }
    Ok(())
}

/// As the file `signature.txt` has it.
fn signature(signature: &trilith_arena::signature::Signature) {
    println!("{signature}");
}
