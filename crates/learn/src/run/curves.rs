//! Curves: what was measured step by step, as CSV for other programs and as SVG to look at.

use std::collections::BTreeMap;
use std::fmt::Write;

use trilith_base::markup::escape;

/// Rows of measures by step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    columns: Vec<String>,
    rows: BTreeMap<u64, Vec<f64>>,
}

const STEP: &str = "step";

impl Curves {
    /// Adds the measures of a step. New names become columns; what a row lacks is left empty.
    pub fn add<'a>(&mut self, step: u64, measures: impl IntoIterator<Item = (&'a str, f64)>) {
        for (name, number) in measures {
            let column = self.columns.iter().position(|column| column == name).unwrap_or_else(|| {
                self.columns.push(name.into());
                self.columns.len() - 1
            });
            let row = self.rows.entry(step).or_default();
            row.resize(row.len().max(column + 1), f64::NAN);
            row[column] = number;
        }
    }

    /// Takes back what was measured after `step`.
    pub fn forget_after(&mut self, step: u64) {
        self.rows.retain(|&at, _| at <= step);
    }

    /// The names of the columns, in the order in which they came up.
    pub fn names(&self) -> Vec<&str> {
        self.columns.iter().map(String::as_str).collect()
    }

    /// A column from the first step to the last, without gaps filled.
    pub fn column(&self, name: &str) -> Vec<(u64, f64)> {
        let Some(at) = self.columns.iter().position(|column| column == name) else { return Vec::new() };
        let points = self.rows.iter().filter_map(|(&step, row)| Some((step, *row.get(at)?)));
        points.filter(|point| point.1.is_finite()).collect()
    }

    /// Comma-separated, one row a step, names first. Numbers are written so that they are read back exactly.
    pub fn csv(&self) -> String {
        let mut text = format!("{STEP},{}\n", self.columns.join(","));
        for (step, row) in &self.rows {
            write!(text, "{step}").expect("texts can be written to");
            for at in 0..self.columns.len() {
                match row.get(at) {
                    Some(number) if number.is_finite() => write!(text, ",{number}"),
                    _ => write!(text, ","),
                }
                .expect("texts can be written to");
            }
            text.push('\n');
        }
        text
    }

    /// Reads what [`Curves::csv`] wrote; lines that are not such rows, as a crash can leave, are left out.
    pub fn parse(text: &str) -> Curves {
        let mut lines = text.lines();
        let names = lines.next().and_then(|line| line.strip_prefix("step,")).unwrap_or_default();
        let columns: Vec<String> = names.split(',').filter(|name| !name.is_empty()).map(Into::into).collect();
        let row = |line: &str| {
            let mut cells = line.split(',');
            let step: u64 = cells.next()?.parse().ok()?;
            let numbers: Vec<f64> = cells.map(|cell| cell.parse().unwrap_or(f64::NAN)).collect();
            (numbers.len() == columns.len()).then_some((step, numbers))
        };
        let rows = lines.filter_map(row).collect();
        Curves { columns, rows }
    }

    /// One panel a column, the step to the right.
    pub fn svg(&self, title: &str) -> String {
        const WIDTH: f64 = 640.0;
        const PANEL: f64 = 120.0;
        let height = 30.0 + PANEL * self.columns.len() as f64;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
             font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"8\" y=\"18\" \
             font-size=\"13\">{}</text>\n",
            escape(title)
        );
        for (number, name) in self.columns.iter().enumerate() {
            panel(&mut svg, name, &thinned(self.column(name)), 30.0 + PANEL * number as f64, WIDTH, PANEL);
        }
        svg.push_str("</svg>\n");
        svg
    }
}

/// At most so many points are drawn, evenly spread.
const DRAWN: usize = 600;

fn thinned(points: Vec<(u64, f64)>) -> Vec<(u64, f64)> {
    let apart = points.len().div_ceil(DRAWN).max(1);
    let last = points.last().copied();
    let mut kept: Vec<_> = points.into_iter().step_by(apart).collect();
    if kept.last() != last.as_ref() {
        kept.extend(last);
    }
    kept
}

fn panel(svg: &mut String, name: &str, points: &[(u64, f64)], top: f64, width: f64, height: f64) {
    let (left, right, under) = (70.0, width - 10.0, top + height - 20.0);
    let low = points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
    let high = points.iter().map(|point| point.1).fold(f64::NEG_INFINITY, f64::max);
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
    let spread = if high > low { high - low } else { 1.0 };
    let steps = (last.0 - first.0).max(1) as f64;
    let x = |step: u64| left + (right - left) * (step - first.0) as f64 / steps;
    let y = |number: f64| under - (height - 40.0) * (number - low) / spread;
    let line: Vec<String> = points.iter().map(|&(step, n)| format!("{:.1},{:.1}", x(step), y(n))).collect();
    let texts = [
        (left, top + 12.0, "start", escape(name)),
        (left - 6.0, y(high) + 4.0, "end", format!("{high:.4}")),
        (left - 6.0, under, "end", format!("{low:.4}")),
        (right, under + 14.0, "end", last.0.to_string()),
        (left, under + 14.0, "start", first.0.to_string()),
    ];
    for (x, y, anchor, text) in texts {
        writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>")
            .expect("texts can be written to");
    }
    writeln!(svg, "<path d=\"M{left} {under}H{right}\" stroke=\"#bbb\"/>").expect("texts can be written to");
    writeln!(svg, "<polyline points=\"{}\" fill=\"none\" stroke=\"#06c\"/>", line.join(" "))
        .expect("texts can be written to");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curves() -> Curves {
        let mut curves = Curves::default();
        curves.add(1, [("loss", 0.1 + 0.2), ("rate", 1e-9)]);
        curves.add(2, [("loss", f64::NAN)]);
        curves.add(30, [("loss", -3.0), ("late", 7.0)]);
        curves
    }

    #[test]
    fn csv_is_read_back_to_the_last_bit() {
        let text = curves().csv();
        assert_eq!(text.lines().next(), Some("step,loss,rate,late"));
        let read = Curves::parse(&format!("{text}31,0.4"));
        assert_eq!(read.csv(), text, "a line cut short is left out");
        assert_eq!(read.column("loss"), [(1, 0.1 + 0.2), (30, -3.0)]);
        assert_eq!(Curves::parse(""), Curves::default());
    }

    #[test]
    fn later_rows_can_be_taken_back_and_pictures_have_a_panel_a_column() {
        let mut curves = curves();
        curves.forget_after(2);
        assert_eq!(curves.column("late"), []);
        assert_eq!(curves.svg("a < b").matches("<polyline").count(), 2);
        let many: Vec<_> = (0..10_000).map(|step| (step, 0.0)).collect();
        let thin = thinned(many);
        assert!(thin.len() <= DRAWN + 1 && thin.last() == Some(&(9999, 0.0)));
    }
}
