//! The solver benchmark: the first positions of FFO 40 to 59, the usual test of Othello endgame solvers, on any number of
//! threads.

use serde::Serialize;
use trilith_eval::othello::Evaluations;
use trilith_games::othello::Othello;
use trilith_games::othello::formats::obf::{Problem, parse_obf};
use trilith_search::Control;
use trilith_search::othello::{SolveGoal, Solver, SolverOptions};

use super::super::Args;

const SUITE: &str = include_str!("../../../../../search/tests/data/othello/fforum-40-59.obf");

/// What solving took.
#[derive(Serialize)]
pub struct SolverCost {
    threads: usize,
    positions: usize,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    /// Time of the first number of threads in relation to this one's.
    speed: f64,
    /// Nodes more than with the first, as a share.
    overhead: f64,
}

/// Solves, with each number of threads in turn; with one if none was given.
pub fn measure(args: &Args) -> anyhow::Result<Vec<SolverCost>> {
    let problems = parse_obf(&Othello::default(), SUITE)?;
    let count = args.positions.map_or(5, |count| count as usize).min(problems.len());
    let threads = if args.threads.is_empty() { &[1][..] } else { &args.threads };
    let mut costs: Vec<SolverCost> =
        threads.iter().map(|&threads| solve(&problems[..count], threads)).collect();
    if let Some(&SolverCost { nodes, seconds, .. }) = costs.first() {
        for cost in &mut costs {
            cost.speed = seconds / cost.seconds;
            cost.overhead = cost.nodes as f64 / nodes as f64 - 1.0;
        }
    }
    Ok(costs)
}

fn solve(problems: &[Problem], threads: usize) -> SolverCost {
    let mut solver =
        Solver::new(Evaluations::patterns(), SolverOptions { threads, ..SolverOptions::default() });
    let (mut nodes, mut seconds) = (0, 0.0);
    for problem in problems {
        solver.clear();
        let solution = solver.solve(&problem.position, SolveGoal::Score, &Control::default());
        let solution = solution.expect("nobody stops the solver");
        nodes += solution.nodes;
        seconds += solution.seconds;
    }
    let nodes_per_second = nodes as f64 / seconds;
    let positions = problems.len();
    SolverCost { threads, positions, nodes, seconds, nodes_per_second, speed: 1.0, overhead: 0.0 }
}

/// One line a number of threads.
pub fn print(costs: &Vec<SolverCost>) {
    for SolverCost { threads, positions, nodes, seconds, nodes_per_second, speed, overhead } in costs {
        println!(
            "FFO 40-{}, {threads:>2} threads: {nodes} nodes, {seconds:.3} s, {:.1} M nodes/s, speed {speed:.2}, overhead \
             {:.0}%",
            39 + positions,
            nodes_per_second / 1e6,
            overhead * 100.0
        );
    }
}
