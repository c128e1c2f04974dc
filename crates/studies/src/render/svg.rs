//! Charts as SVG: lines, clouds with the line through them, groups of bars.

use std::fmt::Write;

use trilith_base::markup::escape;
use trilith_base::plot::{self, AXIS_LINE, AxisSpan, GRID_LINE, TEXT, label};
use trilith_search::probcut::fit;

use super::colours::Colours;
use crate::report::{Chart, ChartKind, Series};

/// Of a picture whose legend needs no more.
const WIDTH: f64 = 720.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 12.0;
const PLOT_WIDTH: f64 = 460.0;
const PLOT_HEIGHT: f64 = 260.0;
/// At most so many series are named beside a chart.
const LISTED: usize = 14;
/// At most so many points of a line are drawn.
const DRAWN: usize = 500;
/// Pixels of a letter of a legend, and of the smaller ones below bars.
const LETTER: f64 = 6.6;
const SMALL_LETTER: f64 = 6.0;
/// Letters of a place's name that are shown.
const PLACE: usize = 22;
/// No bar is wider, however few there are.
const WIDEST: f64 = 48.0;

/// The picture of a chart that stands alone.
pub fn picture(chart: &Chart) -> String {
    coloured(chart, &Colours::of(std::iter::once(chart)))
}

/// The picture of a chart with the colours of its page.
pub(super) fn coloured(chart: &Chart, colours: &Colours) -> String {
    let named = chart.series.iter().filter(|series| !series.name.is_empty()).count();
    // So many lines show a whole, not each one of them.
    let names = if named > LISTED { 0 } else { named };
    let legend = 18.0 * names as f64 + 20.0;
    let frame = Frame::of(chart);
    let height = (TOP + PLOT_HEIGHT + 52.0 + frame.turned(chart)).max(legend);
    let letters = chart.series.iter().filter(|_| names > 0).map(|series| legend_text(series).chars().count());
    let width = LEFT + PLOT_WIDTH + 48.0 + LETTER * letters.max().unwrap_or(0) as f64;
    let mut svg = plot::head(width.max(WIDTH).round(), height.round(), &chart.caption);
    frame.draw(chart, &mut svg);
    for (number, series) in chart.series.iter().enumerate() {
        let colour = colours.number(chart, series);
        match chart.kind {
            ChartKind::Lines => line(&frame, series, colour, &mut svg),
            ChartKind::Scatter => cloud(&frame, series, colour, &mut svg),
            ChartKind::Bars => bars(&frame, series, colour, (number, chart.series.len()), &mut svg),
        }
        if names > 0 && !series.name.is_empty() {
            entry(chart.kind, number, series, colour, &mut svg);
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
        self.draw_places(chart, svg);
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" {AXIS_LINE}/><text x=\"{}\" y=\"{}\" \
             text-anchor=\"middle\" {TEXT}>{}</text><text x=\"14\" y=\"{}\" text-anchor=\"middle\" {TEXT} \
             transform=\"rotate(-90 14 {})\">{}</text>",
            LEFT + PLOT_WIDTH / 2.0,
            bottom + 38.0 + self.turned(chart),
            escape(&chart.x.title),
            TOP + PLOT_HEIGHT / 2.0,
            TOP + PLOT_HEIGHT / 2.0,
            escape(&chart.y.title)
        );
    }
}

impl Frame {
    /// What names of places need below the chart more than one line, because they are turned; 0 where they fit.
    fn turned(&self, chart: &Chart) -> f64 {
        let letters = chart.places.iter().map(|place| place.chars().take(PLACE).count()).max().unwrap_or(0);
        let width = SMALL_LETTER * letters as f64;
        // The sine of 40 degrees.
        if width < self.x(1.0) - self.x(0.0) { 0.0 } else { 0.64 * width }
    }

    fn draw_places(&self, chart: &Chart, svg: &mut String) {
        let y = TOP + PLOT_HEIGHT + 14.0;
        let is_turned = self.turned(chart) > 0.0;
        for (at, place) in chart.places.iter().enumerate() {
            let x = self.x(at as f64 + 0.5);
            let text: String = place.chars().take(PLACE).collect();
            let turned =
                if is_turned { format!(" transform=\"rotate(-40 {x:.1} {y})\"") } else { String::new() };
            let anchor = if is_turned { "end" } else { "middle" };
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"{anchor}\" {TEXT} font-size=\"11\"{turned}>{}</text>",
                escape(&text)
            );
        }
    }
}

