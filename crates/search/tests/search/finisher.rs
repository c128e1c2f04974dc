//! The engine with the Othello solver as its finisher: exact where it says so, fair within limits.

use std::thread;
use std::time::{Duration, Instant};

use trilith_base::Seed;
use trilith_eval::othello::patterns::ONE;
use trilith_eval::othello::{EngineEvaluation, Evaluations};
use trilith_eval::{Catalogue, Unknowing, morris};
use trilith_games::morris::Morris;
use trilith_games::othello::{Move, Othello, Position};
use trilith_games::{Game, Record, playout};
use trilith_search::othello::{self, SolveGoal, Solver};
use trilith_search::{Analysis, Control, Engine, EngineOptions, FinisherSettings, Limits, SearchKit};

type Player = Engine<Othello, EngineEvaluation, Unknowing>;

fn engine(lines: usize, plies: Option<u32>) -> Player {
    let options = EngineOptions { table_mebibytes: 1, lines, ..EngineOptions::default() };
    Engine::new(Evaluations::engine_evaluator(), Unknowing, options)
        .with_finisher(Evaluations::finisher(FinisherSettings { plies, threads: 1 }))
}

fn analyse(engine: &mut Player, record: &Record<Othello>, limits: Limits) -> Analysis<Move> {
    engine.analyse(record, &limits, &Control::default(), &mut |_| ())
}

/// Random games that go on, with so many empty squares left.
fn sample(empties: u32, count: usize) -> impl Iterator<Item = Record<Othello>> {
    let games = (0..).filter_map(move |number| {
        let mut rng = Seed(8).derive("finisher", number).rng();
        let mut record = Record::new(Othello::default());
        while record.position().empties().count_ones() > empties && record.end().is_none() {
            playout::play_on(&mut record, 1, &mut rng);
        }
        record.end().is_none().then_some(record)
    });
    games.take(count)
}

fn solve(position: &Position) -> i32 {
    let options = othello::SolverOptions { table_mebibytes: 4, ..othello::SolverOptions::default() };
    let mut solver = Solver::new(Evaluations::patterns(), options);
    solver.solve(position, SolveGoal::Score, &Control::default()).unwrap().score
}

/// The margin at the end of a line for the side that begins it.
fn margin_of(game: &Othello, start: &Position, line: &[Move]) -> i32 {
    let end = line.iter().fold(*start, |position, &mv| {
        assert!(game.parse_move(&position, &mv.to_string()).is_ok());
        game.play(&position, mv)
    });
    assert!(end.has_ended());
    if end.to_move == start.to_move { game.margin(&end) } else { -game.margin(&end) }
}

#[test]
fn near_the_end_values_are_exact_and_lines_lead_to_them() {
    let mut engine = engine(1, None);
    for record in sample(15, 6).chain(sample(9, 20)) {
        let position = record.position();
        let analysis = analyse(&mut engine, &record, Limits::nodes(20_000_000));
        let score = solve(position);
        assert_eq!((analysis.value(), analysis.unit.one), (score * ONE, ONE), "{}", position.text());
        assert_eq!(analysis.depth, position.empties().count_ones());
        assert_eq!(margin_of(record.game(), position, &analysis.lines[0].moves), score);
    }
}

#[test]
fn several_lines_are_each_exact() {
    let mut engine = engine(3, None);
    for record in sample(10, 8) {
        let position = record.position();
        let analysis = analyse(&mut engine, &record, Limits::nodes(20_000_000));
        assert_eq!(analysis.lines.len(), record.game().count_moves(position).min(3));
        assert_eq!(analysis.value(), solve(position) * ONE);
        assert!(analysis.lines.is_sorted_by(|a, b| a.value >= b.value));
        for line in &analysis.lines {
            assert_eq!(margin_of(record.game(), position, &line.moves) * ONE, line.value);
        }
    }
}

#[test]
fn a_depth_does_not_reach_further_than_itself() {
    for record in sample(12, 4) {
        let plain = EngineOptions { table_mebibytes: 1, ..EngineOptions::default() };
        let mut plain = Engine::new(Evaluations::engine_evaluator(), Unknowing, plain);
        let (four, twelve) = (Limits::depth(4), Limits::depth(12));
        let analysis = analyse(&mut engine(1, None), &record, four);
        let expected = analyse(&mut plain, &record, four);
        assert_eq!((analysis.lines, analysis.nodes), (expected.lines, expected.nodes));
        let score = solve(record.position());
        assert_eq!(analyse(&mut engine(1, None), &record, twelve).value(), score * ONE);
        assert_eq!(analyse(&mut engine(1, Some(12)), &record, four).value(), score * ONE, "asked for");
    }
}

#[test]
fn nodes_count_and_the_same_game_is_played_again() {
    for record in sample(20, 3) {
        let limits = Limits::nodes(1_000_000);
        let mut one = engine(1, None);
        let analysis = analyse(&mut one, &record, limits);
        assert!(analysis.nodes < 1_100_000, "{} nodes", analysis.nodes);
        let again = analyse(&mut engine(1, None), &record, limits);
        assert_eq!((&again.lines, again.nodes), (&analysis.lines, analysis.nodes));
        one.forget();
        let forgotten = analyse(&mut one, &record, limits);
        assert_eq!((&forgotten.lines, forgotten.nodes), (&analysis.lines, analysis.nodes));
    }
}

#[test]
fn a_search_to_the_end_stops_soon_and_has_a_move() {
    let record = sample(34, 1).next().unwrap();
    let mut engine = engine(1, Some(60));
    let control = Control::default();
    thread::scope(|scope| {
        let thinking = scope.spawn(|| {
            let analysis = engine.analyse(&record, &Limits::default(), &control, &mut |_| ());
            (analysis, Instant::now())
        });
        thread::sleep(Duration::from_millis(300));
        let stopped = Instant::now();
        control.stop();
        let (analysis, ended) = thinking.join().unwrap();
        assert!(analysis.best().is_some());
        // Ten milliseconds on a quiet machine; tests share their cores, and without the stop it would take hours.
        assert!(ended - stopped < Duration::from_secs(10), "took {:?}", ended - stopped);
    });
}

#[test]
fn other_rules_and_games_are_left_to_the_ordinary_search() {
    let reach = FinisherSettings { plies: None, threads: 1 };
    assert!(<morris::Evaluations as SearchKit<Morris>>::finisher(reach).is_none());
    let record = sample(8, 1).next().unwrap();
    let discs = Othello::new("score=discs".parse().unwrap());
    let finisher = Evaluations::finisher(reach).unwrap();
    assert!(finisher.plan(record.game(), record.position(), &Limits::default(), 1).is_some());
    assert!(finisher.plan(&discs, record.position(), &Limits::default(), 1).is_none());
}
