//! `trilith bench book`: what it costs to remember a million positions, and to ask about one.

use std::time::Instant;

use serde::Serialize;
use trilith_base::Seed;
use trilith_book::{Book, BookMode};
use trilith_games::othello::Othello;
use trilith_games::{Record, playout};

/// What a book costs.
#[derive(Serialize)]
pub struct BookCost {
    /// Random Othello games added.
    games: u64,
    /// Positions of the book then.
    positions: u64,
    /// All games, on the disk.
    add_seconds: f64,
    /// Bytes of the file.
    bytes: u64,
    /// A position looked up with all its successors, in a book just opened and in one in memory.
    cold_probe_microseconds: f64,
    warm_probe_microseconds: f64,
}

const GAMES: u64 = 18_500;
const BATCH: u64 = 2000;
const PROBES: u64 = 200;

/// Measures on one thread, in a file of its own.
pub fn measure() -> anyhow::Result<BookCost> {
    let path = std::env::temp_dir().join(format!("trilith-bench-{}.book", std::process::id()));
    let cost = measure_in(&path);
    let _ = std::fs::remove_file(&path);
    cost
}

fn game(number: u64) -> Record<Othello> {
    let mut record = Record::new(Othello::default());
    playout::play_on(&mut record, usize::MAX, &mut Seed(1).derive("game", number).rng());
    record
}

fn measure_in(path: &std::path::Path) -> anyhow::Result<BookCost> {
    let book = Book::create(path, &Othello::default(), false)?;
    let games: Vec<_> = (0..GAMES).map(game).collect();
    let began = Instant::now();
    for some in games.chunks(BATCH as usize) {
        book.update(|draft| {
            for record in some {
                draft.add(record, record.end().and_then(|end| end.winner))?;
            }
            Ok(())
        })?;
    }
    let add_seconds = began.elapsed().as_secs_f64();
    let positions = book.reader()?.statistics()?.nodes;
    drop(book);
    let book = Book::open(path, BookMode::Read)?;
    let cold_probe_microseconds = probe(&book)?;
    let warm_probe_microseconds = probe(&book)?;
    let bytes = std::fs::metadata(path)?.len();
    Ok(BookCost {
        games: GAMES,
        positions,
        add_seconds,
        bytes,
        cold_probe_microseconds,
        warm_probe_microseconds,
    })
}

/// Microseconds for a position at plies 5 to 44 of a remembered game.
fn probe(book: &Book) -> anyhow::Result<f64> {
    let records: Vec<_> = (0..PROBES).map(|number| (number, game(number * (GAMES / PROBES)))).collect();
    let records: Vec<_> = records
        .into_iter()
        .map(|(number, mut record)| {
            while record.len() > 5 + number as usize % 40 {
                record.pop();
            }
            record
        })
        .collect();
    let began = Instant::now();
    for record in &records {
        anyhow::ensure!(book.reader()?.look(record)?.is_some(), "a remembered position is not found");
    }
    Ok(began.elapsed().as_secs_f64() * 1e6 / records.len() as f64)
}

/// Prints for people.
pub fn print(cost: &BookCost) {
    let (games, positions, seconds) = (cost.games, cost.positions, cost.add_seconds);
    println!("{games} games, {positions} positions added in {seconds:.1} s, {} MB", cost.bytes / 1_000_000);
    println!(
        "a probe: {:.1} us in a book just opened, {:.1} us in memory",
        cost.cold_probe_microseconds, cost.warm_probe_microseconds
    );
}
