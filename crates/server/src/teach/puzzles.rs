//! Puzzles that come with the program: one about as hard as asked for, moves tried, players rated.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use trilith_arena::GAMES;
use trilith_base::{Seed, words};
use trilith_games::Game;
use trilith_teach::kit::Goal;
use trilith_teach::puzzle::{self, Puzzle};
use trilith_teach::{TeachKit, TeachVisitor, with_teacher};

use crate::api::Input;
use crate::arena::glicko::{self, GlickoRating};
use crate::fault::Fault;
use crate::time::now_ms;

/// One of so many puzzles that are nearest to a rating.
const NEAREST: usize = 30;
/// The most puzzles that can be left out.
const MOST_LEFT_OUT: usize = 400;
/// What is believed of somebody who has not solved any puzzle.
const BEGINNER: f64 = 800.0;
/// How well the levels know the rating of a puzzle.
const DEVIATION: f64 = 120.0;
const DAY: u64 = 24 * 3600 * 1000;

/// All puzzles by game, read once.
fn all() -> &'static BTreeMap<&'static str, Vec<Puzzle>> {
    static ALL: OnceLock<BTreeMap<&'static str, Vec<Puzzle>>> = OnceLock::new();
    ALL.get_or_init(|| {
        let read = |game: &&'static str| {
            let puzzles = puzzle::shipped(game).expect("a test reads the shipped puzzles");
            (!puzzles.is_empty()).then_some((*game, puzzles))
        };
        GAMES.iter().filter_map(read).collect()
    })
}

/// The puzzles of a game; never none.
fn of(game: &str) -> Result<(&'static str, &'static [Puzzle]), Fault> {
    let missing = || {
        let expected = words::expected(game, all().keys().copied());
        Fault::new(
            StatusCode::NOT_FOUND,
            format!("no puzzles of `{}`: expected {expected}", game.escape_debug()),
        )
    };
    all().get_key_value(game).map(|(game, puzzles)| (*game, &puzzles[..])).ok_or_else(missing)
}

#[derive(Serialize)]
pub(crate) struct Offered {
    game: &'static str,
    count: usize,
    /// By name, with how many there are.
    themes: BTreeMap<&'static str, usize>,
}

/// `GET /api/puzzles`.
pub(crate) async fn list() -> Json<Vec<Offered>> {
    let offer = |(game, puzzles): (&&'static str, &'static Vec<Puzzle>)| {
        let mut themes = BTreeMap::new();
        for puzzle in puzzles {
            *themes.entry(puzzle.theme.as_str()).or_default() += 1;
        }
        Offered { game, count: puzzles.len(), themes }
    };
    Json(all().iter().map(offer).collect())
}

/// A puzzle without its solution.
#[derive(Serialize)]
pub(crate) struct Task {
    game: &'static str,
    /// From 1.
    number: usize,
    position: &'static str,
    goal: Goal,
    theme: &'static str,
    rating: i32,
    level: Option<u8>,
    /// Plies that the proof covers.
    plies: u32,
    /// Whether a win takes so many plies, at best.
    is_length: bool,
    /// Moves to find.
    moves: usize,
}

struct WinsHaveLengths;

impl TeachVisitor for WinsHaveLengths {
    type Output = bool;

    fn visit<G: Game, C: TeachKit<G>>(self) -> bool {
        C::WINS_HAVE_LENGTHS
    }
}

impl Task {
    fn new(game: &'static str, number: usize, puzzle: &'static Puzzle) -> Task {
        let Puzzle { position, goal, theme, rating, level, plies, line, .. } = puzzle;
        let (goal, rating, level, plies, moves) = (*goal, *rating, *level, *plies, line.len().div_ceil(2));
        let is_length =
            goal == Goal::Win && plies > 0 && with_teacher(game, WinsHaveLengths).unwrap_or(false);
        Task { game, number, position, goal, theme, rating, level, plies, is_length, moves }
    }
}

#[derive(Deserialize)]
pub(crate) struct Wish {
    game: String,
    rating: Option<f64>,
    theme: Option<String>,
    /// Numbers, apart by commas.
    #[serde(default)]
    not: String,
}

/// `GET /api/puzzles/next`.
pub(crate) async fn next(query: Result<Query<Wish>, QueryRejection>) -> Result<Json<Task>, Fault> {
    let Query(Wish { game, rating, theme, not }) = query?;
    let (game, puzzles) = of(&game)?;
    let rating = rating.filter(|rating| rating.is_finite()).unwrap_or(BEGINNER);
    let known: Vec<usize> = not.split(',').take(MOST_LEFT_OUT).filter_map(|text| text.parse().ok()).collect();
    let fits = |puzzle: &Puzzle| theme.as_ref().is_none_or(|theme| *theme == puzzle.theme);
    let numbered = || (1..).zip(puzzles).filter(|(_, puzzle)| fits(puzzle));
    let mut near: Vec<(usize, &Puzzle)> = numbered().filter(|(number, _)| !known.contains(number)).collect();
    if near.is_empty() {
        // All are known: from the beginning again.
        near = numbered().collect();
    }
    near.sort_by_key(|(number, puzzle)| ((f64::from(puzzle.rating) - rating).abs() as u64, *number));
    near.truncate(NEAREST);
    let draw = Seed(now_ms()).derive("puzzle", near.len() as u64).0 as usize;
    let missing = || Fault::new(StatusCode::NOT_FOUND, "no puzzle has this theme");
    let &(number, puzzle) = near.get(draw % near.len().max(1)).ok_or_else(missing)?;
    Ok(Json(Task::new(game, number, puzzle)))
}

