//! S3, Reversi: the yardsticks, tables of experience, networks fitted to them, and deep value learning.

pub mod baseline;
pub mod deep;
pub mod networks;
pub mod others;
pub mod randoms;
pub mod tabular;

use crate::contest::MatchScore;
use crate::file::PublishedTable;
use crate::report::{Column, Entry, ReportTable};

/// S3's minimax player, which looks so many plies ahead and counts discs.
fn minimax(depth: u32) -> String {
    format!("minimax:depth={depth},eval=discs")
}

/// The columns of S3's tables of results, ours and theirs.
fn results(name: &str, caption: &str, first: &str) -> ReportTable {
    let ours = ["points", "won", "drawn", "lost", "rate, %", "\u{b1}"].map(Column::ours);
    let theirs = ["won", "drawn", "lost", "rate, %"].map(Column::published);
    let columns = [Column::label(first)].into_iter().chain(ours).chain(theirs).collect();
    ReportTable::new(name, caption, columns)
}

/// Two rows of such a table, with Black and with White. The published table has rows `NAME black` and `NAME white`.
fn rows(table: &mut ReportTable, name: &str, score: &MatchScore, published: &PublishedTable) {
    let points = score.points();
    for (colour, tally, points) in [("black", score.black, points[0]), ("white", score.white, points[1])] {
        let label = format!("{name} {colour}").trim().to_owned();
        let mut row = vec![
            Entry::text(label.as_str()),
            Entry::text(format!("{points}:{}", 64 * tally.games() - points)),
            Entry::count(tally.wins),
            Entry::count(tally.draws),
            Entry::count(tally.losses),
            Entry::number(100.0 * tally.rate(), 2),
            Entry::number(100.0 * crate::statistics::half_width(&tally), 1),
        ];
        row.extend(["won", "drawn", "lost"].map(|column| published.entry(&label, column, 0)));
        row.push(published.entry(&label, "rate", 2));
        table.push(row);
    }
}
