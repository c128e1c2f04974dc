//! S2, chapter 3: the endgames with up to eight stones (table 3.1), and what they are worth in play (table 3.2).

use std::path::Path;

use serde::{Deserialize, Serialize};
use trilith_arena::statistics::Tally;
use trilith_games::morris::THESIS;
use trilith_tablebase::{BuildPlan, build, stats};

use super::{contest, row, won_lost_drawn};
use crate::conduct::{Conduct, StudyOutcome};
use crate::error::StudyError;
use crate::report::{Column, Entry, Finding, ReportTable, Section};
use crate::statistics::{Estimate, counted, shown};

/// What the study's file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TablebaseParameters {
    /// Stones on the board, at most.
    stones: u32,
    /// Games with tables against without.
    games: u64,
    /// Nodes a move.
    nodes: u64,
    /// Games are drawn after so many plies.
    plies: u32,
}

/// What was built.
#[derive(Serialize, Deserialize)]
struct Built {
    /// Subspace, wins, draws, losses, longest, bytes.
    rows: Vec<(String, u64, u64, u64, u32, u64)>,
    /// Name, published, ours.
    published: Vec<(String, u64, u64)>,
}

/// Builds, counts, plays.
pub fn procedure(conduct: &mut Conduct) -> Result<StudyOutcome, StudyError> {
    let TablebaseParameters { stones, games, nodes, plies } = conduct.parameters()?;
    let folder = conduct.runs().join(format!("morris-thesis-{stones}"));
    let place = folder.clone();
    let built: Built = conduct.here("tables", move |threads, _| build_and_count(&place, stones, threads))?;
    let seconds = conduct.seconds(["tables"]);
    let engine = |tables: &str| {
        format!("engine:nodes={nodes},eval=standard,radius=0.05,selectivity=off,tables={tables}")
    };
    let with = engine(&format!("\"{}\"", folder.display()));
    let matches = [contest("with against without", &with, &engine("off"), games, plies)];
    let score = conduct.matches("games", &matches)?.remove(0).all();
    let published = conduct.published("3.2");
    let printed = ["won", "lost", "drawn"].map(|column| published.number("with tables", column));
    let caption =
        format!("Table 3.2: with tables against without; ours {nodes} nodes a move, S2's five seconds");
    let mut play = won_lost_drawn("table-3.2", &caption, "");
    play.push(row("with tables", &score, printed));
    let sections = vec![
        Section::new("Counts (table 3.1)", vec![table_3_1(&built).into(), all_tables(&built).into()]),
        Section::new("Time", vec![times(&built, seconds).into()]),
        Section::new("In play (table 3.2)", vec![play.into()]),
    ];
    let counts = conduct.published("3.1");
    let printed = counts.words("positions", |number| format!("{number}"));
    let printed = format!("{printed}: {} in all (table 3.1)", counts.column("positions").iter().sum::<f64>());
    let findings = vec![counts_finding(&built, &printed), play_finding(&score, nodes)];
    Ok(StudyOutcome { findings, sections })
}

fn build_and_count(place: &Path, stones: u32, threads: usize) -> Result<Built, StudyError> {
    build(place, &THESIS, &BuildPlan { threads, ..BuildPlan::up_to(stones) }, |_| ())?;
    let tables = trilith_tablebase::Tables::open(place, &THESIS)?;
    let row = |row: stats::TableStatistics| {
        (row.subspace.to_string(), row.wins, row.draws, row.losses, row.max_plies, row.bytes)
    };
    let published = stats::table_3_1(&tables).into_iter().map(|row| (row.name, row.published, row.ours));
    Ok(Built { rows: stats::rows(&tables).into_iter().map(row).collect(), published: published.collect() })
}

fn counts_finding(built: &Built, printed: &str) -> Finding {
    let same = built.published.iter().filter(|row| row.1 == row.2).count();
    let all = built.published.len();
    let wrong: Vec<String> = built
        .published
        .iter()
        .filter(|row| row.1 != row.2)
        .map(|(name, theirs, ours)| format!("{name} {ours} (published {theirs})"))
        .collect();
    let why = "Counting moves of flying stones that close a mill without taking a stone gives the published numbers of these \
               rows (docs/tablebases.md).";
    let others = if wrong.is_empty() { String::new() } else { format!(" Not: {}. {why}", wrong.join(", ")) };
    let test =
        counted("rows of table 3.1 that are the same", same as f64, &format!("{all}"), "fewer", same == all);
    let tests = if all == 0 { Vec::new() } else { vec![test] };
    let claim = "The numbers of won and lost positions with up to eight stones are those of table 3.1.";
    Finding::tested(claim, tests, format!("{same} of {all} rows are the same.{others}"))
        .published(printed)
        .differs("None: the same rules and the same symmetries, counted in full.")
}

fn play_finding(score: &Tally, nodes: u64) -> Finding {
    Finding::tested(
        format!(
            "With {nodes} nodes a move the program with tables of up to eight stones beats the one without."
        ),
        vec![Estimate::rate("won with tables, %", score).above(50.0)],
        format!("With tables {} of {} games.", shown(score), score.games()),
    )
    .published("p = 0.067, which is 53.4% (table 3.2)")
    .differs(format!("{nodes} nodes a move instead of five seconds, and the production search."))
}

fn table_3_1(built: &Built) -> ReportTable {
    let columns = vec![
        Column::label("table"),
        Column::ours("positions"),
        Column::published("positions"),
        Column::ours("difference"),
    ];
    let mut table = ReportTable::new(
        "table-3.1",
        "Table 3.1: positions won and lost, symmetric ones counted once",
        columns,
    );
    for (name, theirs, ours) in &built.published {
        let difference = *ours as f64 - *theirs as f64;
        table.push(vec![
            Entry::text(name.as_str()),
            Entry::count(*ours),
            Entry::count(*theirs),
            Entry::number(difference, 0),
        ]);
    }
    table
}

fn all_tables(built: &Built) -> ReportTable {
    let columns = ["wins", "draws", "losses", "longest, plies", "bytes"].map(Column::ours);
    let columns = [Column::label("stones, side to move first")].into_iter().chain(columns).collect();
    let mut table = ReportTable::new("tables", "All tables that were built", columns);
    for (name, wins, draws, losses, longest, bytes) in &built.rows {
        let numbers = [*wins, *draws, *losses, u64::from(*longest), *bytes].map(Entry::count);
        table.push([Entry::text(name.as_str())].into_iter().chain(numbers).collect());
    }
    table
}

fn times(built: &Built, seconds: f64) -> ReportTable {
    let positions: u64 = built.rows.iter().map(|row| row.1 + row.2 + row.3).sum();
    let columns = vec![Column::label("what"), Column::ours("seconds"), Column::ours("positions a second")];
    let mut table = ReportTable::new("time", "Building all tables", columns).timed();
    table.push(vec![
        Entry::text(format!("{positions} positions")),
        Entry::number(seconds, 2),
        Entry::number(positions as f64 / seconds, 0),
    ]);
    table
}
