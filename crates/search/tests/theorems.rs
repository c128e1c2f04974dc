//! Theorems of search, on positions of random games of all three games.

#![allow(clippy::unwrap_used)]

use trilith_base::Seed;
use trilith_eval::{Evaluator, Margin, Unit, Unknowing, Value};
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;
use trilith_games::{Game, Noise, Record, playout};
use trilith_search::analysis::plies_to_end;
use trilith_search::{Control, Engine, Ladder, Limits, Options, Rung, Techniques};

/// Spreads positions over many values, so that a wrong cut-off shows; kept up to date like a real evaluation.
struct Noisy;

impl<G: Game> Evaluator<G> for Noisy {
    type Carry = u64;

    fn unit(&self) -> Unit {
        Unit { name: "points", one: 10 }
    }

    fn begin(&self, game: &G, position: &G::Position) -> u64 {
        game.key(position)
    }

    fn advance(&self, game: &G, _: &u64, _: &G::Position, _: G::Move, after: &G::Position) -> u64 {
        game.key(after)
    }

    fn value(&self, game: &G, position: &G::Position, carry: &u64) -> Value {
        game.margin(position) * 20 + (carry >> 40) as Value % 64
    }
}

/// Positions in which the game goes on, from all its stages.
fn sample<G: Game>(game: &G, seed: Seed, count: u64) -> Vec<Record<G>> {
    (0..count)
        .map(|number| {
            let mut record = Record::new(game.clone());
            playout::play_on(
                &mut record,
                (number as usize * 7) % 60,
                &mut seed.derive("sample", number).rng(),
            );
            while record.end().is_some() {
                record.pop();
            }
            record
        })
        .collect()
}

fn rungs_return_the_minimax_value<G: Game>(game: &G, positions: u64, deepest: u32) {
    for record in sample(game, Seed(1), positions) {
        let position = record.position();
        for depth in 1..=deepest {
            let truth = Ladder::new(game, &Noisy, Techniques::default()).minimax(position, depth);
            for rung in Rung::ALL {
                let value = Ladder::new(game, &Noisy, rung.techniques(15, 1)).search(position, depth).value();
                assert_eq!(value, truth, "{} at depth {depth} of\n{}", rung.name(), game.diagram(position));
            }
        }
    }
}

#[test]
fn every_rung_returns_the_minimax_value_in_othello() {
    rungs_return_the_minimax_value(&Othello::new("".parse().unwrap()), 24, 5);
}

#[test]
fn every_rung_returns_the_minimax_value_in_morris() {
    rungs_return_the_minimax_value(&Morris::new("quiet-plies=0".parse().unwrap()), 16, 4);
    rungs_return_the_minimax_value(&Morris::new("thesis,quiet-plies=0".parse().unwrap()), 8, 4);
}

#[test]
fn every_rung_returns_the_minimax_value_in_abalone() {
    rungs_return_the_minimax_value(&Abalone::new("belgian-daisy".parse().unwrap()), 6, 3);
}

/// Rules without draws by history, which the ladder does not know.
fn engine_equals_ladder<G: Game>(game: &G, positions: u64, depth: u32, threads: usize) {
    for quiescence in [None, Some((Noise::Captures, 4))] {
        let options = Options { threads, table_mebibytes: 4, quiescence, exact: true, ..Options::default() };
        let mut engine = Engine::new(Noisy, Unknowing, options);
        for record in sample(game, Seed(2), positions) {
            let techniques = Techniques { quiescence, ..Rung::Table.techniques(15, 4) };
            let truth = Ladder::new(game, &Noisy, techniques).search(record.position(), depth).value();
            let limits = Limits::depth(depth);
            let answer = engine.analyse(&record, &limits, &Control::default(), &mut |_| ());
            let diagram = game.diagram(record.position());
            assert_eq!(answer.value(), truth, "depth {depth}, {quiescence:?}, {threads} threads\n{diagram}");
            assert_eq!(answer.depth, depth);
            let mut line = record.clone();
            for &mv in &answer.lines[0].moves {
                line.push(mv).unwrap();
            }
        }
    }
}

#[test]
fn the_engine_equals_the_ladder() {
    engine_equals_ladder(&Othello::new("".parse().unwrap()), 20, 5, 1);
    engine_equals_ladder(&Morris::new("repetition=0,quiet-plies=0".parse().unwrap()), 12, 5, 1);
    engine_equals_ladder(&Abalone::new("belgian-daisy,repetition=0,plies=0".parse().unwrap()), 8, 3, 1);
}

#[test]
fn many_threads_return_the_value_of_one() {
    engine_equals_ladder(&Othello::new("".parse().unwrap()), 20, 6, 3);
    engine_equals_ladder(&Morris::new("repetition=0,quiet-plies=0".parse().unwrap()), 12, 5, 3);
    engine_equals_ladder(&Abalone::new("belgian-daisy,repetition=0,plies=0".parse().unwrap()), 6, 3, 3);
}

#[test]
fn one_thread_is_deterministic() {
    let game = Morris::new("".parse().unwrap());
    let run = || {
        let mut engine = Engine::new(Margin, Unknowing, Options { table_mebibytes: 1, ..Options::default() });
        let search = |record: &Record<Morris>, engine: &mut Engine<Morris, Margin, Unknowing>| {
            let answer = engine.analyse(record, &Limits::nodes(20_000), &Control::default(), &mut |_| ());
            (answer.nodes, answer.depth, answer.lines)
        };
        sample(&game, Seed(3), 10).iter().map(|record| search(record, &mut engine)).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

#[test]
fn several_lines_are_the_best_moves_in_order() {
    let game = Othello::new("".parse().unwrap());
    for record in sample(&game, Seed(4), 10) {
        let options =
            Options { lines: 4, table_mebibytes: 4, exact: true, quiescence: None, ..Options::default() };
        let mut engine = Engine::new(Noisy, Unknowing, options);
        let answer = engine.analyse(&record, &Limits::depth(4), &Control::default(), &mut |_| ());
        let mut all: Vec<Value> = trilith_games::perft::divide(&game, record.position(), 1)
            .iter()
            .map(|&(mv, _)| {
                let after = game.play(record.position(), mv);
                let ladder = Rung::AlphaBeta.techniques(1, 1);
                let value = -Ladder::new(&game, &Noisy, ladder).search(&after, 3).value();
                // A win is one ply further from here than from the position after the move.
                value - plies_to_end(value).map_or(0, i32::signum)
            })
            .collect();
        all.sort_by_key(|value| -value);
        let found: Vec<Value> = answer.lines.iter().map(|line| line.value).collect();
        assert_eq!(found, all[..found.len()]);
    }
}
