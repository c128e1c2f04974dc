//! The exact score of a position near its end.

use trilith_eval::othello::Evaluations;
use trilith_games::Game;
use trilith_games::othello::{Othello, Position};
use trilith_search::othello::{Solver, SolverOptions};

use crate::known::{Enquiry, Panel, ScoredMove, Solved};

/// Empty squares up to which a position is solved.
const EMPTIES: u32 = 20;

pub(super) fn ask(enquiry: &Enquiry<'_>, game: &Othello, position: &Position) -> Panel<Solved> {
    let empties = position.empties().count_ones();
    if empties > EMPTIES {
        return Panel::missing(format!("solved from {EMPTIES} empty squares on; here are {empties}"));
    }
    if *game.rules() != <Othello as Game>::Rules::default() {
        return Panel::missing("solved only where the winner gets the empty squares");
    }
    let options = SolverOptions { table_mebibytes: 32, ..SolverOptions::default() };
    let mut solver = Solver::new(Evaluations::patterns(), options);
    let Some(solutions) = solver.solve_moves(position, enquiry.control) else {
        return Panel::missing(format!("not solved within {} s", enquiry.time.as_secs()));
    };
    let scored = |solution: &trilith_search::othello::Solution| {
        Some(ScoredMove { mv: game.move_text(solution.best?), score: solution.score })
    };
    let mut moves: Vec<ScoredMove> = solutions.iter().filter_map(scored).collect();
    moves.sort_by_key(|scored| std::cmp::Reverse(scored.score));
    Panel::Known(Solved {
        score: moves.first().map_or(0, |scored| scored.score),
        best: moves.first().map(|scored| scored.mv.clone()),
        nodes: solutions.iter().map(|solution| solution.nodes).sum(),
        seconds: solutions.iter().map(|solution| solution.seconds).sum(),
        moves,
    })
}
