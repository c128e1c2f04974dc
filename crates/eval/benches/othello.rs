//! Speed of S5's mobilities beside that of bit boards: `cargo bench -p trilith-eval --bench othello`.
//!
//! The speed of whole evaluations is `trilith bench eval`.

use std::hint::black_box;
use std::time::Instant;

use trilith_base::Seed;
use trilith_eval::othello::logistello::mobility::{self, ALL, LANES};
use trilith_eval::othello::ternary::TernaryNumbers;
use trilith_eval::speed;
use trilith_games::othello::{Othello, Position};

/// Mobility alone, with the numbers of the rays at hand as S5 had them for its patterns.
fn main() {
    let steps = speed::steps(&Othello::default(), Seed(2), 4096);
    let positions: Vec<(Position, TernaryNumbers<LANES>)> =
        steps.iter().map(|step| (step.after, TernaryNumbers::of(&ALL.powers, &step.after))).collect();
    let time = |count: &dyn Fn(&Position, &TernaryNumbers<LANES>) -> i32| {
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
