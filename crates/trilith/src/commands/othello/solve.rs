//! `trilith solve`: exact endgame scores of the positions in a file.

use std::collections::HashSet;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use serde::Serialize;
use trilith_eval::othello::{Evaluations, OthelloPatterns};
use trilith_games::Game;
use trilith_games::othello::Othello;
use trilith_games::othello::formats::obf::{Problem, parse_obf};
use trilith_search::Control;
use trilith_search::othello::{SolveGoal, Solver, SolverOptions};

use super::scored::ScoredFile;
use crate::positions;

/// Solve the endgame positions of a file exactly
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith solve othello fforum-40-59.obf --threads 2\n  \
    trilith solve othello hard-20.obf --mode all --check --json\n  \
    trilith solve othello - --jsonl < positions.obf\n  \
    trilith solve othello games.obf --empty 24 --mode all --out scored.obf\n\n\
    A line each: number, score in discs for the side to move (empty squares to the winner), best move, positions\n\
    visited, seconds; then the total. With `--mode wdl` a score other than 0 is a bound on the right side of it.\n\
    With --out, run it again to go on where it was interrupted: what the file has is not solved again.")]
pub struct Args {
    /// othello
    game: String,
    /// Positions in the format OBF; `-` for standard input
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
    /// Only positions with so many empty squares and a move, each once
    #[arg(long, value_name = "N")]
    empty: Option<u32>,
    /// Add each position to this file (OBF), all moves scored, as soon as it is solved; needs `--mode all`
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Compare with the scores in the file and fail if any differs
    #[arg(long)]
    check: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print a JSON object a position, each as soon as it is solved, then one with the total
    #[arg(long, conflicts_with = "json")]
    jsonl: bool,
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

#[derive(Serialize, Default)]
struct SolveAnswer {
    positions: Vec<Solved>,
    total: Total,
}

#[derive(Serialize)]
struct Solved {
    number: usize,
    position: String,
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
    if args.out.is_some() && args.mode != Mode::All {
        bail!("--out keeps the scores of all moves: expected --mode all");
    }
    let mut scored = args.out.clone().map(ScoredFile::open).transpose()?;
    let mut wanted = Wanted { empty: args.empty, met: HashSet::new() };
    let options = SolverOptions {
        threads: args.threads.into(),
        table_mebibytes: args.hash,
        ..SolverOptions::default()
    };
    let mut solver = Solver::new(Evaluations::patterns(), options);
    let mut answer = SolveAnswer::default();
    let mut wrong = 0;
    let mut number = 0;
    for line in positions::lines(&args.file)? {
        let (line, text) = line?;
        let name = || format!("{}, line {line}", args.file.display());
        for problem in parse_obf(&Othello::default(), &text).with_context(name)? {
            if !wanted.takes(&problem) {
                continue;
            }
            number += 1;
            if scored.as_ref().is_some_and(|file| file.has(&problem)) {
                continue;
            }
            let solved = solve(&mut solver, args.mode, number, &problem);
            if args.check {
                let faults = solved.faults(&problem, args.mode);
                wrong += faults.len();
                faults.iter().for_each(|fault| eprintln!("position {number}: {fault}"));
            }
            if let Some(file) = &mut scored {
                file.add(solved.problem(&problem)?)?;
            }
            answer.add(args, solved)?;
        }
    }
    if number == 0 {
        let which =
            args.empty.map_or_else(String::new, |empty| format!(" with {empty} empty squares and a move"));
        bail!("`{}` has no position{which}: expected one a line in the format OBF", args.file.display());
    }
    match (args.json, args.jsonl) {
        (true, _) => println!("{}", serde_json::to_string(&answer)?),
        (_, true) => println!("{}", serde_json::json!({ "total": answer.total })),
        _ => answer.total.print(),
    }
    if wrong > 0 {
        // Not the input's fault but a failure on the way, so that the program ends with 1.
        return Err(io::Error::other(format!("{wrong} scores differ from the file")).into());
    }
    Ok(())
}

impl SolveAnswer {
    /// Prints what is printed at once, keeps the rest.
    fn add(&mut self, args: &Args, solved: Solved) -> anyhow::Result<()> {
        self.total.nodes += solved.nodes;
        self.total.seconds += solved.seconds;
        match (args.json, args.jsonl) {
            (true, _) => self.positions.push(solved),
            (_, true) => println!("{}", serde_json::to_string(&solved)?),
            _ => solved.print(),
        }
        Ok(())
    }
}

/// Which positions are solved.
struct Wanted {
    empty: Option<u32>,
    met: HashSet<String>,
}

impl Wanted {
    /// Whether this one is; only the first time if it comes again.
    fn takes(&mut self, problem: &Problem) -> bool {
        let position = &problem.position;
        self.empty.is_none_or(|empty| {
            let fits = position.empties().count_ones() == empty && position.mobility() != 0;
            fits && self.met.insert(position.text())
        })
    }
}

/// A position solved with nothing remembered, so that numbers do not depend on what came before.
fn solve(solver: &mut Solver<Arc<OthelloPatterns>>, mode: Mode, number: usize, problem: &Problem) -> Solved {
    const UNSTOPPED: &str = "nobody stops the solver";
    solver.clear();
    let never = Control::default();
    let goal = if mode == Mode::Wdl { SolveGoal::Outcome } else { SolveGoal::Score };
    let solution = solver.solve(&problem.position, goal, &never).expect(UNSTOPPED);
    let mut solved = Solved {
        number,
        position: problem.position.text(),
        score: solution.score,
        best: solution.best.map_or_else(|| "--".into(), |mv| mv.to_string()),
        nodes: solution.nodes,
        seconds: solution.seconds,
        bound: solution.bound.name(),
        moves: Vec::new(),
    };
    if mode == Mode::All {
        for solution in solver.solve_moves(&problem.position, &never).expect(UNSTOPPED) {
            solved.nodes += solution.nodes;
            solved.seconds += solution.seconds;
            let mv = solution.best.expect("each solution is of a move").to_string();
            solved.moves.push(Scored { mv, score: solution.score });
        }
    }
    solved
}

impl Solved {
    fn print(&self) {
        let Solved { number, score, best, nodes, seconds, .. } = self;
        let moves: String =
            self.moves.iter().map(|Scored { mv, score }| format!(" {mv}:{score:+}")).collect();
        println!("{number:>4} {score:>+4} {best:>5} {nodes:>14} {seconds:>10.3}{moves}");
    }

