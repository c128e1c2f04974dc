//! S2, Mühle: search techniques, quiescence, endgame tables and learned heuristics of Nine Men's Morris.

pub mod heuristics;
pub mod perfect;
pub mod quiescence;
pub mod search;
pub mod searches;
pub mod tablebase;
mod teaching;

use crate::contest::{From, Match};
use crate::report::{Column, Entry, ReportTable};

/// The rules that S2 played by.
const RULES: &str = "thesis";

/// Mühle 2.43 as a player: all techniques but aspiration (S2, 2.9), one search a move, and a random number of at most 0.05
/// on every evaluation, so that games differ (S2, 4.6). The moves of its table come first, which is ours.
fn muehle(rest: &str) -> String {
    searching("forcing-moves-first,without=aspiration", rest)
}

/// A player that searches with a rung as S2 prints it.
fn searching(rung: &str, rest: &str) -> String {
    format!("minimax:rung={rung},printed=on,root=one-search,eval-noise=0.05,{rest}")
}

/// A match of Morris from the usual start, drawn after `plies`.
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
