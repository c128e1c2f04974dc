//! `trilith bench arena`: what a match costs beside its players.

use std::sync::Arc;

use serde::Serialize;
use trilith_arena::GAMES;
use trilith_arena::contest::{Adjudication, Duel, DuelReport, OpeningSource, Pace};

/// What matches cost.
#[derive(Serialize)]
pub struct MatchCost {
    /// What the random players play.
    game: &'static str,
    /// Whole games of two random players, on one thread.
    random_games: u64,
    random_games_seconds: f64,
    /// For each game, the share of a match at 1 ms a move that players think.
    thinking: Vec<(&'static str, f64)>,
}

const RANDOM_GAMES: u64 = 10_000;
const ENGINE_GAMES: u64 = 10;

/// Measures on one thread.
pub fn measure() -> anyhow::Result<MatchCost> {
    let random = play(GAMES[0], "random", RANDOM_GAMES, Pace::default())?;
    let short = Pace { time: Some(1), ..Pace::default() };
    let mut thinking = Vec::new();
    for &game in GAMES {
        thinking.push((game, play(game, "engine", ENGINE_GAMES, short)?.thinking));
    }
    Ok(MatchCost {
        game: GAMES[0],
        random_games: RANDOM_GAMES,
        random_games_seconds: random.seconds,
        thinking,
    })
}

/// Prints for people.
pub fn print(cost: &MatchCost) {
    println!("{} random games of {}: {:.3} s", cost.random_games, cost.game, cost.random_games_seconds);
    for (game, share) in &cost.thinking {
        println!("{game} at 1 ms a move: {:.1}% of the time in players", share * 100.0);
    }
}

fn play(game: &str, player: &str, games: u64, pace: Pace) -> anyhow::Result<DuelReport> {
    let duel = Duel {
        openings: OpeningSource::Start,
        pace,
        adjudication: Adjudication { plies: Some(200), ..Adjudication::default() },
        ..Duel::new(game, player, player, games)
    };
    Ok(duel.play(&Arc::default(), |_| ())?.0)
}
