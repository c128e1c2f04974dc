//! `trilith solve`: exact endgame scores of the positions in a file.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use serde::Serialize;
use trilith_games::othello::formats::obf::{Problem, parse_obf};
use trilith_games::othello::{Move, Othello};
use trilith_search::othello::{Goal, Handmade, Options, Solver};

/// Solve the endgame positions of a file exactly
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith solve othello fforum-40-59.obf --threads 2\n  \
    trilith solve othello hard-20.obf --mode all --check --json\n\n\
    A line each: number, score in discs for the side to move (empty squares to the winner), best move, positions\n\
    visited, seconds; then the total. With `--mode wdl` a score other than 0 is a bound on the right side of it.")]
pub struct Args {
    /// othello
    game: String,
    /// Positions in the format OBF
    file: PathBuf,
    /// Threads that search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// What to find: the score, who wins, or the score of every move
    #[arg(long, value_enum, default_value_t = Mode::Exact)]
    mode: Mode,
    /// Size of the table
    #[arg(long, value_name = "MiB", default_value_t = 256)]
    hash: usize,
    /// Compare with the scores in the file and fail if any differs
    #[arg(long)]
    check: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Mode {
    /// The final margin
    Exact,
    /// Win, draw or loss
    Wdl,
    /// The final margin of every move
    All,
}

#[derive(Serialize)]
struct Answer {
    positions: Vec<Solved>,
    total: Total,
}

#[derive(Serialize)]
struct Solved {
    number: usize,
    score: i32,
    best: String,
    nodes: u64,
    seconds: f64,
    bound: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<Scored>,
}

#[derive(Serialize)]
struct Scored {
    #[serde(rename = "move")]
    mv: String,
    score: i32,
}

#[derive(Serialize, Default)]
struct Total {
    nodes: u64,
    seconds: f64,
}

/// Solves and prints.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if args.game != "othello" {
        bail!("`{}` has no endgame solver: expected `othello`", args.game);
    }
    let text = fs::read_to_string(&args.file).with_context(|| args.file.display().to_string())?;
    let problems = parse_obf(&Othello::default(), &text).with_context(|| args.file.display().to_string())?;
    let options = Options { threads: args.threads.into(), table_mebibytes: args.hash, ..Options::default() };
    let mut solver = Solver::new(Handmade, options);
    let mut answer = Answer { positions: Vec::new(), total: Total::default() };
    for (number, problem) in (1..).zip(&problems) {
        solver.clear();
        let solved = solve(&mut solver, args.mode, number, problem);
        answer.total.nodes += solved.nodes;
        answer.total.seconds += solved.seconds;
        if !args.json {
            print_line(&solved);
        }
        answer.positions.push(solved);
    }
    let _ = Move::PASS;
    if args.json {
        println!("{}", serde_json::to_string(&answer)?);
    } else {
        let Total { nodes, seconds } = answer.total;
        println!("total {nodes} nodes {seconds:.3} s {:.1} M nodes/s", nodes as f64 / seconds / 1e6);
    }
    if args.check {
        for (solved, problem) in answer.positions.iter().zip(&problems) {
            if let Some(best) = problem.best() {
                if best != solved.score {
                    bail!("position {}: score {} but the file says {best}", solved.number, solved.score);
                }
            }
        }
    }
    Ok(())
}

fn print_line(solved: &Solved) {
    let Solved { number, score, best, nodes, seconds, .. } = solved;
    println!("{number:>3} {score:>+4} {best:>4} {nodes:>14} {seconds:>9.3}");
}

fn solve(solver: &mut Solver<Handmade>, mode: Mode, number: usize, problem: &Problem) -> Solved {
    let goal = if mode == Mode::Wdl { Goal::Outcome } else { Goal::Score };
    let solution =
        solver.solve(&problem.position, goal, &AtomicBool::new(false)).expect("nobody stops the solver");
    Solved {
        number,
        score: solution.score,
        best: solution.best.map_or_else(String::new, |mv| mv.to_string()),
        nodes: solution.nodes,
        seconds: solution.seconds,
        bound: solution.bound.name(),
        moves: Vec::new(),
    }
}
