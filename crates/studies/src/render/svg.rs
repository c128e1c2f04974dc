//! Charts as SVG: lines, clouds with the line through them, groups of bars.

use std::fmt::Write;

use trilith_base::markup::escape;
use trilith_base::plot::{self, AXIS_LINE, AxisSpan, GRID_LINE, TEXT, label};
use trilith_search::probcut::fit;

use crate::report::{Chart, ChartKind, Series};

const WIDTH: f64 = 720.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 12.0;
const PLOT_WIDTH: f64 = 460.0;
const PLOT_HEIGHT: f64 = 260.0;
/// At most so many series are named beside a chart.
const LISTED: usize = 14;
/// At most so many points of a line are drawn.
const DRAWN: usize = 500;

/// The picture of a chart.
pub fn picture(chart: &Chart) -> String {
    let named = chart.series.iter().filter(|series| !series.name.is_empty()).count();
    // So many lines show a whole, not each one of them.
    let names = if named > LISTED { 0 } else { named };
    let legend = 18.0 * names as f64 + 20.0;
    let height = (TOP + PLOT_HEIGHT + 52.0).max(legend);
    let mut svg = plot::head(WIDTH, height, &chart.caption);
    let frame = Frame::of(chart);
    frame.draw(chart, &mut svg);
    for (number, series) in chart.series.iter().enumerate() {
        match chart.kind {
            ChartKind::Lines => line(&frame, series, number, &mut svg),
            ChartKind::Scatter => cloud(&frame, series, number, &mut svg),
            ChartKind::Bars => bars(&frame, series, number, chart.series.len(), &mut svg),
        }
        if names > 0 && !series.name.is_empty() {
            entry(number, series, &mut svg);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Where numbers lie in the picture.
struct Frame {
    x: AxisSpan,
    y: AxisSpan,
}

impl Frame {
    fn of(chart: &Chart) -> Frame {
        let points = chart.series.iter().flat_map(|series| series.points.iter());
        let x = match chart.kind {
            ChartKind::Bars => {
                let high = (chart.places.len() as f64).max(1.0);
                AxisSpan { low: 0.0, high, is_logarithmic: false, ticks: Vec::new() }
            }
            _ => AxisSpan::of(points.clone().map(|point| point.0), chart.x.is_logarithmic, false),
        };
        let y =
            AxisSpan::of(points.map(|point| point.1), chart.y.is_logarithmic, chart.kind == ChartKind::Bars);
        Frame { x, y }
    }

    fn x(&self, number: f64) -> f64 {
        LEFT + PLOT_WIDTH * self.x.share(number)
    }

    fn y(&self, number: f64) -> f64 {
        TOP + PLOT_HEIGHT * (1.0 - self.y.share(number).clamp(-0.05, 1.05))
    }

    fn draw(&self, chart: &Chart, svg: &mut String) {
        let (right, bottom) = (LEFT + PLOT_WIDTH, TOP + PLOT_HEIGHT);
        for &tick in &self.y.ticks {
            let y = self.y(tick);
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" {GRID_LINE}/><text x=\"{}\" \
                 y=\"{:.1}\" text-anchor=\"end\" {TEXT}>{}</text>",
                LEFT - 6.0,
                y + 4.0,
                label(tick)
            );
        }
        for &tick in &self.x.ticks {
            let x = self.x(tick);
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" y1=\"{bottom}\" x2=\"{x:.1}\" y2=\"{}\" {AXIS_LINE}/><text x=\"{x:.1}\" y=\"{}\" \
                 text-anchor=\"middle\" {TEXT}>{}</text>",
                bottom + 4.0,
                bottom + 17.0,
                label(tick)
            );
        }
        for (at, place) in chart.places.iter().enumerate() {
            let x = self.x(at as f64 + 0.5);
            let text: String = place.chars().take(22).collect();
            let many = chart.places.len() > 8;
            let turned = if many {
                format!(" transform=\"rotate(-40 {x:.1} {})\"", bottom + 14.0)
            } else {
                String::new()
            };
            let anchor = if many { "end" } else { "middle" };
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"{anchor}\" {TEXT} font-size=\"11\"{turned}>{}</text>",
                bottom + 14.0,
                escape(&text)
            );
        }
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" {AXIS_LINE}/><text x=\"{}\" y=\"{}\" \
             text-anchor=\"middle\" {TEXT}>{}</text><text x=\"14\" y=\"{}\" text-anchor=\"middle\" {TEXT} \
             transform=\"rotate(-90 14 {})\">{}</text>",
            LEFT + PLOT_WIDTH / 2.0,
            bottom + 38.0,
            escape(&chart.x.title),
            TOP + PLOT_HEIGHT / 2.0,
            TOP + PLOT_HEIGHT / 2.0,
            escape(&chart.y.title)
        );
    }
}

