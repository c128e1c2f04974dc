//! `trilith fit`: parameters from data.

mod probcut;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Subcommand;
use trilith_arena::UnknownGame;
use trilith_base::Artifact;
use trilith_eval::othello::patterns as othello;
use trilith_eval::patterns::Patterned;
use trilith_eval::{abalone, morris};
use trilith_games::Game;
use trilith_games::abalone::Abalone;
use trilith_games::morris::Morris;
use trilith_games::othello::Othello;
use trilith_learn::blocks::Row;
use trilith_learn::othello::fit::{self, Plan, Source};
use trilith_learn::othello::positions::Judged;
use trilith_learn::othello::store;
use trilith_learn::selfplay;
use trilith_learn::selfplay::fit::Report;

use super::data::blocks;

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

/// Fit the weights of a game's pattern evaluation to games
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  trilith fit patterns --data first.games --out patterns.safetensors --threads 2\n  \
    trilith fit patterns --game morris --data m1.games m2.games --lambda 0.7 --out morris.safetensors"
)]
struct Patterns {
    /// othello, morris or abalone
    #[arg(long, value_name = "GAME", default_value = Othello::NAME)]
    game: String,
    /// Files of games, as `trilith data generate` writes them
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "positions")]
    data: Vec<PathBuf>,
    /// Files of judged positions, as `trilith data judge` writes them (Othello)
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "data")]
    positions: Vec<PathBuf>,
    /// The file of weights to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Pull towards zero: rare patterns stay small [default: 4 in Othello, else 0.000001]
    #[arg(long, value_name = "X")]
    ridge: Option<f32>,
    /// Weights to begin with, and in Othello to stay near to; without it zero in Othello, else those set by hand
    #[arg(long, value_name = "FILE")]
    parent: Option<PathBuf>,
    /// How much the result of a game counts beside the search's estimates (not with games of Othello)
    #[arg(long, value_name = "X", default_value_t = selfplay::fit::Plan::default().lambda)]
    lambda: f32,
    /// Games cut after so many plies without an irreversible move teach a draw in positions of the first stage (Morris,
    /// Abalone); 0 for none
    #[arg(long, value_name = "PLIES", default_value_t = selfplay::fit::Plan::default().still)]
    still: usize,
    /// Times that all games are gone through (Morris, Abalone)
    #[arg(long, value_name = "N", default_value_t = selfplay::fit::Plan::default().epochs)]
    epochs: usize,
    /// Rate of learning (Morris, Abalone)
    #[arg(long, value_name = "X", default_value_t = selfplay::fit::Plan::default().rate)]
    rate: f32,
    /// Iterations a phase
    #[arg(long, value_name = "N", default_value_t = Plan::default().iterations)]
    iterations: usize,
    /// A phase also learns from positions with so many discs more or fewer
    #[arg(long, value_name = "N", default_value_t = Plan::default().reach)]
    reach: u32,
    /// A position so many discs from even counts for half, and less further off (Othello) [default: all count alike]
    #[arg(long, value_name = "DISCS")]
    near: Option<f32>,
    /// Threads that fit
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
}

/// Does what was asked.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.action {
        Action::Patterns(args) => match args.game.as_str() {
            Othello::NAME => args.run(),
            Morris::NAME => args.run_selfplay::<Morris, { morris::patterns::LANES }>(),
            Abalone::NAME => args.run_selfplay::<Abalone, { abalone::patterns::LANES }>(),
            other => Err(UnknownGame::new(other).into()),
        },
        Action::Probcut(args) => probcut::run(args),
    }
}

