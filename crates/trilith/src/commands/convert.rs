//! `trilith convert`: game files from one format to another.

use std::path::PathBuf;

use anyhow::{Context, bail};
use serde::Serialize;
use trilith_arena::sheets::{self, Format, GameSheet};
use trilith_base::files;
use trilith_learn::data::import::read_sheets;

use crate::choice::known_games;

/// Convert game files from one format to another
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith convert games.ggf --out games.txt\n  \
    trilith convert WTH_2023.wtb --out wthor.sgf\n  \
    trilith convert a.txt b.sgf --out all.wtb\n  \
    trilith convert games.ggf --to transcript\n  \
    trilith convert self-play.games --out positions.obf\n\n\
    Formats: text (our own, for every game), and of Othello transcript, ggf, sgf, obf and wthor (.wtb with its .jou and\n\
    .trn); games of `trilith data generate` are read too. Players, results, ratings, clocks, and values and times of\n\
    moves go along; what a format has no place for is named on standard error. To obf, a game becomes all its positions.\n\
    Without --out the games are printed.")]
pub struct Args {
    /// What is read
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What is written; its ending says in which format
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The format that is written, if the ending of --out does not say it
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// The format that is read, if name and content do not tell
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    #[arg(help = format!("Which game it is, where a file does not say it: {}", known_games()))]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Print what was read as one JSON object
    #[arg(long, conflicts_with_all = ["out", "to"])]
    json: bool,
}

#[derive(Serialize)]
struct ConvertAnswer {
    games: Vec<GameSheet>,
}

/// Reads, writes and says what was lost.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut games = Vec::new();
    for path in &args.files {
        let game = args.game.as_deref();
        games.extend(read_sheets(path, game, args.from, &mut |note| eprintln!("{note}"))?);
    }
    if games.is_empty() {
        bail!("there is no game in these files");
    }
    if args.json {
        println!("{}", serde_json::to_string(&ConvertAnswer { games })?);
        return Ok(());
    }
    let by_name = args.out.as_deref().and_then(Format::of_path);
    let format = args.to.or(by_name).unwrap_or(Format::TEXT);
    let written = sheets::write(format, &games)?;
    let Some(out) = &args.out else {
        if written.files.len() > 1 {
            bail!("{format} is several files: say where with --out");
        }
        written.files.iter().for_each(|(_, bytes)| print!("{}", String::from_utf8_lossy(bytes)));
        written.lost.iter().for_each(|lost| eprintln!("{lost}"));
        return Ok(());
    };
    for (place, (ending, bytes)) in written.files.iter().enumerate() {
        let path = if place == 0 { out.clone() } else { out.with_extension(ending) };
        files::write_whole(&path, bytes).with_context(|| path.display().to_string())?;
    }
    written.lost.iter().for_each(|lost| eprintln!("{lost}"));
    println!("{} games to {} as {format}", games.len(), out.display());
    Ok(())
}
