//! S5, LOGISTELLO: features from examples, ways to weigh them, selective search, and learning from games.

mod construction;
mod endcut;
pub mod endgame;
pub mod features;
pub mod selective;
pub mod series;
pub mod weights;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::Deserialize;
use trilith_base::Seed;
use trilith_base::job::{JobId, Workers};
use trilith_eval::othello::Evaluations;
use trilith_games::othello::Othello;
use trilith_learn::data::files::{load_games, save_games};
use trilith_learn::data::{GenerationSettings, games};
use trilith_learn::logistello::tree::{self, Example};
use trilith_learn::othello::OthelloGame;
use trilith_learn::othello::game::from_played;
use trilith_learn::run::RunError;

use crate::conduct::Conduct;
use crate::contest::{From, Match};
use crate::error::StudyError;

/// Games to learn from, as a study's file says it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    /// How many.
    games: u64,
    /// Plies searched for each move.
    depth: u32,
    /// Empty squares from which on play is exact.
    exact: u32,
    /// Random plies at the beginning, at most.
    random: u32,
}

/// The file of games of a plan below the folder of all runs; two studies that want the same share it.
fn games_file(data: Data, seed: Seed) -> String {
    let name = format!("{data:?} {seed}");
    format!("games-{}.games", &JobId::of(name.as_bytes()).to_string()[..16])
}

/// Plays the games unless they are there already.
fn generate(conduct: &mut Conduct, data: Data) -> Result<PathBuf, StudyError> {
    let seed = conduct.seed().derive("examples", 0);
    let path = conduct.runs().join(games_file(data, seed));
    let place = path.clone();
    conduct.here("examples", move |threads, stop| play(&place, data, seed, threads, stop))?;
    Ok(path)
}

/// A file that is there is whole: a stop leaves none.
fn play(place: &Path, data: Data, seed: Seed, threads: usize, stop: &AtomicBool) -> Result<(), StudyError> {
    if place.exists() {
        return Ok(());
    }
    if let Some(folder) = place.parent() {
        std::fs::create_dir_all(folder).map_err(|source| StudyError::file(folder, source))?;
    }
    let Data { games, depth, exact, random } = data;
    let settings = GenerationSettings { random_most: random, depth, exact, seed, ..Default::default() };
    let workers = Workers::Threads(threads);
    let all = games::collect::<Othello, Evaluations>(&settings, None, (0, games), &workers, stop)?;
    match all.len() as u64 == games {
        true => Ok(save_games::<Othello>(place, &all)?),
        false => Err(StudyError::Stopped),
    }
}

/// The labelled positions of some of the games in a file.
fn examples(path: &Path, is_wanted: impl Fn(usize) -> bool) -> Result<Vec<Example>, StudyError> {
    let played = load_games::<Othello, Evaluations>(&[path.to_owned()], &mut |_| ())?;
    let games = from_played(&played).map_err(|fault| RunError::Learner(fault.to_string()))?;
    let chosen: Vec<OthelloGame> =
        games.into_iter().enumerate().filter(|(at, _)| is_wanted(*at)).map(|(_, game)| game).collect();
    Ok(tree::examples(&chosen))
}

/// S5 played 35 balanced openings with both colours; more games begin with eight random plies.
fn contest(name: impl Into<String>, a: &str, b: &str, games: u64) -> Match {
    let openings = if games <= 70 { From::List(balanced()) } else { From::Random(8) };
    Match { openings, per_cell: 2, ..Match::new("othello", name, a, b, games) }
}

fn balanced() -> Vec<trilith_arena::contest::Opening> {
    let text = include_str!("../../../../tournaments/balanced-35.txt");
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let opening = |moves: &str| trilith_arena::contest::Opening { position: None, moves: moves.into() };
    lines.filter(|line| !line.is_empty()).map(opening).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_35_balanced_openings() {
        assert_eq!(balanced().len(), 35);
    }

    #[test]
    fn a_stop_leaves_no_file_that_looks_whole() {
        let folder = std::env::temp_dir().join(format!("trilith-examples-{}", std::process::id()));
        let (place, data) = (folder.join("some.games"), Data { games: 3, depth: 1, exact: 4, random: 50 });
        let stopped = play(&place, data, Seed(1), 1, &AtomicBool::new(true));
        assert!(matches!(stopped, Err(StudyError::Stopped)) && !place.exists());
        play(&place, data, Seed(1), 1, &AtomicBool::new(false)).unwrap();
        let played = load_games::<Othello, Evaluations>(&[place], &mut |_| ()).unwrap();
        assert_eq!(played.len(), 3);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
