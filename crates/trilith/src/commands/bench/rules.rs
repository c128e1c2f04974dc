//! The speed of the rules: perft, keys and random games.

use std::hint::black_box;
use std::time::Instant;

use serde::Serialize;
use trilith_arena::{GAMES, GameKit, Visitor, with_game};
use trilith_base::Seed;
use trilith_games::{Game, Record, playout};

/// How the rules of one game perform.
#[derive(Serialize)]
pub struct RulesSpeed {
    game: &'static str,
    rules: String,
    depth: u32,
    leaves: u64,
    leaves_per_second: f64,
    keys_per_second: f64,
    random_games_per_second: f64,
    plies_per_random_game: f64,
}

const ROUNDS: usize = 5;
const RANDOM_GAMES: u64 = 2000;

/// Measures all games.
pub fn measure() -> anyhow::Result<Vec<RulesSpeed>> {
    let mut speeds = Vec::new();
    for game in GAMES {
        speeds.extend(with_game(game, Measure)??);
    }
    Ok(speeds)
}

/// A table for people.
pub fn print(speeds: &Vec<RulesSpeed>) {
    println!(
        "{:8} {:28} {:>5} {:>14} {:>12} {:>14}",
        "game", "rules", "depth", "M leaves/s", "M keys/s", "games/s"
    );
    for speed in speeds {
        println!(
            "{:8} {:28} {:>5} {:>14.1} {:>12.1} {:>14.0}",
            speed.game,
            speed.rules.split(',').next().unwrap_or_default(),
            speed.depth,
            speed.leaves_per_second / 1e6,
            speed.keys_per_second / 1e6,
            speed.random_games_per_second,
        );
    }
}

struct Measure;

impl Visitor for Measure {
    type Output = anyhow::Result<Vec<RulesSpeed>>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        C::PERFT_WORKLOADS.iter().map(|&(rules, depth)| speed::<G>(rules, depth)).collect()
    }
}

fn speed<G: Game>(rules: &str, depth: u32) -> anyhow::Result<RulesSpeed> {
    let game = G::new(rules.parse()?);
    let start = game.start();
    let (leaves, perft_seconds) = best(|| game.perft(&start, depth));
    let positions = walk(&game);
    let (_, key_seconds) = best(|| {
        (0..100).map(|_| positions.iter().fold(0, |sum, p| sum ^ game.key(black_box(p)))).sum::<u64>()
    });
    let (plies, play_seconds) = best(|| random_games(&game));
    Ok(RulesSpeed {
        game: G::NAME,
        rules: game.rules().to_string(),
        depth,
        leaves,
        leaves_per_second: leaves as f64 / perft_seconds,
        keys_per_second: (positions.len() * 100) as f64 / key_seconds,
        random_games_per_second: RANDOM_GAMES as f64 / play_seconds,
        plies_per_random_game: plies as f64 / RANDOM_GAMES as f64,
    })
}

/// The result of `work` and the seconds of its fastest round.
fn best<T>(mut work: impl FnMut() -> T) -> (T, f64) {
    let mut round = || {
        let start = Instant::now();
        let result = black_box(work());
        (result, start.elapsed().as_secs_f64())
    };
    let first = round();
    (1..ROUNDS).fold(first, |fastest, _| {
        let next = round();
        if next.1 < fastest.1 { next } else { fastest }
    })
}

/// Positions of random games, for the keys.
fn walk<G: Game>(game: &G) -> Vec<G::Position> {
    let mut positions = Vec::new();
    for number in 0..100 {
        let mut record = Record::new(game.clone());
        playout::play_on(&mut record, 60, &mut Seed(1).derive("walk", number).rng());
        positions.extend((0..=record.len()).filter_map(|ply| record.position_after(ply)));
    }
    positions
}

/// Plays random games by the rules of the position alone, at most 500 plies each; the plies in all.
fn random_games<G: Game>(game: &G) -> u64 {
    let mut plies = 0;
    let mut rng = Seed(1).derive("playouts", 0).rng();
    for _ in 0..RANDOM_GAMES {
        let mut position = game.start();
        for _ in 0..500 {
            let Some(mv) = playout::random_move(game, &position, &mut rng) else { break };
            position = game.play(&position, mv);
            plies += 1;
        }
    }
    plies
}
