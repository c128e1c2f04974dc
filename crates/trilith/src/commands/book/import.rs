//! `trilith book import`: games from files of any format the program reads.

use std::path::PathBuf;

use anyhow::Context;
use serde_json::json;
use trilith_arena::GameKit;
use trilith_book::Added;
use trilith_games::Game;
use trilith_games::pgn::{GameText, PgnResult};
use trilith_learn::data::import::read_games;

use super::GameArgs;
use crate::output::JsonArgs;

/// Add the games of files: WTHOR, GGF, SGF, game texts, move lists, self-play
#[derive(clap::Args)]
pub struct Import {
    /// The book; made if it is not there
    pub(super) book: PathBuf,
    /// Files with games
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) game: GameArgs,
    /// Add at most so many games
    #[arg(long, value_name = "N", default_value_t = usize::MAX)]
    most: usize,
    #[command(flatten)]
    json: JsonArgs,
}

/// Games in one transaction: this many are lost by a kill, and come again when the command is repeated.
const BATCH: usize = 2000;

impl Import {
    pub(super) fn run<G: Game, C: GameKit<G>>(&self) -> anyhow::Result<()> {
        let (book, game) = self.game.create::<G>(&self.book)?;
        let (mut added, mut known, mut open) = (0_usize, 0_usize, 0_usize);
        for path in &self.files {
            let games = read_games::<G, C>(&game, path, &mut |note| eprintln!("{note}"));
            let games = games.with_context(|| path.display().to_string())?;
            let left = self.most.saturating_sub(added + known);
            let games: Vec<_> = games.into_iter().take(left).collect();
            for some in games.chunks(BATCH) {
                book.update(|draft| {
                    for GameText { record, result, .. } in some {
                        let winner = match *result {
                            PgnResult::Open => {
                                open += 1;
                                continue;
                            }
                            PgnResult::Draw => None,
                            PgnResult::Won(winner) => Some(winner),
                        };
                        match draft.add(record, winner)? {
                            Added::New(_) => added += 1,
                            Added::Known(_) => known += 1,
                        }
                    }
                    Ok(())
                })?;
                eprint!("\r{added} games");
            }
        }
        eprintln!();
        let book = self.book.display().to_string();
        let result = json!({ "book": book, "game": G::NAME, "added": added, "known": known, "open": open });
        let words =
            format_args!("{added} games added, {known} known already, {open} without a result left out");
        self.json.print(&result, words);
        Ok(())
    }
}