fn line(frame: &Frame, series: &Series, number: usize, svg: &mut String) {
    let (stroke, fill) = (plot::stroke(number), plot::fill(number));
    let apart = series.points.len().div_ceil(DRAWN).max(1);
    let last = series.points.len().saturating_sub(1);
    let drawn = series.points.iter().enumerate().filter(|(at, _)| at % apart == 0 || *at == last);
    let usable = drawn.map(|(_, &point)| point).filter(|&(x, y)| x.is_finite() && y.is_finite());
    let points: Vec<String> = usable.map(|(x, y)| format!("{:.1},{:.1}", frame.x(x), frame.y(y))).collect();
    let dashes = if series.is_published { " stroke-dasharray=\"5 4\"" } else { "" };
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" {stroke} stroke-width=\"1.6\"{dashes}/>",
        points.join(" ")
    );
    if points.len() <= 30 {
        for point in &points {
            let (x, y) = point.split_once(',').unwrap_or_default();
            let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"2.4\" {fill}/>");
        }
        svg.push('\n');
    }
}

fn cloud(frame: &Frame, series: &Series, number: usize, svg: &mut String) {
    let (stroke, fill) = (plot::stroke(number), plot::fill(number));
    for &(x, y) in series.points.iter().take(4 * DRAWN) {
        let (x, y) = (frame.x(x), frame.y(y));
        let _ = write!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"1.8\" {fill} fill-opacity=\"0.45\"/>");
    }
    if let Some(found) = fit(0, &series.points) {
        let at = |x: f64| (frame.x(x), frame.y(found.a * x + found.b));
        let ((x1, y1), (x2, y2)) = (at(frame.x.low), at(frame.x.high));
        let _ = write!(
            svg,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {stroke} stroke-width=\"1.4\"/>"
        );
    }
    svg.push('\n');
}

fn bars(frame: &Frame, series: &Series, number: usize, of: usize, svg: &mut String) {
    let fill = plot::fill(number);
    let room = frame.x(1.0) - frame.x(0.0);
    let width = 0.8 * room / of as f64;
    for &(place, height) in series.points.iter().filter(|point| point.1.is_finite()) {
        let x = frame.x(place) + 0.1 * room + width * number as f64;
        let (zero, end) = (frame.y(frame.y.low.max(0.0).min(frame.y.high)), frame.y(height));
        let _ = write!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" {fill}/>",
            end.min(zero),
            (width - 1.0).max(0.6),
            (end - zero).abs().max(0.3)
        );
    }
    svg.push('\n');
}

fn entry(number: usize, series: &Series, svg: &mut String) {
    let stroke = plot::stroke(number);
    let (x, y) = (LEFT + PLOT_WIDTH + 16.0, TOP + 8.0 + 18.0 * number as f64);
    let dashes = if series.is_published { " stroke-dasharray=\"5 4\"" } else { "" };
    let published = if series.is_published { ", published" } else { "" };
    let _ = writeln!(
        svg,
        "<line x1=\"{x}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" {stroke} stroke-width=\"3\"{dashes}/><text x=\"{}\" \
         y=\"{}\" {TEXT}>{}{published}</text>",
        x + 18.0,
        x + 24.0,
        y + 4.0,
        escape(&series.name)
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Axis;

    fn chart(kind: ChartKind, is_logarithmic: bool) -> Chart {
        let axis = || Axis { title: "a & b".into(), is_logarithmic };
        let series = vec![
            Series::ours("one", vec![(1.0, 10.0), (2.0, 100.0), (3.0, 1000.0)]),
            Series::published("two", vec![(1.0, 20.0), (2.0, f64::NAN), (3.0, 0.0)]),
        ];
        let places = vec!["x".into(), "y".into(), "z".into(), "w".into()];
        Chart { kind, places, ..Chart::lines("c", "caption", Axis::even("x"), axis(), series) }
    }

    #[test]
    fn every_kind_is_drawn_inside_its_picture() {
        for kind in [ChartKind::Lines, ChartKind::Scatter, ChartKind::Bars] {
            for is_logarithmic in [false, true] {
                let svg = picture(&chart(kind, is_logarithmic));
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{kind:?}: {svg}");
                assert!(svg.contains("a &amp; b") && svg.contains(", published"));
            }
        }
        let empty = Chart { series: Vec::new(), ..chart(ChartKind::Lines, true) };
        assert!(!picture(&empty).contains("NaN"));
    }
}
