//! The numbers of a report as comma-separated values.

use crate::report::{Block, Chart, Report, ReportTable};

/// All tables and charts: name, whether it shows times, text.
pub fn csv_files(report: &Report) -> Vec<(String, bool, String)> {
    let blocks = report.sections.iter().flat_map(|section| &section.blocks);
    let file = |block: &Block| match block {
        Block::Text(_) => None,
        Block::Table(table) => Some((table.name.clone(), table.is_timed, table_csv(table))),
        Block::Chart(chart) => Some((chart.name.clone(), chart.is_timed, chart_csv(chart))),
    };
    blocks.filter_map(file).collect()
}

/// A table, titles first; published columns say so.
pub fn table_csv(table: &ReportTable) -> String {
    let title = |column: &crate::report::Column| match column.origin {
        crate::report::Origin::Published => format!("{} (published)", column.title),
        _ => column.title.clone(),
    };
    let mut text = line(table.columns.iter().map(title));
    for row in &table.rows {
        text += &line(row.iter().map(ToString::to_string));
    }
    text
}

/// A chart: one row a point. Numbers are written so that they are read back exactly.
pub fn chart_csv(chart: &Chart) -> String {
    let mut text = String::from("series,x,y\n");
    for series in &chart.series {
        let name =
            if series.is_published { format!("{} (published)", series.name) } else { series.name.clone() };
        for &(x, y) in &series.points {
            let x = chart.places.get(x as usize).cloned().unwrap_or_else(|| x.to_string());
            text += &line([name.clone(), x, y.to_string()].into_iter());
        }
    }
    text
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let quoted = |cell: String| match cell.contains([',', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell,
    };
    cells.map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Axis, Column, Entry, Series};

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let mut table = ReportTable::new("t", "", vec![Column::label("who, what"), Column::published("n")]);
        table.push(vec![Entry::text("a \"b\""), Entry::number(1.0 / 3.0, 2)]);
        table.push(vec![Entry::text("c"), Entry::Empty]);
        assert_eq!(table_csv(&table), "\"who, what\",n (published)\n\"a \"\"b\"\"\",0.33\nc,\n");
    }

    #[test]
    fn points_are_rows_and_bars_have_names() {
        let axis = || Axis::even("");
        let chart = Chart::lines("c", "", axis(), axis(), vec![Series::published("p", vec![(1.0, 0.1)])]);
        assert_eq!(chart_csv(&chart), "series,x,y\np (published),1,0.1\n");
        let bars = Chart::bars("b", "", axis(), vec!["one".into()], vec![("s".into(), vec![2.0])]);
        assert_eq!(chart_csv(&bars), "series,x,y\ns,one,2\n");
    }
}
