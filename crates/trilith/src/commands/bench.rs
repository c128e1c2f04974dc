//! `trilith bench`: the benchmarks of the project, as numbers.

use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::bail;
use serde::Serialize;
use trilith_arena::{GAMES, Visitor, with_game};
use trilith_base::{Seed, words};
use trilith_games::othello::Othello;
use trilith_games::othello::formats::obf::parse_obf;
use trilith_games::{Game, Record, playout};
use trilith_search::othello::{Goal, Handmade, Options, Solver};

/// Run the benchmarks, single-threaded, and print numbers
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith bench rules\n  \
    trilith bench rules --json\n  \
    trilith bench solver\n\n\
    rules: leaves per second of perft (no hashing, the last ply counted, not played), positions keyed per second,\n       \
    and whole random games per second, for each game. The best of several rounds is shown, since\n       \
    other work on the machine only ever slows a round down.\n\
    solver: positions visited and time to solve FFO 40 to 44 (Othello endgames of 20 to 24 empty squares).")]
pub struct Args {
    /// Which benchmark
    #[arg(default_value = "rules")]
    name: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How the rules of one game perform.
#[derive(Serialize)]
struct RulesSpeed {
    game: &'static str,
    rules: String,
    depth: u32,
    leaves: u64,
    leaves_per_second: f64,
    keys_per_second: f64,
    random_games_per_second: f64,
    plies_per_random_game: f64,
}

/// The workload for each game: rules and a depth that takes about half a second.
const WORKLOADS: &[(&str, &str, u32)] =
    &[("othello", "", 11), ("morris", "", 7), ("abalone", "", 6), ("abalone", "layout=belgian-daisy", 5)];
const ROUNDS: usize = 5;
const RANDOM_GAMES: u64 = 2000;

/// Measures and prints.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match args.name.as_str() {
        "rules" => rules(args),
        "solver" => solver(args),
        name => bail!("unknown benchmark `{name}`: expected {}", words::expected(name, ["rules", "solver"])),
    }
}

/// FFO 40 to 44, the usual test of endgame solvers.
fn solver(args: &Args) -> anyhow::Result<()> {
    const SUITE: &str = include_str!("../../../search/tests/data/othello/fforum-40-59.obf");
    let problems = parse_obf(&Othello::default(), SUITE)?;
    let mut solver = Solver::new(Handmade, Options::default());
    let (mut nodes, mut seconds) = (0, 0.0);
    for problem in &problems[..5] {
        solver.clear();
        let solution = solver.solve(&problem.position, Goal::Score, &AtomicBool::new(false));
        let solution = solution.expect("nobody stops the solver");
        nodes += solution.nodes;
        seconds += solution.seconds;
    }
    let speed = nodes as f64 / seconds;
    match args.json {
        true => println!(
            "{}",
            serde_json::json!({ "solver": { "nodes": nodes, "seconds": seconds, "nodes_per_second": speed } })
        ),
        false => println!("FFO 40-44: {nodes} nodes, {seconds:.3} s, {:.1} M nodes/s", speed / 1e6),
    }
    Ok(())
}

fn rules(args: &Args) -> anyhow::Result<()> {
    debug_assert!(WORKLOADS.iter().all(|(game, ..)| GAMES.contains(game)));
    let mut speeds = Vec::new();
    for &(game, rules, depth) in WORKLOADS {
        speeds.push(with_game(game, Measure { rules, depth })??);
    }
    if args.json {
        println!("{}", serde_json::json!({ "rules": speeds }));
        return Ok(());
    }
    println!(
        "{:8} {:28} {:>5} {:>14} {:>12} {:>14}",
        "game", "rules", "depth", "M leaves/s", "M keys/s", "games/s"
    );
    for speed in &speeds {
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
    Ok(())
}

struct Measure {
    rules: &'static str,
    depth: u32,
}

impl Visitor for Measure {
    type Output = anyhow::Result<RulesSpeed>;

    fn visit<G: Game>(self) -> Self::Output {
        let game = G::new(self.rules.parse()?);
        let start = game.start();
        let (leaves, perft_seconds) = best(|| game.perft(&start, self.depth));
        let positions = walk(&game);
        let (_, key_seconds) = best(|| {
            (0..100).map(|_| positions.iter().fold(0, |sum, p| sum ^ game.key(black_box(p)))).sum::<u64>()
        });
        let (plies, play_seconds) = best(|| random_games(&game));
        Ok(RulesSpeed {
            game: G::NAME,
            rules: game.rules().to_string(),
            depth: self.depth,
            leaves,
            leaves_per_second: leaves as f64 / perft_seconds,
            keys_per_second: (positions.len() * 100) as f64 / key_seconds,
            random_games_per_second: RANDOM_GAMES as f64 / play_seconds,
            plies_per_random_game: plies as f64 / RANDOM_GAMES as f64,
        })
    }
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
