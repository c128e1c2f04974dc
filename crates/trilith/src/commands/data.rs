//! `trilith data`: games to learn from.

mod ask;
mod discordance;
mod generate;
mod judge;
mod label;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Subcommand;
use trilith_games::Game;
use trilith_games::othello::Othello;
use trilith_learn::blocks::{Reader, Row, Writer};
use trilith_learn::othello::judge::PER_JOB;
use trilith_learn::othello::positions::Judged;
use trilith_learn::othello::store::{self, Played};
use trilith_learn::portions::Weights;

use discordance::Discordance;
use generate::Generate;
use judge::Judge;

/// Make and look at data to learn from
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Generate(Generate),
    Judge(Judge),
    Label(label::Label),
    Ask(ask::Ask),
    Rows(ask::Rows),
    Show(Show),
    Discordance(Discordance),
}

/// Count the games, or judged positions, of a file
#[derive(clap::Args)]
struct Show {
    /// The file to read
    file: PathBuf,
}

/// Does what was asked.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.action {
        Action::Generate(args) => args.run(),
        Action::Judge(args) => args.run(),
        Action::Label(args) => args.run(),
        Action::Ask(args) => args.run(),
        Action::Rows(args) => args.run(),
        Action::Show(args) => show(&args.file),
        Action::Discordance(args) => args.run(),
    }
}

/// A part of something, as an option gives it.
fn part(text: &str) -> Result<f64, String> {
    let part = text.parse().ok().filter(|part| (0.0..=1.0).contains(part));
    part.ok_or_else(|| "expected a part from 0 to 1".into())
}

/// The games of all these files, one after the other.
fn load(paths: &[PathBuf]) -> anyhow::Result<Vec<Played>> {
    let mut games = Vec::new();
    for path in paths {
        games.extend(store::load(path)?);
    }
    Ok(games)
}

/// The blocks of a file that is taken as finished: if its end is cut off, this is said once the rest has been read.
pub fn blocks<R: Row>(
    path: &Path,
    game: &str,
) -> Result<impl Iterator<Item = Result<Vec<R>, R::Error>>, R::Error> {
    let mut reader = Reader::<R>::open(path, game)?;
    let path = path.display().to_string();
    Ok(std::iter::from_fn(move || {
        let next = reader.next_block().transpose();
        if next.is_none() {
            match reader.cut_off() {
                Ok(0) => {}
                Ok(bytes) => eprintln!(
                    "warning: {path}: its last block is cut off, {bytes} bytes are left out; \
                     the command that wrote it mends it if it is run again"
                ),
                Err(error) => return Some(Err(error)),
            }
        }
        next
    }))
}

/// Makes a file with rows of `game`, or goes on with one that was begun with the same settings or does not say with which.
fn go_on<R: Row>(path: &Path, game: &str, settings: &[String]) -> Result<Writer<R>, R::Error> {
    if path.exists() {
        let mut reader = Reader::<R>::open(path, game)?;
        if reader.settings().is_empty() && reader.next_block()?.is_some() {
            warn_of_unknown(path);
            return Writer::open(path, game);
        }
    }
    Writer::open_with(path, game, settings)
}

/// Files from before settings were kept have none.
fn warn_of_unknown(path: &Path) {
    eprintln!(
        "warning: {}: it does not say with which options it was begun; going on with these",
        path.display()
    );
}

/// The setting that says which games rows come from.
fn games_setting(paths: &[PathBuf]) -> anyhow::Result<String> {
    let mut games = String::from("--games");
    for path in paths {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        games += &format!(" {name:?} (blake3 {:.16})", blake3::hash(&bytes).to_hex());
    }
    Ok(games)
}

/// The setting that says which weights rows come from: what counts is their content.
fn weights_setting(weights: Option<&Weights>) -> String {
    weights.map_or("no --weights".into(), |weights| format!("--weights (blake3 {:.16})", weights.checksum))
}

/// Progress is told after so long.
const TOLD: Duration = Duration::from_secs(10);

/// Work that goes on until its time is over or what came of it cannot be kept.
struct Until {
    began: Instant,
    limit: Option<Duration>,
    failed: Option<anyhow::Error>,
}

impl Until {
    fn new(seconds: Option<u64>) -> Until {
        Until { began: Instant::now(), limit: seconds.map(Duration::from_secs), failed: None }
    }

    /// Whether to go on.
    fn after(&mut self, kept: Result<(), impl Into<anyhow::Error>>) -> ControlFlow<()> {
        self.failed = kept.err().map(Into::into);
        match self.failed.is_some() || self.limit.is_some_and(|limit| self.began.elapsed() >= limit) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn end(self) -> anyhow::Result<()> {
        self.failed.map_or(Ok(()), Err)
    }
}

fn show(file: &Path) -> anyhow::Result<()> {
    match blocks::<Judged>(file, Othello::NAME) {
        Ok(blocks) => {
            let (mut count, mut positions) = (0_u64, 0_u64);
            for block in blocks {
                count += 1;
                positions += block?.len() as u64;
            }
            println!("{positions} judged positions of {} games at most", count * PER_JOB as u64);
        }
        Err(_) => print_counts(&store::load(file)?),
    }
    Ok(())
}

fn print_counts(games: &[Played]) {
    let mut positions = 0_u64;
    games.iter().for_each(|game| game.labelled(|_, _| positions += 1));
    let wins = games.iter().filter(|game| game.margin > 0).count();
    println!("{} games, {positions} positions, Black wins {wins}", games.len());
}
