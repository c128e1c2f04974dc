//! S2, Mühle: search techniques, quiescence, endgame tables and learned heuristics of Nine Men's Morris.

pub mod heuristics;
pub mod quiescence;
pub mod search;
pub mod searches;
pub mod tablebase;

use crate::contest::{From, Match};
use crate::report::{Column, Entry, ReportTable};

/// The rules that S2 played by.
const RULES: &str = "thesis";

/// A match of Morris from the usual start, drawn after `plies`; players differ by lot among nearly equal moves.
fn contest(name: impl Into<String>, a: &str, b: &str, games: u64, plies: u32) -> Match {
    Match {
        rules: RULES.into(),
        plies: Some(plies),
        per_cell: 4,
        openings: From::Start,
        ..Match::new("morris", name, a, b, games)
    }
}

/// A table with won, lost and drawn games, ours and theirs.
fn won_lost_drawn(name: &str, caption: &str, first: &str) -> ReportTable {
    let columns = vec![
        Column::label(first),
        Column::ours("won"),
        Column::ours("lost"),
        Column::ours("drawn"),
        Column::ours("p"),
        Column::published("won"),
        Column::published("lost"),
        Column::published("drawn"),
        Column::published("p"),
    ];
    ReportTable::new(name, caption, columns)
}

/// A row of such a table: ours, then the published numbers.
fn row(name: &str, ours: &trilith_arena::statistics::Tally, published: [Option<f64>; 3]) -> Vec<Entry> {
    let [won, lost, drawn] = published;
    let p = match (won, lost, drawn) {
        (Some(won), Some(lost), Some(drawn)) => Some((won - lost) / (won + lost + drawn)),
        _ => None,
    };
    let mut row = vec![
        Entry::text(name),
        Entry::count(ours.wins),
        Entry::count(ours.losses),
        Entry::count(ours.draws),
        Entry::number(ours.lead(), 3),
    ];
    row.extend(published.map(|number| Entry::maybe(number, 0)));
    row.push(Entry::maybe(p, 3));
    row
}
