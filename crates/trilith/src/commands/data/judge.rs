//! `trilith data judge`: what search thinks of the positions of games.

use std::path::PathBuf;
use std::time::Instant;

use trilith_base::Seed;
use trilith_games::Game;
use trilith_games::othello::Othello;
use trilith_learn::othello::judge;
use trilith_learn::othello::positions::Writer;
use trilith_learn::portions::Weights;

use super::{TOLD, Until, games_setting, go_on, load, part, weights_setting};
use crate::{queue, stop};

/// Have the positions of Othello games judged by search, to learn from
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    trilith data judge --games g1.games g2.games --weights patterns.safetensors --depth 6 --out p1.positions --threads 2\n\n\
    If OUT is there already, the run goes on after its last whole block; games, --weights, --depth, --exact, --share and\n  \
    --seed must be those that it was begun with.")]
pub struct Judge {
    /// Files of games, as `trilith data generate` writes them
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Pattern weights to search with
    #[arg(long, value_name = "FILE")]
    weights: PathBuf,
    /// Plies searched
    #[arg(long, value_name = "N", default_value_t = 6)]
    depth: u32,
    /// Empty squares from which on the solver judges
    #[arg(long, value_name = "N", default_value_t = 16)]
    exact: u32,
    /// Which part of the positions is judged, and for which part one after a random move
    #[arg(long, value_name = "X", default_value_t = 0.5, value_parser = part)]
    share: f64,
    /// Stop after so many seconds
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,
    /// Where all draws come from
    #[arg(long, value_name = "N", default_value_t = Seed(1))]
    seed: Seed,
    /// Threads that judge
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Let the workers of this queue judge, such as nats://127.0.0.1:4222
    #[arg(long, value_name = "URL", conflicts_with = "threads")]
    queue: Option<String>,
}

impl Judge {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let plan =
            judge::Plan { depth: self.depth.max(1), exact: self.exact, share: self.share, seed: self.seed };
        let weights = Weights::of(&self.weights)?;
        // Before the games are read, as in `label`.
        let settings = self.settings(&plan, &weights)?;
        let games = load(&self.games)?;
        let workers = queue::workers(self.queue.as_deref(), self.threads)?;
        let mut writer: Writer = go_on(&self.out, Othello::NAME, &settings)?;
        let (mut until, stop) = (Until::new(self.seconds), stop::on_interrupt());
        let (began, mut told) = (until.began, until.began);
        let all = games.len().div_ceil(judge::PER_JOB) as u64;
        let first = judge::PER_JOB * writer.blocks() as usize;
        judge::judge(&games, first, plan, &weights, &workers, &stop, |block| {
            let kept = writer.push(&block);
            if told.elapsed() >= TOLD {
                told = Instant::now();
                let (positions, blocks) = (writer.count(), writer.blocks());
                let seconds = began.elapsed().as_secs();
                eprintln!("{positions} positions of {blocks}/{all} blocks, {seconds} s");
            }
            until.after(kept)
        })?;
        until.end()?;
        println!("{} positions in {}", writer.count(), self.out.display());
        Ok(())
    }

    /// All that the judgements depend on, one setting a line.
    fn settings(&self, plan: &judge::Plan, weights: &Weights) -> anyhow::Result<Vec<String>> {
        Ok(vec![
            "trilith data judge".into(),
            format!("--depth {}", plan.depth),
            format!("--exact {}", plan.exact),
            format!("--share {}", plan.share),
            format!("--seed {}", plan.seed),
            weights_setting(Some(weights)),
            games_setting(&self.games)?,
        ])
    }
}
