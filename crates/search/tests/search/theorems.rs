//! Theorems of search, on positions of random games of all three games.

use trilith_base::Seed;
use trilith_eval::{Evaluator, Margin, Unit, Unknowing, Value};
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;
use trilith_games::{Game, MoveList, Noise, Outcome, Record, playout};
use trilith_search::analysis::plies_to_end;
use trilith_search::{Control, Engine, EngineOptions, Ladder, Limits, Printed, Quiescing, Rung, Techniques};

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
                let printed = rung.as_printed(15, 1);
                for plain_table in [false, true] {
                    let printed =
                        Techniques { printed: Printed { plain_table, ..printed.printed }, ..printed };
                    let value = Ladder::new(game, &Noisy, printed).search(position, depth).value();
                    assert_eq!(value, truth, "{} as printed, {plain_table}, depth {depth}", rung.name());
                }
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

fn still<G: Game>(game: &G, position: &G::Position) -> Value {
    let carry = Evaluator::<G>::begin(&Noisy, game, position);
    Evaluator::<G>::value(&Noisy, game, position, &carry)
}

/// S2's three ways by their definitions, without windows: what a leaf is worth to the side to move.
fn quiesced<G: Game>(game: &G, position: &G::Position, way: Quiescing, plies: u32, ply: u32) -> Value {
    if let Some(outcome) = game.outcome(position) {
        return Ladder::new(game, &Noisy, Techniques::default()).value(position, 0)
            + match outcome {
                Outcome::Win => -(ply as Value),
                Outcome::Loss => ply as Value,
                Outcome::Draw => 0,
            };
    }
    let still = still(game, position);
    let mut moves = MoveList::new();
    game.moves(position, &mut moves);
    let is_noisy = |mv: &G::Move| game.is_noisy(position, *mv, Noise::Captures);
    if plies == 0 || !moves.iter().any(is_noisy) {
        return still;
    }
    let followed = moves.iter().filter(|mv| way == Quiescing::AllMoves || is_noisy(mv));
    let best = followed.map(|&mv| -quiesced(game, &game.play(position, mv), way, plies - 1, ply + 1)).max();
    let best = best.expect("one is noisy");
    if way == Quiescing::StandPat { best.max(still) } else { best }
}

#[test]
fn quiescence_is_what_each_of_the_three_ways_says() {
    let game = Morris::new("quiet-plies=0".parse().unwrap());
    let (mut differ, mut unquiet) = (0, 0);
    for record in sample(&game, Seed(9), 60) {
        let position = record.position();
        let values = Quiescing::ALL.map(|way| {
            let techniques = Techniques {
                quiescence: Some((Noise::Captures, 3)),
                quiescing: way,
                ..Techniques::default()
            };
            let value = Ladder::new(&game, &Noisy, techniques).value(position, 0);
            assert_eq!(value, quiesced(&game, position, way, 3, 0), "{way:?}\n{}", game.diagram(position));
            value
        });
        unquiet += u32::from(values[1] != still(&game, position));
        differ += u32::from(values[1] < values[2]);
    }
    assert!(
        unquiet > 5 && differ > 2,
        "{unquiet} leaves are not quiet, standing still is better in {differ}"
    );
}

/// Rules without draws by history, which the ladder does not know.
fn engine_equals_ladder<G: Game>(game: &G, positions: u64, depth: u32, threads: usize) {
    for quiescence in [None, Some((Noise::Captures, 4))] {
        let options = EngineOptions {
            threads,
            table_mebibytes: 4,
            quiescence,
            exact: true,
            ..EngineOptions::default()
        };
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
        let mut engine =
            Engine::new(Margin, Unknowing, EngineOptions { table_mebibytes: 1, ..EngineOptions::default() });
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
        let options = EngineOptions {
            lines: 4,
            table_mebibytes: 4,
            exact: true,
            quiescence: None,
            ..EngineOptions::default()
        };
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
