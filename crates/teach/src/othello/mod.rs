//! Puzzles of Othello: endings in which one move wins, or one move saves the draw. The solver proves them.

mod theme;
mod why;

use std::path::Path;
use std::sync::Arc;

use trilith_eval::othello::{Evaluations, OthelloPatterns};
use trilith_games::Colour;
use trilith_games::othello::{Move, Othello, Position};
use trilith_search::Control;
use trilith_search::othello::{Solution, Solver, SolverOptions};

use crate::kit::{FoundPuzzle, Goal, Puzzler, PuzzlerError, SourceGames, TeachKit};
use crate::why::{Count, Event};

/// Empty squares at the beginning of a puzzle.
const EMPTIES: std::ops::RangeInclusive<u32> = 6..=14;
/// Fewer moves are no choice.
const FEWEST_MOVES: u32 = 4;
/// Right moves of one puzzle, at most.
const LONGEST: usize = 4;

impl TeachKit<Othello> for Evaluations {
    const PUZZLES: &'static str = include_str!("../../../../artifacts/othello/puzzles.tsv");
    const LESSONS: &'static str = include_str!("../../lessons/othello.toml");

    fn puzzler(_: Option<&Path>) -> Result<Option<Box<dyn Puzzler<Othello>>>, PuzzlerError> {
        let options = SolverOptions { table_mebibytes: 16, ..SolverOptions::default() };
        Ok(Some(Box::new(Endings { solver: Solver::new(Evaluations::patterns(), options) })))
    }

    fn command(position: &str, _: u32) -> String {
        format!("echo '{position}' | trilith solve othello - --mode all")
    }

    const EVENTS: &'static [&'static str] = why::EVENTS;

    fn events(_: &Othello, _: &Position, mv: Move) -> Vec<Event> {
        why::events(mv)
    }

    fn counts(_: &Othello, position: &Position, side: Colour) -> Vec<Count> {
        why::counts(position, side)
    }

    fn end_counts(_: &Othello, position: &Position, side: Colour) -> Vec<Count> {
        why::end_counts(position, side)
    }

    fn words(name: &str) -> [&'static str; 2] {
        why::words(name)
    }
}

struct Endings {
    solver: Solver<Arc<OthelloPatterns>>,
}

impl Endings {
    /// The exact score of every move, best first.
    fn scores(&mut self, position: &Position) -> Vec<(Move, i32)> {
        let solved = self.solver.solve_moves(position, &Control::default()).expect("nobody stops the solver");
        let scored = |solution: &Solution| Some((solution.best?, solution.score));
        solved.iter().filter_map(scored).collect()
    }

    /// The only right move with its score and the next one's; none if there are more, or nothing to choose.
    fn only(&mut self, position: &Position) -> Option<(Goal, Move, [i32; 2])> {
        let scores = self.scores(position);
        let [(mv, best), (_, next), ..] = scores[..] else { return None };
        match (best.signum(), next.signum()) {
            (1, ..=0) => Some((Goal::Win, mv, [best, next])),
            (0, -1) => Some((Goal::Draw, mv, [best, next])),
            _ => None,
        }
    }
}

fn after(position: &Position, mv: Move) -> Position {
    mv.square().map_or_else(|| position.after_pass(), |square| position.after_disc(square))
}

impl Puzzler<Othello> for Endings {
    fn source(&self) -> SourceGames {
        SourceGames { opening: 8, levels: [5, 8], plies: 64, apart: 3, most_of_a_theme: 40 }
    }

    fn candidate(&self, _: &Othello, position: &Position) -> Option<Position> {
        let is_one = EMPTIES.contains(&position.empties().count_ones())
            && position.mobility().count_ones() >= FEWEST_MOVES;
        is_one.then_some(*position)
    }

    fn find(
        &mut self,
        game: &Othello,
        position: &Position,
    ) -> Result<Option<FoundPuzzle<Move>>, PuzzlerError> {
        if self.candidate(game, position).is_none() {
            return Ok(None);
        }
        let Some((goal, first, [right, next])) = self.only(position) else { return Ok(None) };
        let mut line = vec![first];
        let mut now = after(position, first);
        while line.len() < 2 * LONGEST - 1 {
            let Some(&(reply, _)) = self.scores(&now).first() else { break };
            now = after(&now, reply);
            let Some((_, mv, _)) = self.only(&now).filter(|(again, ..)| *again == goal) else { break };
            line.extend([reply, mv]);
            now = after(&now, mv);
        }
        Ok(Some(FoundPuzzle {
            goal,
            theme: theme::of(position, first),
            plies: position.empties().count_ones(),
            right: format!("{right:+}"),
            next: format!("{next:+}"),
            line,
        }))
    }
}
