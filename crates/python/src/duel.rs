//! Matches: between specs in Rust; what results of any other games say, for matches with Python's own players.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use pyo3::prelude::*;
use serde_json::json;
use trilith_arena::contest::{Duel, OpeningSource};
use trilith_arena::first_colour;
use trilith_arena::statistics::ratings::{Encounter, rate};
use trilith_arena::statistics::{Pairs, Sprt, Tally};
use trilith_base::Seed;
use trilith_games::Colour;

use crate::fault;

/// Plays a match between two specs and reports it as JSON; Ctrl-C ends it and keeps what was played. `first` counts the
/// games that `a` began.
#[pyfunction]
#[pyo3(signature = (game, a, b, games, rules="", openings=None, sprt=None, seed=1, threads=1))]
#[allow(clippy::too_many_arguments)]
pub fn match_json(
    py: Python<'_>,
    game: &str,
    a: &str,
    b: &str,
    games: u64,
    rules: &str,
    openings: Option<&str>,
    sprt: Option<&str>,
    seed: u64,
    threads: usize,
) -> PyResult<String> {
    let duel = Duel {
        rules: rules.into(),
        openings: openings
            .map(OpeningSource::from_str)
            .transpose()
            .map_err(fault::value)?
            .unwrap_or_default(),
        sprt: sprt.map(Sprt::from_str).transpose().map_err(fault::value)?,
        seed: Seed(seed),
        threads: threads.max(1),
        ..Duel::new(game, a, b, games)
    };
    let stop: Arc<AtomicBool> = Arc::default();
    let flag = stop.clone();
    let begins = first_colour(game).map_err(fault::value)?;
    let mut first = Tally::default();
    let played = py.detach(|| {
        duel.play(&stop, |progress| {
            let of_a = if progress.result.number.is_multiple_of(2) { Colour::Black } else { Colour::White };
            if of_a == begins {
                first.count(progress.result.sign(of_a));
            }
            if Python::attach(|py| py.check_signals()).is_err() {
                flag.store(true, Relaxed);
            }
        })
    });
    let mut report = json!(played.map_err(fault::value)?.0);
    report["first"] = json!(first);
    Ok(report.to_string())
}

/// Ratings from `(first, second, wins, draws, losses)` of the side that began, as JSON.
#[pyfunction]
pub fn rate_json(players: usize, encounters: Vec<(usize, usize, u64, u64, u64)>) -> PyResult<String> {
    let encounter = |(first, second, wins, draws, losses)| Encounter {
        first,
        second,
        tally: Tally { wins, draws, losses },
    };
    if encounters.iter().any(|&(first, second, ..)| first.max(second) >= players || first == second) {
        return Err(pyo3::exceptions::PyValueError::new_err(format!(
            "players: expected two of 0 to {players}"
        )));
    }
    Ok(json!(rate(players, &encounters.into_iter().map(encounter).collect::<Vec<_>>())).to_string())
}

/// What results say, as JSON: signs of `a`'s games in their order, two of the same opening after each
/// other, the first of which it began.
#[pyfunction]
#[pyo3(signature = (signs, sprt=None))]
pub fn score_json(signs: Vec<i32>, sprt: Option<&str>) -> PyResult<String> {
    let sprt: Option<Sprt> = sprt.map(str::parse).transpose().map_err(fault::value)?;
    let (mut tally, mut first, mut pairs) = (Tally::default(), Tally::default(), Pairs::default());
    signs.iter().for_each(|&sign| tally.count(sign.signum()));
    signs.iter().step_by(2).for_each(|&sign| first.count(sign.signum()));
    let (whole, _) = signs.as_chunks::<2>();
    whole.iter().for_each(|pair| pairs.add(pair[0].signum() + pair[1].signum()));
    let is_paired = pairs.count() > 0 && pairs.count() * 2 == tally.games();
    let interval = if is_paired { pairs.interval() } else { tally.interval() };
    let test = sprt.map(|sprt| {
        let llr = sprt.pentanomial(&pairs);
        let (lower, upper) = sprt.bounds();
        json!({"test": sprt.to_string(), "llr": llr, "lower": lower, "upper": upper,
               "verdict": sprt.verdict(llr).name()})
    });
    let report = json!({
        "games": tally.games(), "wins": tally.wins, "draws": tally.draws, "losses": tally.losses,
        "rate": tally.rate(), "points": tally.points(), "elo": interval.elo, "elo_low": interval.low,
        "elo_high": interval.high, "los": interval.los, "pairs": pairs.0, "sprt": test,
        "faults": 0, "first": first,
    });
    Ok(report.to_string())
}
