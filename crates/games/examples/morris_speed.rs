//! Speed of the Morris rules on one thread: perft from the empty board, and random games played to their end.
//!
//! `cargo run --release -p trilith-games --example morris_speed [DEPTH]`

use std::time::Instant;

use rand::RngExt;
use trilith_base::Seed;
use trilith_games::morris::{Morris, Rules};
use trilith_games::{Game, MoveList};

fn main() {
    let depth = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(7);
    for rules in ["standard", "thesis"] {
        let rules: Rules = rules.parse().expect("a preset");
        let game = Morris::new(rules);
        for depth in 1..=depth {
            let begun = Instant::now();
            let leaves = game.perft(&game.start(), depth);
            let seconds = begun.elapsed().as_secs_f64();
            println!(
                "{rules} perft {depth}: {leaves} in {seconds:.3} s, {:.0} million/s",
                leaves as f64 / seconds / 1e6
            );
        }
        playouts(&game, rules);
    }
}

fn playouts(game: &Morris, rules: Rules) {
    const GAMES: u64 = 20_000;
    let mut rng = Seed(1).rng();
    let mut moves = MoveList::new();
    let mut plies = 0_u64;
    let begun = Instant::now();
    for _ in 0..GAMES {
        let mut position = game.start();
        loop {
            game.moves(&position, &mut moves);
            if moves.is_empty() {
                break;
            }
            position = game.play(&position, moves[rng.random_range(0..moves.len())]);
            plies += 1;
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let (games, plies_each) = (GAMES as f64 / seconds, plies as f64 / GAMES as f64);
    println!(
        "{rules} random games: {games:.0}/s, {plies_each:.1} plies each, {:.1} million plies/s",
        plies as f64 / seconds / 1e6
    );
}
