//! Published and ours in one chart: bars for tables with a column of each.

use crate::report::{Axis, Block, Chart, Column, Entry, Origin, ReportTable, Series};

/// At most so many bars stand in a chart.
const BARS: usize = 48;
/// At most so many columns of ours.
const COLUMNS: usize = 3;
/// Counts of games say little beside those of another number of games; their rate stands in the same table.
const GAMES: [&str; 3] = ["won", "drawn", "lost"];
/// From this factor between the largest and the smallest on, equal steps are equal factors.
const FACTOR: f64 = 100.0;

/// A column of ours and the published one of the same title, by place.
#[derive(Clone, Copy)]
struct Pair {
    ours: usize,
    theirs: usize,
}

/// The charts that belong below the table at `at`; none for other blocks, and where the table's own chart, the next one,
/// shows published numbers already.
pub(super) fn below(blocks: &[Block], at: usize) -> Vec<Chart> {
    let Some(Block::Table(table)) = blocks.get(at) else { return Vec::new() };
    let own = blocks[at + 1..].iter().find_map(|block| match block {
        Block::Chart(chart) => Some(chart.series.iter().any(Series::is_theirs)),
        Block::Table(next) if !pairs(next).is_empty() => Some(false),
        _ => None,
    });
    if own == Some(true) { Vec::new() } else { charts(table) }
}

/// One chart of the columns that are printed to as many digits; of more than two such groups the last.
fn charts(table: &ReportTable) -> Vec<Chart> {
    let mut groups: Vec<(usize, Vec<Pair>)> = Vec::new();
    for pair in pairs(table) {
        let digits = digits(table, pair.ours);
        match groups.iter_mut().find(|group| group.0 == digits) {
            Some((_, own)) => own.push(pair),
            None => groups.push((digits, vec![pair])),
        }
    }
    let first = if groups.len() > 2 { groups.len() - 1 } else { 0 };
    groups[first..].iter().map(|(_, pairs)| chart(table, pairs)).collect()
}

/// Columns of both that have numbers in the same row.
fn pairs(table: &ReportTable) -> Vec<Pair> {
    let place = |title: &str, origin| {
        table.columns.iter().position(|column| column.origin == origin && column.title == title)
    };
    let ours = table.columns.iter().enumerate().filter(|(_, column)| column.origin == Origin::Ours);
    let pairs = ours.filter_map(|(ours, Column { title, .. })| {
        Some(Pair { ours, theirs: place(title, Origin::Published)? })
    });
    let all: Vec<Pair> = pairs.filter(|pair| !rows(table, &[*pair]).is_empty()).collect();
    let is_game = |pair: &Pair| GAMES.contains(&table.columns[pair.ours].title.as_str());
    match all.iter().all(is_game) {
        true => all,
        false => all.into_iter().filter(|pair| !is_game(pair)).collect(),
    }
}

fn digits(table: &ReportTable, column: usize) -> usize {
    let digits = |row: &Vec<Entry>| match row[column] {
        Entry::Number(_, digits) => Some(digits),
        _ => None,
    };
    table.rows.iter().filter_map(digits).max().unwrap_or(0)
}

/// Where one of the pairs has both numbers.
fn rows(table: &ReportTable, pairs: &[Pair]) -> Vec<usize> {
    let is_whole =
        |row: &[Entry], pair: &Pair| number(&row[pair.ours]).and(number(&row[pair.theirs])).is_some();
    let whole = |at: &usize| pairs.iter().any(|pair| is_whole(&table.rows[*at], pair));
    (0..table.rows.len()).filter(whole).collect()
}

fn number(entry: &Entry) -> Option<f64> {
    match entry {
        Entry::Number(number, _) => Some(*number),
        Entry::Text(text) => text.parse().ok().filter(|number: &f64| number.is_finite()),
        Entry::Empty => None,
    }
}

