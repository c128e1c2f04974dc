//! Speed of the Abalone rules on one thread: perft leaves and random games a second.
//!
//! `cargo bench -p trilith-games --bench abalone`

use std::hint::black_box;
use std::time::Instant;

use trilith_base::Seed;
use trilith_games::abalone::{Abalone, LAYOUTS, Rules};
use trilith_games::{Game, MoveList, Record, playout};

fn main() {
    for (name, _) in LAYOUTS {
        let game = Abalone::new(name.parse().expect("a named layout"));
        let start = Instant::now();
        let leaves = game.perft(&game.start(), 5);
        let rate = leaves as f64 / start.elapsed().as_secs_f64() / 1e6;
        println!("perft {name} 5: {leaves} leaves, {rate:.0} million/s");
    }
    for limit in [200, 1000] {
        random_games(limit);
    }
    single_calls();
}

/// Games by lot to the rules' own end, with record and repetition.
fn random_games(limit: u32) {
    let rules: Rules = format!("plies={limit}").parse().expect("a limit");
    let start = Instant::now();
    let (mut games, mut plies) = (0, 0);
    while start.elapsed().as_secs_f64() < 1.0 {
        let mut record = Record::new(Abalone::new(rules));
        playout::play_on(&mut record, usize::MAX, &mut Seed(1).derive("game", games).rng());
        games += 1;
        plies += record.len();
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "random games to {limit} plies: {:.0} games/s, {:.2} million plies/s",
        games as f64 / seconds,
        plies as f64 / seconds / 1e6
    );
}

/// What a search calls at each node, on the positions of one random game.
fn single_calls() {
    let mut record = Record::new(Abalone::default());
    playout::play_on(&mut record, 500, &mut Seed(2).rng());
    let game = record.game();
    let positions: Vec<_> = (0..record.len()).filter_map(|ply| record.position_after(ply)).collect();
    let time = |name: &str, call: &mut dyn FnMut(usize)| {
        let start = Instant::now();
        for number in 0..2_000_000 {
            call(number % positions.len());
        }
        println!("{name}: {:.1} ns", start.elapsed().as_secs_f64() * 1e9 / 2e6);
    };
    let mut moves = MoveList::new();
    time("moves", &mut |at| {
        game.moves(positions[at], &mut moves);
        black_box(&moves);
    });
    time("count_moves", &mut |at| {
        black_box(game.count_moves(positions[at]));
    });
    time("outcome", &mut |at| {
        black_box(game.outcome(positions[at]));
    });
    time("key", &mut |at| {
        black_box(game.key(positions[at]));
    });
    let first = record.moves().collect::<Vec<_>>();
    time("play", &mut |at| {
        black_box(game.play(positions[at], first[at]));
    });
    time("canonical", &mut |at| {
        black_box(game.canonical(positions[at]));
    });
}
