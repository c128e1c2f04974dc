//! Speed of Othello's evaluations: `cargo bench -p trilith-eval --bench othello`.

use std::hint::black_box;
use std::time::Instant;

use trilith_base::Seed;
use trilith_eval::othello::logistello::mobility::{self, ALL, LANES};
use trilith_eval::othello::ternary::Numbers;
use trilith_eval::{othello, speed};
use trilith_games::othello::{Othello, Position};

fn main() {
    for (name, speed) in othello::speeds() {
        println!("{name:20} fresh {:8.2} M/s, kept {:8.2} M/s", speed.fresh / 1e6, speed.kept / 1e6);
    }
    mobilities();
}

/// Mobility alone, with the numbers of the rays at hand as S5 had them for its patterns.
fn mobilities() {
    let steps = speed::steps(&Othello::default(), Seed(2), 4096);
    let positions: Vec<(Position, Numbers<LANES>)> =
        steps.iter().map(|step| (step.after, Numbers::of(&ALL.powers, &step.after))).collect();
    let time = |count: &dyn Fn(&Position, &Numbers<LANES>) -> i32| {
        let run = |_| {
            let start = Instant::now();
            for (position, numbers) in &positions {
                black_box(count(black_box(position), black_box(numbers)));
            }
            start.elapsed().as_secs_f64() * 1e9 / positions.len() as f64
        };
        (0..300).map(run).fold(f64::MAX, f64::min)
    };
    let exact = time(&mobility::by_table);
    let approximated = time(&mobility::approximated);
    let bits = time(&|position, _| mobility::mobility(position));
    println!(
        "mobility: exact by tables {exact:.1} ns, approximated {approximated:.1} ns ({:.2} times as fast), exact by bit boards {bits:.1} ns",
        exact / approximated
    );
}
