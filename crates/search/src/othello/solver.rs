//! The solver: exact scores, outcomes, or all moves scored.
//!
//! First guesses come from selective searches to the end, each bolder one first; the exact search then starts
//! with a window about the guess and widens it until the score lies inside.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use trilith_games::othello::technique::Technique;
use trilith_games::othello::{Move, Position, squares};

use super::evaluation::Evaluation;
use super::level;
use super::principal::search_root;
use super::search::help_others;
use super::split::SplitPool;
use super::table::{NO_SQUARE, SolverTable};
use super::worker::SolverWorker;
use crate::analysis::Bound;
use crate::limits::Control;

/// How a solver works.
#[derive(Clone, Copy, Debug)]
pub struct SolverOptions {
    /// Threads that search; one thread always visits the same positions.
    pub threads: usize,
    /// Size of the table.
    pub table_mebibytes: usize,
    /// How discs are turned.
    pub technique: Technique,
}

impl Default for SolverOptions {
    fn default() -> SolverOptions {
        SolverOptions { threads: 1, table_mebibytes: 256, technique: Technique::best() }
    }
}

/// What is asked of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveGoal {
    /// The final margin.
    Score,
    /// Who wins: the score is a bound if it is not a draw.
    Outcome,
}

/// What was found about a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution {
    /// Discs for the side to move at the end, empty squares to the winner.
    pub score: i32,
    /// What the score says; always exact if the score was asked for.
    pub bound: Bound,
    /// The move that gives it; none if the game has ended.
    pub best: Option<Move>,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Wall time.
    pub seconds: f64,
}

/// Solves positions, one at a time, and remembers what it saw.
pub struct Solver<E> {
    evaluation: E,
    options: SolverOptions,
    table: SolverTable,
    /// One a thread.
    near: Vec<SolverTable>,
}

/// Fits into the second-level cache of a core, beside what is in use of the evaluation's weights.
const NEAR_KIBIBYTES: usize = 256;

impl<E: Evaluation> Solver<E> {
    /// A solver that has not seen anything yet.
    pub fn new(evaluation: E, options: SolverOptions) -> Solver<E> {
        let near = (0..options.threads.max(1)).map(|_| SolverTable::new(NEAR_KIBIBYTES << 10)).collect();
        Solver { evaluation, options, table: SolverTable::new(options.table_mebibytes << 20), near }
    }

    /// Forgets everything seen.
    pub fn clear(&mut self) {
        self.table.clear();
        self.near.iter().for_each(SolverTable::clear);
    }

    /// Answers the question; nothing if `control` was stopped before the answer was found, which it obeys within
    /// milliseconds.
    pub fn solve(&mut self, position: &Position, goal: SolveGoal, control: &Control) -> Option<Solution> {
        self.solve_within(position, goal, None, control)
    }

    /// As [`Solver::solve`] with at most about so many nodes; `control` is stopped where they are spent.
    pub fn solve_within(
        &mut self,
        position: &Position,
        goal: SolveGoal,
        nodes: Option<u64>,
        control: &Control,
    ) -> Option<Solution> {
        self.run(position, goal, nodes, control, &mut |_| ())
    }

    /// The exact score, as [`Solver::solve_within`]; `probable` hears what the selective searches before it have found.
    pub fn approach(
        &mut self,
        position: &Position,
        nodes: Option<u64>,
        control: &Control,
        probable: &mut dyn FnMut(&Solution),
    ) -> Option<Solution> {
        self.run(position, SolveGoal::Score, nodes, control, probable)
    }

    fn run(
        &mut self,
        position: &Position,
        goal: SolveGoal,
        most_nodes: Option<u64>,
        control: &Control,
        probable: &mut dyn FnMut(&Solution),
    ) -> Option<Solution> {
        let start = Instant::now();
        self.table.grow_older();
        self.near.iter().for_each(SolverTable::grow_older);
        let nodes = AtomicU64::new(0);
        let solution = |(score, square), nodes| {
            let bound = match goal {
                SolveGoal::Outcome if score > 0 => Bound::Lower,
                SolveGoal::Outcome if score < 0 => Bound::Upper,
                _ => Bound::Exact,
            };
            let best = match square {
                NO_SQUARE if position.has_ended() => None,
                NO_SQUARE => Some(Move::PASS),
                square => Some(Move::on(square)),
            };
            Solution { score, bound, best, nodes, seconds: start.elapsed().as_secs_f64() }
        };
        let answer = self.with_helpers(&nodes, (control, most_nodes), |worker| {
            let mut root = Root { worker, technique: self.options.technique, position: *position };
            let answer = match goal {
                SolveGoal::Score => root.score(&mut |answer, nodes| probable(&solution(answer, nodes))),
                SolveGoal::Outcome => root.outcome(),
            };
            (!root.worker.is_stopped()).then_some(answer)
        });
        answer.map(|answer| solution(answer, nodes.into_inner()))
    }

    /// Every legal move as a solution of its own, best first; the same score in order of squares.
    pub fn solve_moves(&mut self, position: &Position, control: &Control) -> Option<Vec<Solution>> {
        let mut solutions = Vec::new();
        for (mv, child) in children(position) {
            let solution = self.solve(&child, SolveGoal::Score, control)?;
            solutions.push(Solution { score: -solution.score, best: Some(mv), ..solution });
        }
        solutions.sort_by_key(|solution| -solution.score);
        Some(solutions)
    }