impl Patterns {
    fn run(&self) -> anyhow::Result<()> {
        let mut games = Vec::new();
        let mut provenance = BTreeMap::new();
        name_files::<Judged>(&self.positions, Othello::NAME, &mut provenance)?;
        for (number, path) in self.data.iter().enumerate() {
            let more = store::load(path)?;
            let hash = blake3::hash(&store::write(&more)).to_hex().to_string();
            provenance.insert(format!("data {}", number + 1), format!("{} games, blake3 {hash}", more.len()));
            games.extend(more);
        }
        if self.near.is_some_and(|near| near.is_nan() || near <= 0.0) {
            bail!("--near: expected a number of discs above 0");
        }
        let plan = Plan {
            ridge: self.ridge.unwrap_or(Plan::default().ridge),
            iterations: self.iterations,
            reach: self.reach,
            near: self.near.unwrap_or(Plan::default().near),
            ..Plan::default()
        };
        let source = match self.positions.is_empty() {
            true => Source::Games(&games),
            false => Source::Judged { files: &self.positions, lambda: self.lambda },
        };
        let parent = self.parent.as_deref().map(Artifact::load).transpose()?;
        if let Some(parent) = &parent {
            provenance.insert("parent".into(), parent.checksum()?);
        }
        let parent = parent.as_ref().map(othello::Patterns::from_artifact).transpose()?;
        if parent.as_ref().is_some_and(|parent| parent.phases() != othello::PHASES) {
            bail!("--parent: expected weights of {} phases", othello::PHASES);
        }
        let (patterns, reports) = fit::fit(source, parent.as_ref(), plan, self.threads)?;
        println!("{:>5} {:>10} {:>9} {:>9}", "phase", "positions", "training", "test");
        for report in &reports {
            println!(
                "{:>5} {:>10} {:>9.3} {:>9.3}",
                report.phase, report.positions, report.training_error, report.test_error
            );
        }
        let mean = reports.iter().map(|report| report.test_error).sum::<f64>() / reports.len() as f64;
        println!("mean error on games not learned from: {mean:.3} discs");
        let lambda = if games.is_empty() { self.lambda } else { 1.0 };
        provenance.insert("method".into(), format!("least squares by phase, {plan:?}, lambda {lambda}"));
        provenance.insert("test error, discs".into(), format!("{mean:.3}"));
        patterns.to_artifact(provenance).save(&self.out).with_context(|| self.out.display().to_string())
    }

    fn run_selfplay<G: Patterned<LANES>, const LANES: usize>(&self) -> anyhow::Result<()>
    where
        G::Counts: Default,
    {
        let plan = selfplay::fit::Plan {
            lambda: self.lambda,
            still: self.still,
            epochs: self.epochs,
            rate: self.rate,
            ridge: self.ridge.unwrap_or(selfplay::fit::Plan::default().ridge),
            ..selfplay::fit::Plan::default()
        };
        let mut provenance = BTreeMap::from([("method".into(), format!("logistic regression, {plan:?}"))]);
        name_files::<selfplay::store::Played>(&self.data, G::NAME, &mut provenance)?;
        let parent = match &self.parent {
            Some(path) => {
                let parent = Artifact::load(path)?;
                provenance.insert("parent".into(), parent.checksum()?);
                trilith_eval::patterns::Patterns::<G, LANES>::from_artifact(&parent)
                    .with_context(|| path.display().to_string())?
            }
            None => trilith_eval::patterns::Patterns::by_hand(),
        };
        let mut weights = parent.to_weights();
        println!("{:>5} {:>10} {:>9} {:>9} {:>9}", "epoch", "positions", "training", "test", "least");
        let mut last = 0.0;
        selfplay::fit::fit::<G, LANES>(&self.data, &plan, &mut weights, &mut |epoch, report| {
            let Report { positions, training_loss, test_loss, least } = report;
            println!("{:>5} {positions:>10} {training_loss:>9.5} {test_loss:>9.5} {least:>9.5}", epoch + 1);
            last = test_loss;
        })?;
        provenance.insert("test loss".into(), format!("{last:.5}"));
        let patterns = trilith_eval::patterns::Patterns::<G, LANES>::from_weights(&weights);
        patterns.to_artifact(provenance).save(&self.out).with_context(|| self.out.display().to_string())
    }
}

/// Notes what is learned from, and says so where the end of a file is cut off.
fn name_files<R: Row<Error: std::error::Error + Send + Sync + 'static>>(
    files: &[PathBuf],
    game: &str,
    provenance: &mut BTreeMap<String, String>,
) -> anyhow::Result<()> {
    for (number, path) in files.iter().enumerate() {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        let hash = blake3::hash(&bytes).to_hex().to_string();
        provenance.insert(format!("data {}", number + 1), format!("{} bytes, blake3 {hash}", bytes.len()));
        blocks::<R>(path, game)?.try_for_each(|block| block.map(drop))?;
    }
    Ok(())
}
