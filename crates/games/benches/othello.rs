//! Speed of Othello's rules: `cargo bench -p trilith-games --bench othello`.
//!
//! Each figure is the best of several runs, on one thread, by its time on the CPU.

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
        let nodes = rate(|| one_by_one(technique, &Position::START, 9));
        println!("{technique}: positions one by one, {:.1} million/s", nodes / 1e6);
        let games = rate(|| othello::statistics(technique, &Position::START, 0..50_000, Seed(1)).games);
        println!("{technique}: random games, {:.3} million/s", games / 1e6);
    }
    println!("one game after the other: random games, {:.3} million/s", rate(generic_games) / 1e6);
    keys();
}

/// Things a second, of the best of several runs; `work` returns how many it did.
fn rate(mut work: impl FnMut() -> u64) -> f64 {
    let epoch = Instant::now();
    (0..7).fold(0.0, |best, _| {
        let start = seconds(epoch);
        let things = black_box(work());
        best.max(things as f64 / (seconds(epoch) - start))
    })
}

/// This thread's time on the CPU where Linux tells it, so that other work on the machine counts less.
fn seconds(epoch: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| epoch.elapsed().as_secs_f64(), |n| n / 1e9)
}

/// Positions up to `depth` plies away, as a search visits them: one flip and one mobility each.
fn one_by_one(technique: Technique, position: &Position, depth: u32) -> u64 {
    let Position { own, other, .. } = *position;
    trilith_games::with_technique!(technique, visit(own, other, depth))
}

trilith_games::per_technique! {
    fn visit(own: u64, other: u64, depth: u32) -> u64 {
        let mut moves = mobility(own, other);
        let mut nodes = u64::from(moves != 0);
        while moves != 0 && depth > 0 {
            let flips = flips(own, other, moves.trailing_zeros() as u8);
            let bit = moves & moves.wrapping_neg();
            nodes += visit(other ^ flips, own ^ flips ^ bit, depth - 1);
            moves ^= bit;
        }
        nodes
    }
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
    let count = moves.len() as u64 * 10_000;
    let repeat = |key: &dyn Fn(&(Position, u64)) -> u64| {
        (0..10_000).for_each(|_| {
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
