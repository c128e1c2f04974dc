//! `trilith data export`: positions as tables for other programs.

use std::path::PathBuf;

use serde_json::json;
use trilith_learn::data::export::{ExportFormat, export};

use super::tell;
use crate::output::JsonArgs;

/// Write positions as a table, for numpy, pandas, DuckDB and other programs
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    trilith data export g1.games g2.games --out positions.parquet\n\n\
    Columns: game, ply, rules, position, to_play (0 for the side that begins), move, action (its number), random (1 if it was\n  \
    drawn by lot), value (the result that the search expected, -1 to 1), evaluation (in its own unit), result (-1 to 1),\n  \
    margin (discs, stones, marbles), obs (planes, rows and columns of bytes). Numbers are for the side to move. What a file\n  \
    does not say is NaN, -1 or empty. docs/python.md shows the planes and the action numbers.")]
pub struct Export {
    /// Files of games, or of judged positions, all of one game
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// parquet or npz [default: the ending of FILE]
    #[arg(long)]
    format: Option<ExportFormat>,
    #[command(flatten)]
    json: JsonArgs,
}

impl Export {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let format = self.format.map_or_else(|| ExportFormat::of(&self.out), Ok)?;
        let rows = export(&self.files, &self.out, format, &mut tell)?;
        let out = self.out.display().to_string();
        self.json.print(&json!({ "rows": rows, "out": out }), format_args!("{rows} rows in {out}"));
        Ok(())
    }
}
