//! `trilith fit`: parameters from data.

mod probcut;

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Subcommand;
use serde_json::json;
use trilith_base::Artifact;
use trilith_games::Game;
use trilith_learn::fit::{FitData, FitError, FitMethod, FitReport, FitRequest, FitSettings, fit_files};
use trilith_learn::training::{Training, TrainingVisitor, with_training};

use super::data::{game_of, tell};
use crate::output::JsonArgs;

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
    /// The name of the game [default: that of the first file]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Files of games, as `trilith data generate` writes them
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "positions")]
    data: Vec<PathBuf>,
    /// Files of judged positions, as `trilith data judge` writes them
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "data")]
    positions: Vec<PathBuf>,
    /// The file of weights to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Pull towards zero, or towards the parent: rare patterns stay small [default: what the game's method needs]
    #[arg(long, value_name = "X")]
    ridge: Option<f32>,
    /// Weights to begin with or, where the method does not go on from them, to stay near to
    #[arg(long, value_name = "FILE")]
    parent: Option<PathBuf>,
    /// How much the result of a game counts beside the search's estimates
    #[arg(long, value_name = "X", default_value_t = FitSettings::default().lambda)]
    lambda: f32,
    /// Logistic fit: games cut after so many plies without an irreversible move teach a draw in positions of the first
    /// stage [default: none]
    #[arg(long, value_name = "PLIES")]
    still: Option<usize>,
    #[arg(long, value_name = "N", help = format!("Logistic fit: times that all games are gone through [default: {}]", FitSettings::default().epochs))]
    epochs: Option<usize>,
    #[arg(long, value_name = "X", help = format!("Logistic fit: rate of learning [default: {}]", FitSettings::default().rate))]
    rate: Option<f32>,
    #[arg(long, value_name = "N", help = format!("Least squares: iterations a phase [default: {}]", FitSettings::default().iterations))]
    iterations: Option<usize>,
    #[arg(long, value_name = "N", help = format!("Least squares: a phase also learns from positions with so many discs more or fewer [default: {}]", FitSettings::default().reach))]
    reach: Option<u32>,
    /// Least squares: a position so many discs from even counts for half, and less further off [default: all count alike]
    #[arg(long, value_name = "DISCS")]
    near: Option<f32>,
    /// Threads that fit
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    #[command(flatten)]
    json: JsonArgs,
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
        if self.near.is_some_and(|near| near.is_nan() || near <= 0.0) {
            bail!("--near: expected a number of discs above 0");
        }
        with_training(&game_of(self.game.as_ref(), self.files().files())?, self)?
    }

    fn files(&self) -> FitData<'_> {
        if self.positions.is_empty() {
            FitData::Games(&self.data)
        } else {
            FitData::Positions(&self.positions)
        }
    }

    /// Refused with an option that the method would not look at.
    fn settings(&self, game: &str, method: &FitMethod) -> anyhow::Result<FitSettings> {
        let given = [
            ("still", self.still.is_some()),
            ("epochs", self.epochs.is_some()),
            ("rate", self.rate.is_some()),
            ("iterations", self.iterations.is_some()),
            ("reach", self.reach.is_some()),
            ("near", self.near.is_some()),
        ];
        if let Some((name, _)) = given.iter().find(|(name, given)| *given && !method.settings.contains(name))
        {
            let others = method.settings.join(", --");
            bail!(
                "--{name}: weights of {game} are not fitted by a method that has it; its own are --{others}"
            );
        }
        let usual = FitSettings::default();
        Ok(FitSettings {
            ridge: self.ridge,
            lambda: self.lambda,
            still: self.still.unwrap_or(usual.still),
            epochs: self.epochs.unwrap_or(usual.epochs),
            rate: self.rate.unwrap_or(usual.rate),
            iterations: self.iterations.unwrap_or(usual.iterations),
            reach: self.reach.unwrap_or(usual.reach),
            near: self.near.unwrap_or(usual.near),
            ..usual
        })
    }
}

impl TrainingVisitor for &Patterns {
    type Output = anyhow::Result<()>;

    fn visit<G: Game, C: Training<G>>(self) -> Self::Output {
        let method = C::FIT_METHOD.ok_or(FitError::NoWeights { game: G::NAME })?;
        let load = |path: &PathBuf| Artifact::load(path).with_context(|| path.display().to_string());
        let parent = self.parent.as_ref().map(load).transpose()?;
        let request = FitRequest {
            data: self.files(),
            parent: parent.as_ref(),
            settings: self.settings(G::NAME, &method)?,
            threads: self.threads,
        };
        let (mut is_first, mut steps) = (true, Vec::new());
        let fitted = fit_files::<G, C>(&request, &mut tell, &mut |report| {
            steps.push(report);
            if self.json.json {
                return;
            }
            if std::mem::take(&mut is_first) {
                print_heading(&method, &report);
            }
            print_report(&method, &report);
        })?;
        let FitMethod { unit, places, .. } = method;
        let out = self.out.display().to_string();
        fitted.artifact.save(&self.out).with_context(|| out.clone())?;
        let result =
            json!({ "game": G::NAME, "out": out, "steps": steps, "error": fitted.error, "unit": unit });
        let error = fitted.error;
        self.json
            .print(&result, format_args!("mean error on games not learned from: {error:.places$} {unit}"));
        Ok(())
    }
}

fn print_heading(method: &FitMethod, report: &FitReport) {
    let least = report.least.map_or(String::new(), |_| format!(" {:>9}", "least"));
    println!("{:>5} {:>10} {:>9} {:>9}{least}", method.step, "positions", "training", "test");
}

fn print_report(FitMethod { places, .. }: &FitMethod, report: &FitReport) {
    let places = *places;
    let FitReport { step, positions, training, test, .. } = report;
    let least = report.least.map_or(String::new(), |least| format!(" {least:>9.places$}"));
    println!("{step:>5} {positions:>10} {training:>9.places$} {test:>9.places$}{least}");
}
