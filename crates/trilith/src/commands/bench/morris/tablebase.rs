//! The tablebase benchmark: how long it takes to ask, in memory and packed, and to find a move that keeps the value.

use std::hint::black_box;
use std::time::Instant;

use serde::Serialize;
use trilith_base::Seed;
use trilith_base::seed::mix;
use trilith_games::Colour;
use trilith_games::morris::{Morris, Position, STANDARD};
use trilith_tablebase::{Expert, TableFile, choice, default_folder};

const PROBES: u64 = 20_000;
const MOVES: u64 = 200;

/// One measurement.
#[derive(Serialize)]
pub struct TablebaseCost {
    what: String,
    /// Of each.
    microseconds: f64,
}

/// Asks the tables by standard rules that are there, those of eight stones at least.
pub fn measure() -> anyhow::Result<Vec<TablebaseCost>> {
    let game = Morris::default();
    let expert = Expert::open(&default_folder(&STANDARD), &game, 8)?;
    let tables = expert.tables();
    let largest = |is_in_memory: bool| {
        let tables = tables.iter().filter(|table| table.is_in_memory() == is_in_memory);
        tables.max_by_key(|table| table.subspace().slots())
    };
    let mut costs = Vec::new();
    for table in [largest(true), largest(false)].into_iter().flatten() {
        let place = if table.is_in_memory() { "in memory" } else { "packed" };
        let positions: Vec<_> = (0..PROBES).map(|number| position(table, number)).collect();
        let probe = |number: u64| tables.probe(&positions[number as usize]);
        costs.push(TablebaseCost {
            what: format!("probe of {}, {place}", table.subspace()),
            microseconds: each(PROBES, probe),
        });
        let mut rng = Seed(1).rng();
        let choose = |number: u64| choice::any_move(&expert, &game, &positions[number as usize], &mut rng);
        costs.push(TablebaseCost {
            what: format!("a right move with {}, {place}", table.subspace()),
            microseconds: each(MOVES, choose),
        });
    }
    Ok(costs)
}

fn position(table: &TableFile, number: u64) -> Position {
    let (own, other) = table.subspace().stones_of(mix(number) % table.subspace().slots());
    Position::moving(own, other, Colour::White)
}

/// Microseconds of each call, in the best of a hundred rounds: other work on the machine only ever slows a round down.
fn each<T>(calls: u64, mut call: impl FnMut(u64) -> T) -> f64 {
    const ROUNDS: u64 = 100;
    let mut round = |round: u64| {
        let start = Instant::now();
        for number in round * calls / ROUNDS..(round + 1) * calls / ROUNDS {
            black_box(call(number));
        }
        start.elapsed().as_secs_f64() * 1e6 * ROUNDS as f64 / calls as f64
    };
    (0..ROUNDS).map(&mut round).fold(f64::INFINITY, f64::min)
}

/// A line each for people.
pub fn print(costs: &Vec<TablebaseCost>) {
    for TablebaseCost { what, microseconds } in costs {
        println!("{what:34} {microseconds:>10.2} microseconds");
    }
}
