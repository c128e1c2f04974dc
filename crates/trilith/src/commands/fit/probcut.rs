//! `trilith fit probcut`: the parameters of selective search for a game and an evaluation.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use anyhow::{Context, bail};
use serde_json::json;
use trilith_arena::{GameKit, Visitor, with_game};
use trilith_base::{Seed, files};
use trilith_eval::{Boxed, Evaluator};
use trilith_games::Game;
use trilith_learn::probcut::{self, Calibration, CollectionSettings, MeasuredSearch};
use trilith_search::EngineOptions;
use trilith_search::probcut::{Fit, PairFits, ProbCutParameters};

use crate::choice::known_games;
use crate::output::JsonArgs;
use crate::stop;

/// Calibrate ProbCut: search positions at several depths and fit how the values hang together
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith fit probcut othello --positions 6000 --depth 10 --out probcut-othello\n  \
    trilith fit probcut morris --eval standard --pairs 2-4,3-7,4-8 --out probcut-standard\n  \
    trilith match othello --a engine:probcut=probcut-othello/probcut.toml --b engine:selectivity=off --time 50\n\n\
    Writes probcut.toml (the parameters), report.html (clouds, lines, r^2) and samples.csv (what was collected) into\n\
    the folder. Ctrl-C ends the collection; what there is by then is fitted and written.")]
pub struct Args {
    #[arg(help = known_games())]
    game: String,
    /// The evaluation to calibrate for [default: what `engine` plays with]
    #[arg(long, value_name = "NAME")]
    eval: Option<String>,
    /// The weights of the evaluation, where it needs them
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Rule switches, such as `belgian-daisy`
    #[arg(long, value_name = "RULES", default_value = "")]
    rules: String,
    /// Positions to search
    #[arg(long, value_name = "N", default_value_t = 6000)]
    positions: u64,
    /// Plies of the deepest searches; most positions are searched two or four plies less
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(3..=30))]
    depth: u32,
    /// Pairs of depths, such as `2-4,4-8` [default: half the depth for each depth from 3 on]
    #[arg(long, value_name = "PAIRS")]
    pairs: Option<String>,
    /// How many spreads a value must lie outside the window (LOGISTELLO: 1.5)
    #[arg(long, value_name = "X", default_value_t = 1.5)]
    percentile: f64,
    /// Fit these samples instead of collecting new ones
    #[arg(long, value_name = "FILE")]
    samples: Option<PathBuf>,
    /// Where all draws come from
    #[arg(long, value_name = "N", default_value_t = Seed(1))]
    seed: Seed,
    /// Threads that search
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// The folder to write into
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    #[command(flatten)]
    json: JsonArgs,
}

/// Collects, fits, writes.
pub fn run(args: &Args) -> anyhow::Result<()> {
    with_game(&args.game, args)?
}

impl Visitor for &Args {
    type Output = anyhow::Result<()>;

    fn visit<G: Game, C: GameKit<G>>(self) -> Self::Output {
        match (&self.eval, &self.file) {
            (None, None) => {
                let name = C::entries().first().map_or("production", |entry| entry.name);
                let (null_window, options) = (C::null_window(), C::options());
                self.calibrate(
                    name,
                    MeasuredSearch { evaluator: C::engine_evaluator(), null_window, options },
                )
            }
            (name, file) => {
                let name = name.as_deref().unwrap_or_default();
                let evaluator = Arc::new(Boxed(C::named(name, file.as_deref())?));
                let options = EngineOptions::default();
                self.calibrate::<G, _>(name, MeasuredSearch { evaluator, null_window: None, options })
            }
        }
    }
}

impl Args {
    fn calibrate<G: Game, E: Evaluator<G> + Clone>(
        &self,
        name: &str,
        search: MeasuredSearch<G, E>,
    ) -> anyhow::Result<()> {
        let game = G::new(self.rules.parse().context("--rules")?);
        let pairs = match &self.pairs {
            None => probcut::pairs_up_to(self.depth),
            Some(text) => probcut::parse_pairs(text)
                .with_context(|| format!("--pairs `{text}`: expected pairs such as `2-4,4-8`"))?,
        };
        let evaluator = &search.evaluator;
        let samples = match &self.samples {
            Some(path) => {
                let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
                probcut::parse_samples(&text).with_context(|| path.display().to_string())?
            }
            None => self.collect(&game, &search),
        };
        let (percentile, seed, command) = (self.percentile, self.seed, Some(self.command()));
        let calibration = Calibration { evaluation: name, percentile, pairs: &pairs, seed, command };
        let parameters = calibration.fit::<G, _>(evaluator, &samples);
        if parameters.pairs.is_empty() {
            bail!("{} positions are too few to fit anything: expected some hundred", samples.len());
        }
        self.write(&parameters, &samples)?;
        match self.json.json {
            true => println!("{}", self.result(&parameters, samples.len())),
            false => print(&parameters),
        }
        Ok(())
    }

