//! `trilith data judge`: what search thinks of the positions of games.

use std::path::PathBuf;

use serde_json::json;
use trilith_base::Seed;
use trilith_games::Game;
use trilith_learn::data::make::JudgeRun;
use trilith_learn::data::{JudgeSettings, WeightsFile};
use trilith_learn::training::{Training, TrainingVisitor, with_training};

use super::{game_of, part, span, tell, until};
use crate::output::JsonArgs;
use crate::queue;

/// Have the positions of games judged by search, to learn from
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    trilith data judge --games g1.games g2.games --weights patterns.safetensors --depth 6 --out p1.positions --threads 2\n\n\
    If OUT is there already, the run goes on after its last whole block; games, --weights, --depth, --exact, --share,\n  \
    --beside, --chosen, --follow, --exact-only, --left and --seed must be those that it was begun with.")]
pub struct JudgeArgs {
    /// The name of the game [default: that of the first file]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Files of games, as `trilith data generate` writes them
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Pattern weights to search with [default: those that `engine` plays with]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Plies searched
    #[arg(long, value_name = "N", default_value_t = 6)]
    depth: u32,
    /// Empty squares from which on the solver judges (Othello)
    #[arg(long, value_name = "N", default_value_t = 16)]
    exact: u32,
    /// Which part of the positions is judged, and for which part one after a random move
    #[arg(long, value_name = "X", default_value_t = 0.5, value_parser = part)]
    share: f64,
    /// The most random moves from a position of a game to the one beside it; fewer are as likely
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=60))]
    beside: u32,
    /// Follow the best line of a search of N plies to its end in every second case, as deeper searches do
    #[arg(long, value_name = "N", num_args = 0..=1, default_value_t = 0, default_missing_value = "1")]
    chosen: u32,
    /// Judge the position after the solver's best move as well
    #[arg(long)]
    follow: bool,
    /// Leave out positions that the solver does not judge
    #[arg(long)]
    exact_only: bool,
    /// Only positions (and what lies beside them) after which their game goes on for LEAST-MOST plies
    #[arg(long, value_name = "LEAST-MOST", value_parser = span)]
    left: Option<(usize, usize)>,
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
    #[command(flatten)]
    json: JsonArgs,
}

impl JudgeArgs {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        with_training(&game_of(self.game.as_ref(), &self.games)?, self)?
    }
}

impl TrainingVisitor for &JudgeArgs {
    type Output = anyhow::Result<()>;

    fn visit<G: Game, C: Training<G>>(self) -> Self::Output {
        let weights = self.weights.as_deref().map(WeightsFile::of).transpose()?;
        let JudgeArgs { exact, share, beside, chosen, follow, exact_only, left, seed, .. } = *self;
        let run = JudgeRun {
            settings: JudgeSettings {
                depth: self.depth.max(1),
                exact,
                share,
                beside,
                chosen,
                follow,
                exact_only,
                left: left.unwrap_or(JudgeSettings::default().left),
                seed,
            },
            weights: weights.as_ref(),
            games: &self.games,
            out: &self.out,
            workers: &queue::workers(self.queue.as_deref(), self.threads)?,
        };
        let positions = until(self.seconds, |until| run.run::<G, C>(until, &mut tell))?;
        let out = self.out.display().to_string();
        let result = json!({ "game": G::NAME, "positions": positions, "out": out });
        self.json.print(&result, format_args!("{positions} positions in {out}"));
        Ok(())
    }
}
