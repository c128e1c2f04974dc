//! `trilith backup`: a copy of all that a server keeps, while it runs.

use std::path::PathBuf;

use anyhow::Context;
use trilith_base::files;

/// Copy games, books and training runs of the web app, also while it runs
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith backup --to monday.tar\n  \
    trilith backup --data /srv/trilith --to /backups/trilith.tar\n\n\
    The copy is whole and consistent: a tar with the database, books, runs, heuristics and tournaments, and checksums.\n\
    `trilith restore` puts it in place again. Tables of endgames are not in it: they can be built again.\n\
    A PostgreSQL database is backed up with its own pg_dump; everything else is in the copy.")]
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
    let done =
        trilith_server::backup(&data, &args.to).with_context(|| format!("backup of {}", data.display()))?;
    println!("{}: {} bytes, {} files", args.to.display(), done.bytes, done.files);
    if !done.has_database {
        println!("there is no database among them: pg_dump copies one of PostgreSQL");
    }
    Ok(())
}
