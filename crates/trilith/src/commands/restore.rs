//! `trilith restore`: puts a backup in the place of what a server keeps.

use std::path::PathBuf;

use anyhow::Context;
use serde_json::json;
use trilith_base::files;

use crate::output::JsonArgs;

/// Put a backup in the place of what the web app keeps; the app must not run
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith restore monday.tar\n  \
    trilith restore /backups/trilith.tar --data /srv/trilith\n\n\
    Everything is checked first; then all of it is put in place or nothing, also if the machine stops on the way.\n\
    What was there before is kept in a folder `before-restore-...` beside it.\n\
    The database files that earlier versions made are taken, too.")]
pub struct Args {
    /// What `trilith backup` made
    file: PathBuf,
    /// Where the web app keeps its games [default: $TRILITH_HOME, or the usual place for a program's data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArgs,
}

/// Restores and says what.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let data = args.data.clone().unwrap_or_else(files::home);
    let done = trilith_server::restore(&args.file, &data)
        .with_context(|| format!("restoring {}: nothing was changed", args.file.display()))?;
    let (data, before) = (data.display().to_string(), done.before.map(|path| path.display().to_string()));
    let note = before.as_ref().map_or(String::new(), |path| format!("\nwhat was there before is in {path}"));
    let file = args.file.display().to_string();
    let result = json!({ "file": file, "data": data, "files": done.files, "before": before });
    args.json.print(&result, format_args!("{data}: {} files put in place{note}", done.files));
    Ok(())
}
