//! `trilith backup`: a copy of all games while the server runs.

use std::path::PathBuf;

use anyhow::Context;
use trilith_base::files;

/// Copy the database of the web app, also while it runs
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith backup --to games-monday.db\n  \
    trilith backup --data /srv/trilith --to /backups/trilith.db\n\n\
    The copy is whole and consistent. To go back, stop the server and put it in the place of trilith.db.\n\
    A PostgreSQL database is backed up with its own pg_dump.")]
pub struct Args {
    /// Where the web app keeps its games [default: $TRILITH_HOME, or the usual place for a program's data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The copy; there must be no such file yet
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
}

/// Copies and says how much.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let data = args.data.clone().unwrap_or_else(files::home);
    let bytes =
        trilith_server::backup(&data, &args.to).with_context(|| format!("backup of {}", data.display()))?;
    println!("{}: {bytes} bytes", args.to.display());
    Ok(())
}
