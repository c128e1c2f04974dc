//! S3, 3.2 and 4.2: random games in numbers, and the two yardsticks against each other (tables 1 and 2).

use serde::Deserialize;

use super::randoms::{Lengths, Randoms};
use super::{minimax, results, rows};
use crate::cell::{Cell, Work};
use crate::conduct::{Conduct, Outcome};
use crate::contest::Match;
use crate::error::StudyError;
use crate::report::{Column, Entry, Finding, Section, Table, Verdict};
use crate::statistics::{deviation, mean, shown};

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// Random games whose lengths are counted.
    random_games: u64,
    /// Passes of table 1.
    passes: u64,
    /// Games of a pass, and with each colour in table 2.
    games: u64,
    /// Plies that minimax looks ahead.
    depth: u32,
}

/// Random games in a cell.
const PER_CELL: u64 = 20_000;

/// Plays and compares.
pub fn procedure(conduct: &mut Conduct) -> Result<Outcome, StudyError> {
    let Parameters { random_games, passes, games, depth } = conduct.parameters()?;
    let lengths = lengths(conduct, random_games)?;
    let pass = |number| Match {
        per_cell: 100,
        ..Match::othello(format!("pass {number}"), "random", "random", games)
    };
    let random = conduct.matches("table 1", &(1..=passes).map(pass).collect::<Vec<_>>())?;
    let contest = Match::othello("minimax against random", &minimax(depth), "random", 2 * games);
    let yardstick = conduct.matches("table 2", &[contest])?.remove(0);
    // Every game of a pass is one random player against another: both of its colours count for Black.
    let rates: Vec<f64> = random
        .iter()
        .map(|score| {
            100.0 * (score.black.points() + score.white.reversed().points()) / score.all().games() as f64
        })
        .collect();
    let (middle, spread) =
        (mean(&rates), deviation(&rates) * (passes as f64 / (passes as f64 - 1.0).max(1.0)).sqrt());
    let published = conduct.published("1").column("rate");
    let mut table_1 = Table::new(
        "table-1",
        "Table 1: random against random, Black's results in each pass",
        ["pass", "won", "drawn", "lost", "rate, %"]
            .map(Column::ours)
            .into_iter()
            .chain([Column::published("rate, %")])
            .collect(),
    );
    for (at, score) in random.iter().enumerate() {
        let mut black = score.black;
        black += score.white.reversed();
        table_1.push(vec![
            Entry::count(at as u64 + 1),
            Entry::count(black.wins),
            Entry::count(black.draws),
            Entry::count(black.losses),
            Entry::number(rates[at], 2),
            Entry::maybe(published.get(at).copied(), 2),
        ]);
    }
    let mut summary = Table::new(
        "table-1-summary",
        "Mean and spread of the passes; 95 of 100 further passes lie in the band",
        vec![Column::label(""), Column::ours("ours"), Column::published("S3")],
    );
    for (name, ours, theirs) in [
        ("mean, %", middle, 47.92),
        ("standard deviation", spread, 1.812_947),
        ("band from, %", middle - 1.96 * spread, 44.366),
        ("band to, %", middle + 1.96 * spread, 51.473),
    ] {
        summary.push(vec![Entry::text(name), Entry::number(ours, 2), Entry::number(theirs, 2)]);
    }
    let mut table_2 =
        results("table-2", &format!("Table 2: minimax of depth {depth} against random"), "minimax has");
    rows(&mut table_2, "", &yardstick, &conduct.published("2"));
    let black = lengths.black_wins as f64 + 0.5 * lengths.draws as f64;
    let error = 0.5 / (lengths.games as f64).sqrt();
    let share = black / lengths.games as f64;
    let findings = vec![
        Finding::new(
            "With random moves White has a small advantage.",
            match (share - 0.5) / error {
                z if z < -2.0 => Verdict::Confirmed,
                z if z > 2.0 => Verdict::Refuted,
                _ => Verdict::Open,
            },
            format!(
                "Black scores {:.2}% \u{b1} {:.2} of {} random games, and {middle:.2}% in the passes (S3: 47.92%).",
                100.0 * share,
                196.0 * error,
                lengths.games
            ),
        ),
        Finding::new(
            "Minimax of depth 4 beats random in about 86% of games.",
            Verdict::of((yardstick.all().rate() - 0.858).abs() < 0.05),
            format!("{} of {} games.", shown(&yardstick.all()), yardstick.all().games()),
        ),
    ];
    let sections = vec![
        Section::new("The length of random games (section 3.2)", vec![length_table(&lengths).into()]),
        Section::new("Random against random (table 1)", vec![table_1.into(), summary.into()]),
        Section::new("Minimax against random (table 2)", vec![table_2.into()]),
    ];
    Ok(Outcome { findings, sections })
}

fn lengths(conduct: &mut Conduct, games: u64) -> Result<Lengths, StudyError> {
    let seed = conduct.seed().derive("random games", 0).0;
    let cell = |number: u64| {
        let first = number * PER_CELL;
        let work = Work::Randoms(Randoms { first, count: PER_CELL.min(games - first), seed });
        Cell { name: format!("random games {number}"), work }
    };
    let all: Vec<Lengths> =
        conduct.cells("random games", (0..games.div_ceil(PER_CELL)).map(cell).collect())?;
    let merged = all.into_iter().reduce(Lengths::merge);
    merged.ok_or_else(|| StudyError::Procedure("random_games: expected at least one".into()))
}

fn length_table(lengths: &Lengths) -> Table {
    let mut table = Table::new(
        "random-games",
        "Plies, passes included",
        vec![Column::label(""), Column::ours("ours"), Column::published("S3")],
    );
    for (name, ours, theirs, digits) in [
        ("games", lengths.games as f64, 4e6, 0),
        ("shortest", f64::from(lengths.shortest), 10.0, 0),
        ("longest", f64::from(lengths.longest), 70.0, 0),
        ("mean", lengths.plies as f64 / lengths.games as f64, 60.42, 2),
        ("first pass at ply", lengths.first_pass.map_or(f64::NAN, f64::from), 9.0, 0),
    ] {
        table.push(vec![Entry::text(name), Entry::number(ours, digits), Entry::number(theirs, digits)]);
    }
    table
}