fn line(frame: &Frame, series: &Series, colour: usize, svg: &mut String) {
    let (stroke, fill) = (plot::stroke(colour), plot::fill(colour));
    let apart = series.points.len().div_ceil(DRAWN).max(1);
    let last = series.points.len().saturating_sub(1);
    let drawn = series.points.iter().enumerate().filter(|(at, _)| at % apart == 0 || *at == last);
    let usable = drawn.map(|(_, &point)| point).filter(|&(x, y)| x.is_finite() && y.is_finite());
    let points: Vec<String> = usable.map(|(x, y)| format!("{:.1},{:.1}", frame.x(x), frame.y(y))).collect();
    let dashes = dashes(series);
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

fn cloud(frame: &Frame, series: &Series, colour: usize, svg: &mut String) {
    let (stroke, fill) = (plot::stroke(colour), plot::fill(colour));
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

/// The bars of a series, which is `number` of so many beside each other.
fn bars(frame: &Frame, series: &Series, colour: usize, (number, of): (usize, usize), svg: &mut String) {
    let room = frame.x(1.0) - frame.x(0.0);
    let width = (0.8 * room / of as f64).min(WIDEST);
    for &(place, height) in series.points.iter().filter(|point| point.1.is_finite()) {
        let x = frame.x(place + 0.5) + width * (number as f64 - of as f64 / 2.0);
        let (zero, end) = (frame.y(frame.y.low.max(0.0).min(frame.y.high)), frame.y(height));
        let (width, height) = ((width - 1.0).max(0.6), (end - zero).abs().max(0.3));
        bar(series, colour, [x, end.min(zero), width, height], svg);
    }
    svg.push('\n');
}

/// A full bar, or the outline of one that is published.
fn bar(series: &Series, colour: usize, [x, y, width, height]: [f64; 4], svg: &mut String) {
    let place = |by: f64| {
        let (width, height) = ((width - 2.0 * by).max(0.3), (height - 2.0 * by).max(0.3));
        format!("x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"", x + by, y + by)
    };
    let fill = plot::fill(colour);
    if !series.is_theirs() {
        let _ = write!(svg, "<rect {} {fill}/>", place(0.0));
        return;
    }
    // Half of a stroke lies outside its line.
    let (area, outline, stroke) = (place(0.0), place(0.7), plot::stroke(colour));
    let _ = write!(
        svg,
        "<rect {area} {fill} fill-opacity=\"0.18\"/><rect {outline} fill=\"none\" {stroke} stroke-width=\"1.4\"/>"
    );
}

fn dashes(series: &Series) -> &'static str {
    if series.is_theirs() { " stroke-dasharray=\"5 4\"" } else { "" }
}

/// A line of the legend.
fn entry(kind: ChartKind, number: usize, series: &Series, colour: usize, svg: &mut String) {
    let (x, y) = (LEFT + PLOT_WIDTH + 16.0, TOP + 8.0 + 18.0 * number as f64);
    if kind == ChartKind::Bars {
        bar(series, colour, [x, y - 6.0, 18.0, 11.0], svg);
    } else {
        let (stroke, dashes, end) = (plot::stroke(colour), dashes(series), x + 18.0);
        let _ = write!(
            svg,
            "<line x1=\"{x}\" y1=\"{y}\" x2=\"{end}\" y2=\"{y}\" {stroke} stroke-width=\"3\"{dashes}/>"
        );
    }
    let (text, x, y) = (escape(&legend_text(series)), x + 24.0, y + 4.0);
    let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" {TEXT}>{text}</text>");
}

fn legend_text(series: &Series) -> String {
    format!("{}{}", series.name, if series.is_published { ", published" } else { "" })
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

    #[test]
    fn long_names_have_the_room_they_need() {
        let places = |name: &str| {
            let (places, heights) = (vec![name.into(); 6], vec![1.0; 6]);
            Chart::bars("b", "", Axis::even(""), places, vec![("n".into(), heights)])
        };
        let height = |chart: &Chart| -> f64 {
            picture(chart).split("height=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
        };
        assert!(!picture(&places("short")).contains("rotate(-40"));
        let long = places("rather a long name below");
        assert!(picture(&long).contains("rotate(-40") && height(&long) > height(&places("short")) + 60.0);
        let named = long.beside("against the transposition table", vec![1.0]);
        assert!(!picture(&named).contains("viewBox=\"0 0 720"), "the legend is wider");
    }

    #[test]
    fn published_bars_are_outlines_in_the_colour_of_ours() {
        let both = Chart::bars("b", "", Axis::even(""), vec!["x".into()], vec![("rate".into(), vec![2.0])]);
        let svg = picture(&both.beside("rate", vec![1.0]));
        assert_eq!(svg.matches("class=\"f0\"").count(), 4, "two bars and their legend: {svg}");
        assert_eq!(svg.matches("fill=\"none\" class=\"s0\"").count(), 2, "{svg}");
        assert!(!svg.contains("class=\"f1\"") && svg.contains("rate, published"));
    }
}
