//! Charts as SVG: lines, clouds with the line through them, groups of bars.

use std::fmt::Write;

use trilith_base::markup::escape;
use trilith_search::probcut::fit;

use crate::report::{Axis, Chart, Kind, Series};

const WIDTH: f64 = 720.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 12.0;
const PLOT_WIDTH: f64 = 460.0;
const PLOT_HEIGHT: f64 = 260.0;
/// Colours that can be told apart, also by most who do not see all of them.
const COLOURS: [&str; 10] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8c6d1f", "#56b4e9", "#7b3294", "#444444", "#e69f00",
    "#a6761d",
];
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
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\" role=\"img\"><title>{}</title>\n",
        escape(&chart.caption)
    );
    let frame = Frame::of(chart);
    frame.draw(chart, &mut svg);
    for (number, series) in chart.series.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        match chart.kind {
            Kind::Lines => line(&frame, series, colour, &mut svg),
            Kind::Scatter => cloud(&frame, series, colour, &mut svg),
            Kind::Bars => bars(&frame, series, number, chart.series.len(), colour, &mut svg),
        }
        if names > 0 && !series.name.is_empty() {
            entry(number, series, colour, &mut svg);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Where numbers lie in the picture.
struct Frame {
    x: Span,
    y: Span,
}

/// One axis: from where to where, and where it is marked.
struct Span {
    low: f64,
    high: f64,
    is_logarithmic: bool,
    ticks: Vec<f64>,
}

impl Span {
    fn of(numbers: impl Iterator<Item = f64> + Clone, axis: &Axis, with_zero: bool) -> Span {
        let usable = numbers.filter(|number| number.is_finite() && (!axis.is_logarithmic || *number > 0.0));
        let low = usable.clone().fold(f64::INFINITY, f64::min);
        let high = usable.fold(f64::NEG_INFINITY, f64::max);
        if low > high {
            return Span { low: 0.0, high: 1.0, is_logarithmic: false, ticks: vec![0.0, 1.0] };
        }
        if axis.is_logarithmic {
            return Span::logarithmic(low, high);
        }
        let (low, high) = if with_zero { (low.min(0.0), high.max(0.0)) } else { (low, high) };
        let step = tick((high - low).max(1e-9));
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        let high = if high > low { high } else { low + step };
        let count = ((high - low) / step).round() as i64;
        let ticks = (0..=count).map(|number| low + step * number as f64).collect();
        Span { low, high, is_logarithmic: false, ticks }
    }

    fn logarithmic(low: f64, high: f64) -> Span {
        let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
        let last = last.max(first + 1);
        let every = ((last - first) / 7 + 1) as usize;
        let ticks = (first..=last).step_by(every).map(|power| 10f64.powi(power)).collect();
        Span { low: 10f64.powi(first), high: 10f64.powi(last), is_logarithmic: true, ticks }
    }

    /// Between 0 and 1.
    fn share(&self, number: f64) -> f64 {
        match self.is_logarithmic {
            true => (number.max(1e-300) / self.low).ln() / (self.high / self.low).ln(),
            false => (number - self.low) / (self.high - self.low),
        }
    }
}

impl Frame {
    fn of(chart: &Chart) -> Frame {
        let points = chart.series.iter().flat_map(|series| series.points.iter());
        let x = match chart.kind {
            Kind::Bars => {
                let high = (chart.places.len() as f64).max(1.0);
                Span { low: 0.0, high, is_logarithmic: false, ticks: Vec::new() }
            }
            _ => Span::of(points.clone().map(|point| point.0), &chart.x, false),
        };
        let y = Span::of(points.map(|point| point.1), &chart.y, chart.kind == Kind::Bars);
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
                "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#ddd\"/><text x=\"{}\" \
                 y=\"{:.1}\" text-anchor=\"end\" fill=\"#555\">{}</text>",
                LEFT - 6.0,
                y + 4.0,
                label(tick)
            );
        }
        for &tick in &self.x.ticks {
            let x = self.x(tick);
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" y1=\"{bottom}\" x2=\"{x:.1}\" y2=\"{}\" stroke=\"#888\"/><text x=\"{x:.1}\" y=\"{}\" \
                 text-anchor=\"middle\" fill=\"#555\">{}</text>",
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
                "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"{anchor}\" fill=\"#555\" font-size=\"11\"{turned}>{}</text>",
                bottom + 14.0,
                escape(&text)
            );
        }
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"#888\"/><text x=\"{}\" y=\"{}\" \
             text-anchor=\"middle\" fill=\"#333\">{}</text><text x=\"14\" y=\"{}\" text-anchor=\"middle\" fill=\"#333\" \
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

