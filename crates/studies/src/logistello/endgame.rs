//! S5, 4.2: endgames in which the heuristic search errs, and an endgame decided exactly and with EndCut at several levels,
//! as cells.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use trilith_base::Seed;
use trilith_eval::othello::{EngineEvaluation, Evaluations, OthelloPatterns};
use trilith_eval::{Evaluator, Unknowing};
use trilith_games::othello::{Move, Othello, Position};
use trilith_games::{Game, Outcome, Record, playout};
use trilith_search::othello::{SolveGoal, Solver, SolverOptions};
use trilith_search::probcut::Cuts;
use trilith_search::{Control, EndCut, Engine, EngineOptions, Ladder, Limits, Rung, SearchKit};

/// One endgame of a game between equals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Endgame {
    /// Which game.
    pub number: u64,
    /// Where all draws come from.
    pub seed: u64,
    /// Discs at the root; S5: 42.
    pub discs: u32,
    /// Discs at which the test is made; S5: 50.
    pub tested_at: u32,
    /// What the test must reach, in hundredths of a disc.
    pub levels: Vec<i32>,
    /// Plies of the heuristic search whose opinion is compared.
    pub depth: u32,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndgameDecision {
    /// 1 if the side to move wins, -1 if it loses.
    pub outcome: i32,
    /// What the side to move gets by the move of the heuristic search, if the opponent makes no mistake.
    pub heuristic: i32,
    /// Nodes of the exact decision.
    pub exact: u64,
    /// By level: nodes of the selective decision, and whether its move is right.
    pub levels: Vec<(u64, bool)>,
}

impl EndgameDecision {
    /// Whether the heuristic search gives a won game away: what S5 chose its positions by.
    pub fn is_hard(&self) -> bool {
        (self.outcome, self.heuristic) == (1, -1)
    }
}

/// Endgames among which hard ones are looked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidates {
    /// The number of the first.
    pub first: u64,
    /// How many.
    pub count: u64,
    /// Where all draws come from.
    pub seed: u64,
    /// Discs on the board; S5: 42.
    pub discs: u32,
    /// Plies of the heuristic search; S5: 14.
    pub depth: u32,
}

impl Candidates {
    /// The numbers of those that the side to move wins, but not by the move of the heuristic search, which loses.
    pub fn run(&self) -> Vec<u64> {
        let (game, mut truth) = (Othello::default(), Truth::new());
        let is_hard = |number: &u64| {
            let Some(position) = position(&game, *number, self.seed, self.discs) else { return false };
            truth.outcome(&position) == 1
                && heuristic_move(&game, &position, self.depth)
                    .is_some_and(|mv| truth.by(&game, &position, mv) == -1)
        };
        (self.first..self.first + self.count).filter(is_hard).collect()
    }
}

/// Plies of the searches by which games are played.
const PLAYED_AT: u32 = 4;
const RANDOM: usize = 8;
/// Plies of the test (S5: CHK_DEPTH).
const TEST_DEPTH: u32 = 4;
const MEBIBYTES: usize = 64;

impl Endgame {
    /// Plays to the endgame and decides it; nothing is known of games that end before.
    pub fn run(&self) -> Option<EndgameDecision> {
        let (game, evaluator) = (Othello::default(), EngineEvaluation::Patterns(Evaluations::patterns()));
        let one = Evaluator::<Othello>::unit(&evaluator).one;
        let position = position(&game, self.number, self.seed, self.discs)?;
        let mut truth = Truth::new();
        let heuristic = truth.by(&game, &position, heuristic_move(&game, &position, self.depth)?);
        let techniques = Rung::History.techniques(one, MEBIBYTES);
        // Each search begins with nothing remembered, so that none profits from another.
        let exact = Ladder::new(&game, &evaluator, techniques).outcome(&position, None);
        let outcome = sign(exact.outcome);
        let mut levels = Vec::new();
        for &level in &self.levels {
            let mut ladder = Ladder::new(&game, &evaluator, techniques);
            let phase = self.tested_at as usize - 1;
            let cut = EndCut { phase, depth: TEST_DEPTH, level: level * one / 100 };
            let found = ladder.outcome(&position, Some(cut));
            let is_right = sign(found.outcome) == outcome
                && found.best.is_some_and(|mv| truth.by(&game, &position, mv) == outcome);
            levels.push((found.nodes, is_right));
        }
        Some(EndgameDecision { outcome, heuristic, exact: exact.nodes, levels })
    }
}

