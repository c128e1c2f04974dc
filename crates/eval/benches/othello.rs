//! Speed of Othello's evaluations: `cargo bench -p trilith-eval --bench othello`.

use trilith_base::Seed;
use trilith_eval::othello::patterns::PHASES;
use trilith_eval::othello::polynomial::published;
use trilith_eval::othello::{Cnn, Mlp, Patterns, Polynomial};
use trilith_eval::{Boxed, Evaluator, Margin, speed};
use trilith_games::othello::Othello;

fn main() {
    show("margin", &Margin);
    show("patterns", &Patterns::zero(PHASES));
    let polynomial = Polynomial::from_artifact(&published::all()[0].1).expect("a shipped table");
    show("polynomial", &Boxed(Box::new(polynomial)));
    show("mlp", &Boxed(Box::new(Mlp::from_artifact(&Mlp::fresh(Seed(1))).expect("just made"))));
    show("cnn", &Boxed(Box::new(Cnn::from_artifact(&Cnn::fresh(Seed(1))).expect("just made"))));
}

fn show(name: &str, evaluator: &impl Evaluator<Othello>) {
    let game = Othello::default();
    let steps = speed::steps(&game, Seed(1), 20_000);
    let speed = speed::measure(&game, evaluator, &steps);
    println!("{name:24} fresh {:8.2} M/s, kept {:8.2} M/s", speed.fresh / 1e6, speed.kept / 1e6);
}
