//! `trilith data`: games and positions to learn from.

mod ask;
mod export;
mod generate;
mod judge;
mod label;
mod rows;

use std::path::PathBuf;

use clap::Subcommand;
use serde_json::json;
use trilith_learn::data::make::Until;
use trilith_learn::data::{Note, show};

use super::othello::discordance;
use crate::output::JsonArgs;
use crate::stop;

/// Make and look at data to learn from
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Generate(generate::Generate),
    Judge(judge::JudgeArgs),
    Label(label::LabelArgs),
    Ask(ask::AskArgs),
    Rows(rows::RowsArgs),
    Export(export::Export),
    Show(Show),
    Discordance(discordance::DiscordanceArgs),
}

/// Count the games, or judged positions, of a file of any game
#[derive(clap::Args)]
struct Show {
    /// The file to read
    file: PathBuf,
    #[command(flatten)]
    json: JsonArgs,
}

/// Does what was asked.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.action {
        Action::Generate(args) => args.run(),
        Action::Judge(args) => args.run(),
        Action::Label(args) => args.run(),
        Action::Ask(args) => args.run(),
        Action::Rows(args) => args.run(),
        Action::Export(args) => args.run(),
        Action::Show(args) => {
            let (game, summary) = (show::game_of(&args.file)?, show::summarise(&args.file, &mut tell)?);
            let file = args.file.display().to_string();
            let result = json!({ "file": file, "game": game, "holds": summary });
            args.json.print(&result, summary);
            Ok(())
        }
        Action::Discordance(args) => args.run(),
    }
}

/// What a person should hear goes to standard error.
pub fn tell(note: Note) {
    eprintln!("{note}");
}

/// The name of the game, where it is not given: that of the first file.
pub fn game_of(given: Option<&String>, files: &[PathBuf]) -> anyhow::Result<String> {
    match (given, files.first()) {
        (Some(name), _) => Ok(name.clone()),
        (None, Some(file)) => Ok(show::game_of(file)?),
        (None, None) => Ok(String::new()),
    }
}

/// Does `work` until Ctrl-C or until so many seconds are over.
fn until<T>(seconds: Option<u64>, work: impl FnOnce(&Until) -> T) -> T {
    let stop = stop::on_interrupt();
    work(&Until { seconds, stop: &stop })
}

/// A part of something, as an option gives it.
fn part(text: &str) -> Result<f64, String> {
    let part = text.parse().ok().filter(|part| (0.0..=1.0).contains(part));
    part.ok_or_else(|| "expected a part from 0 to 1".into())
}

/// Fewest and most of something, as `LEAST-MOST`.
fn span(text: &str) -> Result<(usize, usize), String> {
    let ends = text.split_once('-').and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    ends.filter(|(least, most)| least <= most).ok_or_else(|| "expected LEAST-MOST, such as 14-30".into())
}