#[derive(Deserialize)]
pub(crate) struct Which {
    game: String,
}

#[derive(Serialize)]
pub(crate) struct Daily {
    /// Days since 1970, by universal time.
    day: u64,
    #[serde(flatten)]
    task: Task,
}

/// `GET /api/puzzles/daily`.
pub(crate) async fn daily(query: Result<Query<Which>, QueryRejection>) -> Result<Json<Daily>, Fault> {
    let Query(Which { game }) = query?;
    let (game, puzzles) = of(&game)?;
    let day = now_ms() / DAY;
    let number = daily_number(game, day, puzzles.len());
    Ok(Json(Daily { day, task: Task::new(game, number, &puzzles[number - 1]) }))
}

/// The puzzle of a day, from 1: neither of the easiest nor of the hardest fifth.
fn daily_number(game: &str, day: u64, count: usize) -> usize {
    let draw = Seed(day).derive(game, 0).0 as usize;
    count / 5 + draw % (count - 2 * (count / 5)) + 1
}

/// A puzzle's name in the address.
pub(crate) type Numbered = Result<Path<(String, usize)>, PathRejection>;

fn find(path: Numbered) -> Result<(&'static str, usize, &'static Puzzle), Fault> {
    let missing = || Fault::new(StatusCode::NOT_FOUND, "no such puzzle");
    let Path((game, number)) = path.map_err(|_| missing())?;
    let (game, puzzles) = of(&game)?;
    let puzzle = number.checked_sub(1).and_then(|place| puzzles.get(place)).ok_or_else(missing)?;
    Ok((game, number, puzzle))
}

/// `GET /api/puzzles/GAME/NUMBER`.
pub(crate) async fn look(path: Numbered) -> Result<Json<Task>, Fault> {
    let (game, number, puzzle) = find(path)?;
    Ok(Json(Task::new(game, number, puzzle)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Attempt {
    /// All moves so far, replies too.
    moves: Vec<String>,
    /// Show the solution, whatever was played.
    #[serde(default)]
    give_up: bool,
}

#[derive(Serialize)]
pub(crate) struct AttemptAnswer {
    right: bool,
    solved: bool,
    /// What the other side plays.
    reply: Option<&'static str>,
    /// Once it is solved or given up.
    solution: Option<Solution>,
}

#[derive(Serialize)]
struct Solution {
    line: &'static [String],
    right: &'static str,
    next: &'static str,
    command: &'static str,
}

/// `POST /api/puzzles/GAME/NUMBER/try`.
pub(crate) async fn attempt(path: Numbered, input: Input<Attempt>) -> Result<Json<AttemptAnswer>, Fault> {
    let (_, _, puzzle) = find(path)?;
    let Json(Attempt { moves, give_up }) = input?;
    let right = moves.len() % 2 == 1 && puzzle.line.starts_with(&moves);
    let solved = right && moves.len() == puzzle.line.len();
    let reply = if right { puzzle.line.get(moves.len()).map(String::as_str) } else { None };
    let solution = (solved || give_up).then_some(Solution {
        line: &puzzle.line,
        right: &puzzle.right,
        next: &puzzle.next,
        command: &puzzle.command,
    });
    Ok(Json(AttemptAnswer { right, solved, reply, solution }))
}

/// A player's rating, as the browser keeps it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    rating: f64,
    deviation: f64,
    volatility: f64,
    games: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PuzzleOutcome {
    player: Option<Known>,
    solved: bool,
}

/// `POST /api/puzzles/GAME/NUMBER/rate`: the rating after this puzzle, which counts as a game won or lost.
pub(crate) async fn rate(path: Numbered, input: Input<PuzzleOutcome>) -> Result<Json<GlickoRating>, Fault> {
    let (_, _, puzzle) = find(path)?;
    let Json(PuzzleOutcome { player, solved }) = input?;
    let own = match player {
        None => GlickoRating { rating: BEGINNER, ..GlickoRating::default() },
        Some(Known { rating, deviation, volatility, games }) => {
            let is_one = (-2000.0..=5000.0).contains(&rating)
                && (1.0..=350.0).contains(&deviation)
                && (0.001..=0.5).contains(&volatility);
            let fault = || Fault::bad_request("`player`: expected what an earlier answer gave");
            is_one.then_some(GlickoRating { rating, deviation, volatility, games }).ok_or_else(fault)?
        }
    };
    let other =
        GlickoRating { rating: f64::from(puzzle.rating), deviation: DEVIATION, ..GlickoRating::default() };
    Ok(Json(glicko::after(&own, &[(other, if solved { 1.0 } else { 0.0 })])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_day_has_its_puzzle_of_middling_difficulty() {
        let numbers: Vec<usize> = (20_000..20_100).map(|day| daily_number("othello", day, 1000)).collect();
        assert!(numbers.iter().all(|number| (201..=800).contains(number)), "{numbers:?}");
        let different: std::collections::HashSet<_> = numbers.iter().collect();
        assert!(different.len() > 80, "{}", different.len());
        assert_eq!(daily_number("othello", 20_000, 1), 1);
    }

    #[test]
    fn every_shipped_puzzle_can_be_read() {
        assert!(all().values().all(|puzzles| !puzzles.is_empty()));
        assert!(of("go").is_err());
    }
}
