//! `trilith data label`: games with what their positions are, by proof.

use std::path::PathBuf;

use serde_json::json;
use trilith_base::Seed;
use trilith_games::Game;
use trilith_learn::data::LabelSettings;
use trilith_learn::data::make::LabelRun;
use trilith_learn::training::{Training, TrainingVisitor, with_training};

use super::{game_of, tell, until};
use crate::output::JsonArgs;

/// Label games by proof: in Morris positions without stones in hand by the complete tables, those before by search
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    trilith data generate --game morris --depth 3 --longest 36 --games 40000 --out a.games\n  \
    trilith data label --games a.games --out a.exact --threads 2\n  \
    trilith fit patterns --game morris --data a.exact --lambda 0 --out exact.safetensors.zst\n\n\
    If OUT is there already, the run goes on after its last whole block; games, --hand, --beside, --longest, --traps and --seed\n  \
    must be those that it was begun with.")]
pub struct LabelArgs {
    /// The name of the game [default: that of the first file]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Files of games, as `trilith data generate` writes them, all by the same rules
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Label positions with at most so many stones in hand: eight cost some hundred times as much as two
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(..=18))]
    hand: u8,
    /// Random ways beside the game from each position with stones in hand
    #[arg(long, value_name = "N", default_value_t = 1)]
    beside: u32,
    /// Plies of the longest of them
    #[arg(long, value_name = "N", default_value_t = 3)]
    longest: u32,
    /// How many thousandths a drawn position is worth less if all of its moves but one lose, and in proportion: what the
    /// side to move may do wrong
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..500))]
    traps: u16,
    /// Stop after so many seconds
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,
    /// Where all draws come from
    #[arg(long, value_name = "N", default_value_t = Seed(1))]
    seed: Seed,
    /// The folder of the tables [default: the program's own]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// MiB for what has been proved
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    memory: usize,
    /// Threads that label
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    #[command(flatten)]
    json: JsonArgs,
}

impl LabelArgs {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        with_training(&game_of(self.game.as_ref(), &self.games)?, self)?
    }
}

impl TrainingVisitor for &LabelArgs {
    type Output = anyhow::Result<()>;

    fn visit<G: Game, C: Training<G>>(self) -> Self::Output {
        let settings = LabelSettings {
            hand: self.hand,
            beside: self.beside,
            longest: self.longest,
            traps: self.traps,
            seed: self.seed,
            folder: self.folder.clone(),
            memory: self.memory,
        };
        let run = LabelRun { settings: &settings, games: &self.games, out: &self.out, threads: self.threads };
        let counts = until(self.seconds, |until| run.run::<G, C>(until, &mut tell))?;
        let result = json!({ "game": G::NAME, "out": self.out.display().to_string(), "counts": counts });
        self.json.print(&result, counts);
        Ok(())
    }
}
