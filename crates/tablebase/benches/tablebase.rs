//! How fast tables are built and asked: `cargo bench -p trilith-tablebase [FOLDER]`.
//!
//! Builds nine stones from nothing on one thread (the best of three rounds), then asks random positions of tables unpacked in memory, of tables
//! packed on disk (blocks never seen before), and for all moves of a position at once. With a folder of tables by
//! standard rules it asks the largest of those instead.

#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use trilith_base::seed::mix;
use trilith_games::Colour;
use trilith_games::morris::{Morris, Position, STANDARD};
use trilith_tablebase::{BuildPlan, Subspace, TableFile, TableMode, Tables, answer, build};

const PROBES: u64 = 20_000;

fn main() {
    let given = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).map(PathBuf::from);
    let scratch = std::env::temp_dir().join(format!("trilith-bench-{}", std::process::id()));
    for mode in [TableMode::Distance, TableMode::Wdl] {
        let plan = BuildPlan { mode, threads: 1, ..BuildPlan::up_to(9) };
        let seconds = (0..3).fold(f64::INFINITY, |best, _| {
            let _ = std::fs::remove_dir_all(scratch.join(mode.to_string()));
            let start = Instant::now();
            build(&scratch.join(mode.to_string()), &STANDARD, &plan, |_| {}).unwrap();
            best.min(start.elapsed().as_secs_f64())
        });
        let slots: u64 = Subspace::up_to(9).into_iter().map(Subspace::slots).sum();
        println!(
            "build, 9 stones, {mode:8} {:>8.1} million slots a second and thread",
            slots as f64 / seconds / 1e6
        );
    }
    let folder = given.unwrap_or_else(|| scratch.join("distance"));
    let tables = Tables::open(&folder, &STANDARD).unwrap();
    let small = tables.require("4-3".parse().unwrap()).unwrap();
    println!("probe, {} in memory      {:>8.2} microseconds", small.subspace(), probe(&tables, small));
    let large = tables.iter().max_by_key(|table| table.subspace().slots()).unwrap();
    let name = format!("{}.{}", large.subspace(), large.header().mode);
    let packed = TableFile::open(&folder.join(name), large.subspace(), "standard").unwrap();
    let slots = large.subspace().slots();
    let read = |number: u64| packed.plies(mix(number) % slots).unwrap();
    println!("probe, {} packed         {:>8.2} microseconds", large.subspace(), each(PROBES, read));
    let game = Morris::default();
    let all_moves = |number: u64| answer(&tables, &game, &position(large, number)).unwrap();
    println!("all moves of {} position {:>8.2} microseconds", large.subspace(), each(PROBES / 10, all_moves));
    std::fs::remove_dir_all(scratch).unwrap();
}

fn position(table: &TableFile, number: u64) -> Position {
    let (own, other) = table.subspace().stones_of(mix(number) % table.subspace().slots());
    Position::moving(own, other, Colour::White)
}

fn probe(tables: &Tables, table: &TableFile) -> f64 {
    let positions: Vec<_> = (0..PROBES).map(|number| position(table, number)).collect();
    each(PROBES, |number| tables.probe(&positions[number as usize]).unwrap())
}

/// Microseconds of each call.
fn each<T>(calls: u64, mut call: impl FnMut(u64) -> T) -> f64 {
    let start = Instant::now();
    for number in 0..calls {
        black_box(call(number));
    }
    start.elapsed().as_secs_f64() * 1e6 / calls as f64
}