/// As many of the last columns as can be read; of too many rows every second, third or so.
fn chart(table: &ReportTable, pairs: &[Pair]) -> Chart {
    let most = COLUMNS.min(pairs.len());
    let last = |count: usize| &pairs[pairs.len() - count..];
    let is_readable = |count: &usize| 2 * count * rows(table, last(*count)).len() <= BARS;
    let shown = last((1..=most).rev().find(is_readable).unwrap_or(1));
    let all = rows(table, shown);
    let every = (2 * shown.len() * all.len()).div_ceil(BARS).max(1);
    let chosen: Vec<usize> = all.into_iter().step_by(every).collect();
    let title = |pair: &Pair| table.columns[pair.ours].title.as_str();
    let points = |column: usize| -> Vec<(f64, f64)> {
        let numbers = (0..).map(f64::from).zip(&chosen);
        numbers.filter_map(|(at, &row)| Some((at, number(&table.rows[row][column])?))).collect()
    };
    let series: Vec<Series> = shown
        .iter()
        .flat_map(|pair| {
            [
                Series::ours(title(pair), points(pair.ours)),
                Series::published(title(pair), points(pair.theirs)),
            ]
        })
        .collect();
    let titles: Vec<&str> = shown.iter().map(title).collect();
    let left_out = if every == 1 { String::new() } else { format!(" (one row of {every})") };
    let caption = format!("Published beside ours: {}{left_out}", titles.join("; "));
    let axis = match titles[..] {
        [title] => title,
        _ if titles.iter().all(|title| title.ends_with('%')) => "%",
        // The legend names them.
        _ => "",
    };
    let y = Axis { title: axis.into(), is_logarithmic: spans_factors(&series) };
    let places = chosen.iter().map(|&row| label(table, row)).collect();
    Chart {
        kind: crate::report::ChartKind::Bars,
        places,
        ..Chart::lines(&format!("{}-beside", table.name), &caption, Axis::default(), y, series)
    }
}

/// Whether small numbers could not be seen beside the large ones.
fn spans_factors(series: &[Series]) -> bool {
    let numbers = || series.iter().flat_map(|series| &series.points).map(|point| point.1);
    let (least, most) = (numbers().fold(f64::INFINITY, f64::min), numbers().fold(0.0, f64::max));
    least > 0.0 && most > FACTOR * least
}

/// What names a row: its labels, or its first entry.
fn label(table: &ReportTable, row: usize) -> String {
    let entries = table.rows[row].iter().zip(&table.columns);
    let labels: Vec<String> = entries
        .filter(|(_, column)| column.origin == Origin::Label)
        .map(|(entry, _)| entry.to_string())
        .collect();
    let label = labels.join(" ").trim().to_owned();
    if labels.is_empty() {
        table.rows[row].first().map(ToString::to_string).unwrap_or_default()
    } else {
        label
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(titles: &[&str], rows: Vec<Vec<Entry>>) -> ReportTable {
        let ours = titles.iter().map(|title| Column::ours(title));
        let theirs = titles.iter().map(|title| Column::published(title));
        let columns = [Column::label("who")].into_iter().chain(ours).chain(theirs).collect();
        ReportTable { rows, ..ReportTable::new("t", "", columns) }
    }

    fn row(name: &str, numbers: &[(f64, usize)]) -> Vec<Entry> {
        let numbers = numbers.iter().map(|&(number, digits)| Entry::number(number, digits));
        [Entry::text(name)].into_iter().chain(numbers).collect()
    }

    #[test]
    fn rates_are_shown_and_counts_of_games_are_not() {
        let rows = vec![row("a", &[(60.0, 0), (0.2, 3), (43.0, 0), (0.1, 3)])];
        let charts = charts(&table(&["won", "p"], rows));
        assert_eq!(charts.len(), 1);
        assert_eq!(charts[0].caption, "Published beside ours: p");
        let points: Vec<_> = charts[0].series.iter().map(|one| (one.is_published, one.points[0].1)).collect();
        assert_eq!(points, [(false, 0.2), (true, 0.1)]);
        assert!(!charts[0].y.is_logarithmic && charts[0].places == ["a"]);
        let only = table(&["won"], vec![row("a", &[(60.0, 0), (43.0, 0)])]);
        assert_eq!(super::charts(&only).len(), 1, "there is nothing else");
    }

    #[test]
    fn what_is_not_printed_has_no_chart() {
        let nothing = table(&["p"], vec![row("a", &[(0.2, 3), (f64::NAN, 3)])]);
        assert!(charts(&nothing).is_empty());
        let words = table(&["p"], vec![vec![Entry::text("a"), Entry::number(0.2, 1), Entry::text("60-80")]]);
        assert!(charts(&words).is_empty(), "no number");
    }

    #[test]
    fn long_tables_stay_readable() {
        let titles = ["depth 3", "depth 4", "depth 5"];
        let rows = |count: u32| -> Vec<Vec<Entry>> {
            let numbers = |at: u32| [(f64::from(at + 1), 2); 6];
            (0..count).map(|at| row(&format!("row {at}"), &numbers(at))).collect()
        };
        let shown = |count| charts(&table(&titles, rows(count))).remove(0);
        assert_eq!(shown(10).caption, "Published beside ours: depth 4; depth 5");
        let long = shown(130);
        assert!(long.places.len() <= BARS / 2 && long.y.is_logarithmic, "{}", long.caption);
        assert_eq!(long.caption, "Published beside ours: depth 5 (one row of 6)");
    }
}