    /// Best play from `position` on, whose exact score is known; cheap right after it was solved.
    pub fn line(&mut self, position: &Position, score: i32, control: &Control) -> Option<Vec<Move>> {
        let (mut position, mut score) = (*position, score);
        let mut line = Vec::new();
        while !position.has_ended() {
            let nodes = AtomicU64::new(0);
            let square = self.with_helpers(&nodes, (control, None), |worker| {
                let mut root = Root { worker, technique: self.options.technique, position };
                let (_, square) = root.search((score - 1, score + 1), level::EXACT);
                (!root.worker.is_stopped()).then_some(square)
            })?;
            let mv = if square == NO_SQUARE { Move::PASS } else { Move::on(square) };
            position =
                mv.square().map_or_else(|| position.after_pass(), |square| position.after_disc(square));
            score = -score;
            line.push(mv);
        }
        Some(line)
    }

    /// Runs `lead` on this thread with the other threads ready to help; adds the nodes of all to `nodes`.
    fn with_helpers<T>(
        &self,
        nodes: &AtomicU64,
        (control, most_nodes): (&Control, Option<u64>),
        lead: impl FnOnce(&mut SolverWorker<'_, E>) -> T,
    ) -> T {
        let pool = SplitPool::default();
        let (near, helpers_near) = self.near.split_first().expect("there is at least one thread");
        let shared = (!helpers_near.is_empty()).then_some(&pool);
        let technique = self.options.technique;
        let share = most_nodes.map_or(u64::MAX, |nodes| nodes / self.near.len() as u64);
        let new_worker =
            |near| SolverWorker::new((&self.table, near), &self.evaluation, shared, (control, share));
        std::thread::scope(|scope| {
            for near in helpers_near {
                scope.spawn(|| {
                    let mut worker = new_worker(near);
                    help_others(technique, &mut worker);
                    nodes.fetch_add(worker.nodes, Relaxed);
                });
            }
            let mut worker = new_worker(near);
            let result = lead(&mut worker);
            nodes.fetch_add(worker.nodes, Relaxed);
            pool.end();
            result
        })
    }
}

/// The legal moves, in order of squares, with the positions they lead to.
pub fn children(position: &Position) -> Vec<(Move, Position)> {
    match position.mobility() {
        0 if position.has_ended() => Vec::new(),
        0 => vec![(Move::PASS, position.after_pass())],
        moves => squares(moves).map(|square| (Move::on(square), position.after_disc(square))).collect(),
    }
}

/// The selective searches before the exact one; only every second with helpers, since few of those find work in them.
fn levels(has_helpers: bool) -> impl Iterator<Item = u8> {
    let step = 1 + usize::from(has_helpers);
    level::SELECTIVE.into_iter().skip(step - 1).step_by(step)
}

/// One solve.
struct Root<'w, 'a, E> {
    worker: &'w mut SolverWorker<'a, E>,
    technique: Technique,
    position: Position,
}

impl<E: Evaluation> Root<'_, '_, E> {
    fn search(&mut self, window: (i32, i32), level: u8) -> (i32, u8) {
        search_root(self.technique, self.worker, &self.position, window, level)
    }

    /// The exact score; `probable` hears what the selective searches before it find, and the leading thread's nodes.
    fn score(&mut self, probable: &mut dyn FnMut((i32, u8), u64)) -> (i32, u8) {
        let empties = self.position.empties().count_ones();
        let mut guess = self.evaluation_guess();
        if empties > self.worker.evaluation.worthwhile_from() {
            for level in levels(self.worker.pool.is_some()) {
                let answer = self.aspire(guess, level);
                if self.worker.is_stopped() {
                    return answer;
                }
                guess = answer.0;
                probable(answer, self.worker.nodes);
            }
        }
        self.aspire(guess, level::EXACT)
    }

    fn outcome(&mut self) -> (i32, u8) {
        if self.position.empties().count_ones() > self.worker.evaluation.worthwhile_from() {
            for level in levels(self.worker.pool.is_some()) {
                self.search((-1, 1), level);
            }
        }
        self.search((-1, 1), level::EXACT)
    }

    fn evaluation_guess(&self) -> i32 {
        let Position { own, other, .. } = self.position;
        let evaluation = self.worker.evaluation;
        (evaluation.value(own, other, &evaluation.begin(own, other)) / 200 * 2).clamp(-64, 64)
    }

    /// Searches windows about a guess that widen to the side where the score lies.
    ///
    /// A selective search may deny on one side what it found on the other: then the window is opened wholly.
    fn aspire(&mut self, guess: i32, level: u8) -> (i32, u8) {
        // Scores are even, so a window of odd bounds with one even number inside asks for that very score.
        let guess = guess & !1;
        let (mut low, mut high) = (guess - 1, guess + 1);
        let (mut width, mut fell, mut rose) = (4, false, false);
        loop {
            let (score, square) = self.search((low, high), level);
            if self.worker.is_stopped() || low < score && score < high {
                return (score, square);
            }
            (fell, rose) = (fell || score <= low, rose || score >= high);
            (low, high) = match (fell, rose) {
                (true, true) => (-65, 65),
                (true, _) => (((score + 1 - width) | 1).max(-65), (score + 1) | 1),
                _ => ((score - 1) | 1, ((score - 1 + width) | 1).min(65)),
            };
            width *= 2;
        }
    }
}
