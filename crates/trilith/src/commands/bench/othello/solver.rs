//! The solver benchmark: FFO 40 to 44, the usual test of Othello endgame solvers, on one thread.

use serde::Serialize;
use trilith_eval::othello::Evaluations;
use trilith_games::othello::Othello;
use trilith_games::othello::formats::obf::parse_obf;
use trilith_search::Control;
use trilith_search::othello::{SolveGoal, Solver, SolverOptions};

const SUITE: &str = include_str!("../../../../../search/tests/data/othello/fforum-40-59.obf");

/// What solving took.
#[derive(Serialize)]
pub struct SolverCost {
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
}

/// Solves.
pub fn measure() -> anyhow::Result<SolverCost> {
    let problems = parse_obf(&Othello::default(), SUITE)?;
    let mut solver = Solver::new(Evaluations::patterns(), SolverOptions::default());
    let (mut nodes, mut seconds) = (0, 0.0);
    for problem in &problems[..5] {
        solver.clear();
        let solution = solver.solve(&problem.position, SolveGoal::Score, &Control::default());
        let solution = solution.expect("nobody stops the solver");
        nodes += solution.nodes;
        seconds += solution.seconds;
    }
    Ok(SolverCost { nodes, seconds, nodes_per_second: nodes as f64 / seconds })
}

/// One line for people.
pub fn print(cost: &SolverCost) {
    let SolverCost { nodes, seconds, nodes_per_second } = cost;
    println!("FFO 40-44: {nodes} nodes, {seconds:.3} s, {:.1} M nodes/s", nodes_per_second / 1e6);
}
