//! Speed of Othello's evaluations: `cargo bench -p trilith-eval --bench othello`.

use trilith_base::Seed;
use trilith_eval::othello::Patterns;
use trilith_eval::othello::patterns::PHASES;
use trilith_eval::{Evaluator, Margin, speed};
use trilith_games::othello::Othello;

fn main() {
    show("margin", &Margin);
    show("patterns", &Patterns::zero(PHASES));
}

fn show(name: &str, evaluator: &impl Evaluator<Othello>) {
    let game = Othello::default();
    let steps = speed::steps(&game, Seed(1), 20_000);
    let speed = speed::measure(&game, evaluator, &steps);
    println!("{name:24} fresh {:8.2} M/s, kept {:8.2} M/s", speed.fresh / 1e6, speed.kept / 1e6);
}
