//! Leaves of tree search near the end of the game, solved.

use std::sync::{Mutex, PoisonError};

use trilith_eval::{Known, Oracle};
use trilith_games::Outcome;
use trilith_games::othello::{Othello, Position};
use trilith_search::Control;
use trilith_search::othello::{Handmade, SolveGoal, Solver, SolverOptions};

/// Empty squares up to which a leaf is solved: in less time than a small network takes for an answer.
const EMPTIES: u32 = 10;

/// Knows who wins with few empty squares left. Threads that ask at the same time have a solver each.
#[derive(Default)]
pub(super) struct SolvedLeaves {
    idle: Mutex<Vec<Solver<Handmade>>>,
}

impl SolvedLeaves {
    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Solver<Handmade>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Oracle<Othello> for SolvedLeaves {
    fn probe(&self, _: &Othello, position: &Position, _: u32) -> Option<Known> {
        if position.empties().count_ones() > EMPTIES {
            return None;
        }
        let idle = self.idle().pop();
        let options = SolverOptions { table_mebibytes: 1, ..SolverOptions::default() };
        let mut solver = idle.unwrap_or_else(|| Solver::new(Handmade, options));
        let solution = solver.solve(position, SolveGoal::Outcome, &Control::default());
        self.idle().push(solver);
        let outcome = match solution?.score.signum() {
            1 => Outcome::Win,
            0 => Outcome::Draw,
            _ => Outcome::Loss,
        };
        Some(Known { outcome, plies: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilith_base::Seed;
    use trilith_games::{Record, playout};

    #[test]
    fn leaves_are_solved_from_ten_empty_squares_on() {
        let (leaves, mut solver) = (SolvedLeaves::default(), Solver::new(Handmade, SolverOptions::default()));
        let (game, mut solved) = (Othello::default(), [0; 3]);
        for number in 0..60 {
            let mut record = Record::new(game.clone());
            playout::play_on(&mut record, 48 + number % 9, &mut Seed(3).derive("leaf", number as u64).rng());
            let position = record.position();
            let known = leaves.probe(&game, position, 0);
            assert_eq!(known.is_some(), position.empties().count_ones() <= EMPTIES);
            let Some(known) = known else { continue };
            let score = solver.solve(position, SolveGoal::Score, &Control::default()).unwrap().score;
            let expected = match score.signum() {
                1 => Outcome::Win,
                0 => Outcome::Draw,
                _ => Outcome::Loss,
            };
            assert_eq!(known.outcome, expected, "{position:?}");
            solved[known.outcome as usize] += 1;
        }
        assert!(solved[Outcome::Win as usize] > 5 && solved[Outcome::Loss as usize] > 5, "{solved:?}");
    }
}
