//! Curves: what was measured step by step, as CSV for other programs and as SVG to look at.

use std::collections::BTreeMap;
use std::fmt::Write;

use trilith_base::markup::escape;
use trilith_base::plot::{self, AXIS_LINE, AxisSpan, GRID_LINE, TEXT};

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

    /// One panel a column, the step to the right, with marks and the last value.
    pub fn svg(&self, title: &str) -> String {
        let height = TOP + PANEL * self.columns.len() as f64 + 26.0;
        let mut svg = plot::head(WIDTH, height, title);
        let _ = writeln!(svg, "<text x=\"8\" y=\"20\" font-size=\"15\" {TEXT}>{}</text>", escape(title));
        let steps = AxisSpan::of(self.rows.keys().map(|&step| step as f64), false, false);
        for (number, name) in self.columns.iter().enumerate() {
            panel(&mut svg, number, name, &thinned(self.column(name)), &steps);
        }
        let bottom = TOP + PANEL * self.columns.len() as f64;
        for &tick in &steps.ticks {
            let x = across(&steps, tick);
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" {TEXT}>{}</text>",
                bottom + 2.0,
                plot::label(tick)
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{RIGHT}\" y=\"{:.1}\" text-anchor=\"end\" {TEXT}>step</text>\n</svg>",
            bottom + 18.0
        );
        svg
    }
}

const WIDTH: f64 = 760.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = WIDTH - 16.0;
/// Where the first panel begins.
const TOP: f64 = 34.0;
/// From panel to panel, and the height of the plot in each.
const PANEL: f64 = 170.0;
const PLOT: f64 = 124.0;

fn across(steps: &AxisSpan, step: f64) -> f64 {
    LEFT + (RIGHT - LEFT) * steps.share(step)
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

fn panel(svg: &mut String, number: usize, name: &str, points: &[(u64, f64)], steps: &AxisSpan) {
    let Some(&(_, last)) = points.last() else { return };
    let top = TOP + PANEL * number as f64 + 24.0;
    let values = AxisSpan::of(points.iter().map(|point| point.1), false, false);
    let y = |value: f64| top + PLOT * (1.0 - values.share(value));
    let heading = format!("{}, now {}", escape(name), number_text(last));
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{:.1}\" font-weight=\"bold\" {TEXT}>{heading}</text>",
        top - 8.0
    );
    for &tick in &values.ticks {
        let (at, label) = (y(tick), plot::label(tick));
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {at:.1}H{RIGHT}\" {GRID_LINE}/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" \
             {TEXT}>{label}</text>",
            LEFT - 6.0,
            at + 4.0
        );
    }
    for &tick in &steps.ticks {
        let x = across(steps, tick);
        let _ = writeln!(svg, "<path d=\"M{x:.1} {:.1}v4\" {AXIS_LINE}/>", top + PLOT);
    }
    let _ = writeln!(svg, "<path d=\"M{LEFT} {top:.1}v{PLOT}H{RIGHT}\" fill=\"none\" {AXIS_LINE}/>");
    let drawn: Vec<String> =
        points.iter().map(|&(step, n)| format!("{:.1},{:.1}", across(steps, step as f64), y(n))).collect();
    let stroke = plot::stroke(number);
    let line = drawn.join(" ");
    let _ = writeln!(svg, "<polyline points=\"{line}\" fill=\"none\" {stroke} stroke-width=\"1.6\"/>");
}

/// A measured number with four digits.
fn number_text(number: f64) -> String {
    match number.abs() {
        size if size >= 1000.0 || size == 0.0 || number.fract() == 0.0 => format!("{number:.0}"),
        size if size >= 1.0 => format!("{number:.3}"),
        _ => format!("{number:.4}"),
    }
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
        let svg = curves.svg("a < b");
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(
            svg.contains("a &lt; b") && svg.contains("loss, now 0.3000") && !svg.contains("NaN"),
            "{svg}"
        );
        assert!(svg.contains("class=\"s0\"") && svg.contains("class=\"s1\""), "each curve has its colour");
        let few: Vec<&str> = svg.split("text-anchor=\"middle\"").skip(1).collect();
        assert!(few.iter().all(|text| !text.split('<').next().unwrap().contains('.')), "steps are whole");
        let many: Vec<_> = (0..10_000).map(|step| (step, 0.0)).collect();
        let thin = thinned(many);
        assert!(thin.len() <= DRAWN + 1 && thin.last() == Some(&(9999, 0.0)));
    }
}
