//! How fast networks are trained and asked, and tables filled: the numbers of `trilith bench learn`.
//!
//! For comparison, PyTorch 2.15 on two cores of the same kind (`docs/dependencies.md`): MLP 0.77 million samples a second on
//! one thread with batches of 1024, 1.37 on two with 4096; CNN 9,660; one forward pass 24.8 microseconds.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use rand::RngExt;
use trilith_base::Seed;
use trilith_base::artifact::ArtifactHeader;
use trilith_base::seed::mix;
use trilith_eval::othello::network::{self as inference, ReversiNetwork as _};
use trilith_eval::value_table::{self, CodeSlot, ValueTable, ValueTableError};
use trilith_games::Game;
use trilith_games::othello::Othello;

use crate::network::{Method, Optimiser, TrainableCnn, TrainableMlp, TrainableNetwork, Trainer};

/// One measurement.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Measured {
    /// What was measured.
    pub name: String,
    /// How much of it.
    pub value: f64,
    /// In which unit.
    pub unit: &'static str,
}

/// Other work on the machine only ever slows a round down, so there are many short ones and the best counts.
const ROUND: Duration = Duration::from_millis(40);
const ROUNDS: usize = 100;

/// Trains and asks S3's networks; takes about twenty seconds.
pub fn networks() -> Vec<Measured> {
    let samples = "samples a second";
    let measured = |name: &str, value, unit| Measured { name: name.into(), value, unit };
    vec![
        measured(
            "mlp, 1 thread, batches of 1024",
            training(TrainableMlp::reversi(Seed(1)), 1024, 1),
            samples,
        ),
        measured(
            "mlp, 2 threads, batches of 4096",
            training(TrainableMlp::reversi(Seed(1)), 4096, 2),
            samples,
        ),
        measured("cnn, 1 thread, batches of 256", training(TrainableCnn::reversi(Seed(1)), 256, 1), samples),
        measured(
            "cnn, 2 threads, batches of 1024",
            training(TrainableCnn::reversi(Seed(1)), 1024, 2),
            samples,
        ),
        measured("mlp, one forward pass", forward() * 1e6, "microseconds"),
    ]
}

/// How many positions S3's largest table has.
const POSITIONS: u64 = 51_500_000;

/// Fills, writes and reads a table of as many positions as S3's, in `folder`; takes about a minute and two gibibytes of
/// memory and disk.
pub fn tables(folder: &Path) -> Result<Vec<Measured>, ValueTableError> {
    let measured = |name: &str, value, unit| Measured { name: name.into(), value, unit };
    let mut table = ValueTable::default();
    let began = Instant::now();
    for number in 0..POSITIONS {
        let code = u128::from(mix(number)) << 64 | u128::from(mix(!number));
        table.add(CodeSlot::of(code), number % 65, number % 65);
    }
    let filling = began.elapsed().as_secs_f64();
    let path = folder.join(format!("trilith-bench-{}.bin", std::process::id()));
    let began = Instant::now();
    value_table::save(
        &path,
        &ArtifactHeader { game: Othello::NAME.into(), ..ArtifactHeader::default() },
        &table,
    )?;
    let saving = began.elapsed().as_secs_f64();
    let bytes = std::fs::metadata(&path).map_or(0, |file| file.len()) as f64;
    let memory = table.bytes() as f64 / f64::from(1 << 30);
    drop(table);
    let began = Instant::now();
    let loaded = value_table::load(&path, Othello::NAME)?.table;
    let loading = began.elapsed().as_secs_f64();
    assert_eq!(loaded.len() as u64, POSITIONS, "what was written is read");
    // A file that stays behind in the temporary folder does no harm.
    let _ = std::fs::remove_file(&path);
    Ok(vec![
        measured("table of 51.5 million positions", memory, "gibibytes"),
        measured("new positions", POSITIONS as f64 / filling, "a second"),
        measured("table written", bytes / 1e6 / saving, "megabytes a second"),
        measured("table read and checked", bytes / 1e6 / loading, "megabytes a second"),
    ])
}

/// Samples a second of plain steps, the best round.
fn training<N: TrainableNetwork>(network: N, batch: usize, threads: usize) -> f64 {
    let mut rng = Seed(1).rng();
    let inputs: Vec<f32> = (0..batch * network.inputs()).map(|_| rng.random_range(-1..=1) as f32).collect();
    let targets: Vec<f32> = (0..batch).map(|_| rng.random_range(0..=64) as f32).collect();
    let optimiser = Optimiser::new(Method::Sgd { momentum: 0.0 }, network.parameters().len());
    let mut trainer = Trainer::new(network, optimiser, batch, threads, threads);
    let rounds = (0..ROUNDS).map(|_| {
        let began = Instant::now();
        let mut steps = 0;
        while began.elapsed() < ROUND {
            trainer.step(1e-4, &inputs, &targets);
            steps += 1;
        }
        (steps * batch) as f64 / began.elapsed().as_secs_f64()
    });
    rounds.fold(0.0, f64::max)
}

/// Seconds of one forward pass on one position, the best round.
fn forward() -> f64 {
    const PASSES: u32 = 10_000;
    let mlp = inference::Mlp::from_artifact(&inference::Mlp::fresh(Seed(1))).expect("just made");
    let game = Othello::default();
    let positions: Vec<_> = (0..64)
        .map(|number| {
            let mut record = trilith_games::Record::new(game.clone());
            trilith_games::playout::play_on(&mut record, 30, &mut Seed(number).rng());
            *record.position()
        })
        .collect();
    debug_assert_ne!(positions[0], game.start());
    let rounds = (0..ROUNDS).map(|_| {
        let began = Instant::now();
        for pass in 0..PASSES {
            black_box(mlp.points(&positions[pass as usize % 64]));
        }
        began.elapsed().as_secs_f64() / f64::from(PASSES)
    });
    rounds.fold(f64::INFINITY, f64::min)
}
