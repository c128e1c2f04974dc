//! `trilith data rows`: positions for other programs.

use std::path::PathBuf;

use serde_json::json;
use trilith_games::Game;
use trilith_learn::data::make::write_rows;
use trilith_learn::training::{Training, TrainingVisitor, with_training};

use super::{game_of, tell};
use crate::output::JsonArgs;

/// Write positions as plain rows of bytes, for other programs
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    trilith data rows --positions p1.positions p2.positions --games g1.games --out rows.bin\n\n\
    A row: stones of the side to move and of the other (8 bytes each; in Morris 1 more each for those in hand), the search's\n  \
    value (2, hundredths of a disc or of log odds; -32768 if there is none), how the game ended (1; discs in Othello, else\n  \
    -100 for a loss to 100 for a win; -128 if that is not known), and 1 if it is kept for testing, else 0 (1); little end\n  \
    first. In all 20 bytes, in Morris 22.")]
pub struct RowsArgs {
    /// The name of the game [default: that of the first file]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Files of judged positions
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "games")]
    positions: Vec<PathBuf>,
    /// Files of games, whose positions have results only
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    json: JsonArgs,
}

impl RowsArgs {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let files = [&self.positions[..], &self.games].concat();
        with_training(&game_of(self.game.as_ref(), &files)?, self)?
    }
}

impl TrainingVisitor for &RowsArgs {
    type Output = anyhow::Result<()>;

    fn visit<G: Game, C: Training<G>>(self) -> Self::Output {
        let rows = write_rows::<G, C>(&self.positions, &self.games, &self.out, &mut tell)?;
        let out = self.out.display().to_string();
        let result = json!({ "game": G::NAME, "rows": rows, "out": out });
        self.json.print(&result, format_args!("{rows} rows in {out}"));
        Ok(())
    }
}
