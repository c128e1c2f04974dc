//! `trilith backup`: a copy of all that a server keeps, while it runs.

use std::path::PathBuf;

use anyhow::Context;
use serde_json::json;
use trilith_base::files;

use crate::output::JsonArgs;

/// Copy games, books and training runs of the web app, also while it runs
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith backup --out monday.tar\n  \
    trilith backup --data /srv/trilith --out /backups/trilith.tar\n\n\
    The copy is whole and consistent: a tar with the database, books, runs, heuristics and tournaments, and checksums.\n\
    `trilith restore` puts it in place again. Tables of endgames are not in it: they can be built again.\n\
    A PostgreSQL database is backed up with its own pg_dump; everything else is in the copy.")]
pub struct Args {
    /// Where the web app keeps its games [default: $TRILITH_HOME, or the usual place for a program's data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The copy; there must be no such file yet
    #[arg(long, value_name = "FILE", visible_alias = "to")]
    out: PathBuf,
    #[command(flatten)]
    json: JsonArgs,
}

/// Copies and says how much.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let data = args.data.clone().unwrap_or_else(files::home);
    let done =
        trilith_server::backup(&data, &args.out).with_context(|| format!("backup of {}", data.display()))?;
    let out = args.out.display().to_string();
    let note = match done.has_database {
        true => "",
        false => "\nthere is no database among them: pg_dump copies one of PostgreSQL",
    };
    let result = json!({
        "data": data.display().to_string(),
        "out": out,
        "bytes": done.bytes,
        "files": done.files,
        "has_database": done.has_database,
    });
    args.json.print(&result, format_args!("{out}: {} bytes, {} files{note}", done.bytes, done.files));
    Ok(())
}
