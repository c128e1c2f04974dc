//! Perfect play in the last squares, by the endgame solver.

use trilith_games::othello::{Move, Othello, Position};
use trilith_search::Control;
use trilith_search::othello::{Handmade, SolveGoal, Solver, SolverOptions};

use crate::training::ExactPlay;

/// The solver from some number of empty squares on.
pub struct ExactEndgames {
    empties: u32,
    solver: Solver<Handmade>,
}

impl ExactEndgames {
    pub fn new(empties: u32) -> ExactEndgames {
        let options = SolverOptions { table_mebibytes: 8, ..SolverOptions::default() };
        ExactEndgames { empties, solver: Solver::new(Handmade, options) }
    }
}

impl ExactPlay<Othello> for ExactEndgames {
    fn plies_before(&self, position: &Position) -> u32 {
        position.empties().count_ones().saturating_sub(self.empties)
    }

    fn forget(&mut self) {
        self.solver.clear();
    }

    fn best(&mut self, position: &Position) -> (Move, i16) {
        let solution =
            self.solver.solve(position, SolveGoal::Score, &Control::default()).expect("nobody stops it");
        (solution.best.expect("the game goes on"), solution.score as i16 * 100)
    }
}
