//! Puzzles made and proved, whatever is shipped.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use trilith_base::Seed;
use trilith_teach::puzzle::{self, MakeOrder, Making, Puzzle, verify};

/// Morris tables of this test, kept from run to run.
fn tables() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("teach-tables")
}

fn order(game: &str, count: usize, threads: usize) -> MakeOrder {
    MakeOrder { game: game.into(), count, seed: Seed(5), threads, tables: Some(tables()), journal: None }
}

fn make(game: &str, count: usize, threads: usize) -> Vec<Puzzle> {
    order(game, count, threads).make(&AtomicBool::new(false), &mut |_| ()).unwrap()
}

/// How many of these are proved.
fn proved(game: &str, puzzles: &[Puzzle]) -> usize {
    let never = AtomicBool::new(false);
    let (done, doubts) = verify(game, puzzles, Some(&tables()), &never, &mut |_| ()).unwrap();
    done - doubts.len()
}

#[test]
fn what_was_made_can_be_written_read_and_proved() {
    for game in ["othello", "abalone"] {
        let made = make(game, 3, 1);
        assert!(made.len() == 3 && made.is_sorted_by_key(|puzzle| puzzle.rating), "{game}");
        let text = puzzle::write(game, "this test", &made);
        assert_eq!(puzzle::parse(&text).unwrap(), (game.to_owned(), made.clone()));
        assert_eq!(proved(game, &made), 3, "{game}: {made:#?}");
    }
}

#[test]
fn puzzles_do_not_depend_on_the_threads() {
    assert_eq!(make("othello", 3, 1), make("othello", 3, 2));
}

#[test]
fn who_is_stopped_goes_on_to_the_same_puzzles() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("puzzles.journal");
    let _ = std::fs::remove_file(&path);
    let order = MakeOrder { journal: Some(path.clone()), ..order("othello", 3, 1) };
    let mut stopped_at = 0;
    let mut puzzles = Vec::new();
    while puzzles.len() < 3 {
        let stop = AtomicBool::new(false);
        puzzles = order
            .make(&stop, &mut |made| {
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
                assert!(made.games > stopped_at, "a game was played twice");
                stopped_at = made.games;
            })
            .unwrap();
    }
    assert!(stopped_at > 1);
    assert_eq!(puzzles, make("othello", 3, 1));
    // Done: nothing more is played. Another order does not take this journal.
    let heard = &mut |made: Making| assert_eq!(made, Making { puzzles: 3, games: stopped_at });
    assert_eq!(order.make(&AtomicBool::new(false), heard).unwrap(), puzzles);
    let other = MakeOrder { count: 4, ..order };
    let fault = other.make(&AtomicBool::new(false), &mut |_| ()).unwrap_err().to_string();
    assert!(fault.contains("--count 3 --seed 5`, not to"), "{fault}");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_wrong_puzzle_is_not_proved() {
    let made = make("othello", 3, 1);
    let mut wrong = made[0].clone();
    wrong.line = vec!["a1".into()];
    let impossible = Puzzle { position: "nothing".into(), ..made[1].clone() };
    assert_eq!(proved("othello", &[wrong, impossible, made[2].clone()]), 1);
}

#[test]
fn a_game_without_puzzles_and_an_unknown_one_are_named() {
    let fault = |game| order(game, 1, 1).make(&AtomicBool::new(false), &mut |_| ()).unwrap_err().to_string();
    assert!(fault("go").starts_with("unknown game `go`"));
}