    /// The position with the scores that were found.
    fn problem(&self, asked: &Problem) -> anyhow::Result<Problem> {
        let game = Othello::default();
        let scores =
            self.moves.iter().map(|Scored { mv, score }| Ok((game.parse_move(&asked.position, mv)?, *score)));
        Ok(Problem { scores: scores.collect::<anyhow::Result<_>>()?, ..asked.clone() })
    }

    /// Where the file says something else.
    fn faults(&self, problem: &Problem, mode: Mode) -> Vec<String> {
        let mut faults = Vec::new();
        if let Some(best) = problem.best() {
            let is_right = match mode {
                Mode::Wdl => best.signum() == self.score.signum(),
                _ => best == self.score,
            };
            if !is_right {
                faults.push(format!("score {:+}, but the file says {best:+}", self.score));
            }
        }
        for Scored { mv, score } in &self.moves {
            let listed = problem.scores.iter().find(|(known, _)| known.to_string() == *mv);
            if let Some((_, listed)) = listed.filter(|(_, listed)| listed != score) {
                faults.push(format!("{mv} scores {score:+}, but the file says {listed:+}"));
            }
        }
        faults
    }
}

impl Total {
    fn print(&self) {
        let Total { nodes, seconds } = self;
        println!(
            "total {nodes} nodes, {seconds:.3} s, {:.1} M nodes/s",
            *nodes as f64 / seconds.max(1e-9) / 1e6
        );
    }
}
