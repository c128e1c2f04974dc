//! `trilith tablebase lessons`: what won and what lost in the placing phases of games, proved and kept for the engine.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use anyhow::{Context, bail};
use trilith_games::morris::{Morris, Position};
use trilith_games::{Game, pgn};
use trilith_tablebase::placing::{self, LessonSettings, PlacingSolver, ProvedBounds, hands};

use super::{Which, parse_size};
use crate::stop;

#[derive(clap::Args)]
pub struct LessonsArgs {
    #[command(flatten)]
    which: Which,
    /// Games, as `trilith match --save` writes them
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Proved positions to begin with: what they know is kept, and helps
    #[arg(long, value_name = "FILE", num_args = 1..)]
    add: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Look at positions of games with at least so many stones in hand
    #[arg(long, value_name = "N", default_value_t = 2)]
    least: u32,
    /// And at most so many
    #[arg(long, value_name = "N", default_value_t = 11)]
    most: u32,
    /// Positions visited for each question; what they do not settle is left out
    #[arg(long, value_name = "N", default_value_t = 300_000)]
    effort: u64,
    /// Also keep everything won or lost that came up on the way, with at least so many stones in hand
    #[arg(long, value_name = "N", default_value_t = 9)]
    keep: u32,
    /// Memory for what has been proved, such as `512M` or `4G`
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_size)]
    memory: u64,
    /// Stop after so many seconds
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,
}

impl LessonsArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let (game, tables) = self.which.open()?;
        placing::check(game.rules())?;
        let solver = PlacingSolver::new(Arc::new(tables), game, 1, (self.memory >> 20) as usize);
        let LessonsArgs { least, most, effort, keep, .. } = *self;
        let mut lessons =
            placing::PlacingLessons::new(&solver, game, LessonSettings { least, most, effort, keep });
        for path in &self.add {
            let Some(store) = ProvedBounds::load(path, &game)? else {
                bail!("{}: no such file", path.display())
            };
            lessons.add(&store);
        }
        let (stop, start) = (stop::on_interrupt(), Instant::now());
        let is_late = || self.seconds.is_some_and(|limit| start.elapsed().as_secs() >= limit);
        'files: for path in &self.games {
            for positions in read(path, &game)? {
                if !lessons.learn_game(&positions, &|| stop.load(Relaxed) || is_late())? {
                    break 'files;
                }
            }
        }
        let (positions, mistakes) = lessons.counts();
        let store = lessons.into_store();
        store.save(&self.out, &game)?;
        let mut by_hand = [0_u64; 19];
        store.iter().for_each(|(key, _)| by_hand[hands(key) as usize] += 1);
        if self.which.json {
            let object = serde_json::json!({
                "rules": game.rules().to_string(),
                "out": self.out.display().to_string(),
                "positions": positions,
                "mistakes": mistakes,
                "kept": store.len(),
                "by_hand": by_hand,
            });
            println!("{object}");
            return Ok(());
        }
        println!("{positions} positions of games, {mistakes} of them with a mistake; {} kept", store.len());
        println!("by stones in hand: {by_hand:?}");
        Ok(())
    }
}

/// The positions of each game of a file.
fn read(path: &Path, game: &Morris) -> anyhow::Result<Vec<Vec<Position>>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let games = pgn::parse::<Morris>(&text).with_context(|| path.display().to_string())?;
    let positions = |found: &pgn::GameText<Morris>| {
        let mut position = *found.record.start();
        let mut all = vec![position];
        for mv in found.record.moves() {
            position = game.play(&position, mv);
            all.push(position);
        }
        all
    };
    match games.iter().find(|found| found.record.game() != game) {
        Some(other) => bail!("{}: a game by the rules `{}`", path.display(), other.record.game().rules()),
        None => Ok(games.iter().map(positions).collect()),
    }
}
