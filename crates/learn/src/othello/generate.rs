//! Self-play: some random moves or one of all openings, then search with the evaluation at hand, then exact play to the end.

use std::sync::Arc;

use rand::RngExt;
use serde::{Deserialize, Serialize};
use trilith_base::Seed;
use trilith_eval::othello::Evaluations;
use trilith_eval::{Evaluator, Unknowing};
use trilith_games::othello::{Move, Othello, Position};
use trilith_games::{Colour, Game, Record, playout};
use trilith_search::othello::{self, Handmade, Solver};
use trilith_search::probcut::Cuts;
use trilith_search::{Control, Engine, Limits, NullWindow, Options, SearchKit};

use super::store::Played;
use crate::openings;

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Random plies at the beginning: at least so many.
    pub random_least: u32,
    /// And at most so many.
    pub random_most: u32,
    /// Instead of random plies all openings of so many plies, one a game; 0 for random ones.
    #[serde(default)]
    pub all: u32,
    /// Plies searched for each move after that.
    pub depth: u32,
    /// Empty squares from which on play is exact.
    pub exact: u32,
    /// Where all draws come from; game `n` depends on this and `n` alone.
    pub seed: Seed,
}

impl Plan {
    /// How many games there are: as many as openings, or without end.
    pub fn games(&self) -> u64 {
        match self.all {
            0 => u64::MAX,
            plies => openings::all(&Othello::default(), plies).len() as u64,
        }
    }
}

/// One thread's players.
pub struct Generator<E> {
    plan: Plan,
    rules: Othello,
    /// All openings, if these are asked for.
    openings: Vec<Vec<Move>>,
    engine: Engine<Othello, E, Unknowing>,
    solver: Solver<Handmade>,
}

impl<E: Evaluator<Othello>> Generator<E> {
    /// Players that have not played yet.
    pub fn new(plan: Plan, evaluator: E, null_window: Option<NullWindow<Othello, E>>) -> Generator<E> {
        let rules = Othello::default();
        let (engine, solver) = searchers(evaluator, null_window);
        Generator {
            plan,
            openings: if plan.all > 0 { openings::all(&rules, plan.all) } else { Vec::new() },
            rules,
            engine,
            solver,
        }
    }

    /// Game number `number`. The same whatever was played before, because nothing is remembered.
    pub fn play(&mut self, number: u64) -> Played {
        let mut record = Record::new(self.rules.clone());
        if let Some(last) = (self.openings.len() as u64).checked_sub(1) {
            self.openings[number.min(last) as usize].iter().for_each(|&mv| record.push_legal(mv));
        } else {
            let mut rng = self.plan.seed.derive("game", number).rng();
            let random = rng.random_range(self.plan.random_least..=self.plan.random_most);
            playout::play_on(&mut record, random as usize, &mut rng);
        }
        let random = record.moves().filter(|&mv| mv != Move::PASS).count() as u8;
        self.engine.forget();
        while record.end().is_none() && record.position().empties().count_ones() > self.plan.exact {
            let limits = Limits::depth(self.plan.depth);
            let answer = self.engine.analyse(&record, &limits, &Control::default(), &mut |_| ());
            record.push_legal(answer.best().expect("the game goes on"));
        }
        let margin = self.finish(&mut record);
        let squares = record.moves().filter_map(|mv| mv.square()).collect();
        Played { squares, random, margin }
    }

    /// Plays exactly to the end; the margin for Black.
    fn finish(&mut self, record: &mut Record<Othello>) -> i8 {
        let stop = Control::default();
        self.solver.clear();
        while record.end().is_none() {
            let solution =
                self.solver.solve(record.position(), othello::Goal::Score, &stop).expect("nobody stops it");
            record.push_legal(solution.best.expect("the game goes on"));
        }
        margin_for_black(&self.rules, record.position())
    }
}

/// One thread's engine, selective where the program brings what has been measured for this evaluation, and solver.
pub(super) fn searchers<E: Evaluator<Othello>>(
    evaluator: E,
    null_window: Option<NullWindow<Othello, E>>,
) -> (Engine<Othello, E, Unknowing>, Solver<Handmade>) {
    let shipped = <Evaluations as SearchKit<Othello>>::probcut(&evaluator);
    let cuts = shipped.map(|parameters| Arc::new(Cuts::new(&parameters, evaluator.unit(), None)));
    let options = Options { table_mebibytes: 4, quiescence: None, selective: cuts, ..Options::default() };
    let solver = othello::Options { table_mebibytes: 8, ..othello::Options::default() };
    let engine = Engine::new(evaluator, Unknowing, options).with_null_window(null_window);
    (engine, Solver::new(Handmade, solver))
}

fn margin_for_black(rules: &Othello, ended: &Position) -> i8 {
    let margin = rules.margin(ended) as i8;
    if ended.to_move == Colour::Black { margin } else { -margin }
}
