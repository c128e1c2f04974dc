//! The solver: exact scores, outcomes, or all moves scored.
//!
//! First guesses come from selective searches to the end, each bolder one first; the exact search then starts
//! with a window about the guess and widens it until the score lies inside.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use trilith_games::othello::technique::Technique;
use trilith_games::othello::{Move, Position};

use super::evaluation::Evaluation;
use super::level;
use super::principal::{avx2, avx512, portable};
use super::search::DEEP;
use super::table::{NO_SQUARE, Table};
use super::worker::Worker;
use crate::analysis::Bound;

/// How a solver works.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Threads that search; one thread always visits the same positions.
    pub threads: usize,
    /// Size of the table.
    pub table_mebibytes: usize,
    /// How discs are turned.
    pub technique: Technique,
}

impl Default for Options {
    fn default() -> Options {
        Options { threads: 1, table_mebibytes: 256, technique: Technique::best() }
    }
}

/// What is asked of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
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
    options: Options,
    table: Table,
}

impl<E: Evaluation> Solver<E> {
    /// A solver that has not seen anything yet.
    pub fn new(evaluation: E, options: Options) -> Solver<E> {
        Solver { evaluation, options, table: Table::new(options.table_mebibytes) }
    }

    /// Forgets everything seen.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Answers the question; nothing if `stop` was set before the answer was found, which it obeys within milliseconds.
    pub fn solve(&mut self, position: &Position, goal: Goal, stop: &AtomicBool) -> Option<Solution> {
        let start = Instant::now();
        self.table.grow_older();
        let mut root = Root {
            worker: Worker::new(&self.table, &self.evaluation, stop),
            technique: self.options.technique,
            position: *position,
        };
        let (score, square) = match goal {
            Goal::Score => root.score(),
            Goal::Outcome => root.search((-1, 1), level::EXACT),
        };
        let bound = match goal {
            Goal::Outcome if score > 0 => Bound::Lower,
            Goal::Outcome if score < 0 => Bound::Upper,
            _ => Bound::Exact,
        };
        let best = match square {
            NO_SQUARE if position.has_ended() => None,
            NO_SQUARE => Some(Move::PASS),
            square => Some(Move::on(square)),
        };
        let seconds = start.elapsed().as_secs_f64();
        (!root.worker.is_stopped()).then_some(Solution {
            score,
            bound,
            best,
            nodes: root.worker.nodes,
            seconds,
        })
    }
}

/// One solve.
struct Root<'a, E> {
    worker: Worker<'a, E>,
    technique: Technique,
    position: Position,
}

impl<E: Evaluation> Root<'_, E> {
    fn search(&mut self, window: (i32, i32), level: u8) -> (i32, u8) {
        let Position { own, other, .. } = self.position;
        let empties = self.position.empties().count_ones();
        let worker = &mut self.worker;
        trilith_games::with_technique!(self.technique, principal(worker, own, other, window, empties, level))
    }

    fn score(&mut self) -> (i32, u8) {
        let empties = self.position.empties().count_ones();
        let mut guess = self.evaluation_guess();
        if empties > DEEP {
            for level in level::SELECTIVE {
                guess = self.aspire(guess, level).0;
            }
        }
        self.aspire(guess, level::EXACT)
    }

    fn evaluation_guess(&self) -> i32 {
        let Position { own, other, .. } = self.position;
        (self.worker.evaluation.value(own, other) / 200 * 2).clamp(-64, 64)
    }

    /// Searches windows about a guess that widen to the side where the score lies.
    fn aspire(&mut self, guess: i32, level: u8) -> (i32, u8) {
        // Scores are even, so a window of odd bounds with one even number inside asks for that very score.
        let guess = guess & !1;
        let (mut low, mut high) = (guess - 1, guess + 1);
        let mut width = 2;
        loop {
            let (score, square) = self.search((low, high), level);
            if self.worker.is_stopped() || (low < score && score < high) || low < -64 && high > 64 {
                return (score, square);
            }
            width *= 2;
            if score <= low {
                (low, high) = ((score | 1) - width, score + 1 | 1);
            } else {
                (low, high) = (score - 1 | 1, (score | 1) + width);
            }
        }
    }
}
