//! Shipped puzzles, proved again from their positions alone.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use trilith_base::Seed;
use trilith_teach::puzzle::{self, MakeOrder, Puzzle, verify};

/// Morris tables of this test, kept from run to run.
fn tables() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("teach-tables")
}

/// Stones on a Morris board.
fn stones(puzzle: &Puzzle) -> usize {
    let board = puzzle.position.split(' ').next().unwrap();
    board.bytes().filter(|byte| matches!(byte, b'w' | b'b')).count()
}

/// Every so many-th puzzle of a list.
fn sample(puzzles: Vec<Puzzle>, count: usize) -> Vec<Puzzle> {
    let step = puzzles.len() / count;
    puzzles.into_iter().step_by(step.max(1)).collect()
}

fn prove(game: &str, puzzles: &[Puzzle]) {
    let never = AtomicBool::new(false);
    let (done, doubts) = verify(game, puzzles, Some(&tables()), &never, &mut |_| ()).unwrap();
    assert!(doubts.is_empty(), "{game}: {doubts:#?}");
    assert!(done == puzzles.len() && done > 0, "{game}: {done}");
}

/// Of each game that has puzzles; those of Morris with up to eight stones, whose tables take a second.
#[test]
fn a_sample_of_shipped_puzzles_is_proved_again() {
    for (game, count) in [("othello", 25), ("morris", 60), ("abalone", 8)] {
        let puzzles = puzzle::shipped(game).unwrap();
        let quick: Vec<Puzzle> =
            puzzles.into_iter().filter(|puzzle| game != "morris" || stones(puzzle) <= 8).collect();
        if !quick.is_empty() {
            prove(game, &sample(quick, count));
        }
    }
}

#[test]
#[ignore = "minutes"]
fn all_shipped_puzzles_are_proved_again() {
    for game in ["othello", "morris", "abalone"] {
        prove(game, &puzzle::shipped(game).unwrap());
    }
}

/// The shipped files are what `trilith puzzles make GAME --count 1000 --seed 27` writes; `UPDATE_GOLDEN=1` writes them
/// anew, `PUZZLE_GAMES=morris` only those of some games. Abalone's come from an older engine, as their file says.
#[test]
#[ignore = "half an hour"]
fn the_shipped_files_come_from_their_seed() {
    let games = std::env::var("PUZZLE_GAMES").unwrap_or_else(|_| "othello morris".into());
    for game in games.split_whitespace() {
        let (count, seed) = (1000, Seed(27));
        let order =
            MakeOrder { game: game.into(), count, seed, threads: 2, tables: Some(tables()), journal: None };
        let mut last = 0;
        let made = order.make(&AtomicBool::new(false), &mut |made| {
            if made.puzzles >= last + 100 {
                last = made.puzzles;
                println!("{game}: {} puzzles of {} games", made.puzzles, made.games);
            }
        });
        let text = puzzle::write(game, &order.command(), &made.unwrap());
        let path =
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../artifacts/{game}/puzzles.tsv"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(path, text).unwrap();
        } else {
            assert!(std::fs::read_to_string(path).unwrap() == text, "{game}: another file comes out");
        }
    }
}
