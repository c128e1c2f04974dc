//! `trilith data generate`: self-play, into a file that a stopped run goes on with.

use std::path::PathBuf;

use serde_json::json;
use trilith_base::Seed;
use trilith_games::Game;
use trilith_learn::data::make::GenerateRun;
use trilith_learn::data::{GenerationSettings, WeightsFile};
use trilith_learn::training::{Training, TrainingVisitor, with_training};

use super::{tell, until};
use crate::output::JsonArgs;
use crate::queue;

/// Play games to learn from: random moves, then search; in Othello exact play to the end
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith data generate --games 10000 --depth 3 --exact 14 --out first.games\n  \
    trilith data generate --weights patterns.safetensors --depth 6 --exact 20 --seconds 600 --out second.games\n  \
    trilith data generate --openings 6 --depth 6 --exact 20 --out openings.games\n  \
    trilith data generate --game abalone --rules standard --rules belgian-daisy --depth 3 --games 5000 --out a.games\n\n\
    If OUT is there already, more games are added to it: a stopped run goes on where it was. All that the games depend on\n  \
    must be as it was begun with; --games, --seconds and --threads may differ. With --queue the games are played by\n  \
    `trilith worker` processes; they are the same.")]
pub struct Generate {
    /// The name of a game
    #[arg(long, value_name = "GAME", default_value = trilith_arena::GAMES[0])]
    game: String,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Rules of the games, drawn from if there are several [default: the usual ones]
    #[arg(long, value_name = "RULES")]
    rules: Vec<String>,
    /// A game that lasts longer is scored by its last search (not in Othello)
    #[arg(long, value_name = "PLIES", default_value_t = 250)]
    longest: usize,
    /// So is one in which nothing irreversible has happened for so many plies; 0 for none (not in Othello)
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    still: usize,
    /// The mobility term of one side in one game of two, as the option of `engine` says (Abalone)
    #[arg(long, alias = "restless", value_name = "PERCENT", default_value_t = 0)]
    mobility: u32,
    /// Games in the file at the end
    #[arg(long, value_name = "N", default_value_t = u64::MAX)]
    games: u64,
    /// Stop after so many seconds
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,
    /// Fewest random moves at the beginning
    #[arg(long, value_name = "N", default_value_t = 1)]
    random_least: u32,
    /// Most random moves at the beginning
    #[arg(long, value_name = "N", default_value_t = 20)]
    random_most: u32,
    /// Begin with all openings of so many plies, one a game, instead of random moves (LOGISTELLO); symmetric ones come once
    #[arg(long, value_name = "PLIES", default_value_t = 0, conflicts_with_all = ["random_least", "random_most"], value_parser = clap::value_parser!(u32).range(..=10))]
    openings: u32,
    /// Plies searched for each move
    #[arg(long, value_name = "N", default_value_t = 4)]
    depth: u32,
    /// Search moves with the game's pruning, as `engine` does: deeper for the same time
    #[arg(long)]
    pruning: bool,
    /// Empty squares from which on play is exact (Othello)
    #[arg(long, value_name = "N", default_value_t = 16)]
    exact: u32,
    /// Pattern weights to play with; a hand-made evaluation without
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Where all draws come from
    #[arg(long, value_name = "N", default_value_t = Seed(1))]
    seed: Seed,
    /// Threads that play
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Let the workers of this queue play, such as nats://127.0.0.1:4222
    #[arg(long, value_name = "URL", conflicts_with = "threads")]
    queue: Option<String>,
    #[command(flatten)]
    json: JsonArgs,
}

impl Generate {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        with_training(&self.game, self)?
    }

    fn settings<G: Game>(&self) -> GenerationSettings {
        let usual = || vec![G::Rules::default().to_string()];
        GenerationSettings {
            rules: if self.rules.is_empty() { usual() } else { self.rules.clone() },
            random_least: self.random_least,
            random_most: self.random_most.max(self.random_least),
            openings: self.openings,
            depth: self.depth.max(1),
            exact: self.exact,
            longest: self.longest,
            still: self.still,
            mobility: self.mobility,
            pruning: self.pruning,
            seed: self.seed,
        }
    }
}

impl TrainingVisitor for &Generate {
    type Output = anyhow::Result<()>;

    fn visit<G: Game, C: Training<G>>(self) -> Self::Output {
        let weights = self.weights.as_deref().map(WeightsFile::of).transpose()?;
        let run = GenerateRun {
            settings: &self.settings::<G>(),
            weights: weights.as_ref(),
            out: &self.out,
            games: self.games,
            workers: &queue::workers(self.queue.as_deref(), self.threads)?,
        };
        let games = until(self.seconds, |until| run.run::<G, C>(until, &mut tell))?;
        let out = self.out.display().to_string();
        let result = json!({ "game": G::NAME, "games": games, "out": out });
        self.json.print(&result, format_args!("{games} games in {out}"));
        Ok(())
    }
}
