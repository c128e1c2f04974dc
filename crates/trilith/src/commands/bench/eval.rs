//! The speed of evaluations at a leaf.

use serde::Serialize;
use trilith_arena::{GAMES, GameKit, Visitor, with_game};
use trilith_eval::speed;
use trilith_games::Game;

/// How one evaluation performs.
#[derive(Serialize)]
pub struct EvalSpeed {
    game: &'static str,
    name: &'static str,
    fresh_per_second: f64,
    kept_per_second: f64,
}

/// Measures all evaluations of all games.
pub fn measure() -> anyhow::Result<Vec<EvalSpeed>> {
    let mut all = Vec::new();
    for game in GAMES {
        all.extend(with_game(game, Measure)?);
    }
    Ok(all)
}

/// A table for people.
pub fn print(speeds: &Vec<EvalSpeed>) {
    println!("{:8} {:22} {:>12} {:>12} {:>9}", "game", "evaluation", "M fresh/s", "M kept/s", "ns kept");
    for EvalSpeed { game, name, fresh_per_second: fresh, kept_per_second: kept } in speeds {
        println!("{game:8} {name:22} {:>12.2} {:>12.2} {:>9.1}", fresh / 1e6, kept / 1e6, 1e9 / kept);
    }
}

struct Measure;

impl Visitor for Measure {
    type Output = Vec<EvalSpeed>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Vec<EvalSpeed> {
        let speeds = speed::all::<G, C>(&G::new(G::Rules::default()));
        let row = |(name, speed): (&'static str, speed::Speed)| EvalSpeed {
            game: G::NAME,
            name,
            fresh_per_second: speed.fresh,
            kept_per_second: speed.kept,
        };
        speeds.into_iter().map(row).collect()
    }
}
