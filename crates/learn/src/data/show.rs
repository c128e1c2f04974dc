//! What is in a file, counted.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Serialize;
use trilith_games::Game;

use super::error::DataError;
use super::files::{GamesReader, Notes, load_games, next_block};
use super::game::PlayedGame;
use super::positions;
use crate::training::{Training, TrainingVisitor, with_training};

/// What a file of games or positions holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DataSummary {
    /// Games.
    Games {
        /// How many.
        games: u64,
        /// Positions that teach.
        positions: u64,
        /// Games that Black won, drew and lost; those that were cut are none of these.
        decided: [u64; 3],
        /// Games that were cut before their end.
        cut: u64,
    },
    /// Judged positions.
    Positions {
        /// How many.
        positions: u64,
        /// Those that stood in a game, or whose game's end is known otherwise.
        ended: u64,
        /// Blocks of the file.
        blocks: u64,
    },
}

impl fmt::Display for DataSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataSummary::Games { games, positions, decided: [wins, draws, losses], cut } => {
                write!(
                    f,
                    "{games} games, {positions} positions, Black wins {wins}, draws {draws}, loses {losses}"
                )?;
                if *cut > 0 { write!(f, ", {cut} cut before the end") } else { Ok(()) }
            }
            DataSummary::Positions { positions, ended, blocks } => {
                write!(f, "{positions} judged positions, {ended} with the end of a game, in {blocks} blocks")
            }
        }
    }
}

/// What a file holds, and of which game.
struct Heading {
    is_games: bool,
    game: String,
}

/// The first line of a file, packed or plain.
fn first_line(path: &Path) -> Result<String, DataError> {
    let refuse = |source| DataError::file(path, source);
    let mut start = Vec::new();
    File::open(path).map_err(refuse)?.take(256).read_to_end(&mut start).map_err(refuse)?;
    if !start.starts_with(b"trilith ") {
        let file = File::open(path).map_err(refuse)?;
        start.clear();
        // What is no packed text has no first line, and is refused for that.
        let unpacked = zstd::Decoder::new(file).map(|decoder| decoder.single_frame().take(256));
        let _ = unpacked.and_then(|mut decoder| decoder.read_to_end(&mut start));
    }
    let text = String::from_utf8_lossy(&start);
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

fn heading(path: &Path) -> Result<Heading, DataError> {
    let line = first_line(path)?;
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["trilith", "games", _, game] | ["trilith", game, "games", _] => {
            Ok(Heading { is_games: true, game: game.into() })
        }
        ["trilith", "positions", _, game] => Ok(Heading { is_games: false, game: game.into() }),
        _ => Err(DataError::Damaged {
            path: path.display().to_string(),
            fault: "its text should begin with `trilith games` or `trilith positions`".into(),
        }),
    }
}

/// The name of the game that a file is about.
pub fn game_of(path: &Path) -> Result<String, DataError> {
    Ok(heading(path)?.game)
}

/// Whether a file holds games; else judged positions.
pub fn is_games(path: &Path) -> Result<bool, DataError> {
    Ok(heading(path)?.is_games)
}

/// Counts what is in a file of any game.
pub fn summarise(path: &Path, notes: Notes) -> Result<DataSummary, DataError> {
    let heading = heading(path)?;
    with_training(&heading.game, Count { path, is_games: heading.is_games, notes })?
}

/// The name of the game of a file of games, and all its games.
pub fn load_any(path: &Path, notes: Notes) -> Result<(String, Vec<PlayedGame>), DataError> {
    let Heading { game, .. } = heading(path)?;
    let games = with_training(&game, Load { path, notes })??;
    Ok((game, games))
}

struct Load<'a, 'n> {
    path: &'a Path,
    notes: Notes<'n>,
}

impl TrainingVisitor for Load<'_, '_> {
    type Output = Result<Vec<PlayedGame>, DataError>;

    fn visit<G: Game, C: Training<G>>(self) -> Self::Output {
        load_games::<G, C>(&[self.path.to_owned()], self.notes)
    }
}

struct Count<'a, 'n> {
    path: &'a Path,
    is_games: bool,
    notes: Notes<'n>,
}

impl TrainingVisitor for Count<'_, '_> {
    type Output = Result<DataSummary, DataError>;

    fn visit<G: Game, C: Training<G>>(self) -> Self::Output {
        match self.is_games {
            true => count_games::<G, C>(self.path, self.notes),
            false => count_positions::<G, C>(self.path, self.notes),
        }
    }
}

/// Counts the games of a file.
pub fn count_games<G: Game, C: Training<G>>(path: &Path, notes: Notes) -> Result<DataSummary, DataError> {
    let mut reader = GamesReader::<G, C>::open(path)?;
    let (mut games, mut positions, mut decided, mut cut) = (0, 0, [0; 3], 0);
    while let Some(block) = reader.next_block(notes)? {
        for played in &block {
            games += 1;
            let fault = |fault| DataError::Game { path: path.display().to_string(), game: games, fault };
            positions += played.taught::<G, C>().map_err(fault)?.1.len() as u64;
            match (C::ENDS_BY_ITSELF || played.record::<G>().map_err(fault)?.end().is_some(), played.result) {
                (true, 1000) => decided[0] += 1,
                (true, 500) => decided[1] += 1,
                (true, 0) => decided[2] += 1,
                _ => cut += 1,
            }
        }
    }
    Ok(DataSummary::Games { games, positions, decided, cut })
}

fn count_positions<G: Game, C: Training<G>>(path: &Path, notes: Notes) -> Result<DataSummary, DataError> {
    let mut reader = positions::PositionReader::<G, C>::open(path, G::NAME)?;
    let (mut positions, mut ended, mut blocks) = (0, 0, 0);
    while let Some(block) = next_block(&mut reader, path, notes)? {
        blocks += 1;
        positions += block.len() as u64;
        ended += block.iter().filter(|row| row.result.is_some()).count() as u64;
    }
    Ok(DataSummary::Positions { positions, ended, blocks })
}
