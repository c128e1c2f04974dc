//! S3, 3.2 and 4.2: random games in numbers, and the two yardsticks against each other (tables 1 and 2).

use serde::Deserialize;
use trilith_arena::statistics::Tally;

use super::randoms::{Lengths, Randoms};
use super::{minimax, results, rows};
use crate::cell::{CellWork, StudyCell};
use crate::conduct::{Conduct, StudyOutcome};
use crate::contest::Match;
use crate::error::StudyError;
use crate::report::{Column, Entry, Finding, ReportTable, Section};
use crate::statistics::{Estimate, deviation, mean, shown};

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineParameters {
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
pub fn procedure(conduct: &mut Conduct) -> Result<StudyOutcome, StudyError> {
    let BaselineParameters { random_games, passes, games, depth } = conduct.parameters()?;
    let lengths = lengths(conduct, random_games)?;
    let pass = |number| Match {
        per_cell: 100,
        ..Match::new("othello", format!("pass {number}"), "random", "random", games)
    };
    let random = conduct.matches("table 1", &(1..=passes).map(pass).collect::<Vec<_>>())?;
    let contest = Match::new("othello", "minimax against random", &minimax(depth), "random", 2 * games);
    let yardstick = conduct.matches("table 2", &[contest])?.remove(0);
    // Every game of a pass is one random player against another: both of its colours count for Black.
    let black: Vec<Tally> = random
        .iter()
        .map(|score| {
            let mut black = score.black;
            black += score.white.reversed();
            black
        })
        .collect();
    let mut table_2 =
        results("table-2", &format!("Table 2: minimax of depth {depth} against random"), "minimax has");
    rows(&mut table_2, "", &yardstick, &conduct.published("2"));
    let passes = vec![table_1(conduct, &black).into(), summary(&black).into()];
    let sections = vec![
        Section::new("The length of random games (section 3.2)", vec![length_table(&lengths).into()]),
        Section::new("Random against random (table 1)", passes),
        Section::new("Minimax against random (table 2)", vec![table_2.into()]),
    ];
    Ok(StudyOutcome { findings: findings(&lengths, &black, &yardstick.all(), depth), sections })
}

fn table_1(conduct: &Conduct, black: &[Tally]) -> ReportTable {
    let published = conduct.published("1").column("rate");
    let ours = ["pass", "won", "drawn", "lost", "rate, %"].map(Column::ours);
    let columns = ours.into_iter().chain([Column::published("rate, %")]).collect();
    let mut table =
        ReportTable::new("table-1", "Table 1: random against random, Black's results in each pass", columns);
    for (at, tally) in black.iter().enumerate() {
        table.push(vec![
            Entry::count(at as u64 + 1),
            Entry::count(tally.wins),
            Entry::count(tally.draws),
            Entry::count(tally.losses),
            Entry::number(100.0 * tally.rate(), 2),
            Entry::maybe(published.get(at).copied(), 2),
        ]);
    }
    table
}

fn summary(black: &[Tally]) -> ReportTable {
    let rates: Vec<f64> = black.iter().map(|tally| 100.0 * tally.rate()).collect();
    let count = rates.len() as f64;
    let (middle, spread) = (mean(&rates), deviation(&rates) * (count / (count - 1.0).max(1.0)).sqrt());
    let mut table = ReportTable::new(
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
        table.push(vec![Entry::text(name), Entry::number(ours, 2), Entry::number(theirs, 2)]);
    }
    table
}

fn findings(lengths: &Lengths, black: &[Tally], yardstick: &Tally, depth: u32) -> Vec<Finding> {
    let losses = lengths.games - lengths.black_wins - lengths.draws;
    let all = Tally { wins: lengths.black_wins, draws: lengths.draws, losses };
    let rates: Vec<f64> = black.iter().map(|tally| 100.0 * tally.rate()).collect();
    // Table 2: minimax scores 85.8% of 2000 games, an interval of 1.5.
    const FROM: f64 = 84.3;
    const TO: f64 = 87.4;
    vec![
        Finding::tested(
            "With random moves White has a small advantage.",
            vec![Estimate::rate("Black's rate in random games, %", &all).below(50.0)],
            format!(
                "Black scores {} of {} random games, {:.2}% in the passes.",
                shown(&all),
                all.games(),
                mean(&rates)
            ),
        )
        .published("47.92%, band 44.4 to 51.5 (table 1)")
        .differs("None but the draws; more games."),
        Finding::tested(
            "Minimax of depth 4 beats random in about 86% of games.",
            vec![Estimate::rate("minimax against random, %", yardstick).within(FROM, TO)],
            format!("{} of {} games.", shown(yardstick), yardstick.games()),
        )
        .published("85.8% of 2000 games (table 2), 95% interval 84.3 to 87.4")
        .differs(format!("Ours looks {depth} plies ahead; among equal moves by lot.")),
    ]
}

fn lengths(conduct: &mut Conduct, games: u64) -> Result<Lengths, StudyError> {
    let seed = conduct.seed().derive("random games", 0).0;
    let cell = |number: u64| {
        let first = number * PER_CELL;
        let work = CellWork::Randoms(Randoms { first, count: PER_CELL.min(games - first), seed });
        StudyCell { name: format!("random games {number}"), work }
    };
    let all: Vec<Lengths> =
        conduct.cells("random games", (0..games.div_ceil(PER_CELL)).map(cell).collect())?;
    let merged = all.into_iter().reduce(Lengths::merge);
    merged.ok_or_else(|| StudyError::Procedure("random_games: expected at least one".into()))
}

fn length_table(lengths: &Lengths) -> ReportTable {
    let mut table = ReportTable::new(
        "random-games",
        "Plies, passes included; S3's program counts the pass that ends a game before the board is full, too",
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
