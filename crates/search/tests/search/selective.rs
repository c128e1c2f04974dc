//! Selective search: what it must not change, what it may, and how far it may be believed.

use std::collections::BTreeMap;
use std::sync::Arc;

use trilith_base::Seed;
use trilith_eval::othello::Evaluations;
use trilith_eval::{Catalogue, Evaluator, Unknowing};
use trilith_games::othello::{Othello, Position};
use trilith_games::{Game, Outcome, Record, playout};
use trilith_search::othello::{Handmade, SolveGoal, Solver, SolverOptions};
use trilith_search::probcut::{Cuts, Fit, PHASES, PairFits, ProbCutParameters, file};
use trilith_search::{Control, EndCut, Engine, EngineOptions, Ladder, Limits, Rung};

/// The same line in all phases.
fn cuts(pairs: &[(u32, u32)], sigma: f64, percentile: f64) -> Cuts {
    let fit = |phase| Fit { phase, n: 100, a: 1.0, b: 0.0, sigma, r2: 0.9 };
    let pair =
        |&(shallow, deep): &(u32, u32)| PairFits { shallow, deep, fits: (0..PHASES).map(fit).collect() };
    let parameters = ProbCutParameters {
        format: file::FORMAT,
        percentile,
        provenance: BTreeMap::new(),
        pairs: pairs.iter().map(pair).collect(),
        ..ProbCutParameters::default()
    };
    Cuts::new(&parameters, Evaluator::<Othello>::unit(&Evaluations::engine_evaluator()), None)
}

/// Positions of random games with so many empty squares.
fn sample(empties: u32, count: usize) -> Vec<Position> {
    let game = Othello::default();
    let positions = (0..).filter_map(|number| {
        let mut rng = Seed(8).derive("selective", number).rng();
        let mut position = game.start();
        while position.empties().count_ones() > empties {
            position = game.play(&position, playout::random_move(&game, &position, &mut rng)?);
        }
        game.outcome(&position).is_none().then_some(position)
    });
    positions.take(count).collect()
}

#[test]
fn tests_that_never_pass_leave_the_exact_value() {
    let (game, evaluator) = (Othello::default(), Evaluations::engine_evaluator());
    // A spread of 60,000 discs: nothing lies so far outside a window.
    let never = cuts(&[(1, 3), (2, 4), (1, 5)], 60_000.0, 1.0);
    for position in sample(30, 4) {
        for rung in Rung::ALL {
            let mut ladder = Ladder::new(&game, &evaluator, rung.techniques(100, 4));
            let truth = ladder.search(&position, 5).value();
            let mut ladder = Ladder::new(&game, &evaluator, rung.techniques(100, 4));
            ladder.cut_by(Some(&never));
            assert_eq!(ladder.search(&position, 5).value(), truth, "{}", rung.name());
        }
        let record = Record::from_position(game.clone(), position).unwrap();
        let value = |selective| {
            let options =
                EngineOptions { table_mebibytes: 4, exact: true, selective, ..EngineOptions::default() };
            let mut engine = Engine::new(evaluator.clone(), Unknowing, options);
            engine.analyse(&record, &Limits::depth(6), &Control::default(), &mut |_| ()).value()
        };
        assert_eq!(value(Some(Arc::new(never.clone()))), value(None));
    }
}

#[test]
fn likely_cuts_save_nodes_and_change_values_little() {
    let (game, evaluator) = (Othello::default(), Evaluations::engine_evaluator());
    let bold = cuts(&[(1, 3), (2, 4), (1, 5), (2, 6), (3, 7)], 2.0, 1.5);
    let (mut all, mut fewer, mut error) = (0, 0, 0.0);
    let positions = sample(36, 20);
    for position in &positions {
        let record = Record::from_position(game.clone(), *position).unwrap();
        let search = |selective| {
            let options = EngineOptions { table_mebibytes: 4, selective, ..EngineOptions::default() };
            let mut engine = Engine::new(evaluator.clone(), Unknowing, options);
            engine.analyse(&record, &Limits::depth(8), &Control::default(), &mut |_| ())
        };
        let (exact, selective) = (search(None), search(Some(Arc::new(bold.clone()))));
        all += exact.nodes;
        fewer += selective.nodes;
        error += f64::from((exact.value() - selective.value()).abs()) / f64::from(exact.unit.one);
    }
    assert!(2 * fewer < all, "{fewer} of {all} nodes");
    assert!(error / positions.len() as f64 <= 2.0, "mean error {} discs", error / positions.len() as f64);
}

#[test]
fn a_selective_search_on_one_thread_is_deterministic() {
    let game = Othello::default();
    let run = || {
        let selective = Some(Arc::new(cuts(&[(1, 3), (2, 4), (1, 5), (2, 6)], 2.0, 1.2)));
        let options = EngineOptions { table_mebibytes: 1, selective, ..EngineOptions::default() };
        let mut engine = Engine::new(Evaluations::engine_evaluator(), Unknowing, options);
        let search = |position: &Position| {
            let record = Record::from_position(game.clone(), *position).unwrap();
            let answer = engine.analyse(&record, &Limits::nodes(20_000), &Control::default(), &mut |_| ());
            (answer.nodes, answer.depth, answer.lines)
        };
        sample(30, 8).iter().map(search).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

/// The exact searches must agree with the solver always; the guess of the selective one, nearly always.
#[test]
fn endcut_decides_as_the_solver_does() {
    let (game, evaluator) = (Othello::default(), Evaluations::engine_evaluator());
    let one = Evaluator::<Othello>::unit(&evaluator).one;
    let mut solver = Solver::new(Handmade, SolverOptions { table_mebibytes: 4, ..SolverOptions::default() });
    let positions = sample(15, 40);
    let (mut wrong, mut nodes) = (0, [0; 3]);
    for position in &positions {
        let solution = solver.solve(position, SolveGoal::Score, &Control::default()).unwrap();
        // Tested at 52 discs, twelve plies before the end.
        let cut = EndCut { phase: 51, depth: 4, level: 8 * one };
        let mut ladder = Ladder::new(&game, &evaluator, Rung::History.techniques(one, 4));
        let decided = ladder.decide(position, Some(cut));
        assert_eq!(decided.margin, solution.score, "{}", game.diagram(position));
        assert_eq!(decided.outcome, Outcome::of(solution.score));
        let alone =
            |cut| Ladder::new(&game, &evaluator, Rung::History.techniques(one, 4)).outcome(position, cut);
        let selective = alone(Some(cut));
        assert_eq!(
            (selective.outcome, selective.nodes),
            (decided.guess, decided.nodes[0]),
            "the same search by itself"
        );
        let exact = alone(None);
        assert_eq!(exact.outcome, decided.outcome);
        let after = game.play(position, exact.best.expect("the game goes on"));
        let reply = solver.solve(&after, SolveGoal::Score, &Control::default()).unwrap().score;
        assert_eq!(Outcome::of(-reply), decided.outcome, "the move it found keeps the outcome");
        wrong += usize::from(decided.guess != decided.outcome);
        nodes.iter_mut().zip(decided.nodes).for_each(|(sum, nodes)| *sum += nodes);
    }
    assert!(wrong * 20 <= positions.len(), "{wrong} of {} guesses are wrong", positions.len());
    assert!(nodes[0] < nodes[1], "nodes of the three searches: {nodes:?}");
}
