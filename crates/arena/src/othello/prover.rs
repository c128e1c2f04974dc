//! Endings of a book, solved.

use trilith_book::EndgameProver;
use trilith_games::othello::{Othello, Position};
use trilith_search::Control;
use trilith_search::othello::{Handmade, SolveGoal, Solver, SolverOptions};

/// Proves who wins with few empty squares left.
pub(super) struct Endings {
    solver: Solver<Handmade>,
    /// At most so many.
    empties: u32,
}

impl Endings {
    pub(super) fn new(empties: u32) -> Endings {
        let options = SolverOptions { table_mebibytes: 8, ..SolverOptions::default() };
        Endings { solver: Solver::new(Handmade, options), empties }
    }
}

impl EndgameProver<Othello> for Endings {
    fn can_prove(&self, _: &Othello, position: &Position) -> bool {
        position.empties().count_ones() <= self.empties
    }

    fn prove(&mut self, _: &Othello, position: &Position) -> Option<i8> {
        self.solver.clear();
        let solution = self.solver.solve(position, SolveGoal::Outcome, &Control::default())?;
        Some(solution.score.signum() as i8)
    }
}