fn line(frame: &Frame, series: &Series, colour: &str, svg: &mut String) {
    let apart = series.points.len().div_ceil(DRAWN).max(1);
    let last = series.points.len().saturating_sub(1);
    let drawn = series.points.iter().enumerate().filter(|(at, _)| at % apart == 0 || *at == last);
    let usable = drawn.map(|(_, &point)| point).filter(|&(x, y)| x.is_finite() && y.is_finite());
    let points: Vec<String> = usable.map(|(x, y)| format!("{:.1},{:.1}", frame.x(x), frame.y(y))).collect();
    let dashes = if series.is_published { " stroke-dasharray=\"5 4\"" } else { "" };
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"{dashes}/>",
        points.join(" ")
    );
    if points.len() <= 30 {
        for point in &points {
            let (x, y) = point.split_once(',').unwrap_or_default();
            let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"2.4\" fill=\"{colour}\"/>");
        }
        svg.push('\n');
    }
}

fn cloud(frame: &Frame, series: &Series, colour: &str, svg: &mut String) {
    for &(x, y) in series.points.iter().take(4 * DRAWN) {
        let (x, y) = (frame.x(x), frame.y(y));
        let _ = write!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"1.8\" fill=\"{colour}\" fill-opacity=\"0.45\"/>"
        );
    }
    if let Some(found) = fit(0, &series.points) {
        let at = |x: f64| (frame.x(x), frame.y(found.a * x + found.b));
        let ((x1, y1), (x2, y2)) = (at(frame.x.low), at(frame.x.high));
        let _ = write!(
            svg,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" stroke-width=\"1.4\"/>"
        );
    }
    svg.push('\n');
}

fn bars(frame: &Frame, series: &Series, number: usize, of: usize, colour: &str, svg: &mut String) {
    let room = frame.x(1.0) - frame.x(0.0);
    let width = 0.8 * room / of as f64;
    for &(place, height) in series.points.iter().filter(|point| point.1.is_finite()) {
        let x = frame.x(place) + 0.1 * room + width * number as f64;
        let (zero, end) = (frame.y(frame.y.low.max(0.0).min(frame.y.high)), frame.y(height));
        let _ = write!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\"/>",
            end.min(zero),
            (width - 1.0).max(0.6),
            (end - zero).abs().max(0.3)
        );
    }
    svg.push('\n');
}

fn entry(number: usize, series: &Series, colour: &str, svg: &mut String) {
    let (x, y) = (LEFT + PLOT_WIDTH + 16.0, TOP + 8.0 + 18.0 * number as f64);
    let dashes = if series.is_published { " stroke-dasharray=\"5 4\"" } else { "" };
    let published = if series.is_published { ", published" } else { "" };
    let _ = writeln!(
        svg,
        "<line x1=\"{x}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"3\"{dashes}/><text x=\"{}\" \
         y=\"{}\" fill=\"#333\">{}{published}</text>",
        x + 18.0,
        x + 24.0,
        y + 4.0,
        escape(&series.name)
    );
}

/// A round distance that divides `span` into a handful of parts.
fn tick(span: f64) -> f64 {
    let rough = span / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    steps.into_iter().find(|&step| step >= rough * 0.999).unwrap_or(10.0 * power)
}

fn label(number: f64) -> String {
    let size = number.abs();
    match size {
        0.0 => "0".into(),
        s if s >= 1e5 => format!("{number:.0e}"),
        s if s < 1e-3 => format!("{number:.0e}"),
        _ => {
            let text = format!("{number:.3}");
            text.trim_end_matches('0').trim_end_matches('.').into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(kind: Kind, is_logarithmic: bool) -> Chart {
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
        for kind in [Kind::Lines, Kind::Scatter, Kind::Bars] {
            for is_logarithmic in [false, true] {
                let svg = picture(&chart(kind, is_logarithmic));
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{kind:?}: {svg}");
                assert!(svg.contains("a &amp; b") && svg.contains(", published"));
            }
        }
        let empty = Chart { series: Vec::new(), ..chart(Kind::Lines, true) };
        assert!(!picture(&empty).contains("NaN"));
    }

    #[test]
    fn ticks_are_round_and_cover_everything() {
        let axis = Axis::even("");
        let span = Span::of([0.31, 0.93].into_iter(), &axis, false);
        assert!(span.low <= 0.31 && span.high >= 0.93 && span.ticks.len() < 9, "{:?}", span.ticks);
        let span = Span::of([3.0, 20_000.0].into_iter(), &Axis::logarithmic(""), false);
        assert_eq!((span.low, span.high), (1.0, 100_000.0));
        assert_eq!([0.0, 0.5, 30.0, 2e6].map(label), ["0", "0.5", "30", "2e6"]);
    }
}