fn sign(outcome: Outcome) -> i32 {
    match outcome {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    }
}

/// Who wins, by the solver.
struct Truth(Solver<Arc<OthelloPatterns>>);

impl Truth {
    fn new() -> Truth {
        let options = SolverOptions { table_mebibytes: MEBIBYTES, ..SolverOptions::default() };
        Truth(Solver::new(Evaluations::patterns(), options))
    }

    /// For the side to move.
    fn outcome(&mut self, position: &Position) -> i32 {
        let solution = self.0.solve(position, SolveGoal::Outcome, &Control::default());
        solution.expect("nobody stops it").score.signum()
    }

    /// For the side to move, if it makes this move.
    fn by(&mut self, game: &Othello, position: &Position, mv: Move) -> i32 {
        -self.outcome(&game.play(position, mv))
    }
}

/// The move of a search with ProbCut, and without any finisher, to `depth` plies.
fn heuristic_move(game: &Othello, position: &Position, depth: u32) -> Option<Move> {
    let evaluator = EngineEvaluation::Patterns(Evaluations::patterns());
    let unit = Evaluator::<Othello>::unit(&evaluator);
    let selective = Evaluations::probcut(&evaluator).map(|it| Arc::new(Cuts::new(&it, unit, None)));
    let options = EngineOptions { table_mebibytes: MEBIBYTES, selective, ..Evaluations::options() };
    let mut engine = Evaluations::engine(evaluator, Unknowing, options);
    let record = Record::from_position(game.clone(), *position).ok()?;
    engine.analyse(&record, &Limits::depth(depth), &Control::default(), &mut |_| ()).best()
}

/// The position of game `number` with so many discs.
fn position(game: &Othello, number: u64, seed: u64, wanted: u32) -> Option<Position> {
    let mut engine = engine(4);
    let mut record = Record::new(game.clone());
    playout::play_on(&mut record, RANDOM, &mut Seed(seed).derive("endgame", number).rng());
    while record.end().is_none() && discs(record.position()) < wanted {
        let answer = engine.analyse(&record, &Limits::depth(PLAYED_AT), &Control::default(), &mut |_| ());
        record.push_legal(answer.best()?);
    }
    let position = *record.position();
    (record.end().is_none() && game.outcome(&position).is_none()).then_some(position)
}

fn discs(position: &Position) -> u32 {
    64 - position.empties().count_ones()
}

/// The engine's search with pattern weights and without any finisher.
pub(super) fn engine(mebibytes: usize) -> Engine<Othello, EngineEvaluation, Unknowing> {
    let options = EngineOptions { table_mebibytes: mebibytes, ..EngineOptions::default() };
    Engine::new(EngineEvaluation::Patterns(Evaluations::patterns()), Unknowing, options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_that_nothing_reaches_is_the_exact_search() {
        let endgame =
            |level| Endgame { number: 3, seed: 1, discs: 52, tested_at: 56, levels: vec![level], depth: 4 };
        let exact = endgame(100_000).run().unwrap();
        assert!(exact.levels[0].1, "nothing is cut, so nothing is wrong");
        let bold = endgame(0).run().unwrap();
        assert_eq!((bold.outcome, bold.exact), (exact.outcome, exact.exact));
        assert_eq!(endgame(0).run(), Some(bold), "the same each time");
    }

    #[test]
    fn hard_endgames_are_won_and_given_away() {
        let all = Candidates { first: 0, count: 120, seed: 1, discs: 50, depth: 2 };
        let hard = all.run();
        let is_hard = |number: u64| {
            let endgame = Endgame { number, seed: 1, discs: 50, tested_at: 54, levels: vec![], depth: 2 };
            endgame.run().is_some_and(|decision| decision.is_hard())
        };
        assert!(!hard.is_empty() && hard.len() < 40, "{hard:?}");
        assert!(hard.iter().all(|number| is_hard(*number)));
        assert_eq!(
            (0..24).filter(|number| is_hard(*number)).count(),
            hard.iter().filter(|it| **it < 24).count()
        );
        let deeper = Candidates { depth: 14, ..all };
        assert_eq!(deeper.run(), [0; 0], "a search to the end of the game gives nothing away");
    }
}
