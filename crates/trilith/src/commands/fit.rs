//! `trilith fit`: parameters from data.

mod probcut;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Context;
use clap::Subcommand;
use trilith_learn::othello::fit::{self, Plan};
use trilith_learn::othello::store;

/// Fit parameters to data
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Patterns(Patterns),
    Probcut(probcut::Args),
}

/// Fit the weights of Othello's pattern evaluation to games
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  trilith fit patterns --data first.games --out patterns.safetensors --threads 2"
)]
struct Patterns {
    /// Files of games, as `trilith data generate` writes them
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    data: Vec<PathBuf>,
    /// The file of weights to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Pull towards zero: rare patterns stay small
    #[arg(long, value_name = "X", default_value_t = Plan::default().ridge)]
    ridge: f32,
    /// Iterations a phase
    #[arg(long, value_name = "N", default_value_t = Plan::default().iterations)]
    iterations: usize,
    /// A phase also learns from positions with so many discs more or fewer
    #[arg(long, value_name = "N", default_value_t = Plan::default().reach)]
    reach: u32,
    /// Threads that fit
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
}

/// Does what was asked.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.action {
        Action::Patterns(args) => args.run(),
        Action::Probcut(args) => probcut::run(args),
    }
}

impl Patterns {
    fn run(&self) -> anyhow::Result<()> {
        let mut games = Vec::new();
        let mut provenance = BTreeMap::new();
        for (number, path) in self.data.iter().enumerate() {
            let more = store::load(path)?;
            let hash = blake3::hash(&store::write(&more)).to_hex().to_string();
            provenance.insert(format!("data {}", number + 1), format!("{} games, blake3 {hash}", more.len()));
            games.extend(more);
        }
        let plan =
            Plan { ridge: self.ridge, iterations: self.iterations, reach: self.reach, ..Plan::default() };
        let (patterns, reports) = fit::fit(&games, plan, self.threads);
        println!("{:>5} {:>10} {:>9} {:>9}", "phase", "positions", "training", "test");
        for report in &reports {
            println!(
                "{:>5} {:>10} {:>9.3} {:>9.3}",
                report.phase, report.positions, report.training_error, report.test_error
            );
        }
        let mean = reports.iter().map(|report| report.test_error).sum::<f64>() / reports.len() as f64;
        println!("mean error on games not learned from: {mean:.3} discs");
        provenance.insert("method".into(), format!("least squares by phase, {plan:?}"));
        provenance.insert("test error, discs".into(), format!("{mean:.3}"));
        patterns.to_artifact(provenance).save(&self.out).with_context(|| self.out.display().to_string())
    }
}
