//! `trilith book import`: games from files of any format the program reads.

use std::path::{Path, PathBuf};

use anyhow::Context;
use trilith_arena::{GameKit, import};
use trilith_book::Added;
use trilith_games::othello::square_name;
use trilith_games::pgn::{GameResult, GameText};
use trilith_games::{Colour, Game, Record};
use trilith_learn::othello::store;

use super::GameArgs;

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
}

/// Games in one transaction: this many are lost by a kill, and come again when the command is repeated.
const BATCH: usize = 2000;

impl Import {
    pub(super) fn run<G: Game, C: GameKit<G>>(&self) -> anyhow::Result<()> {
        let (book, game) = self.game.create::<G>(&self.book)?;
        let (mut added, mut known, mut open) = (0_usize, 0_usize, 0_usize);
        for path in &self.files {
            let games = read::<G, C>(path, &game).with_context(|| path.display().to_string())?;
            let left = self.most.saturating_sub(added + known);
            let games: Vec<_> = games.into_iter().take(left).collect();
            for some in games.chunks(BATCH) {
                book.update(|draft| {
                    for GameText { record, result, .. } in some {
                        let winner = match *result {
                            GameResult::Open => {
                                open += 1;
                                continue;
                            }
                            GameResult::Draw => None,
                            GameResult::Won(winner) => Some(winner),
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
        println!("{added} games added, {known} known already, {open} without a result left out");
        Ok(())
    }
}

/// The games of a file.
fn read<G: Game, C: GameKit<G>>(path: &Path, game: &G) -> anyhow::Result<Vec<GameText<G>>> {
    let bytes = std::fs::read(path)?;
    if bytes.starts_with(b"trilith othello games") {
        let played = store::parse(&bytes, &path.display().to_string())?;
        return played.iter().map(|played| self_played(game, played)).collect();
    }
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    Ok(import::games::<G, C>(game, &bytes, &ending)?)
}

/// A game of self-play, whose passes are left out.
fn self_played<G: Game>(game: &G, played: &store::Played) -> anyhow::Result<GameText<G>> {
    let mut record = Record::new(game.clone());
    for &square in &played.squares {
        import::play_word(&mut record, &square_name(square)).map_err(anyhow::Error::msg)?;
    }
    let result = match played.margin {
        0 => GameResult::Draw,
        margin => GameResult::Won(if margin > 0 { Colour::Black } else { Colour::White }),
    };
    Ok(GameText { record, tags: Vec::new(), result, comments: Vec::new() })
}
