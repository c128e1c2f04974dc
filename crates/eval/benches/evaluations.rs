//! Leaf evaluations a second of every evaluation that needs no file, on one thread.
//!
//! `cargo bench -p trilith-eval`

use std::time::Duration;

use trilith_base::Seed;
use trilith_eval::contract::{self, Speed};
use trilith_eval::{Evaluator, abalone, morris};
use trilith_games::Game;
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;

const TIME: Duration = Duration::from_millis(500);

fn main() {
    production(&Morris::default(), &morris::Production::default());
    production(&Abalone::default(), &abalone::Production::default());
}

fn production<G: Game>(game: &G, evaluator: &impl Evaluator<G>) {
    let Speed { fresh, incremental } = contract::speed(game, evaluator, Seed(1), TIME);
    println!("{} production: fresh {}, incremental {}", G::NAME, shown(fresh), shown(incremental));
}

fn shown(rate: f64) -> String {
    format!("{:.1} million/s ({:.1} ns)", rate / 1e6, 1e9 / rate)
}
