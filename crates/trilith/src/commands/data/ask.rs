//! `trilith data ask`: a program of any kind as the teacher of patterns.

use std::path::PathBuf;

use serde_json::json;
use trilith_base::Seed;
use trilith_games::Game;
use trilith_learn::data::AskSettings;
use trilith_learn::data::make::AskRun;
use trilith_learn::training::{Training, TrainingVisitor, with_training};

use super::{game_of, part, tell, until};
use crate::output::JsonArgs;

/// Have positions beside games valued by another program, to learn from
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    trilith data ask --games g1.games --out taught.positions -- python3 training/othello_teacher.py label --net teacher.pt\n\n\
    The program gets batches of positions on its standard input: the number of rows (4 bytes), then the stones of the side to\n  \
    move and of the other (8 bytes each, little end first; in Morris also 1 byte each for those in hand). For each it answers\n  \
    with what a search would think of it (2 bytes, hundredths of the unit of `patterns`: discs in Othello, log odds\n  \
    else) and how the game will end (1 byte: discs in Othello, else -100 for a loss to 100 for a win).\n  \
    If OUT is there already, the run goes on after its last whole block; games, --share, --further, --seed and the program\n  \
    with its arguments must be those that it was begun with.")]
pub struct AskArgs {
    /// The name of the game [default: that of the first file]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Files of games, as `trilith data generate` writes them
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Which part of the moves in the games' positions is followed
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = part)]
    share: f64,
    /// Random plies after each of these, at most
    #[arg(long, value_name = "N", default_value_t = 1)]
    further: u32,
    /// Stop after so many seconds
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,
    /// Where all draws come from
    #[arg(long, value_name = "N", default_value_t = Seed(1))]
    seed: Seed,
    /// The program that values, with its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    labeller: Vec<String>,
    #[command(flatten)]
    json: JsonArgs,
}

impl AskArgs {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        with_training(&game_of(self.game.as_ref(), &self.games)?, self)?
    }
}

impl TrainingVisitor for &AskArgs {
    type Output = anyhow::Result<()>;

    fn visit<G: Game, C: Training<G>>(self) -> Self::Output {
        let run = AskRun {
            settings: AskSettings { share: self.share, further: self.further, seed: self.seed },
            games: &self.games,
            out: &self.out,
            program: &self.labeller,
        };
        let positions = until(self.seconds, |until| run.run::<G, C>(until, &mut tell))?;
        let out = self.out.display().to_string();
        let result = json!({ "game": G::NAME, "positions": positions, "out": out });
        self.json.print(&result, format_args!("{positions} positions in {out}"));
        Ok(())
    }
}
