//! The solver as the engine's finisher: when to ask it, and its answers as lines of play.
//!
//! Fair within limits: its nodes count, and a depth of `n` plies asks it for the last `n` empty squares only, where an
//! ordinary search of that depth would see the end too.

use std::sync::Arc;

use trilith_eval::Unit;
use trilith_eval::othello::Evaluations;
use trilith_eval::othello::patterns::{ONE, OthelloPatterns};
use trilith_games::Game;
use trilith_games::othello::{Move, Othello, Position, Score};

use super::solver::{Solution, SolveGoal, Solver, SolverOptions};
use crate::analysis::{Bound, Line};
use crate::finisher::{FinishedSearch, Finisher, FinisherSettings};
use crate::limits::{Control, Limits};

/// Without a limit: what is solved in minutes.
const PATIENT: u32 = 28;
/// Up to so many empty squares hardly anything is needed to fall back on.
const SURE: u32 = 12;
/// Nodes a second that a thread certainly reaches.
const SPEED: f64 = 15e6;

/// Plays Othello's last moves.
pub struct OthelloFinisher {
    reach: FinisherSettings,
    /// Made when first needed: most engines never are so near the end, and its table is large.
    solver: Option<Solver<Arc<OthelloPatterns>>>,
}

/// What a first, bold search to the end usually takes: 0.6 M nodes from 20 empty squares, 1.6 times as many from 21.
fn usual_nodes(empties: u32) -> f64 {
    6e5 * 1.6_f64.powi(empties as i32 - 20)
}

impl OthelloFinisher {
    /// One that has not solved anything yet.
    pub fn new(reach: FinisherSettings) -> OthelloFinisher {
        OthelloFinisher { reach, solver: None }
    }

    fn is_in_reach(&self, empties: u32, limits: &Limits, lines: usize) -> bool {
        if let Some(plies) = self.reach.plies {
            return empties <= plies;
        }
        let by_time = limits.hard().map(|time| time.as_secs_f64() * SPEED * self.reach.threads as f64);
        let by_nodes = limits.nodes.map(|nodes| nodes as f64);
        let nodes = by_time.unwrap_or(f64::INFINITY).min(by_nodes.unwrap_or(f64::INFINITY));
        // Every line is solved by itself, and there is nothing to show before the last one is.
        let each = if lines > 1 { 20.0 } else { 1.0 };
        empties <= limits.depth.unwrap_or(PATIENT) && each * usual_nodes(empties) <= 0.7 * nodes
    }

    fn solver(&mut self, empties: u32) -> &mut Solver<Arc<OthelloPatterns>> {
        let threads = self.reach.threads;
        self.solver.get_or_insert_with(|| {
            let table_mebibytes = if empties > 14 { 64 } else { 4 };
            Solver::new(
                Evaluations::patterns(),
                SolverOptions { threads, table_mebibytes, ..SolverOptions::default() },
            )
        })
    }
}

impl Finisher<Othello> for OthelloFinisher {
    fn plan(&self, game: &Othello, position: &Position, limits: &Limits, lines: usize) -> Option<Limits> {
        if game.rules().score != Score::Wof {
            return None;
        }
        let empties = position.empties().count_ones();
        let is_forced = limits.hard().is_some() && lines == 1 && position.mobility().count_ones() <= 1;
        if empties == 0 || is_forced || !self.is_in_reach(empties, limits, lines) {
            return None;
        }
        let depth = match empties {
            ..=SURE => 2,
            _ if limits.nodes.is_some() => 5,
            _ => 8,
        };
        Some(Limits { depth: Some(limits.depth.map_or(depth, |limit| limit.min(depth))), ..*limits })
    }

    fn finish(
        &mut self,
        position: &Position,
        lines: usize,
        nodes: Option<u64>,
        control: &Control,
        report: &mut dyn FnMut(FinishedSearch<Move>),
    ) {
        let plies = position.empties().count_ones();
        let solver = self.solver(plies);
        if lines > 1 {
            if let Some((lines, nodes)) = all_lines(solver, position, lines, nodes, control) {
                report(FinishedSearch { lines, unit: UNIT, plies, proved: true, nodes });
            }
            return;
        }
        let mut probable = |solution: &Solution| {
            let line = line(solution.score, plies, solution.best.into_iter().collect());
            report(FinishedSearch {
                lines: vec![line],
                unit: UNIT,
                plies,
                proved: false,
                nodes: solution.nodes,
            });
        };
        let Some(solution) = solver.approach(position, nodes, control, &mut probable) else { return };
        let moves = solver.line(position, solution.score, control);
        let moves = moves.unwrap_or_else(|| solution.best.into_iter().collect());
        let lines = vec![line(solution.score, plies, moves)];
        report(FinishedSearch { lines, unit: UNIT, plies, proved: true, nodes: solution.nodes });
    }

    fn forget(&mut self) {
        if let Some(solver) = &mut self.solver {
            solver.clear();
        }
    }
}

const UNIT: Unit = Unit { name: "discs", one: ONE };

/// A line that is exact to the end of the game, `plies` away.
fn line(score: i32, plies: u32, moves: Vec<Move>) -> Line<Move> {
    Line { value: score * ONE, bound: Bound::Exact, depth: plies, moves }
}

/// The best moves with their scores and best play after them, and the nodes it took.
fn all_lines(
    solver: &mut Solver<Arc<OthelloPatterns>>,
    position: &Position,
    count: usize,
    nodes: Option<u64>,
    control: &Control,
) -> Option<(Vec<Line<Move>>, u64)> {
    let mut left = nodes;
    let mut solutions = Vec::new();
    let mut spent = 0;
    for (mv, child) in super::solver::children(position) {
        let solution = solver.solve_within(&child, SolveGoal::Score, left, control)?;
        left = left.map(|left| left.saturating_sub(solution.nodes));
        spent += solution.nodes;
        solutions.push((mv, child, -solution.score));
    }
    solutions.sort_by_key(|&(_, _, score)| -score);
    let lines = solutions.into_iter().take(count).map(|(mv, child, score)| {
        let rest = solver.line(&child, -score, control).unwrap_or_default();
        line(score, position.empties().count_ones(), std::iter::once(mv).chain(rest).collect())
    });
    Some((lines.collect(), spent))
}