    fn collect<G: Game, E: Evaluator<G> + Clone>(
        &self,
        game: &G,
        search: &MeasuredSearch<G, E>,
    ) -> Vec<probcut::ProbCutSample> {
        let Args { positions, depth, seed, threads, .. } = *self;
        let settings = CollectionSettings { positions, depth, seed, threads };
        let stop = stop::on_interrupt();
        let start = Instant::now();
        let said = AtomicU64::new(0);
        let progress = |count: u64| {
            let seconds = start.elapsed().as_secs();
            if seconds >= said.load(Relaxed) + 2 {
                said.store(seconds, Relaxed);
                eprintln!("{count} of {} positions, {seconds} s", self.positions);
            }
        };
        probcut::collect(game, search, settings, &stop, &progress)
    }

    fn result(&self, parameters: &ProbCutParameters, samples: usize) -> serde_json::Value {
        // In the file a fit is a row of numbers; here they have names.
        let fit = |&Fit { phase, n, a, b, sigma, r2 }: &Fit| json!({ "phase": phase, "n": n, "a": a, "b": b, "sigma": sigma, "r2": r2 });
        let pair = |PairFits { shallow, deep, fits }: &PairFits| {
            let fits: Vec<_> = fits.iter().map(fit).collect();
            json!({ "shallow": shallow, "deep": deep, "fits": fits })
        };
        let pairs: Vec<_> = parameters.pairs.iter().map(pair).collect();
        let out = self.out.display().to_string();
        json!({ "game": self.game, "out": out, "samples": samples, "pairs": pairs })
    }

    /// The command that asks for the same again.
    fn command(&self) -> String {
        let option = |name: &str, value: &Option<String>| {
            value.as_ref().map_or_else(String::new, |value| format!(" --{name} {value}"))
        };
        let mut command = format!(
            "trilith fit probcut {} --positions {} --depth {} --percentile {} --seed {}",
            self.game, self.positions, self.depth, self.percentile, self.seed
        );
        command += &option("eval", &self.eval);
        command += &option("pairs", &self.pairs);
        command + &option("rules", &(!self.rules.is_empty()).then(|| self.rules.clone()))
    }

    fn write(
        &self,
        parameters: &ProbCutParameters,
        samples: &[probcut::ProbCutSample],
    ) -> anyhow::Result<()> {
        let write = |name: &str, bytes: &[u8]| {
            let path = self.out.join(name);
            files::write_whole(&path, bytes).with_context(|| path.display().to_string())
        };
        fs::create_dir_all(&self.out).with_context(|| self.out.display().to_string())?;
        parameters.save(&self.out.join("probcut.toml"))?;
        write("report.html", probcut::page(parameters, samples).as_bytes())?;
        if self.samples.as_deref() != Some(Path::new(&self.out.join("samples.csv"))) {
            write("samples.csv", probcut::samples_text(samples).as_bytes())?;
        }
        Ok(())
    }
}

fn print(parameters: &ProbCutParameters) {
    println!(
        "{:>7} {:>4} {:>6} {:>7} {:>7} {:>7} {:>6}",
        "shallow", "deep", "phases", "a", "b", "sigma", "r2"
    );
    for pair in &parameters.pairs {
        let count = pair.fits.len() as f64;
        let mean = |of: fn(&Fit) -> f64| pair.fits.iter().map(of).sum::<f64>() / count;
        println!(
            "{:>7} {:>4} {count:>6} {:>7.3} {:>7.3} {:>7.3} {:>6.3}",
            pair.shallow,
            pair.deep,
            mean(|fit| fit.a),
            mean(|fit| fit.b),
            mean(|fit| fit.sigma),
            mean(|fit| fit.r2)
        );
    }
}
