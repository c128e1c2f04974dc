//! Othello's own null windows in the engine: the values of the ladder, whatever the limits, threads and lines.

use std::sync::Arc;

use trilith_base::Seed;
use trilith_eval::othello::{EngineEvaluation, Evaluations};
use trilith_eval::{Catalogue, Evaluator, Unknowing};
use trilith_games::othello::{Move, Othello, Position};
use trilith_games::{Game, Record, playout};
use trilith_search::probcut::{Cuts, Fit, PHASES, PairFits, ProbCutParameters};
use trilith_search::{Analysis, Control, EngineOptions, Ladder, Limits, Rung, SearchKit};

/// Positions of random games from the opening to the last squares, in which the game goes on.
fn sample(game: &Othello, count: u64) -> Vec<Position> {
    (0..count)
        .map(|number| {
            let mut record = Record::new(game.clone());
            let mut rng = Seed(6).derive("scout", number).rng();
            playout::play_on(&mut record, (number as usize * 7) % 60, &mut rng);
            while record.end().is_some() {
                record.pop();
            }
            *record.position()
        })
        .collect()
}

fn engine_equals_ladder(rules: &str, positions: u64, depth: u32, threads: usize) {
    let (game, evaluator) = (Othello::new(rules.parse().unwrap()), Evaluations::engine_evaluator());
    let options = EngineOptions {
        threads,
        table_mebibytes: 4,
        quiescence: None,
        exact: true,
        ..EngineOptions::default()
    };
    let mut engine = Evaluations::engine(evaluator.clone(), Unknowing, options);
    for position in sample(&game, positions) {
        let truth =
            Ladder::new(&game, &evaluator, Rung::Table.techniques(64, 4)).search(&position, depth).value();
        let record = Record::from_position(game.clone(), position).unwrap();
        let answer = engine.analyse(&record, &Limits::depth(depth), &Control::default(), &mut |_| ());
        assert_eq!(answer.value(), truth, "depth {depth}, {threads} threads\n{}", game.diagram(&position));
        let mut line = record.clone();
        for &mv in &answer.lines[0].moves {
            line.push(mv).unwrap();
        }
    }
}

#[test]
fn values_are_those_of_the_ladder() {
    for depth in 1..=7 {
        engine_equals_ladder("", 60, depth, 1);
    }
    engine_equals_ladder("score=discs", 60, 5, 1);
}

#[test]
fn many_threads_return_the_value_of_one() {
    engine_equals_ladder("", 40, 7, 3);
}

#[test]
fn several_lines_are_the_best_moves_in_order() {
    let (game, evaluator) = (Othello::default(), Evaluations::engine_evaluator());
    let options = EngineOptions {
        lines: 4,
        table_mebibytes: 4,
        quiescence: None,
        exact: true,
        ..EngineOptions::default()
    };
    let mut engine = Evaluations::engine(evaluator.clone(), Unknowing, options);
    for position in sample(&game, 20) {
        let record = Record::from_position(game.clone(), position).unwrap();
        let answer = engine.analyse(&record, &Limits::depth(5), &Control::default(), &mut |_| ());
        let mut all: Vec<i32> = trilith_games::perft::divide(&game, &position, 1)
            .iter()
            .map(|&(mv, _)| {
                let after = game.play(&position, mv);
                -Ladder::new(&game, &evaluator, Rung::AlphaBeta.techniques(1, 1)).search(&after, 4).value()
            })
            .collect();
        all.sort_by_key(|value| -value);
        let found: Vec<i32> = answer.lines.iter().map(|line| line.value).collect();
        assert_eq!(found, all[..found.len()], "{}", game.diagram(&position));
    }
}

/// The same line in all phases, at the given spread in discs.
fn cuts(sigma: f64) -> Arc<Cuts> {
    let fit = |phase| Fit { phase, n: 100, a: 1.0, b: 0.0, sigma, r2: 0.9 };
    let pairs = [(1, 3), (2, 4), (1, 5), (2, 6)].map(|(shallow, deep)| PairFits {
        shallow,
        deep,
        fits: (0..PHASES).map(fit).collect(),
    });
    let parameters =
        ProbCutParameters { percentile: 1.0, pairs: pairs.into(), ..ProbCutParameters::default() };
    Arc::new(Cuts::new(&parameters, Evaluator::<Othello>::unit(&Evaluations::engine_evaluator()), None))
}

/// With pattern weights alone: with a network, a selective search takes rough values for values too.
fn search(position: Position, selective: Option<Arc<Cuts>>, limits: &Limits) -> Analysis<Move> {
    let options = EngineOptions {
        table_mebibytes: 4,
        quiescence: None,
        exact: true,
        selective,
        ..EngineOptions::default()
    };
    let record = Record::from_position(Othello::default(), position).unwrap();
    let patterns = EngineEvaluation::Patterns(Evaluations::patterns());
    let mut engine = Evaluations::engine(patterns, Unknowing, options);
    engine.analyse(&record, limits, &Control::default(), &mut |_| ())
}

#[test]
fn cuts_that_never_pass_change_nothing_and_likely_ones_save_nodes() {
    let (mut all, mut fewer) = (0, 0);
    for position in sample(&Othello::default(), 30) {
        let exact = search(position, None, &Limits::depth(7));
        // A spread of 60,000 discs: nothing lies so far outside a window.
        let never = search(position, Some(cuts(60_000.0)), &Limits::depth(7));
        assert_eq!(never.value(), exact.value());
        all += exact.nodes;
        fewer += search(position, Some(cuts(3.0)), &Limits::depth(7)).nodes;
    }
    assert!(2 * fewer < all, "{fewer} of {all} nodes");
}

#[test]
fn one_thread_is_deterministic_and_keeps_to_its_nodes() {
    let game = Othello::default();
    for position in sample(&game, 60).into_iter().filter(|position| position.empties().count_ones() > 20) {
        let run = || search(position, Some(cuts(3.0)), &Limits::nodes(20_000));
        let (one, other) = (run(), run());
        assert_eq!((one.nodes, one.depth, &one.lines), (other.nodes, other.depth, &other.lines));
        assert!((20_000..20_200).contains(&one.nodes), "{} nodes", one.nodes);
    }
}
