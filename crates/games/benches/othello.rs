//! Speed of Othello's rules: `cargo bench -p trilith-games --bench othello`.
//!
//! Each figure is the best of several runs, on one thread.

use std::hint::black_box;
use std::time::Instant;

use trilith_base::{Seed, seed};
use trilith_games::othello::technique::Technique;
use trilith_games::othello::{self, Othello, Position, squares};
use trilith_games::{Game, playout};

fn main() {
    for technique in Technique::available() {
        let leaves = rate(|| othello::perft(technique, &Position::START, 11));
        println!("{technique}: perft 11, {:.3} thousand million leaves/s", leaves / 1e9);
        let games = rate(|| othello::statistics(technique, &Position::START, 0..50_000, Seed(1)).games);
        println!("{technique}: random games, {:.3} million/s", games / 1e6);
    }
    println!("one game after the other: random games, {:.3} million/s", rate(generic_games) / 1e6);
    keys();
}

/// Things a second, of the best of several runs; `work` returns how many it did.
fn rate(mut work: impl FnMut() -> u64) -> f64 {
    (0..7).fold(0.0, |best, _| {
        let start = Instant::now();
        let things = black_box(work());
        best.max(things as f64 / start.elapsed().as_secs_f64())
    })
}

/// Random games through [`Game`], move list and all.
fn generic_games() -> u64 {
    let game = Othello::default();
    let mut rng = Seed(1).rng();
    for _ in 0..10_000 {
        let mut position = game.start();
        while let Some(mv) = playout::random_move(&game, &position, &mut rng) {
            position = game.play(&position, mv);
        }
    }
    10_000
}

/// The key mixed from the boards, and the change that a kept Zobrist key would need for the same move.
fn keys() {
    let game = Othello::default();
    let mut rng = Seed(2).rng();
    let mut moves = Vec::new();
    while moves.len() < 4096 {
        let mut position = game.start();
        while let Some(mv) = playout::random_move(&game, &position, &mut rng) {
            let after = game.play(&position, mv);
            moves.push((after, after.other & position.other));
            position = after;
        }
    }
    let count = moves.len() as u64 * 100;
    let repeat = |key: &dyn Fn(&(Position, u64)) -> u64| {
        (0..100).for_each(|_| {
            black_box(moves.iter().fold(0, |all, mv| all ^ key(black_box(mv))));
        });
        count
    };
    let mixed = rate(|| repeat(&|(position, _)| position.key()));
    let table: [u64; 64] = std::array::from_fn(|square| seed::mix(square as u64));
    let kept = rate(|| {
        repeat(&|&(_, flips)| squares(flips).fold(0, |key, square| key ^ table[usize::from(square)]))
    });
    println!(
        "key mixed when asked for: {:.2} ns; kept, for the flips alone: {:.2} ns a move",
        1e9 / mixed,
        1e9 / kept
    );
}
